"""A node of the solved game on the screen: the board, beside it the way there and the moves, a line under both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical

from onlymove_tui.app.widgets.bars import FULL_HEIGHT, Lines, Notice, Panel, TitleBar
from onlymove_tui.app.widgets.board import BoardView
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.choices import Choices
from onlymove_tui.app.widgets.table import FRAME, shared


@dataclass(frozen=True, slots=True)
class Beside:
    """The way from the start, what the position is worth, a line for each move, and what there is to say below them."""

    way: Sequence[Row]
    standing: Sequence[Row]
    moves: Sequence[Sequence[Row]]
    marked: int
    below: Sequence[Row] = ()


class NodeTable(Vertical):
    """It shares out the room as a board in play does. Both panels beside the board have a title."""

    room = shared(80, FULL_HEIGHT)

    def __init__(self, way: str, list_of: str) -> None:
        super().__init__()
        self.titles = (way, list_of)

    def compose(self) -> ComposeResult:
        """The board on the left, the list on the right."""
        way, list_of = self.titles
        moves = Panel(Lines("standing"), Choices("list"), Lines("below"), id="ways-panel", title=list_of)
        side = Container(Panel(Lines("way"), id="way-panel", title=way), moves, id="side")
        yield TitleBar()
        yield Horizontal(Panel(BoardView(), id="board-panel"), side, id="table")
        yield Notice()

    def share(self, width: int, height: int) -> None:
        """Share out the room on a terminal of this size."""
        self.room = shared(width, height)
        self.set_class(self.room.is_framed, "-framed")
        self.query_one("#side").styles.width = self.room.side

    @property
    def width(self) -> int:
        """Columns of what stands beside the board."""
        return self.room.side - (2 * FRAME if self.room.is_framed else FRAME)

    def show_title(self, left: Row, right: Row) -> None:
        """What is on the board, and where in the game that is."""
        self.query_one(TitleBar).show(left, right)
        title, facts = ("".join(text for text, _ in row).strip() for row in (left, right))
        self.query_one("#board-panel", Panel).name_it(title, facts)

    def show(self, beside: Beside) -> None:
        """Everything beside the board."""
        self.query_one("#way", Lines).show(beside.way)
        self.query_one("#standing", Lines).show(beside.standing)
        self.query_one("#below", Lines).show(beside.below)
        self.query_one(Choices).show(beside.moves, beside.marked)

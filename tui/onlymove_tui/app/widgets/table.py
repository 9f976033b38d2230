"""A game on the screen: title, board, what stands beside it, the lines under it. Shares out the room there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from onlymove_tui.app.widgets.bars import FULL_HEIGHT, Notice, TitleBar
from onlymove_tui.app.widgets.board import BoardView
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.fitting import Draw
from onlymove_tui.app.widgets.move_list import MoveList, Ply
from onlymove_tui.app.widgets.paint import Marks
from onlymove_tui.app.widgets.panel import Lines
from onlymove_tui.app.widgets.tones import Tone
from onlymove_tui.app.widgets.value_strip import Column, ValueStrip

SIDE_WIDTH = 26
"""Columns of text beside a board at 80 columns."""
PLAYER_LINES, LEAST_MOVES, STRIP_LINES = 3, 2, 7
"""Lines of the players with a gap, of the moves that stay in sight, of the value strip."""
AND_MORE: Row = (("and more", Tone.DIM),)


@dataclass(frozen=True, slots=True)
class Side:
    """What stands beside a board, from the top; place `at` of the moves is marked."""

    players: Sequence[Row]
    plies: Sequence[Ply]
    columns: Sequence[Column]
    at: int
    notes: Sequence[Row]
    is_paired: bool
    has_strip: bool


@dataclass(frozen=True, slots=True)
class Docked:
    """Some lines under a board; a banner asks for an answer and looks like it."""

    rows: Sequence[Row]
    is_banner: bool = False


class Table(Vertical):
    """From the top: title, board with its side panel, the docked lines."""

    def compose(self) -> ComposeResult:
        """From the top."""
        side = Vertical(Lines("players"), MoveList(), Lines("note"), ValueStrip(), id="side")
        yield TitleBar()
        yield Horizontal(BoardView(), side, id="table")
        yield Notice()

    def show_title(self, left: Row, right: Row) -> None:
        """The two ends of the title line."""
        self.query_one(TitleBar).show(left, right)

    def show_board(self, draw: Draw, marks: Marks) -> None:
        """The picture and what is marked on it."""
        self.query_one(BoardView).show(draw, marks)

    @property
    def scale(self) -> int:
        """The scale of the picture that is shown."""
        return self.query_one(BoardView).scale

    def show_docked(self, docked: Docked) -> None:
        """The lines under the board."""
        self.query_one(Notice).show(docked.rows, docked.is_banner)

    def show_side(self, side: Side) -> None:
        """Everything beside the board. The value strip gives way when notes and strip do not fit above a few moves;
        notes that do not fit either are not dropped in silence."""
        self.query_one("#players", Lines).show(side.players)
        self.query_one(MoveList).show(side.plies, side.at, side.is_paired)
        room = (self.query_one("#table").size.height or FULL_HEIGHT - 4) - PLAYER_LINES - LEAST_MOVES
        notes = side.notes if len(side.notes) < room else [*side.notes[: room - 2], AND_MORE]
        self.query_one("#note", Lines).show(notes)
        strip = self.query_one(ValueStrip)
        strip.show(side.columns, side.at)
        strip.display = side.has_strip and room - (len(notes) + 1 if notes else 0) > STRIP_LINES

    @property
    def note_width(self) -> int:
        """Columns of the notes."""
        return max(SIDE_WIDTH, self.query_one("#side").size.width - 2)

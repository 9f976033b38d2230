"""What playing and reviewing share: the board with its side panel, and what changes only how it is looked at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from onlymove_engines.core.move_entry import NO_ENTRY, MoveEntry
from onlymove_engines.core.rules import Result, Target
from onlymove_engines.core.scene import Scene, View
from onlymove_engines.play.line import AnyNode, Node
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widget import Widget

from onlymove_tui.app.messages import Seated
from onlymove_tui.app.panels import telling
from onlymove_tui.app.screens.base_screen import BaseScreen
from onlymove_tui.app.widgets.bars import FULL_HEIGHT, Notice, TitleBar
from onlymove_tui.app.widgets.board import BoardView
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.move_list import MoveList
from onlymove_tui.app.widgets.paint import Marks
from onlymove_tui.app.widgets.panel import Lines
from onlymove_tui.app.widgets.tones import Tone
from onlymove_tui.app.widgets.value_strip import ValueStrip
from onlymove_tui.play.disclosure import is_revealed
from onlymove_tui.play.match import Match
from onlymove_tui.play.refutation import Refutation

PLAYER_LINES, LEAST_MOVES, STRIP_LINES = 3, 2, 7
"""Lines of the side panel: the players with a gap, the moves that stay in sight, the value strip."""


AND_MORE: Row = (("and more", Tone.DIM),)


class SidePanel(Vertical):
    """Players, moves, notes and the value strip beside the board."""

    def compose(self) -> ComposeResult:
        """From the top."""
        yield Lines("players")
        yield MoveList()
        yield Lines("note")
        yield ValueStrip()


class BoardScreen(BaseScreen):
    """A board, its side panel, two docked lines and the footer. Subclasses say what is shown."""

    names_engines: ClassVar[bool] = True

    def __init__(self, match: Match) -> None:
        super().__init__()
        self.match = match
        self.flipped = match.is_turned
        self.overlay = False
        self.values_shown = False
        self.panel_shown = False
        self.why: Refutation | None = None
        self.entry: MoveEntry[object] = NO_ENTRY
        self.cursor: Target | None = None
        self.frames: list[Scene] = []

    def content(self) -> Iterable[Widget]:
        """Title, board and panel, the docked lines."""
        yield TitleBar()
        yield Horizontal(BoardView(), SidePanel(id="side"), id="table")
        yield Notice()

    def on_resize(self, event: events.Resize) -> None:
        """What there is to read is laid out for the new size."""
        self.call_after_refresh(self.refresh_all)

    def fetch_analyst(self) -> None:
        """Have a worker fetch who knows the game's values; `on_seated` takes it."""
        self.fetch(lambda: Seated(*self.services.find_analyst(self.match.game)), "seat")

    # What is looked at.

    def shown_node(self) -> AnyNode:
        """The node on the board."""
        return self.match.node

    def shown_path(self) -> list[AnyNode]:
        """The nodes of the move list, from the root."""
        return self.match.node.path()

    def marks(self) -> Marks:
        """What is marked on the board."""
        return Marks(last=self.last_targets())

    def view(self) -> View[object, object]:
        """What the drawer is asked to draw: the reason being played through, else the shown node."""
        seat = self.match.seat if self.match.seat is not None else self.match.near_seat
        past: Sequence[AnyNode] = self.shown_node().path()
        positions = [node.position for node in past]
        moves = [node.move for node in past[1:]]
        if self.why is not None:
            positions = self.why_past() + list(self.why.positions[: self.why.step + 1])
            moves = [node.move for node in self.why_nodes()[1:]] + list(self.why.moves[: self.why.step])
        return View(
            tuple(positions),
            tuple(moves),
            flipped=self.flipped,
            chosen=() if self.why is not None else self.entry.prefix,
            overlay=self.overlay,
            ascii_only=self.services.ascii_only,
            options={"seat": seat, "cursor": self.cursor},
        )

    def why_nodes(self) -> list[AnyNode]:
        """The way to the position that the reason begins in."""
        start = None if self.why is None else self.why.positions[0]
        for node in self.shown_node().lineage():
            if node.position == start:
                return node.path()
        return [Node(0, start)]

    def why_past(self) -> list[object]:
        """The positions before the one that the reason begins in."""
        return [node.position for node in self.why_nodes()[:-1]]

    def last_targets(self) -> tuple[Target, ...]:
        """Both ends of the last move on the board."""
        painter = self.match.game.painter
        if self.why is not None:
            step = self.why.step
            return painter.trace(self.why.positions[step - 1], self.why.moves[step - 1]) if step else ()
        node = self.shown_node()
        return () if node.parent is None else painter.trace(node.parent.position, node.move)

    # Painting.

    def show_board(self) -> None:
        """Board and marks, or the in-between picture of a move on its way."""
        if not self.is_built:
            return
        board = self.query_one(BoardView)
        if self.frames:
            board.show(self.frames[0], Marks())
        else:
            board.show(self.match.game.painter.scene(self.view()), self.marks())

    @property
    def result(self) -> Result | None:
        """How the game has ended, once its last move has been seen on the board."""
        return None if self.frames else self.match.session.result

    def show_side(self) -> None:
        """Players, moves and value strip."""
        session = self.match.session
        mover = None if session.is_over else session.to_move
        self.query_one("#players", Lines).show(telling.player_rows(self.match, mover, self.result, self.names_engines))
        path = self.shown_path()
        at = next((place for place, node in enumerate(path) if node is self.shown_node()), len(path) - 1)
        everything = self.shows_everything()
        plies = telling.plies_of(self.match, path, everything)
        self.query_one(MoveList).show(plies, at, paired=not self.match.is_simultaneous)
        strip = self.query_one(ValueStrip)
        strip.show(telling.columns_of(self.match, path, everything), at)

    @property
    def note_width(self) -> int:
        """Columns of the notes at the side."""
        return max(telling.SIDE_WIDTH, self.query_one("#side").size.width - 2)

    def show_notes(self, rows: Sequence[Row]) -> None:
        """What there is to read. The value strip gives way when both do not fit above a few moves."""
        height = self.query_one("#table").size.height or FULL_HEIGHT - 4
        most = height - PLAYER_LINES - LEAST_MOVES - 1
        if len(rows) > most:
            rows = [*rows[: most - 1], AND_MORE]
        room = height - PLAYER_LINES - LEAST_MOVES - (len(rows) + 1 if rows else 0)
        self.query_one("#note", Lines).show(rows)
        strip = self.query_one(ValueStrip)
        strip.display = room > STRIP_LINES and (self.shows_everything() or is_revealed(self.match))

    def shows_everything(self) -> bool:
        """Whether judgements are shown without regard to who has answered what."""
        return False

    def refresh_all(self) -> None:
        """Everything that may have changed."""
        raise NotImplementedError

    # Looking differently.

    def action_flip(self) -> None:
        """Turn the board round."""
        self.flipped = not self.flipped
        self.show_board()

    def action_overlay(self) -> None:
        """Show what the game has to show of the future, or stop."""
        self.overlay = not self.overlay
        self.refresh_all()

    def action_values(self) -> None:
        """Show the values of all moves, or stop."""
        self.values_shown = not self.values_shown
        self.refresh_all()

    def action_panel(self) -> None:
        """On a narrow screen the side panel takes the board's place, or gives it back."""
        self.panel_shown = not self.panel_shown
        self.set_class(self.panel_shown, "-panel")

    def step_why(self, by: int) -> None:
        """Along the reason."""
        if self.why is not None:
            self.why = self.why.stepped(by)
            self.refresh_all()

    def action_menu(self) -> None:
        """To the list of games."""
        self.services.to_menu()

    def action_rules(self) -> None:
        """The game's own page."""
        self.services.show_rules(self.match.game.id)

    def action_new(self) -> None:
        """A new game of this kind."""
        self.services.new_game(self.match.game.id)

"""The layout of a screen with a board, of a game or of a node of a solved game, in the size of the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.widget import Widget

from onlymove_tui.app.themes import Tone
from onlymove_tui.app.widgets.bars import FULL_HEIGHT, Lines, Notice, Panel, TitleBar
from onlymove_tui.app.widgets.board import BoardView
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.choices import Choices
from onlymove_tui.app.widgets.move_list import MoveList, Ply
from onlymove_tui.app.widgets.value_strip import FULL, LOW, TALL, Strip, ValueStrip

BOXES = ((104, 37), (76, 21))
"""(columns of the widest, lines of the lowest) pictures of a scale; the largest scale first."""
LEAST_SIDE, LEAST_BESIDE_LARGEST = 28, 40
"""The least columns beside a board, and beside one of the largest scale."""
FRAMED = (120, 36)
"""The least terminal with borders: the board keeps its scale."""
UNFOLDED = 80
"""Columns from which the panels are beside the board."""
TABLED = 140
"""Columns from which the values of all moves have their own panel."""
TWO_STACKS = 60
"""Columns beside the board from which the panels stand in two stacks."""
FRAME = 2
"""Columns, or lines, of a border."""
DOCKED = 3
"""Lines under the board, the keys among them."""


@dataclass(frozen=True, slots=True)
class Room:
    """How a terminal is divided: `side` columns beside the board, or instead of it if the side `is_folded`. If it
    `is_framed`, panels have borders and one holds the title; if it `has_table`, the values of all moves have a
    panel."""

    side: int
    is_folded: bool
    is_framed: bool
    has_table: bool

    @property
    def has_two_stacks(self) -> bool:
        return self.side >= TWO_STACKS and not self.is_folded

    @property
    def rules(self) -> int:
        """Lines of a panel besides its text."""
        return FRAME if self.is_framed else 1


def divide(width: int, height: int) -> Room:
    """Divide a terminal: the board gets as much as its picture can use, the panels the rest."""
    if width < UNFOLDED:
        return Room(width - FRAME, is_folded=True, is_framed=False, has_table=False)
    is_framed = width >= FRAMED[0] and height >= FRAMED[1]
    columns = width - (FRAME if is_framed else 0)
    lines = height - DOCKED - (FRAME if is_framed else 1)
    (largest, lines_of_largest), (usual, _) = BOXES
    if lines >= lines_of_largest and columns - largest >= LEAST_BESIDE_LARGEST:
        side = columns - largest
    else:
        side = max(LEAST_SIDE, columns - usual)
    return Room(side, is_folded=False, is_framed=is_framed, has_table=width >= TABLED)


SIDE_WIDTH = 26
"""Columns of text beside a board at 80 columns."""
PLAYER_LINES, LEAST_MOVES = 3, 2
"""Lines of the players with a gap, and the least lines of moves."""
AND_MORE: Row = (("More on a larger screen", Tone.DIM),)


@dataclass(frozen=True, slots=True)
class Note:
    """Text with a title. If only one note fits, one that `is_first` stands before the values of moves. `otherwise` is
    the line of a panel that stays without text."""

    title: str
    rows: Sequence[Row] = ()
    is_alarm: bool = False
    is_first: bool = False
    otherwise: Row = ()


NO_NOTE = Note("")


@dataclass(frozen=True, slots=True)
class Side:
    """The panels beside a board; move `at` is marked. `standing` says who wins if that may be seen, `worth` has the
    values of all moves, `coach` any other text; `background` is for where there is room for everything."""

    players: Sequence[Row]
    plies: Sequence[Ply]
    at: int
    is_paired: bool
    standing: Row
    strip: Strip | None
    coach: Note
    worth: Note
    background: Note = NO_NOTE


@dataclass(frozen=True, slots=True)
class Docked:
    """The lines under a board. A banner asks for an answer. If it `names_keys`, the footer has none; if it
    `is_guarded`, the first key counts only once it has been seen."""

    rows: Sequence[Row]
    is_banner: bool = False
    names_keys: bool = False
    is_guarded: bool = False


class BoardLayout(Vertical):
    """From the top: title, board with the panels beside it, the docked lines."""

    def __init__(self, *panels: Widget) -> None:
        super().__init__()
        self.room = divide(80, FULL_HEIGHT)
        self.title_bar, self.view, self.notice = TitleBar(), BoardView(), Notice()
        self.board_panel = Panel(self.view, id="board-panel")
        self.beside = Container(*panels, id="side")
        self.middle = Horizontal(self.board_panel, self.beside, id="table")

    def compose(self) -> ComposeResult:
        yield self.title_bar
        yield self.middle
        yield self.notice

    def share(self, width: int, height: int) -> None:
        self.room = divide(width, height)
        self.set_class(self.room.is_framed, "-framed")
        self.beside.styles.width = self.room.side

    def show_title(self, left: Row, right: Row) -> None:
        self.title_bar.show(left, right)
        title, facts = ("".join(text for text, _ in row).strip() for row in (left, right))
        self.board_panel.set_title(title, facts)


class GameLayout(BoardLayout):
    """A game and its panels; the near stack is the one beside the board."""

    def __init__(self) -> None:
        self.players, self.moves = Lines("players"), MoveList()
        self.standing, self.strip = Lines("standing"), ValueStrip()
        moves_panel = Panel(self.players, self.moves, id="moves-panel", title="Moves")
        self.coach_panel = Panel(Lines("note"), id="coach-panel")
        self.worth_panel = Panel(Lines("worth"), id="worth-panel")
        self.background_panel = Panel(Lines("background"), id="background-panel")
        self.value_panel = Panel(self.standing, self.strip, id="value-panel")
        self.near = Vertical(moves_panel, self.coach_panel, id="near")
        self.side: Side | None = None
        super().__init__(self.near, Vertical(self.worth_panel, self.background_panel, self.value_panel, id="far"))

    def share(self, width: int, height: int) -> None:
        super().share(width, height)
        self.set_class(self.room.has_two_stacks, "-two-stacks")

    def show_docked(self, docked: Docked, is_early: bool) -> None:
        """Show the lines under the board, which it may be too early to answer. If their number changes, the panels are
        fitted again."""
        before = len(self.notice.lines)
        self.notice.show(docked.rows, docked.is_banner, is_early and docked.is_guarded)
        if len(self.notice.lines) != before and self.side is not None:
            self.call_after_refresh(self.show_side)

    @property
    def note_width(self) -> int:
        return max(SIDE_WIDTH, self.near.size.width - (2 * FRAME if self.room.is_framed else FRAME))

    def show_side(self, side: Side | None = None) -> None:
        """Show the panels, by default the last ones in a new size. Without a panel of their own the values of moves
        take the coach's, unless that has an alarm or an answer to a newer command."""
        side = self.side = side or self.side
        if side is None:
            return
        self.players.show(side.players)
        self.moves.show(side.plies, side.at, side.is_paired)
        is_coached = side.coach.rows and (side.coach.is_alarm or side.coach.is_first)
        coach = side.coach if self.room.has_table or is_coached or not side.worth.rows else side.worth
        height, rules = self.middle.size.height or FULL_HEIGHT - 4, self.room.rules
        room = height - PLAYER_LINES - LEAST_MOVES - (FRAME if self.room.is_framed else 0)
        if self.room.has_two_stacks:
            self._show_note(self.coach_panel, coach, room - rules)
            worth = side.worth if side.worth.rows else replace(side.worth, rows=[side.worth.otherwise])
            self.set_class(not side.worth.rows, "-unasked")
            left = height - self._show_note(self.background_panel, side.background, height // 3)
            self._show_note(self.worth_panel, worth, self._show_value(side, left - rules, height) - rules)
        else:
            self._show_note(self.background_panel, NO_NOTE, 0)
            least = rules + 1 if side.standing else 0
            room -= least + self._show_note(self.coach_panel, coach, room - least - rules)
            own = side.worth if self.room.has_table else Note("")
            room -= self._show_note(self.worth_panel, own, room - rules)
            self._show_value(side, room + least, height)

    def _show_note(self, panel: Panel, note: Note, room: int) -> int:
        """Show a note in at most `room` lines, the last of which says if there is more. Returns the lines of its
        panel."""
        rows = note.rows if len(note.rows) <= room else [*note.rows[: room - 1], AND_MORE] if room > 0 else []
        panel.set_title(note.title)
        panel.set_class(note.is_alarm, "-alarm")
        panel.display = bool(rows)
        panel.query_one(Lines).show(rows)
        return len(rows) + self.room.rules if rows else 0

    def _show_value(self, side: Side, room: int, height: int) -> int:
        """Show who wins, and the strip if it fits. Returns the lines that are left of `room`."""
        standing, strip = [side.standing] if side.standing else [], self.strip
        least = self.room.rules + len(standing)
        strip.display = side.strip is not None and room >= least + LOW
        if side.strip is not None:
            tall = FULL if self.room.has_two_stacks and not side.worth.rows else TALL
            strip.show(side.strip, next((lines for lines in (tall, TALL) if room >= height // 3 + lines), LOW))
        self.value_panel.display = bool(standing) or strip.display
        legend = side.strip.legend if side.strip is not None and strip.display else ""
        titles = (f"Value  {legend}".strip(), legend, "Value")
        self.value_panel.set_title(next(title for title in titles if title and len(title) <= self.note_width - 2))
        self.standing.show(standing)
        return room - (least + (strip.height if strip.display else 0) if self.value_panel.display else 0)


class NodeLayout(BoardLayout):
    """A node of a solved game, or a position that is set up: the path above, a list below."""

    def __init__(self, way: str, list_of: str) -> None:
        self.way, self.standing, self.below = Lines("way"), Lines("standing"), Lines("below")
        self.choices = Choices("list")
        moves = Panel(self.standing, self.choices, self.below, id="ways-panel", title=list_of)
        super().__init__(Panel(self.way, id="way-panel", title=way), moves)

    @property
    def width(self) -> int:
        return self.room.side - (2 * FRAME if self.room.is_framed else FRAME)

    def show(
        self,
        way: Sequence[Row],
        standing: Sequence[Row],
        moves: Sequence[Sequence[Row]],
        marked: int,
        below: Sequence[Row] = (),
    ) -> None:
        self.way.show(way)
        self.standing.show(standing)
        self.below.show(below)
        self.choices.show(moves, marked)

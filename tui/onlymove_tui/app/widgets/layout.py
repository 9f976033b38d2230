"""Everything on a screen with a board, and how it shares the room: a game, and a node of a solved game."""

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
from onlymove_tui.app.widgets.value_strip import LOW, TALL, Strip, ValueStrip

BOXES = ((104, 37), (76, 21))
"""Columns that the largest pictures of a scale take, lines that its lowest ones need; the largest scale first."""
LEAST_SIDE, LEAST_BESIDE_LARGEST = 28, 40
"""Columns beside a board, always and beside one of the largest scale."""
FRAMED = (120, 36)
"""A terminal on which borders pay: with them the board still has its next scale."""
UNFOLDED = 80
"""Columns from which there is room for anything beside the board."""
TABLED = 140
"""Columns from which the worth of every move has a panel of its own."""
TWO_STACKS = 60
"""Columns beside the board from which the panels stand in two stacks."""
FRAME = 2
"""What a border takes of either measure."""
DOCKED = 3
"""Lines under the board, the keys among them."""


@dataclass(frozen=True, slots=True)
class Room:
    """`side` columns are beside the board, or instead of it where the side `is_folded`; with `is_framed` the panels
    have borders and the title is in one of them, with `has_table` the worth of every move has a panel of its own."""

    side: int
    is_folded: bool
    is_framed: bool
    has_table: bool

    @property
    def has_two_stacks(self) -> bool:
        """Whether the panels stand in two stacks beside each other."""
        return self.side >= TWO_STACKS and not self.is_folded

    @property
    def rules(self) -> int:
        """Lines that a panel takes besides its text."""
        return FRAME if self.is_framed else 1


def divide(width: int, height: int) -> Room:
    """The room on a terminal of this size: as much for the board as its picture can use, the rest beside it."""
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
"""Lines of the players with a gap, of the moves that stay in sight."""
AND_MORE: Row = (("and more", Tone.DIM),)


@dataclass(frozen=True, slots=True)
class Note:
    """Some lines to read, and what they are about; an alarm looks like one. What is first goes before the worth of
    every move where there is room for one. `otherwise` stands in a panel that is there even with nothing to read."""

    title: str
    rows: Sequence[Row] = ()
    is_alarm: bool = False
    is_first: bool = False
    otherwise: Row = ()


@dataclass(frozen=True, slots=True)
class Side:
    """What stands beside a board; place `at` of the moves is marked. `standing` says who is winning and how, where
    that may be seen; `worth` is what every move leads to, `coach` anything else there is to read."""

    players: Sequence[Row]
    plies: Sequence[Ply]
    at: int
    is_paired: bool
    standing: Row
    strip: Strip | None
    coach: Note
    worth: Note


@dataclass(frozen=True, slots=True)
class Docked:
    """Some lines under a board; a banner asks for an answer and looks like it. One that names the keys there are now
    leaves none to the footer. Of one that `is_guarded` the first key counts once it has been seen."""

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
        """What is on the board, and what is known of it."""
        self.title_bar.show(left, right)
        title, facts = ("".join(text for text, _ in row).strip() for row in (left, right))
        self.board_panel.name_it(title, facts)


class GameLayout(BoardLayout):
    """A game, and what stands beside it. The near stack is the one beside the board."""

    def __init__(self) -> None:
        self.players, self.moves = Lines("players"), MoveList()
        self.standing, self.strip = Lines("standing"), ValueStrip()
        moves_panel = Panel(self.players, self.moves, id="moves-panel", title="Moves")
        self.coach_panel = Panel(Lines("note"), id="coach-panel")
        self.worth_panel = Panel(Lines("worth"), id="worth-panel")
        self.value_panel = Panel(self.standing, self.strip, id="value-panel")
        self.near = Vertical(moves_panel, self.coach_panel, id="near")
        self.side: Side | None = None
        super().__init__(self.near, Vertical(self.worth_panel, self.value_panel, id="far"))

    def share(self, width: int, height: int) -> None:
        super().share(width, height)
        self.set_class(self.room.has_two_stacks, "-two-stacks")

    def show_docked(self, docked: Docked, is_early: bool) -> None:
        """The lines under the board, which it may be too early to answer. If they are more or fewer than before, what
        is beside it has other room."""
        before = len(self.notice.lines)
        self.notice.show(docked.rows, docked.is_banner, is_early and docked.is_guarded)
        if len(self.notice.lines) != before and self.side is not None:
            self.call_after_refresh(self.show_side)

    @property
    def note_width(self) -> int:
        """Columns of what there is to read."""
        return max(SIDE_WIDTH, self.near.size.width - (2 * FRAME if self.room.is_framed else FRAME))

    def show_side(self, side: Side | None = None) -> None:
        """Everything beside the board, or the same in other room. Where the worth of every move has no panel of its own
        it takes the coach's, unless that has an alarm or what was asked for since."""
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
            self._tell(self.coach_panel, coach, room - rules)
            worth = side.worth if side.worth.rows else replace(side.worth, rows=[side.worth.otherwise])
            self._tell(self.worth_panel, worth, self._show_value(side, height - rules, height) - rules)
        else:
            least = rules + 1 if side.standing else 0
            room -= least + self._tell(self.coach_panel, coach, room - least - rules)
            own = side.worth if self.room.has_table else Note("")
            room -= self._tell(self.worth_panel, own, room - rules)
            self._show_value(side, room + least, height)

    def _tell(self, panel: Panel, told: Note, room: int) -> int:
        """Show what there is to read in so many lines; what does not fit is not dropped in silence. Returns the lines
        that its panel takes."""
        rows = told.rows if len(told.rows) <= room else [*told.rows[: room - 1], AND_MORE] if room > 0 else []
        panel.name_it(told.title)
        panel.set_class(told.is_alarm, "-alarm")
        panel.display = bool(rows)
        panel.query_one(Lines).show(rows)
        return len(rows) + self.room.rules if rows else 0

    def _show_value(self, side: Side, room: int, height: int) -> int:
        """Who is winning, and the strip where it fits into `room`. Returns the lines that are left."""
        standing, strip = [side.standing] if side.standing else [], self.strip
        least = self.room.rules + len(standing)
        strip.display = side.strip is not None and room >= least + LOW
        if side.strip is not None:
            strip.show(side.strip, TALL if room >= height // 3 + TALL else LOW)
        self.value_panel.display = bool(standing) or strip.display
        legend = side.strip.legend if side.strip is not None and strip.display else ""
        titles = (f"Value  {legend}".strip(), legend, "Value")
        self.value_panel.name_it(next(title for title in titles if title and len(title) <= self.note_width - 2))
        self.standing.show(standing)
        return room - (least + (strip.height if strip.display else 0) if self.value_panel.display else 0)


class NodeLayout(BoardLayout):
    """A node of the solved game, or a position that is set up: above the way to it, below a list."""

    def __init__(self, way: str, list_of: str) -> None:
        self.way, self.standing, self.below = Lines("way"), Lines("standing"), Lines("below")
        self.choices = Choices("list")
        moves = Panel(self.standing, self.choices, self.below, id="ways-panel", title=list_of)
        super().__init__(Panel(self.way, id="way-panel", title=way), moves)

    @property
    def width(self) -> int:
        """Columns of what stands beside the board."""
        return self.room.side - (2 * FRAME if self.room.is_framed else FRAME)

    def show(
        self,
        way: Sequence[Row],
        standing: Sequence[Row],
        moves: Sequence[Sequence[Row]],
        marked: int,
        below: Sequence[Row] = (),
    ) -> None:
        """The way from the start, what the position is worth, a line for each move, and what there is to say below."""
        self.way.show(way)
        self.standing.show(standing)
        self.below.show(below)
        self.choices.show(moves, marked)

"""Everything on a screen with a board, and how it shares the room: a game, and a node of a solved game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical

from onlymove_tui.app.themes import Tone
from onlymove_tui.app.widgets.bars import FULL_HEIGHT, Lines, Notice, Panel, TitleBar
from onlymove_tui.app.widgets.board import BoardView, Draw, Marks
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


def shared(width: int, height: int) -> Room:
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
class Told:
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
    coach: Told
    worth: Told


@dataclass(frozen=True, slots=True)
class Docked:
    """Some lines under a board; a banner asks for an answer and looks like it. One that names the keys there are now
    leaves none to the footer."""

    rows: Sequence[Row]
    is_banner: bool = False
    names_keys: bool = False


class Table(Vertical):
    """From the top: title, board with the panels beside it, the docked lines."""

    room = shared(80, FULL_HEIGHT)
    side: Side | None = None

    def compose(self) -> ComposeResult:
        """The near stack is the one beside the board."""
        moves = Panel(Lines("players"), MoveList(), id="moves-panel", title="Moves")
        coach, worth = Panel(Lines("note"), id="coach-panel"), Panel(Lines("worth"), id="worth-panel")
        value = Panel(Lines("standing"), ValueStrip(), id="value-panel")
        side = Container(Vertical(moves, coach, id="near"), Vertical(worth, value, id="far"), id="side")
        yield TitleBar()
        yield Horizontal(Panel(BoardView(), id="board-panel"), side, id="table")
        yield Notice()

    def share(self, width: int, height: int) -> None:
        """Share out the room on a terminal of this size."""
        self.room = shared(width, height)
        self.set_class(self.room.is_framed, "-framed")
        self.set_class(self.room.has_two_stacks, "-two-stacks")
        self.query_one("#side").styles.width = self.room.side

    def show_title(self, left: Row, right: Row) -> None:
        """What is on the board, and what is known of it."""
        self.query_one(TitleBar).show(left, right)
        title, facts = ("".join(text for text, _ in row).strip() for row in (left, right))
        self.query_one("#board-panel", Panel).name_it(title, facts)

    def show_board(self, draw: Draw, marks: Marks) -> None:
        """The picture and what is marked on it."""
        self.query_one(BoardView).show(draw, marks)

    @property
    def scale(self) -> int:
        """The scale of the picture that is shown."""
        return self.query_one(BoardView).scale

    def show_docked(self, docked: Docked) -> None:
        """The lines under the board; if they are more or fewer than before, what is beside it has other room."""
        notice = self.query_one(Notice)
        before = len(notice.lines)
        notice.show(docked.rows, docked.is_banner)
        if len(notice.lines) != before:
            self.call_after_refresh(self._share_anew)

    def _share_anew(self) -> None:
        if self.side is not None:
            self.show_side(self.side)

    # Beside the board.

    @property
    def note_width(self) -> int:
        """Columns of what there is to read."""
        return max(SIDE_WIDTH, self.query_one("#near").size.width - (2 * FRAME if self.room.is_framed else FRAME))

    def show_players(self, rows: Sequence[Row]) -> None:
        """Who sits where, and the time they have."""
        self.query_one("#players", Lines).show(rows)

    def show_side(self, side: Side) -> None:
        """Everything beside the board. Where the worth of every move has no panel of its own it takes the coach's,
        unless that has an alarm or what was asked for since."""
        self.side = side
        self.show_players(side.players)
        self.query_one(MoveList).show(side.plies, side.at, side.is_paired)
        is_coached = side.coach.rows and (side.coach.is_alarm or side.coach.is_first)
        coach = side.coach if self.room.has_table or is_coached or not side.worth.rows else side.worth
        room = self._spare_lines()
        if self.room.has_two_stacks:
            self._tell("coach", coach, room - self._rules)
            worth = side.worth if side.worth.rows else replace(side.worth, rows=[side.worth.otherwise])
            self._tell("worth", worth, self._show_value(side, self._height - self._rules) - self._rules)
        else:
            least = self._rules + 1 if side.standing else 0
            room -= least + self._tell("coach", coach, room - least - self._rules)
            own = side.worth if self.room.has_table else Told("")
            room -= self._tell("worth", own, room - self._rules)
            self._show_value(side, room + least)

    @property
    def _height(self) -> int:
        """Lines beside the board."""
        return self.query_one("#table").size.height or FULL_HEIGHT - 4

    @property
    def _rules(self) -> int:
        """Lines that a panel takes besides its text."""
        return FRAME if self.room.is_framed else 1

    def _spare_lines(self) -> int:
        """Lines in the stack of the moves beside those that they need."""
        return self._height - PLAYER_LINES - LEAST_MOVES - (FRAME if self.room.is_framed else 0)

    def _tell(self, name: str, told: Told, room: int) -> int:
        """Show what there is to read in so many lines; what does not fit is not dropped in silence. Returns the lines
        that its panel takes."""
        rows = told.rows if len(told.rows) <= room else [*told.rows[: room - 1], AND_MORE] if room > 0 else []
        panel = self.query_one(f"#{name}-panel", Panel)
        panel.name_it(told.title)
        panel.set_class(told.is_alarm, "-alarm")
        panel.display = bool(rows)
        panel.query_one(Lines).show(rows)
        return len(rows) + self._rules if rows else 0

    def _show_value(self, side: Side, room: int) -> int:
        """Who is winning, and the strip where it fits into `room`. Returns the lines that are left."""
        standing = [side.standing] if side.standing else []
        least = self._rules + len(standing)
        strip = self.query_one(ValueStrip)
        strip.display = side.strip is not None and room >= least + LOW
        if side.strip is not None:
            strip.show(side.strip, TALL if room >= self._height // 3 + TALL else LOW)
        panel = self.query_one("#value-panel", Panel)
        panel.display = bool(standing) or strip.display
        legend = side.strip.legend if side.strip is not None and strip.display else ""
        titles = (f"Value  {legend}".strip(), legend, "Value")
        panel.name_it(next(title for title in titles if title and len(title) <= self.note_width - 2))
        self.query_one("#standing", Lines).show(standing)
        return room - (least + (strip.lines if strip.display else 0) if panel.display else 0)


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

"""The layouts of a screen with a board, for a game or for a node of a solved game. They fit the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from onlymove.pictures.colours import Tone
from onlymove.pictures.painting import Marks
from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.widget import Widget

from onlymove_tui.app.widgets.bars import FULL_HEIGHT, Lines, Notice, Panel, TitleBar
from onlymove_tui.app.widgets.board_view import BoardView, Draw, SmallBoard
from onlymove_tui.app.widgets.canvas import KEY_GAP, Row, choose_fitting, is_further_line
from onlymove_tui.app.widgets.choices import Choices
from onlymove_tui.app.widgets.course import LOW, TALL, MoveList, Strip, ValueStrip
from onlymove_tui.play.keys import Key

BOXES = ((104, 37), (76, 21))
"""For each scale, the greatest width and height of its pictures, as (columns, lines). The largest scale comes first."""
MIN_SIDE, MIN_BESIDE_LARGEST = 28, 40
"""The smallest number of columns beside a board, and beside a board of the largest scale."""
FRAMED = (120, 36)
"""The smallest terminal with borders. In such a terminal, borders do not force the board to a smaller scale."""
UNFOLDED = 80
"""With at least this many columns, the panels are beside the board."""
WITH_VALUE_PANEL = 140
"""With at least this many columns, the values of all moves have their own panel."""
NEAR, NEAR_LINES = 54, 22
"""The columns of the stack next to the board, where there are two, and the lines of a small board in it."""
TWO_STACKS = NEAR + 38
"""With at least this many columns beside the board, the panels are in two stacks."""
FRAME = 2
"""The columns, or lines, that a border takes."""
DOCKED = 3
"""The number of lines under the board, including the keys."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """How a terminal is divided. The side has `side` columns beside the board, or replaces the board if it `is_folded`.
    With `is_framed`, panels have borders, one of which shows the title. With `has_value_panel`, the values of all moves
    have their own panel. A panel has `rules` lines besides its text."""

    side: int
    is_folded: bool = False
    is_framed: bool = False
    rules: int = 1
    has_two_stacks: bool = False
    has_value_panel: bool = False


def arrange(width: int, height: int) -> Arrangement:
    """Divide a terminal. The board gets as much as its picture can use, and the panels get the rest."""
    if width < UNFOLDED:
        return Arrangement(width - FRAME, is_folded=True)
    is_framed = width >= FRAMED[0] and height >= FRAMED[1]
    columns = width - (FRAME if is_framed else 0)
    lines = height - DOCKED - (FRAME if is_framed else 1)
    (largest, lines_of_largest), (usual, _) = BOXES
    if lines >= lines_of_largest and columns - largest >= MIN_BESIDE_LARGEST:
        side = columns - largest
    else:
        side = max(MIN_SIDE, columns - usual)
    rules = FRAME if is_framed else 1
    return Arrangement(side, False, is_framed, rules, side >= TWO_STACKS, width >= WITH_VALUE_PANEL)


SIDE_WIDTH = 26
"""The columns of text beside a board in a terminal of 80 columns."""
PLAYER_LINES, MIN_MOVES = 3, 2
"""The lines for the players with a gap, and the smallest number of lines for moves."""
AND_MORE: Row = (("", Key("turn_page")), (" shows more", Tone.DIM))
"""The last line of a text that does not fit."""


@dataclass(frozen=True, slots=True)
class Note:
    """Text with a title. `shorter` has other versions of the text, of which the first that fits is shown if the text
    does not fit. If there is space for only one note, one with `is_first` comes before the values of moves. A panel of
    values that stays open without text shows `otherwise`."""

    title: str
    rows: Sequence[Row] = ()
    is_alarm: bool = False
    is_first: bool = False
    otherwise: Sequence[Row] = ()
    shorter: Sequence[Sequence[Row]] = ()


@dataclass(frozen=True, slots=True)
class Miniature:
    title: str
    draw: Draw
    marks: Marks


@dataclass(frozen=True, slots=True)
class Docked:
    """The lines under a board. A banner asks for an answer. `keys` are (command, word) for a last line, which names
    those that are possible, with `gap` between them. The footer then names none of them. With `is_guarded`, the first
    key counts only after the player has seen the question, and is not named before. With `has_hint`, the last of the
    `rows` is a hint or another help that the player has asked for. With `has_footer`, the footer's keys are among the
    rows, and its line belongs to them."""

    rows: Sequence[Row]
    keys: Sequence[tuple[str, str]] = ()
    is_banner: bool = False
    is_guarded: bool = False
    gap: str = KEY_GAP
    has_hint: bool = False
    has_footer: bool = False


class BoardLayout(Vertical):
    """From the top: the title, the board with the panels beside it, and the lines under the board."""

    def __init__(self, *panels: Widget) -> None:
        super().__init__()
        self.arrangement = arrange(80, FULL_HEIGHT)
        self.view, self.notice = BoardView(), Notice()
        self.board_panel = Panel(self.view, id="board-panel")
        self.title_bar = TitleBar(self.board_panel)
        self.beside = Container(*panels, id="side")
        self.middle = Horizontal(self.board_panel, self.beside, id="middle")

    def compose(self) -> ComposeResult:
        yield self.title_bar
        yield self.middle
        yield self.notice

    def share(self, width: int, height: int) -> None:
        self.arrangement = arrange(width, height)
        self.set_class(self.arrangement.is_framed, "-framed")
        self.beside.styles.width = self.arrangement.side


class GameLayout(BoardLayout):
    """The layout of a game and its panels, with what they show. The `near` stack is next to the board. `winner` says
    who wins, if that may be shown. `worth` has the values of all moves, and `coach` has any other text. `background`
    and the `reply` to a mistake are shown only in two stacks. Of a text that does not fit, `page` says which part is
    shown, counted from 0, and `more` is the line that names the key to the next part."""

    def __init__(self) -> None:
        self.players, self.moves = Lines("players"), MoveList()
        self.standing, self.strip = Lines("standing"), ValueStrip()
        moves_panel = Panel(self.players, self.moves, id="moves-panel", title="Moves")
        self.coach_panel = Panel(Lines("note"), id="coach-panel")
        self.worth_panel = Panel(Lines("worth"), id="worth-panel")
        self.background_panel = Panel(Lines("background"), id="background-panel")
        self.value_panel = Panel(self.standing, self.strip, id="value-panel")
        self.reply_board = SmallBoard()
        self.reply_panel = Panel(self.reply_board, id="reply-panel")
        self.near = Vertical(moves_panel, self.coach_panel, self.reply_panel, id="near")
        self.far = Vertical(self.worth_panel, self.background_panel, self.value_panel, id="far")
        self.winner: Row = ()
        self.values: Strip | None = None
        self.coach = self.worth = self.background = Note("")
        self.reply: Miniature | None = None
        self.page, self._pages = 0, 1
        self.more: Row = AND_MORE
        super().__init__(self.near, self.far)

    def share(self, width: int, height: int) -> None:
        super().share(width, height)
        self.set_class(self.arrangement.has_two_stacks, "-two-stacks")
        if not self.arrangement.has_two_stacks:
            self.background_panel.display = self.reply_panel.display = False

    def show_docked(self, docked: Docked) -> None:
        """Show the lines under the board. If their number changes, the panels are fitted again."""
        before = len(self.notice.lines)
        self.notice.show(docked.rows, docked.is_banner, docked.is_guarded, docked.has_hint, docked.has_footer)
        if len(self.notice.lines) != before:
            self.call_after_refresh(self.share_lines)

    @property
    def note_width(self) -> int:
        return max(SIDE_WIDTH, self.near.size.width - (2 * FRAME if self.arrangement.is_framed else FRAME))

    @property
    def value_width(self) -> int:
        return max(SIDE_WIDTH, self.far.size.width - 2 * FRAME) if self.arrangement.has_two_stacks else self.note_width

    def turn_page(self) -> bool:
        """Show the next part of the texts that do not fit, or after the last one the first again. Return whether there
        are several parts."""
        self.page += 1
        self.share_lines()
        if self.page >= self._pages:
            self.page = 0
            self.share_lines()
        return self._pages > 1

    def share_lines(self) -> None:
        """Divide the lines beside the board among the notes and the values. If the values of moves have no panel, they
        replace the coach's text, unless that is an alarm or answers a newer command."""
        coach, worth, self._pages = self.coach, self.worth, 1
        is_coached = coach.rows and (coach.is_alarm or coach.is_first)
        if worth.rows and not (self.arrangement.has_value_panel or is_coached):
            coach = worth
        height, rules = self.middle.size.height or FULL_HEIGHT - 4, self.arrangement.rules
        space = height - PLAYER_LINES - MIN_MOVES - (FRAME if self.arrangement.is_framed else 0)
        if self.arrangement.has_two_stacks:
            self.reply_panel.display = self.reply is not None
            if self.reply is not None:
                self.reply_panel.set_title(self.reply.title)
                self.reply_board.show(self.reply.draw, self.reply.marks)
                space -= NEAR_LINES
            self._show_note(self.coach_panel, coach, space - rules)
            self.set_class(not worth.rows, "-unasked")
            left = height - self._show_note(self.background_panel, self.background, height // 3)
            worth = worth if worth.rows else replace(worth, rows=worth.otherwise)
            self._show_note(self.worth_panel, worth, self._show_value(left - rules, height))
        else:
            least = rules + 1 if self.winner else 0
            space -= least + self._show_note(self.coach_panel, coach, space - least - rules)
            own = worth if self.arrangement.has_value_panel else Note("")
            space -= self._show_note(self.worth_panel, own, space - rules)
            self._show_value(space + least, height)

    def _show_note(self, panel: Panel, note: Note, space: int) -> int:
        """Show a note in at most `space` lines. Return the number of lines of its panel."""
        pages = break_pages(choose_fitting((note.rows, *note.shorter), space), space, self.more)
        self._pages = max(self._pages, len(pages))
        rows = pages[min(self.page, len(pages) - 1)]
        panel.set_title(note.title)
        panel.set_class(note.is_alarm, "-alarm")
        panel.display = bool(rows)
        for lines in panel.query(Lines):  # There is none while Textual removes the screen.
            lines.show(rows)
        return len(rows) + self.arrangement.rules if rows else 0

    def _show_value(self, space: int, height: int) -> int:
        """Show who wins, and the strip if it fits. Return how many of the `space` lines are left."""
        standing, values, strip = [self.winner] if self.winner else [], self.values, self.strip
        least = self.arrangement.rules + len(standing)
        strip.display = values is not None and space >= least + LOW
        if values is not None:
            strip.show(values, TALL if space >= height // 3 + TALL else LOW)
        self.value_panel.display = bool(standing) or strip.display
        legend, scale = (values.legend, values.scale) if values is not None and strip.display else ("", "")
        title = choose_fitting((f"Value  {legend}".strip(), legend, "Value"), self.value_width - 2)
        self.value_panel.set_title(title, scale if len(scale) <= self.value_width - 2 else "")
        self.standing.show(standing)
        return space - (least + (strip.height if strip.display else 0) if self.value_panel.display else 0)


def break_pages(rows: Sequence[Row], space: int, more: Row) -> list[Sequence[Row]]:
    """Break a text into pages of at most `space` lines. `more` is the last line of every page but the last. No sentence
    is broken, unless it is longer than a page."""
    if space < 2:
        return [rows[: max(0, space)] if len(rows) <= space or space <= 0 else [more]]
    pages: list[Sequence[Row]] = []
    while len(rows) > space:
        end = space - 1
        while end > 0 and is_further_line(rows[end]):
            end -= 1
        end = end or space - 1
        pages.append([*rows[:end], more])
        rows = rows[end:]
    return [*pages, rows]


class NodeLayout(BoardLayout):
    """The layout of a node of a solved game, or of a position being set up: the moves so far, above a list."""

    def __init__(self, way: str, list_of: str) -> None:
        self.way, self.standing, self.below = Lines("way"), Lines("standing"), Lines("below")
        self.choices = Choices("list")
        moves = Panel(self.standing, self.choices, self.below, id="ways-panel", title=list_of)
        super().__init__(Panel(self.way, id="way-panel", title=way), moves)

    @property
    def width(self) -> int:
        return self.arrangement.side - (2 * FRAME if self.arrangement.is_framed else FRAME)

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

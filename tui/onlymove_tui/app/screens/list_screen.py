"""The bases of lists and forms, and the small board that a worker draws beside them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from functools import partial
from itertools import pairwise
from typing import ClassVar, Generic, TypeVar

from onlymove.pictures.colours import AnyTone, Tone
from onlymove_engines.core.errors import OnlymoveError, as_sentence
from onlymove_engines.core.facts import GameId
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.scene import View
from onlymove_engines.core.value import Seat
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.session import AnySession
from textual.widget import Widget

from onlymove_tui.app.base_screen import MARKED, MIN_WIDTH, BaseScreen
from onlymove_tui.app.messages import Opened
from onlymove_tui.app.panels.markdown import READABLE, paragraph_rows
from onlymove_tui.app.widgets.bars import FilledLines, Panel
from onlymove_tui.app.widgets.board_view import NO_PICTURE, Picture, SmallBoard, draw_every_scale
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.choices import INDENT
from onlymove_tui.app.widgets.fields import VALUE_COLUMN, Field
from onlymove_tui.play.keys import Key, Phrase
from onlymove_tui.store.entries import Entry, GameNumber

STRENGTHS = (0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100)
Line = TypeVar("Line")
PICTURED = 110
"""With at least this many columns, there is space for a form and a board."""


class ListScreen(BaseScreen, Generic[Line]):
    """The base of lists. `lines` are what its lines stand for, and `rows_of` writes them. A subclass fetches them in
    `ask`, which is called whenever the screen is shown and must not wait for an answer, and acts on `marked_line` in
    `action_pick`. Beside the list are a small board and lines of text."""

    lines: Sequence[Line] = ()

    def compose_beside(self) -> Iterable[Widget]:
        yield Panel(SmallBoard(), FilledLines("facts"), id="picture-panel")

    def on_screen_resume(self) -> None:
        self.ask()

    def ask(self) -> None:
        """Fetch the data of the lines in a worker."""

    def follow_calendar(self, get_day: Callable[[], date | None]) -> None:
        """From now on, fetch the data again whenever the day for which they were read is not today."""

        def look() -> None:
            store = self.services.store
            if self.is_current and store is not None and get_day() not in (None, store.find_today()):
                self.ask()

        self.set_interval(self.services.timers.calendar, look)

    @property
    def marked_line(self) -> Line | None:
        return self.lines[min(self.choices.marked, len(self.lines) - 1)] if self.lines else None

    def rows_of(self, line: Line) -> Sequence[Row]:
        raise NotImplementedError

    def group_of(self, line: Line) -> object:
        """Return the group of a line. There is a gap between lines of different groups."""
        return None

    def draw(self) -> None:
        entries = [self.rows_of(line) for line in self.lines]
        for place, (line, following) in enumerate(pairwise(self.lines)):
            if self.group_of(line) != self.group_of(following):
                entries[place] = [*entries[place], []]
        self.choices.show(entries)

    def show_facts(self, fill: Callable[[int], Sequence[Row]]) -> None:
        """Show the rows that `fill` writes for a number of columns under the small board."""
        self.query_one("#facts", FilledLines).show_filled(fill)

    def show_texts(self, *texts: Phrase) -> None:
        shown = [self.to_text(words) for words in texts if words]
        self.show_facts(lambda width: [row for text in shown for row in paragraph_rows(text, width)])

    def action_step(self, by: int) -> None:
        self.step(by)
        self.mark_changed(MARKED)

    def action_edge(self, end: int) -> None:
        self.action_step((0 if end < 0 else len(self.choices.entries) - 1) - self.choices.marked)

    def on_opened(self, message: Opened) -> None:
        self.choices.mark(message.index)
        self.action_pick()

    def action_pick(self) -> None:
        """Act on the selected line. Enter calls this."""


def draw_start(game: AnyGame, position: AnyPosition, near: Seat, ascii_only: bool) -> Picture:
    """Draw a position where a game begins, as `near` sees it."""
    is_flipped = game.play.own_side_below and near == 1
    return draw_every_scale(game, View((position,), flipped=is_flipped, ascii_only=ascii_only, seat=near))


def draw_session(session: AnySession, ascii_only: bool) -> Picture:
    """Draw a game as it stands. The side of its only person is below, if the game can turn its board."""
    game, near = session.game, session.near_seat
    is_flipped = game.play.own_side_below and near == 1
    view = session.tree.view(session.node, flipped=is_flipped, ascii_only=ascii_only, seat=near)
    return draw_every_scale(game, view)


def show_picture(screen: BaseScreen, game: GameId, moment: str, draw: Callable[[], Picture]) -> None:
    """Show a picture of a game's board on the small board of a screen, and have a worker draw it if that is
    necessary."""
    if not screen.is_framed:
        return
    board, key = screen.query_one(SmallBoard), (game, moment, screen.services.ascii_only)

    def draw_if_possible() -> Picture:
        """Return an empty picture for a game that cannot be drawn."""
        with suppress(OnlymoveError):
            return draw()
        return NO_PICTURE

    def take(picture: Picture) -> None:
        board.pictures[key] = picture
        if key == board.wanted:
            screen.show_marked()

    if board.show_stored(key):
        screen.fetch(draw_if_possible, take, "picture")


def show_usual_start(screen: BaseScreen, game_id: GameId) -> None:
    """Show the start of a game. The picture's notes name the game's options."""
    services = screen.services

    def draw() -> Picture:
        game = services.library.find_game(game_id)
        options = [(option.title, option.choices) for option in game.play.options if len(option.choices) > 1]
        notes = tuple((title, f"{', '.join(choices[:-1])} or {choices[-1]}") for title, choices in options)
        return replace(draw_start(game, game.start({}, 0), 0, services.ascii_only), notes=notes)

    show_picture(screen, game_id, "", draw)


def show_saved(screen: BaseScreen, game: Entry) -> None:
    store, ascii_only = screen.services.store, screen.services.ascii_only

    def draw() -> Picture:
        with suppress(KeyError):  # the game has been deleted meanwhile
            return NO_PICTURE if store is None else draw_session(store.peek(game.number).session, ascii_only)
        return NO_PICTURE

    show_picture(screen, game.game, f"{game.number} {game.changed}", draw)


def open_saved(screen: BaseScreen, number: GameNumber, is_over: bool) -> None:
    def show(live: LiveGame) -> None:
        play = "play" if live.remote is None else "shared_play"
        screen.open("review" if is_over else play, live)

    screen.fetch(partial(screen.services.live_games.load, number), show, "open", keys_wait=True)


class FormScreen(BaseScreen):
    """The base of forms. A subclass provides `all_fields`, says which of them do not apply (`idle`) and why a typed
    value is not valid (`refusal`), and handles a changed field. Enter on the `button` starts. If there is space, a gap
    follows each field in `group_ends`."""

    button = ""
    about = ""
    """The title of the panel that describes the form as a whole."""
    group_ends: ClassVar[Sequence[str]] = ()
    has_picture = False
    picture_title = ""

    def __init__(self) -> None:
        super().__init__()
        self.all_fields: dict[str, Field] = {}

    @property
    def fields(self) -> list[Field]:
        idle = self.idle()
        return [field for field in self.all_fields.values() if field.id not in idle]

    def idle(self) -> Collection[str]:
        """Return the ids of fields that do not apply with the current values of the others."""
        return ()

    def draw(self) -> None:
        choices, fields, marked = self.choices, self.fields, self.marked_field()
        entries: list[Sequence[Row]] = [[[(self.button, Tone.STRONG)], []]] if self.button else []
        has_gaps = choices.size.height >= len(fields) + len(self.group_ends)
        for field in fields:
            row = field.row(field is marked)
            if field is marked and self.typing is not None:
                space = (choices.size.width or MIN_WIDTH) - INDENT - VALUE_COLUMN
                row = [(field.title.ljust(VALUE_COLUMN), Tone.TEXT), *self.typing.row(max(1, space))]
            entries.append([row, []] if has_gaps and field.id in self.group_ends else [row])
        choices.show(entries)

    def compose_beside(self) -> Iterable[Widget]:
        yield Panel(FilledLines("help"), id="help-panel")
        if self.has_picture:
            yield Panel(SmallBoard(), id="picture-panel", title=self.picture_title)

    def message_rows(self) -> Sequence[Row]:
        return ()

    def size_classes(self) -> dict[str, bool]:
        is_pictured = self.is_framed and self.has_picture and self.app.size.width >= PICTURED
        return {**super().size_classes(), "-pictured": is_pictured}

    def show_marked(self) -> None:
        words, tone = self.describe_state()
        text = self.to_text(words)
        panel, field = self.query_one("#help-panel", Panel), self.marked_field()
        panel.set_title(self.about if field is None else field.title.strip())

        def fill(width: int) -> Sequence[Row]:
            lines = paragraph_rows(text, min(READABLE, width)) if text else ()
            return [[(run, tone) for run, _ in line] for line in lines]

        self.query_one("#help", FilledLines).show_filled(fill)

    def describe_state(self) -> tuple[Phrase, AnyTone | Key]:
        if self.typing is not None and self.typing.why:
            return self.typing.why, Tone.ERROR
        if self.message:
            return "".join(text for text, _ in self.name_keys(self.message)), self.message[0][1]
        field = self.marked_field()
        return ("" if field is None else as_sentence(field.describe())), Tone.DIM

    @property
    def first_place(self) -> int:
        return 1 if self.button else 0

    def marked_field(self) -> Field | None:
        """Return the selected field, or `None` on the button."""
        place, fields = self.choices.marked - self.first_place, self.fields
        return fields[place] if 0 <= place < len(fields) else None

    def action_step(self, by: int) -> None:
        self.step(by)
        self.say("")

    def on_opened(self, message: Opened) -> None:
        """Select the clicked line and cancel typing. If the line is selected already, change its value."""
        self.typing = None
        if self.choices.marked == message.index:
            self.action_change(1) if self.marked_field() else self.action_start()
        else:
            self.choices.mark(message.index)
            self.say("")

    def action_change(self, by: int) -> None:
        if (field := self.marked_field()) is not None:
            self.set_field(field.step(by))

    def set_field(self, field: Field) -> None:
        """Give a field its new value. The selection stays on its line, even if lines above it come or go."""
        marked = self.marked_field()
        self.message = ()
        self.all_fields[field.id] = field
        self.field_changed(field)
        self.draw()
        if marked is not None:
            self.choices.mark([shown.id for shown in self.fields].index(marked.id) + self.first_place)
        self.mark_changed()

    def action_start(self) -> None:
        """Do what the button says."""

    def field_changed(self, field: Field) -> None:
        """Handle the new value of a field."""

    def refusal(self, field: Field) -> str:
        """Return why the value of a field is not valid, or an empty text if it is valid."""
        return ""

    def action_type_value(self) -> None:
        if (field := self.marked_field()) is not None and field.typed:
            self.type_text(partial(self.set_typed_value, field.id), field.value)

    def set_typed_value(self, field_id: str, text: str) -> str:
        """Give the typed value to the field where typing began. If it is not valid, return the reason."""
        field = replace(self.all_fields[field_id], value=text)
        why = self.refusal(field)
        if not why:
            self.set_field(field)
        return why

    def check_actions(self) -> dict[str, bool]:
        field = self.marked_field() if self.is_built else None
        return {
            "change": field is not None and any(value != field.value for value, _ in field.choices),
            "type_value": field is not None and field.typed,
        }

"""The base of screens that are a list with one selected line, and the small board that a worker draws beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.facts import GameId
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.scene import View
from onlymove_engines.core.value import Seat
from onlymove_engines.play.session import AnySession

from onlymove_tui.app.base_screen import MARKED, BaseScreen
from onlymove_tui.app.messages import Opened
from onlymove_tui.app.services import Services
from onlymove_tui.app.widgets.board_view import NO_PICTURE, Picture, SmallBoard, draw_every_scale
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.rows import Entry, GameNumber


class ListScreen(BaseScreen):
    """The base of lists. A subclass shows its lines in `draw`, fetches their data in `ask`, and acts on the selected
    line in `action_pick`. `ask` is called whenever the screen is shown, and must not wait for an answer."""

    def on_screen_resume(self) -> None:
        self.ask()

    def ask(self) -> None:
        """Fetch the data of the lines in a worker."""

    def action_step(self, by: int) -> None:
        self.step(by)
        self.mark_changed(MARKED)

    def action_edge(self, end: int) -> None:
        """Select the first line (-1) or the last one (1)."""
        self.action_step((0 if end < 0 else len(self.choices.entries) - 1) - self.choices.marked)

    def on_opened(self, message: Opened) -> None:
        self.choices.mark(message.index)
        self.action_pick()

    def action_pick(self) -> None:
        """Act on the selected line. Enter calls this."""


def draw_usual_start(services: Services, game_id: GameId) -> Picture:
    """Draw the start of a game. The notes name its options."""
    game = services.library.find_game(game_id)
    notes = [
        (option.title, " or ".join((", ".join(option.choices[:-1]), option.choices[-1])))
        for option in game.play.options
        if len(option.choices) > 1
    ]
    return replace(draw_start(game, game.start({}, 0), 0, services.ascii_only), notes=tuple(notes))


def draw_start(game: AnyGame, position: AnyPosition, near: Seat, ascii_only: bool) -> Picture:
    """Draw a position where a game begins, as `near` sees it."""
    is_flipped = game.play.own_side_below and near == 1
    return draw_every_scale(game, View((position,), flipped=is_flipped, ascii_only=ascii_only, seat=near))


def draw_session(session: AnySession, ascii_only: bool) -> Picture:
    """Draw a game as it stands. If only one person plays and the game can turn its board, that person's side is
    below."""
    game, near = session.game, session.near_seat
    is_flipped = game.play.own_side_below and near == 1
    view = session.line.view(session.node, flipped=is_flipped, ascii_only=ascii_only, seat=near)
    return draw_every_scale(game, view)


class PictureKey(NamedTuple):
    """Identifies a picture by its game, the position on the board, and whether it is drawn in ASCII."""

    game: GameId
    moment: str
    ascii_only: bool


class PictureBeside:
    """The small board beside a list of `screen`. It stores its pictures while the screen is open."""

    def __init__(self, screen: BaseScreen) -> None:
        self.screen = screen
        self.pictures: dict[PictureKey, Picture] = {}
        self.wanted: PictureKey | None = None

    def show(self, game: GameId, moment: str, draw: Callable[[], Picture]) -> None:
        """Show a picture of a game's board. Until it is drawn, the last picture of the same game stays."""
        screen = self.screen
        if not (screen.is_framed and screen.query(SmallBoard)):
            return
        before, key = self.wanted, PictureKey(game, moment, screen.services.ascii_only)
        self.wanted = key
        if key in self.pictures:
            screen.query_one(SmallBoard).show_picture(self.pictures[key])
        elif key != before:
            if before is None or before.game != game:
                screen.query_one(SmallBoard).show_picture(NO_PICTURE)
            screen.fetch(partial(draw_picture, draw), partial(self._take, key), "picture")

    def _take(self, key: PictureKey, picture: Picture) -> None:
        self.pictures[key] = picture
        if key == self.wanted:
            self.screen.show_marked()

    @property
    def notes(self) -> Sequence[tuple[str, str]]:
        return () if self.wanted is None else self.pictures.get(self.wanted, NO_PICTURE).notes

    def show_saved(self, game: Entry) -> None:
        store, ascii_only = self.screen.services.store, self.screen.services.ascii_only
        self.show(game.game, f"{game.number} {game.changed}", lambda: draw_saved(store, game.number, ascii_only))


def draw_picture(draw: Callable[[], Picture]) -> Picture:
    """Draw a picture. If the game no longer exists or cannot be drawn, return an empty one. Call it in a worker."""
    with suppress(OnlymoveError):
        return draw()
    return NO_PICTURE


def draw_saved(store: GameStore | None, number: GameNumber, ascii_only: bool) -> Picture:
    """Draw a saved game as it stands, or return an empty picture if the game no longer exists. Call it in a worker."""
    try:
        return NO_PICTURE if store is None else draw_session(store.peek(number).session, ascii_only)
    except KeyError:
        return NO_PICTURE


def open_saved(screen: BaseScreen, number: GameNumber, is_over: bool) -> None:
    show = partial(screen.open, "review" if is_over else "play")
    screen.fetch(partial(screen.services.matches.load, number), show, "open", keys_wait=True)

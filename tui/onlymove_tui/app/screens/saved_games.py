"""A board to look at beside a list, drawn by a worker; and saved games, looked at there and opened from a list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import GameId
from onlymove_engines.match.match import Match

from onlymove_tui.app import pictures
from onlymove_tui.app.base_screen import BaseScreen
from onlymove_tui.app.messages import Found
from onlymove_tui.app.widgets.board import NO_PICTURE, Picture, SmallBoard
from onlymove_tui.store.games import Autosave, GameStore
from onlymove_tui.store.rows import Entry, GameNumber


class PictureKey(NamedTuple):
    """What a picture is of: a game, what stands on its board, and whether it is drawn in ASCII."""

    game: GameId
    moment: str
    ascii_only: bool


class PictureBeside:
    """The small board beside a list of `screen`. Pictures are kept as long as the screen; `drawn` is called when one
    that is still wanted has been drawn."""

    def __init__(self, screen: BaseScreen, drawn: Callable[[], None]) -> None:
        self.screen = screen
        self.drawn = drawn
        self.pictures: dict[PictureKey, Picture] = {}
        self.wanted: PictureKey | None = None

    def show(self, game: GameId, moment: str, draw: Callable[[], Picture]) -> None:
        """Show what stands on a game's board. Until it is drawn the last picture of the same game stays."""
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
            screen.fetch(lambda: Found(partial(self._take, key, draw_picture(draw))), "picture")

    def _take(self, key: PictureKey, picture: Picture) -> None:
        self.pictures[key] = picture
        if key == self.wanted:
            self.drawn()

    @property
    def notes(self) -> Sequence[tuple[str, str]]:
        """Facts that were found on the way to the picture, with their names."""
        return () if self.wanted is None else self.pictures.get(self.wanted, NO_PICTURE).notes

    def show_saved(self, game: Entry) -> None:
        """Show a saved game as it stands."""
        store, ascii_only = self.screen.services.store, self.screen.services.ascii_only
        self.show(game.game, f"{game.number} {game.changed}", lambda: draw_saved(store, game.number, ascii_only))


def draw_picture(draw: Callable[[], Picture]) -> Picture:
    """Draw a picture, in a worker; a game that is gone or refuses to be drawn has none."""
    with suppress(OnlymoveError):
        return draw()
    return NO_PICTURE


def draw_saved(store: GameStore | None, number: GameNumber, ascii_only: bool) -> Picture:
    """A saved game as it stands; none of one that is gone. For a worker."""
    try:
        return NO_PICTURE if store is None else pictures.draw_session(store.look(number).session, ascii_only)
    except KeyError:
        return NO_PICTURE


def open_saved(screen: BaseScreen, number: GameNumber, is_over: bool) -> None:
    """Go on with a saved game, or go through one that is over."""
    services = screen.services

    def show(match: Match, autosave: Autosave) -> None:
        (services.review if is_over else services.resume)(match, autosave)

    screen.fetch(lambda: Found(partial(show, *services.saved_match(number))), "open", keys_wait=True)

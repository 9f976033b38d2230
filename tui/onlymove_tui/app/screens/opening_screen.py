"""A list from which saved games are opened: fetched by a worker, then put on a board; and looked at beside the list."""

from __future__ import annotations

from dataclasses import dataclass

from onlymove_engines.match.match import Match
from textual.message import Message

from onlymove_tui.app import pictures
from onlymove_tui.app.screens.pictured_screen import PicturedScreen
from onlymove_tui.app.widgets.board import NO_PICTURE, Picture
from onlymove_tui.store.autosave import Autosave
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.rows import Entry, GameNumber


@dataclass
class SavedGame(Message):
    """A saved game was fetched, to go on with or, when `is_over`, to go through."""

    match: Match
    autosave: Autosave
    is_over: bool


class OpeningScreen(PicturedScreen):
    """The menu and the history."""

    def open_saved(self, number: GameNumber, is_over: bool) -> None:
        """Go on with a saved game, or go through one that is over."""
        self.fetch(lambda: SavedGame(*self.services.saved_match(number), is_over), "open", keys_wait=True)

    def picture_saved(self, game: Entry) -> None:
        """Show a saved game as it stands."""
        store, ascii_only = self.services.store, self.services.ascii_only
        moment = f"{game.number} {game.changed}"
        self.picture(game.game, moment, lambda: draw_saved(store, game.number, ascii_only))

    def on_saved_game(self, message: SavedGame) -> None:
        """Put it on a board."""
        if message.is_over:
            self.services.review(message.match, message.autosave)
        else:
            self.services.resume(message.match, message.autosave)


def draw_saved(store: GameStore | None, number: GameNumber, ascii_only: bool) -> Picture:
    """A saved game as it stands; none of one that is gone. For a worker."""
    try:
        return NO_PICTURE if store is None else pictures.draw_session(store.look(number).session, ascii_only)
    except KeyError:
        return NO_PICTURE

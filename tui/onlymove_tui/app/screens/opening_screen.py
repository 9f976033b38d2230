"""A list from which saved games are opened: fetched by a worker, then put on a board."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message

from onlymove_tui.app.screens.list_screen import ListScreen
from onlymove_tui.play.match import Match
from onlymove_tui.store.games import Autosave
from onlymove_tui.store.rows import GameNumber


@dataclass
class SavedGame(Message):
    """A saved game was fetched, to go on with or, when `is_over`, to go through."""

    match: Match
    autosave: Autosave
    is_over: bool


class OpeningScreen(ListScreen):
    """The menu and the history."""

    def open_saved(self, number: GameNumber, is_over: bool) -> None:
        """Go on with a saved game, or go through one that is over."""
        self.fetch(lambda: SavedGame(*self.services.saved_match(number), is_over), "open", keys_wait=True)

    def on_saved_game(self, message: SavedGame) -> None:
        """Put it on a board."""
        if message.is_over:
            self.services.review(message.match, message.autosave)
        else:
            self.services.resume(message.match, message.autosave)

"""Whether the game on a board is saved, and what to tell the player about that."""

from __future__ import annotations

from collections.abc import Callable

from onlymove_tui.store.games import Autosave

SAVED_AGAIN = "Your game is saved again."


class Saving:
    """Saves the game of one board. `saver` is `None` if the game is not saved. `trouble` is what went wrong the last
    time, or an empty text."""

    def __init__(self, saver: Autosave | None) -> None:
        self.saver = saver
        self.trouble = ""

    @property
    def is_unsaved(self) -> bool:
        """Whether the last changes could not be written. `False` if no game is saved here at all."""
        return bool(self.trouble) and self.saver is not None and not self.saver.store.trouble

    def begin(self, tries_again: bool = False) -> Callable[[], str] | None:
        """If the game has changed, or with `tries_again` also if it could not be written before, return what writes it.
        Call that in a worker, and pass what it returns to `report`."""
        if self.saver is not None and (self.saver.has_changed or (tries_again and self.is_unsaved)):
            return self.saver.begin_writing()
        return None

    def report(self, trouble: str) -> str:
        """Note what went wrong when the game was written, or with an empty text that it was written. Return what to
        tell the player. That is empty if it was said before."""
        is_new, self.trouble = trouble != self.trouble, trouble
        return (trouble or SAVED_AGAIN) if is_new else ""

    def save_at_last(self) -> str:
        """Try again to write what could not be written. Return what is wrong, or an empty text."""
        if self.saver is None or not self.is_unsaved:
            return ""
        self.trouble = self.saver.save_now()
        return self.trouble

    def save_all(self, is_writing: bool) -> None:
        """Write everything now, because the app is about to end. A worker may be writing an older state."""
        if self.saver is not None and (self.saver.has_changed or self.is_unsaved or is_writing):
            self.saver.save_now()

"""A line of text while it is typed: what stands there, where the cursor is, why it was refused. No widget: whoever
shows it asks for its row, and keys reach it in the order in which they came."""

from __future__ import annotations

from collections.abc import Callable

from onlymove_tui.app.themes import Tone
from onlymove_tui.app.widgets.canvas import Row

Taker = Callable[[str], str]
"""Takes a whole text, or says why not."""


class Typing:
    """A text that `take` is offered when Enter is pressed. Until a key changes it all of `text` counts as selected:
    the first sign that is typed replaces it."""

    def __init__(self, take: Taker, text: str = "") -> None:
        self.take = take
        self.text = text
        self.at = len(text)
        self.why = ""
        self.is_selected = bool(text)

    def insert(self, signs: str) -> None:
        """Type or paste some signs."""
        if self.is_selected:
            self.text, self.at = "", 0
        self._put(self.text[: self.at] + signs + self.text[self.at :], self.at + len(signs))

    def press(self, key: str) -> None:
        """Move, or take something out; keys that do neither do nothing."""
        last = len(self.text)
        moves = {"left": max(0, self.at - 1), "right": min(last, self.at + 1), "home": 0, "end": last}
        if key in moves:
            self.at, self.is_selected = moves[key], False
        elif key == "ctrl+u" or (key == "backspace" and self.is_selected):
            self._put("", 0)
        elif key == "backspace" and self.at:
            self._put(self.text[: self.at - 1] + self.text[self.at :], self.at - 1)
        elif key == "delete":
            self._put(self.text[: self.at] + self.text[self.at + 1 :], self.at)

    def is_taken(self) -> bool:
        """Offer the text. What is refused stays to be mended, with the reason in `why`."""
        self.why = self.take(self.text.strip())
        return not self.why

    def _put(self, text: str, at: int) -> None:
        self.text, self.at, self.why, self.is_selected = text, at, "", False

    def row(self, width: int) -> Row:
        """The part around the cursor, in so many columns."""
        start = max(0, self.at - width + 1)
        tone = Tone.SELECTED if self.is_selected else Tone.STRONG
        shown = f"{self.text} "[start : start + width]
        at = self.at - start
        return [(shown[:at], tone), (shown[at], Tone.CHOSEN), (shown[at + 1 :], tone)]

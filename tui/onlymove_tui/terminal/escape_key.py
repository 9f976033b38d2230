"""Tells the key Esc from the first byte of a terminal's sequence. Knows no terminal and no clock.

Both are the same byte. What a terminal sends by itself goes on with `[` or `O`; whatever else follows is the next key,
however soon it comes, since no command has Alt in it.
"""

from __future__ import annotations

import re

ESC = "\x1b"
PASTE_BEGINS, PASTE_ENDS = "\x1b[200~", "\x1b[201~"
MARKS = re.compile(f"{re.escape(PASTE_BEGINS)}|{re.escape(PASTE_ENDS)}|{ESC}(?![\\[O])")


class EscapeKey:
    """Cuts a stream of input; an Esc at the end of a piece is kept back until it is known what follows."""

    def __init__(self) -> None:
        self._kept = ""
        self._is_pasting = False

    def cut(self, text: str) -> list[str]:
        """Pieces in their order: `ESC` alone is the key, anything else is as it came."""
        text = self._kept + text
        self._kept = ESC if text.endswith(ESC) else ""
        text = text.removesuffix(ESC)
        pieces, start = [], 0
        for mark in MARKS.finditer(text):
            if mark.group() != ESC:
                self._is_pasting = mark.group() == PASTE_BEGINS
            elif not self._is_pasting:
                pieces += [text[start : mark.start()], ESC]
                start = mark.end()
        return [piece for piece in (*pieces, text[start:]) if piece]

    def late(self) -> list[str]:
        """For a while nothing has come: what was kept back is the key."""
        kept, self._kept = self._kept, ""
        return [kept] if kept else []

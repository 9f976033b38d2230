"""Tells the key Esc from the first byte of a terminal's sequence. Knows no terminal and no clock.

Both are the same byte. What a terminal sends by itself goes on with `[` or `O`; whatever else follows is the next key,
however soon it comes, since no command has Alt in it.
"""

from __future__ import annotations

import re

ESC = "\x1b"
PASTE_BEGINS, PASTE_ENDS = "\x1b[200~", "\x1b[201~"
MARKS = re.compile(f"{re.escape(PASTE_BEGINS)}|{ESC}(?![\\[O]|\\Z)")


class EscapeKey:
    """Cuts a stream of input; what may be the beginning of a mark is kept back until it is known what follows."""

    def __init__(self) -> None:
        self._kept = ""
        self._is_pasting = False

    def cut(self, text: str) -> list[str]:
        """Pieces in their order: `ESC` alone is the key, anything else is as it came. A paste holds no Esc: nothing in
        it is a key."""
        text, self._kept = self._kept + text, ""
        pieces: list[str] = []
        while text:
            text = self._pasted(text, pieces) if self._is_pasting else self._typed(text, pieces)
        return [piece for piece in pieces if piece]

    def _typed(self, text: str, pieces: list[str]) -> str:
        """Up to the next Esc or paste. Returns the rest."""
        mark = MARKS.search(text)
        if mark is None:
            pieces.append(self._without_beginning(text, PASTE_BEGINS))
            return ""
        self._is_pasting = mark.group() == PASTE_BEGINS
        pieces += [text[: mark.start()], mark.group()]
        return text[mark.end() :]

    def _pasted(self, text: str, pieces: list[str]) -> str:
        """Up to the end of the paste. Returns the rest."""
        inside, end, rest = text.partition(PASTE_ENDS)
        self._is_pasting = not end
        inside = inside if end else self._without_beginning(inside, PASTE_ENDS)
        pieces += [inside.replace(ESC, ""), end]
        return rest

    def _without_beginning(self, text: str, mark: str) -> str:
        """Keep back what the text ends with, if a mark begins so."""
        lengths = range(len(mark) - 1, 0, -1)
        self._kept = next((mark[:length] for length in lengths if text.endswith(mark[:length])), "")
        return text.removesuffix(self._kept)

    def late(self) -> list[str]:
        """For a while nothing has come: what was kept back is the key, or a sequence of which no more comes."""
        if self._is_pasting:
            return []
        kept, self._kept = self._kept, ""
        return [kept] if kept else []

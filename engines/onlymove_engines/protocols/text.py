"""What protocols do to text that others wrote."""

from __future__ import annotations

LONGEST = 200


def printable(text: str) -> str:
    """`text` as part of one line."""
    return "".join(glyph if glyph.isprintable() else "?" for glyph in text)[:LONGEST]

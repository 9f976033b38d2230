"""Text for terminals and fonts that show only ASCII."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

TWINS: Final = str.maketrans(
    {
        "─": "-", "━": "=", "│": "|", "┃": "|", "╭": "+", "╮": "+", "╰": "+", "╯": "+", "┄": "-",
        "┏": "#", "┓": "#", "┗": "#", "┛": "#", "├": "+", "┤": "+", "┬": "+", "┴": "+", "┼": "+",
        "█": "#", "▀": "'", "▄": ".", "▌": "[", "▐": "]", "░": ".", "▒": ":", "▓": "#", "▔": "'", "▁": "_",
        "▂": "_", "▃": "_", "▅": "=", "▆": "=", "▇": "#",
        "·": ".", "•": "*", "∙": ".", "◆": "@", "◇": "o", "★": "*", "☆": "*", "●": "@", "○": "o",
        "▲": "^", "▼": "v", "►": ">", "◄": "<", "▸": ">", "▹": ">", "◂": "<", "◃": "<", "▴": "^", "▾": "v",
        "→": ">", "←": "<", "↑": "^", "↓": "v", "»": ">", "«": "<", "›": ">", "‹": "<",
        "×": "x", "−": "-", "–": "-", "—": "-", "…": "~", "’": "'", "‘": "'", "“": '"', "”": '"', "±": "~",
        "≤": "<", "≥": ">", "½": "h", "✓": "+", "✗": "x", "\u00a0": " ",
    }
)  # fmt: skip
"""Each character has exactly one replacement, so columns stay where they are."""


@lru_cache(4096)
def to_ascii(text: str) -> str:
    """Return `text` as pure ASCII. Its length stays the same, unless accents are characters of their own."""
    if text.isascii():
        return text
    translated = text.translate(TWINS)
    bare = "".join(sign for sign in unicodedata.normalize("NFKD", translated) if not unicodedata.combining(sign))
    return bare.encode("ascii", "replace").decode("ascii")

"""The ASCII twin of every sign the app itself draws. Drawers choose the twins of their own boards."""

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
"""One character for one, so that columns stay where they are."""


@lru_cache(4096)
def plain(text: str) -> str:
    """`text` without any byte >= 0x80 and, but for accents, of the same length."""
    if text.isascii():
        return text
    translated = text.translate(TWINS)
    bare = "".join(sign for sign in unicodedata.normalize("NFKD", translated) if not unicodedata.combining(sign))
    return bare.encode("ascii", "replace").decode("ascii")

"""The sizes at which screens are laid out, whatever size the terminal has."""

from __future__ import annotations

from typing import Final, TypeAlias

Size: TypeAlias = tuple[int, int]
"""Columns and lines."""

LEAST: Final[Size] = (60, 20)
"""Every screen fits into this. In a smaller terminal the gate stands in front of it."""

MOST: Final[Size] = (500, 200)
"""More than any monitor shows. What lies beyond stays empty: a window can claim 65,535 columns and lines, and drawing
those would take gigabytes."""


def is_too_small(terminal: Size) -> bool:
    """Whether a terminal of this size cannot show a screen.

    >>> is_too_small((60, 20)), is_too_small((59, 20)), is_too_small((200, 1))
    (False, True, True)
    """
    return terminal[0] < LEAST[0] or terminal[1] < LEAST[1]


def layout_size(terminal: Size) -> Size:
    """The size at which screens are laid out in a terminal of this size.

    >>> layout_size((80, 24)), layout_size((1, 70)), layout_size((20_000, 50))
    ((80, 24), (60, 70), (500, 50))
    """
    width, height = (min(max(side, least), most) for side, least, most in zip(terminal, LEAST, MOST, strict=True))
    return width, height

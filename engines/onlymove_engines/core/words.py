"""Numbers with nouns, and words in lines."""

from __future__ import annotations

from collections.abc import Iterable


def format_count(count: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun, whose plural is `plural` or adds an s.

    >>> format_count(1, "move"), format_count(0, "move"), format_count(2, "ply", "plies")
    ('1 move', '0 moves', '2 plies')
    """
    return f"{count} {choose_number(count, noun, plural)}"


def choose_number(count: int, noun: str, plural: str = "") -> str:
    """Return the noun as it stands after a number, for texts that format the number in their own way.

    >>> choose_number(-1, "point"), choose_number(0, "point")
    ('point', 'points')
    """
    return noun if abs(count) == 1 else plural or f"{noun}s"


def fill_lines(atoms: Iterable[str], width: int) -> list[str]:
    """Wrap words into lines of at most `width` characters. A longer word has its own line."""
    lines = [""]
    for atom in atoms:
        if lines[-1] and len(lines[-1]) + 1 + len(atom) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {atom}" if lines[-1] else atom
    return lines

"""Numbers with nouns, how far away the end of a game is, and words in lines.

Players read every distance in *moves*. Both sides' moves are counted, so one move is one ply, also where a side moves
twice in a row. If both sides move at once, what both do is one move.
"""

from __future__ import annotations

import re
from collections.abc import Iterable


def format_count(count: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun, whose plural is `plural` or adds an s.

    >>> format_count(1, "move"), format_count(0, "move"), format_count(2, "reply", "replies")
    ('1 move', '0 moves', '2 replies')
    """
    return f"{count} {choose_number(count, noun, plural)}"


def choose_number(count: int, noun: str, plural: str = "") -> str:
    """Return the noun as it stands after a number, for texts that format the number in their own way.

    >>> choose_number(-1, "point"), choose_number(0, "point")
    ('point', 'points')
    """
    return noun if abs(count) == 1 else plural or f"{noun}s"


BOTH_COUNT = "Moves are counted for both sides together."
"""Tells players how moves are counted where the sides take turns."""
ROUND_COUNTS = "A round, in which both sides move, counts as one move."
"""The same where both sides move at once."""
DISTANCE = re.compile(r"\bin \d+ moves?\b|\b\d+ moves? (?:longer|sooner|ahead)\b|\bat most \d+ moves?\b|\b[WL]\d+\b")


def mentions_distance(text: str) -> bool:
    """Whether a text says how far away something is.

    >>> [mentions_distance(text) for text in ("Win in 5 moves → Loss", "W5  b3", "3 of 5 moves win.")]
    [True, True, False]
    """
    return DISTANCE.search(" ".join(text.split())) is not None


def format_distance(plies: int | None) -> str:
    """Return how far away the end is, to follow a word such as `win`. Empty if the distance is not counted.

    >>> format_distance(5), format_distance(1), format_distance(None)
    (' in 5 moves', ' in 1 move', '')
    """
    return "" if plies is None else f" in {format_count(plies, 'move')}"


def format_soon(plies: int) -> str:
    """Return how soon a side wins, to follow a verb such as `wins`.

    >>> format_soon(1), format_soon(3)
    ('at once', 'in 3 moves')
    """
    return "at once" if plies == 1 else format_distance(plies).lstrip()


def format_delay(best: int, plies: int) -> str:
    """Return how much later or sooner a game ends than with the best move, to follow `the win takes` or `the loss
    comes`.

    >>> format_delay(5, 11), format_delay(8, 7)
    ('6 moves longer', '1 move sooner')
    """
    return f"{format_count(abs(plies - best), 'move')} {'longer' if plies > best else 'sooner'}"


def fill_lines(atoms: Iterable[str], width: int) -> list[str]:
    """Wrap words into lines of at most `width` characters. A longer word has its own line."""
    lines = [""]
    for atom in atoms:
        if lines[-1] and len(lines[-1]) + 1 + len(atom) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {atom}" if lines[-1] else atom
    return lines

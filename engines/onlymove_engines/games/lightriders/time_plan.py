"""How much of its time a rider gives to a step: most when the riders have come close. Reads no clock."""

from __future__ import annotations

from typing import Final

from .rules import Position

SAFETY: Final = 0.06
"""Seconds of the bank that are never planned for: a late wake-up of the thread that stops the search."""

PHASES: Final = ((0.12, 0.1), (0.65, 1.0), (1.0, 0.1))
"""How much a move matters until this share of the field is filled: most when the riders have come close."""

RESERVES: Final = ((0.5, 0.2), (1.0, 0.08))
"""Until this share of the field is filled so much of the full bank is kept, but for what increments and the least share
take: most of it for the last rounds before the riders are apart, after which a fill takes hardly any."""
LEAST = 0.05
"""What a move may take of the reserve at least: where there is no increment the last moves are searched, too."""

INCREMENTS, SHARES = 1.5, 4.8
"""So many increments a move may take, and so many times its share of what lies above the reserve. On average moves take
the half of it at first and less later: the engine stops where its answer is settled, and single steps take nothing."""


def thinking_time(position: Position, left: float, increment: float, full: float) -> float:
    """Seconds a step may take at most with so many `left`, of which `increment` come back; at most half of them.

    `full` is the full bank. What lies above the reserve is spread over the rounds to come by how much they matter.
    """
    cells = len(position.cells)
    filled = 1 - position.cells.count(".") / cells
    begins = (0.0, *(until for until, _ in PHASES))
    phases = [(max(filled, begin), until, weight) for begin, (until, weight) in zip(begins, PHASES, strict=False)]
    rounds = sum(weight * max(0.0, until - begin) for begin, until, weight in phases) * cells / 2
    kept = at(filled, RESERVES) * full
    spare = max(0.0, left - increment - kept)
    most = INCREMENTS * increment + SHARES * spare * at(filled, PHASES) / max(rounds, 1.0)
    return max(0.0, min(max(most, LEAST * min(left, kept)), 0.5 * left, left - SAFETY))


def at(filled: float, table: tuple[tuple[float, float], ...]) -> float:
    """What a table says while so much of the field is filled."""
    return next((figure for until, figure in table if filled < until), table[-1][1])

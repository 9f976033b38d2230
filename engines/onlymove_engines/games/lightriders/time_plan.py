"""How much of its time a rider gives to a step: most when the riders have come close. Reads no clock."""

from __future__ import annotations

from typing import Final

from .rules import Position

SAFETY: Final = 0.06
"""Seconds of the bank that are never planned for: a late wake-up of the thread that stops the search."""

RESERVE: Final = 0.25
"""This share of the full bank is kept to the end."""

PHASES: Final = ((0.12, 0.3), (0.55, 1.0), (0.97, 0.15))
"""How much a move matters until this share of the field is filled: most when the riders have come close."""

STRETCH: Final = 2.2
"""So many times its planned time a move may take; the engine stops earlier where its answer is settled."""


def thinking_time(position: Position, left: float, increment: float, full: float) -> float:
    """Seconds a step may take at most with so many `left`, of which `increment` come back; at most half of them.

    `full` is the full bank. What lies above the reserve is spread over the rounds to come by how much they matter.
    """
    cells = len(position.cells)
    filled = 1 - position.cells.count(".") / cells
    weight = next((weight for until, weight in PHASES if filled < until), PHASES[-1][1])
    begins = (filled, *(max(filled, until) for until, _ in PHASES[:-1]))
    ends = (max(filled, until) for until, _ in PHASES)
    rounds = sum(each * (end - begin) for begin, end, (_, each) in zip(begins, ends, PHASES, strict=True)) * cells / 2
    spare = max(0.0, left - increment - RESERVE * full)
    planned = 0.9 * increment + spare * weight / max(rounds, 1.0)
    return max(0.0, min(STRETCH * planned, 0.5 * left, left - SAFETY))

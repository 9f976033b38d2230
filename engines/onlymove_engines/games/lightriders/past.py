"""What a line of positions tells about the riders: their trails, where they are heading, where they crashed."""

from __future__ import annotations

from dataclasses import dataclass, field

from .rules import STEPS, WALL, Cell, Position, Step


@dataclass
class Past:
    """What the history tells about each rider: cells from the oldest, the last step, where it crashed."""

    trails: tuple[list[Cell], list[Cell]] = field(default_factory=lambda: ([], []))
    heading: list[Step] = field(default_factory=lambda: ["", ""])
    crashed: list[Cell | None] = field(default_factory=lambda: [None, None])


def read_past(positions: tuple[Position, ...]) -> Past:
    """The riders' trails (the head last), directions and crashes along a line of positions."""
    past = Past()
    for position in positions:
        for seat in (0, 1):
            head, trail = position.head(seat), past.trails[seat]
            if head is None:
                past.crashed[seat] = trail[-1] if trail else None
                continue
            if trail:
                past.heading[seat] = next((s for s in STEPS if position.beside(trail[-1], s) == head), "")
            elif WALL not in position.cells:
                past.heading[seat] = "rl"[seat]
            trail.append(head)
    return past

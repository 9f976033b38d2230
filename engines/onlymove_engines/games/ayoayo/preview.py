"""What a sowing will do, told before it is played: where the last seed falls, what is captured by whom."""

from __future__ import annotations

from dataclasses import dataclass

from onlymove_engines.core.value import Seat

from .rules import CAPTURED_AT, Act, Cell, Event, Pit, Position, pit_of, sowing


@dataclass(frozen=True, slots=True)
class Preview:
    """A sowing at a glance: drops and relays, the pit of the last seed, each capture as (pit, taker)."""

    drops: int
    relays: int
    last: Pit
    captures: tuple[tuple[Pit, Seat], ...]

    def captured(self, seat: Seat) -> int:
        """How many seeds the sowing captures for one player, the final sweep not counted."""
        return CAPTURED_AT * sum(taker == seat for _, taker in self.captures)


def events(position: Position, move: Cell) -> tuple[Event, ...]:
    """Every step of a permitted move."""
    pits = list(position.pits)
    return tuple(sowing(pits, position.to_move, pit_of(position.to_move, move)))


def preview(position: Position, move: Cell) -> Preview:
    """What a permitted move will do."""
    steps = events(position, move)
    return Preview(
        drops=sum(step.act is Act.DROP for step in steps),
        relays=sum(step.act is Act.PICK_UP for step in steps) - 1,
        last=next(step.pit for step in reversed(steps) if step.act is Act.DROP),
        captures=tuple((step.pit, step.taker) for step in steps if step.taker is not None),
    )

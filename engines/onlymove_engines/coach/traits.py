"""What the moves that keep the value have in common, counted from the values and said without naming one.

A drawer says what a move may do; here is found out what of that is worth telling.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Generic

from onlymove_engines.core.rules import M

MOST_TOLD = 2
DECISIVE = 0.25
"""How much difference it makes that all moves that keep the value have a trait, or none, or that no other has it."""


@dataclass(frozen=True, slots=True)
class Trait(Generic[M]):
    """Something that a move does or does not: `does` of one move ("captures"), `do` of several ("capture").

    `always` and `never` say it for themselves where all moves that keep the value do, or none.
    """

    does: str
    do: str
    holds: Callable[[M], bool]
    always: str = ""
    never: str = ""

    def told(self, keeping: Collection[M], moves: Collection[M]) -> str:
        """How many of the moves that keep the value do it, or that all who do it keep it."""
        count, size = sum(map(self.holds, keeping)), len(keeping)
        if count == size:
            return self.always or (f"{all_of(size)} {self.does if size == 1 else self.do}.")
        if count and count == sum(map(self.holds, moves)):
            return f"Every move that {self.does} keeps it."
        if count:
            return f"{count} of {size} that keep it {self.does if count == 1 else self.do}."
        return self.never or (
            f"The move that keeps it does not {self.do}." if size == 1 else f"None that keeps it {self.does}."
        )

    def tells(self, keeping: Collection[M], moves: Collection[M]) -> float:
        """How much it sets the moves that keep the value apart from all: 0 where it is as common among both."""
        kept, total = sum(map(self.holds, keeping)), sum(map(self.holds, moves))
        difference = abs(kept / len(keeping) - total / len(moves))
        return difference + DECISIVE * (kept in (0, len(keeping), total)) if difference else 0.0


def all_of(size: int) -> str:
    """So many moves, and these are all, as a subject."""
    return {1: "The move that keeps it", 2: "Both that keep it"}.get(size, f"All {size} that keep it")


def telling(traits: Sequence[Trait[M]], keeping: Collection[M], moves: Collection[M]) -> tuple[str, ...]:
    """What sets the moves that keep the value apart from all `moves`, the most telling first; perhaps nothing."""
    lines: dict[frozenset[M], str] = {}
    for trait in sorted(traits, key=lambda trait: -trait.tells(keeping, moves)):
        found = frozenset(filter(trait.holds, keeping))
        is_news = found not in lines and frozenset(keeping) - found not in lines
        if is_news and len(lines) < MOST_TOLD and trait.tells(keeping, moves):
            lines[found] = trait.told(keeping, moves)
    return tuple(lines.values())

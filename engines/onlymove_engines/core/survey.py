"""What a drawer shows of its whole table, a batch of positions at a time, for whoever counts it. Knows no game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from .analysis import Sections

if TYPE_CHECKING:
    from .analysis import Section


Moves = TypeVar("Moves")
"""How a drawer shows many moves at once."""


@dataclass(frozen=True, slots=True)
class Followed:
    """A proverb, and of every move of a batch: 1 where it follows it, 0 where not, -1 where nothing is said of it."""

    id: str
    sentence: str
    marks: Section


@dataclass(frozen=True)
class Proverb(Generic[Moves]):
    """Advice that any move follows or does not, as far as it speaks of it: of moves `among` which one chooses."""

    id: str
    sentence: str
    follows: Callable[[Moves], Section]
    among: Callable[[Moves], Section] | None = None

    def of(self, moves: Moves) -> Followed:
        """Which of the moves follow it."""
        marks = self.follows(moves).astype("int8")
        if self.among is not None:
            marks[~self.among(moves)] = -1
        return Followed(self.id, self.sentence, marks)


@dataclass(frozen=True)
class Batch:
    """Positions of a table that a game can lead to, one for each number, with all their moves. Arrays of one length,
    of the positions:

    `numbers`: the index's. `weight`: how many positions share the number. `value`: 1, 0, -1 for a win, draw, loss of
    the side to move, or the margin to come in a game with points. `distance`: plies to the end, to the next points in
    a game with points; 0 in a draw. `shown`: whether the position may stand for itself, with nothing before it.

    And of the moves of all of them, one position after the other: `row`: whose move it is, by its place in the batch.
    `worth`: as `value`, for the side that plays it.

    `proverbs` say which of the moves follow each; `facts` counts positions of which the sentence is true.
    """

    numbers: Section
    weight: Section
    value: Section
    distance: Section
    shown: Section
    row: Section
    worth: Section
    proverbs: Sequence[Followed] = ()
    facts: Mapping[str, int] = field(default_factory=dict)


Survey: TypeAlias = Callable[[Sections], Iterator[Batch]]
"""Shows a whole table, every position once, in the order of the numbers."""

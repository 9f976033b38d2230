"""Counts over a solved game's whole table: how a game exposes its table, what is counted, and how it is stored.

The tables' `solution` command writes the numbers. Knows no game.
"""

from __future__ import annotations

import enum
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from onlymove_engines.core.analysis import Sections
from onlymove_engines.core.errors import OnlymoveError

if TYPE_CHECKING:
    from .analysis import Section


Moves = TypeVar("Moves")
"""How a game package shows many moves at once."""


@dataclass(frozen=True, slots=True)
class MarkedAdvice:
    """A piece of advice, and its mark for every move of a batch: 1 if the move follows it, 0 if not, -1 if it does not
    apply.
    """

    id: str
    sentence: str
    marks: Section


@dataclass(frozen=True)
class Advice(Generic[Moves]):
    """A piece of advice. Each move in `among` either follows it or does not. It says nothing about other moves."""

    id: str
    sentence: str
    follows: Callable[[Moves], Section]
    among: Callable[[Moves], Section] | None = None

    def mark(self, moves: Moves) -> MarkedAdvice:
        marks = self.follows(moves).astype("int8")
        if self.among is not None:
            marks[~self.among(moves)] = -1
        return MarkedAdvice(self.id, self.sentence, marks)


@dataclass(frozen=True)
class Batch:
    """Positions of a table that a game can lead to, one for each number, with all their moves. Arrays of one length,
    of the positions:

    `numbers`: the index's. `weight`: how many positions share the number. `value`: 1, 0, -1 for a win, draw, loss of
    the side to move, or the margin to come in a game with points. `distance`: plies to the end, to the next points in
    a game with points; 0 in a draw. `shown`: whether the position may stand for itself, with nothing before it.

    And of the moves of all of them, one position after the other: `row`: whose move it is, by its place in the batch.
    `worth`: as `value`, for the side that plays it.

    `advice` says which moves follow each piece of advice; `facts` counts positions of which the sentence is true.
    """

    numbers: Section
    weight: Section
    value: Section
    distance: Section
    shown: Section
    row: Section
    worth: Section
    advice: Sequence[MarkedAdvice] = ()
    facts: Mapping[str, int] = field(default_factory=dict)


BatchLister: TypeAlias = Callable[[Sections], Iterator[Batch]]
"""Shows a whole table, every position once, in the order of the numbers."""


class UnreadableSolution(OnlymoveError):
    """A file of counts cannot be read, because this program did not write it."""


class Kind(enum.Enum):
    """The property in which a named position is extreme, among all positions of the table that a game can lead to."""

    LONGEST_WIN = "longest-win"
    """A win that takes most plies; with points, one whose next points are farthest away."""
    NARROWEST_DRAW = "narrowest-draw"
    """A draw with most moves of which exactly one holds it."""
    MOST_MISLEADING = "most-misleading"
    """A win with most moves that lose; among these, with fewest that win."""


@dataclass(frozen=True, slots=True)
class ExtremePositions:
    """The extreme positions of one kind.

    `figure` is how extreme they are (plies, moves, losing moves), `count` how many there are up to symmetry,
    `positions` the first of them by number.
    """

    figure: int
    count: int
    positions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TestedAdvice:
    """A piece of advice tested on the whole table.

    `positions` counts the positions in which some moves follow it and others do not, some keep the value and others do
    not, and no move wins at once. In these, `followed` is the share of the moves following it that keep the value, and
    `base` the share of all moves it applies to; every position has the same weight. In `failing` of them another move
    keeps the value, but none that follows the advice: `examples` are some of those.
    """

    id: str
    sentence: str
    positions: int
    followed: float
    base: float
    failing: int
    examples: tuple[str, ...]

    @property
    def gain(self) -> float:
        """Return how much more often moves that follow the advice hold the value than random ones."""
        return self.followed - self.base


@dataclass(frozen=True, slots=True)
class Solution:
    """A solved game in numbers.

    `digest`: the SHA-256 of the table that was counted. `start`: the value of the start position, `first_moves` that of
    every first move, for the side that plays it, spelled as `Value` does. `classes` and `positions`: what is counted,
    up to symmetry and in all; `finished` of them are over. `outcomes`: the others by result for the side to move
    (`win`, `draw`, `loss`), `distances`: wins and losses by plies; with points by the margin to come.
    `choices`: positions with two moves or more in which the side to move does not lose, `only_moves` of them those in
    which exactly one move keeps the value. `kept`: the share of all moves there that keep it, each position alike.
    `line`: best play from the first of the longest wins. `facts`: other counts, sentence by sentence. `one_in`: if it
    is not 1, the table is too large to count all of it, and only one position in so many was counted.
    """

    game: str
    digest: str
    start: str
    first_moves: Mapping[str, str]
    classes: int
    positions: int
    finished: int
    outcomes: Mapping[str, int]
    distances: Mapping[str, Mapping[int, int]]
    choices: int
    only_moves: int
    kept: float
    named: Mapping[Kind, ExtremePositions]
    line: tuple[str, ...]
    facts: Mapping[str, int] = field(default_factory=dict)
    advice: tuple[TestedAdvice, ...] = ()
    one_in: int = 1


def format_solution(solution: Solution) -> str:
    plain = asdict(solution)
    if solution.one_in == 1:
        del plain["one_in"]
    plain["named"] = {kind.value: asdict(named) for kind, named in solution.named.items()}
    plain["proverbs"] = plain.pop("advice")  # the name in files that earlier versions wrote
    return json.dumps(plain, indent=1, ensure_ascii=False) + "\n"


def parse_solution(text: str) -> Solution:
    """Read what `format_solution` wrote. Raises UnreadableSolution."""
    try:
        plain = json.loads(text)
        plain["named"] = {
            Kind(kind): ExtremePositions(named["figure"], named["count"], tuple(named["positions"]))
            for kind, named in plain["named"].items()
        }
        plain["distances"] = {
            outcome: {int(plies): count for plies, count in counts.items()}
            for outcome, counts in plain["distances"].items()
        }
        plain["line"] = tuple(plain["line"])
        plain["advice"] = tuple(
            TestedAdvice(**{**tested, "examples": tuple(tested["examples"])}) for tested in plain.pop("proverbs")
        )
        return Solution(**plain)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UnreadableSolution(f"not a solution file: {error}") from error


def solution_file(game_id: str) -> str:
    return f"{game_id}.solution.json"

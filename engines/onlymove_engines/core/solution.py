"""Statistics of a solved game: how a game lists its table, what is counted, and how the counts are stored."""

from __future__ import annotations

import enum
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from onlymove_engines.core.analysis import Sections
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.text import clean_document

if TYPE_CHECKING:
    from .analysis import Section


Moves = TypeVar("Moves")
"""A game package's own form of many moves at once."""


@dataclass(frozen=True)
class Advice(Generic[Moves]):
    """A piece of advice, which each move in `among` follows or not. It does not apply to other moves."""

    id: str
    sentence: str
    follows: Callable[[Moves], Section]
    among: Callable[[Moves], Section] | None = None

    def mark(self, moves: Moves) -> tuple[Advice[Moves], Section]:
        """Return this advice with a mark for each move: 1 if it follows, 0 if not, -1 if not in `among`."""
        marks = self.follows(moves).astype("int8")
        if self.among is not None:
            marks[~self.among(moves)] = -1
        return self, marks


@dataclass(frozen=True)
class Batch:
    """A batch of positions that a game can lead to, one for each number of a table, with all their moves.

    These arrays have an entry for each position. `numbers` are the numbers in the index. `weight` says how many
    positions share the number. `value` is 1, 0 or -1 for a win, draw or loss of the side to move or, in a game with
    points, the margin to come. `distance` is the number of plies to the end or to the next points. It is 0 in a draw.
    `shown` says whether the position makes sense without the moves before it.

    These arrays have an entry for each move, position by position. `row` is the index of its position in the batch.
    `worth` is like `value`, for the side that plays the move. `advice` has marks for the moves.

    `facts` counts the positions for which a sentence is true.
    """

    numbers: Section
    weight: Section
    value: Section
    distance: Section
    shown: Section
    row: Section
    worth: Section
    advice: Sequence[tuple[Advice[Any], Section]] = ()
    facts: Mapping[str, int] = field(default_factory=dict)


BatchLister: TypeAlias = Callable[[Sections], Iterator[Batch]]
"""Lists a whole table, one entry for each position, in the order of the numbers."""


class UnreadableSolution(OnlymoveError):
    """A file of counts was not written by this program, so it cannot be read."""


class Kind(enum.Enum):
    """The ways in which a position of the table can be extreme. Positions that no game leads to do not count."""

    LONGEST_WIN = "longest-win"
    """The win that takes the most plies. With points, the position whose next points are farthest away."""
    NARROWEST_DRAW = "narrowest-draw"
    """The draw with the most moves of which exactly one holds it."""
    MAX_MISLEADING = "most-misleading"
    """The win with the most losing moves, and among these the one with the fewest winning moves."""


@dataclass(frozen=True, slots=True)
class ExtremePositions:
    """The extreme positions of one kind. `figure` is how extreme they are, in plies, moves or losing moves. `count` is
    how many there are, up to symmetry, and `positions` are the first of them in the order of their numbers."""

    figure: int
    count: int
    positions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TestedAdvice:
    """A piece of advice, tested on the whole table.

    `positions` counts the positions that test it: some moves follow it and others do not, some keep the value and
    others do not, and none wins at once. Among the moves there that follow it, `followed` is the share that keeps the
    value. `base` is that share among all moves it applies to. Each position has the same weight. In `failing` of the
    positions, only moves that do not follow it keep the value. `examples` are some of them.
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
        """Return how much the advice helps: how often its moves keep the value, minus how often random moves do."""
        return self.followed - self.base


@dataclass(frozen=True, slots=True)
class Solution:
    """A solved game in numbers.

    `digest` is the SHA-256 of the table. `start` is the value of the start position, and `first_moves` are the values
    of the first moves for the side that plays them, both written like `Value`. `classes` counts the positions up to
    symmetry, `positions` counts all, and `finished` those that are over. `outcomes` counts the others by result for the
    side to move (`win`, `draw`, `loss`), and `distances` their wins and losses by plies or, in a game with points, by
    the margin to come.

    `choices` counts the positions with at least two moves in which the side to move does not lose, and `only_moves`
    those of them in which exactly one move keeps the value. `kept` is the share of moves there that keep the value,
    with the same weight for each position. `line` is best play from the first of the longest wins. `facts` has other
    counts, each under its sentence. Only one position in `one_in` was counted.
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
    return json.dumps(plain, indent=1, ensure_ascii=False) + "\n"


def parse_solution(text: str) -> Solution:
    try:
        plain = clean_document(json.loads(text))
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
            TestedAdvice(**{**tested, "examples": tuple(tested["examples"])}) for tested in plain["advice"]
        )
        return Solution(**plain)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UnreadableSolution(f"this is not a solution file: {error}") from error


def solution_file(game_id: str) -> str:
    return f"{game_id}.solution.json"

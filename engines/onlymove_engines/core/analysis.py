"""Analysts: they answer what positions are worth, from a table or by search."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeAlias, TypeVar, runtime_checkable

from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.rules import M
from onlymove_engines.core.value import Estimate, Mixed, Value

if TYPE_CHECKING:
    import numpy.typing as npt

P_co = TypeVar("P_co", bound=Hashable, covariant=True)
P_contra = TypeVar("P_contra", bound=Hashable, contravariant=True)

Section: TypeAlias = "npt.NDArray[Any]"
Sections: TypeAlias = "Mapping[str, Section]"
"""The named one-dimensional integer arrays of a table."""

Column: TypeAlias = "Section | memoryview[int]"
Columns: TypeAlias = "Mapping[str, Column]"
"""The same to look single numbers up in, which needs no numpy; it makes arrays of them without copying."""

Report: TypeAlias = Callable[[str, float], None]
"""Called during long work with what is being done and the share done, 0..1."""


def ignore_report(what: str, share: float) -> None:
    """Ignore a progress report."""


Tell: TypeAlias = Callable[[str], None]
"""Called with one line for the user."""


def ignore_line(line: str) -> None:
    """Ignore a line of output."""


@dataclass(frozen=True)
class Analysis(Generic[M]):
    """Everything known about a position in which one side moves.

    `moves` holds every legal move in the rules' order with its proven value: seen by the side that plays it, remoteness
    counted from this position, margin including what the move itself captures; `None` is unknown. `estimates` may hold
    what a search believes about unproven moves. `note` says how the answer was found if not from the table ("no table:
    searched to depth 9"); `depth` says how far a search looked if it was cut off. `limits` may hold the most that an
    unproven move can be worth. `ends_won` are the moves of a game with a margin that end it as won: margins think of
    play going on, and what they still count is not to be had. `nearer` are the moves that bring the points owed nearer;
    others that are worth as much may go round for ever. With `past_counts` positions that stood before would end the
    game if it came there: what other positions are worth in themselves need not hold in this game.
    """

    value: Value | Estimate | None
    moves: Mapping[M, Value | None]
    estimates: Mapping[M, Estimate] = field(default_factory=dict)
    note: str = ""
    limits: Mapping[M, Value] = field(default_factory=dict)
    ends_won: frozenset[M] = frozenset()
    nearer: frozenset[M] = frozenset()
    depth: int | None = None
    past_counts: bool = False

    @property
    def is_complete(self) -> bool:
        return all(value is not None for value in self.moves.values())

    def best_value(self) -> Value | None:
        """Return the best value among the moves; `None` without moves, or if an unproven move may be better."""
        top = max((value for value in self.moves.values() if value is not None), default=None)
        if top is None or self.is_complete:
            return top
        limits = [self.limits.get(move) for move, value in self.moves.items() if value is None]
        return top if all(limit is not None and limit <= top for limit in limits) else None

    def best(self) -> tuple[M, ...]:
        """The co-best moves: best outcome, then margin, then speed; in a draw, every move that holds it. Among moves
        with the same margin, those that bring the points nearer are preferred, if that is known."""
        top = self.best_value()
        if top is None:
            return ()
        best = tuple(m for m, v in self.moves.items() if v is not None and v.preference == top.preference)
        return tuple(move for move in best if move in self.nearer) or best

    def keeping(self) -> tuple[M, ...]:
        """Return the moves that hold the outcome; in games with a margin, those that hold the margin or end the game as
        won."""
        top = self.best_value()
        if top is None:
            return ()
        return tuple(
            m
            for m, v in self.moves.items()
            if m in self.ends_won or (v is not None and v.outcome == top.outcome and v.margin == top.margin)
        )


@dataclass(frozen=True)
class HintNotes(Generic[M]):
    """What a game's coach adds to a hint. No text in `area` names a coordinate of a move.

    `ranked` orders the keeping moves, best practical choice first (empty: no opinion). `moves` describes single moves
    for the last stage of the hint: first in a few words, then in fewer for narrow places.
    """

    area: tuple[str, ...] = ()
    moves: Mapping[M, Sequence[str]] = field(default_factory=dict)
    ranked: tuple[M, ...] = ()


@dataclass(frozen=True, slots=True)
class Tally:
    """The legal moves of a position, counted by what they are worth to the side that plays them.

    `best` counts the co-best moves. All counts are 0 when the game is over.
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    best: int = 0

    @property
    def moves(self) -> int:
        return self.wins + self.draws + self.losses


@dataclass(frozen=True, slots=True)
class Summary:
    """One row of batch analysis: value, counts and the co-best moves, spelled and sorted by code point."""

    value: Value | Mixed
    moves: str
    keeping: str
    best: str


def measure_nothing(_: int) -> Mapping[str, Any]:
    """Stand in for `Expanded.measured` in a game without measures."""
    return {}


@dataclass(frozen=True, slots=True)
class Expanded:
    """A position and its legal moves for batch analysis. The moves are columns in the rules' order: how each is
    written, the position it leads to, and a code for what it is worth.

    `worth` turns a code into the value for the side that plays the move, and whether the move ends the game. `measures`
    are codes for the measures of the positions after the moves, empty if the game measures nothing, and `own_measures`
    is the code of the position's own. `measured` turns such a code into the measures.
    """

    value: Value
    moves: Sequence[str]
    positions: Sequence[str]
    codes: Sequence[int]
    worth: Mapping[int, tuple[Value, bool]]
    measures: Sequence[int] = ()
    own_measures: int | None = None
    measured: Callable[[int], Mapping[str, Any]] = measure_nothing


@runtime_checkable
class Analyst(Protocol[P_contra, M]):
    """Answers what positions of a game are worth: from its table if there is one, otherwise by search within the
    budget."""

    def is_reachable(self, position: P_contra) -> bool:
        """Return whether a game can lead here. True if the game answers every well-formed position."""
        ...

    def probe(self, position: P_contra) -> Value | None:
        """Return the proven value for the side to move if it is known without search. A finished game always has
        one.
        """
        ...

    def analyse(self, position: P_contra, budget: Budget = UNLIMITED) -> Analysis[M]:
        """Return the value and the moves of a position in an alternating game; no moves when it is over."""
        ...

    def summarise(self, positions: Sequence[P_contra]) -> Iterable[Summary]:
        """Return rows for many positions at once, in order, at the speed of the kernels."""
        ...


@runtime_checkable
class Ranked(Protocol[P_contra]):
    """An optional ability of an analyst of a game with points: it knows how far away the next points are."""

    def rank(self, position: P_contra) -> int | None:
        """Return how many plies away the next points are for the side that is owed some.

        That side can lower the rank with every move of its own. After a move of the other side, the rank falls or the
        points owed grow. 0 if nothing is owed, `None` if the rank is not stored.
        """
        ...


@runtime_checkable
class Measuring(Protocol[P_contra]):
    """An optional ability of an analyst: it reports the game's own measures of a position."""

    def measures(self, position: P_contra) -> Mapping[str, Any]:
        """Return what JSON shows of a position besides its value; empty if it is not in the table."""
        ...


@runtime_checkable
class Remembering(Protocol):
    """An analyst whose searches reuse earlier ones, so that the same number of nodes may prove more."""

    def afresh(self) -> AnyAnalyst:
        """Return a new analyst of this kind with an empty memory."""
        ...


@runtime_checkable
class Tallying(Protocol[P_contra]):
    """An optional ability of an analyst: it counts the moves of many positions faster than one by one, or searches
    positions that are not in the table.
    """

    def tallies(self, positions: Sequence[P_contra], budget: Budget = UNLIMITED) -> Sequence[Tally | None]:
        """Count the moves of each position, in order; `None` if the budget is too small to find the value of each of
        them."""
        ...


@runtime_checkable
class Enumerating(Protocol[P_co]):
    """An optional ability of an analyst with a table: it lists the table's positions."""

    @property
    def entries(self) -> int:
        """Return the number of entries in the table."""
        ...

    def positions_at(self, numbers: Sequence[int]) -> Sequence[P_co | None]:
        """Return the position of each of these entries; `None` for an entry that no game leads to."""
        ...


@runtime_checkable
class Expanding(Protocol[P_contra]):
    """An optional ability of an analyst with a table: it expands many positions at once."""

    def expand(self, positions: Sequence[P_contra]) -> Iterable[Expanded] | None:
        """Return every move of many positions at the speed of the kernels, in order.

        `None` if kernels cannot be loaded, or if there are so few positions that analysing each is quicker than loading
        kernels.
        """
        ...


@runtime_checkable
class SimultaneousAnalyst(Protocol[P_contra]):
    """Answers what positions are worth in a game with simultaneous moves."""

    def is_reachable(self, position: P_contra) -> bool: ...

    def mixed(self, position: P_contra, budget: Budget = UNLIMITED) -> Mixed:
        """Return the value with both strategies and the matrix. `exact` says whether it is proven."""
        ...

    def summarise(self, positions: Sequence[P_contra]) -> Iterable[Summary]: ...


AlternatingAnalyst: TypeAlias = Analyst[Any, Any]
"""Of whichever game in which one side moves at a time."""
AnyAnalysis: TypeAlias = Analysis[Any]
AnyAnalyst: TypeAlias = AlternatingAnalyst | SimultaneousAnalyst[Any]
"""Of whichever game; `Facts.simultaneous` says of which kind."""


def alternating(analyst: AnyAnalyst) -> AlternatingAnalyst:
    """Return the analyst, checked to be one for an alternating game. Raises TypeError."""
    if not isinstance(analyst, Analyst):
        raise TypeError("in this game both sides move at once")
    return analyst


def simultaneous(analyst: AnyAnalyst) -> SimultaneousAnalyst[Any]:
    """Return the analyst, checked to be one for simultaneous moves. Raises TypeError."""
    if not isinstance(analyst, SimultaneousAnalyst):
        raise TypeError("in this game one side moves at a time")
    return analyst


class Solver(Protocol):
    """Builds a game's table, solves the game a second time, and counts what is in a table."""

    @property
    def encoding(self) -> str:
        """Name and version of the payload's encoding, such as `game-1`; part of the table header."""
        ...

    def build(self, jobs: int = 1, report: Report = ignore_report) -> dict[str, Section]:
        """Solve the game. The result is the same, byte for byte, on every platform and for every number of jobs."""
        ...

    def derive(self, report: Report = ignore_report) -> Sections:
        """Solve the same sections again, with code that shares nothing with `build` but the facts of the rules and the
        meaning of numbers and bytes. Tables are checked against the result."""
        ...

    def spell(self, sections: Sections, name: str, entry: int) -> str:
        """Return the position of an entry of this section, as text."""
        ...

    def counts(self, sections: Sections) -> dict[str, int]:
        """Recount figures from the payload (positions, wins, draws, losses, ...) for the manifest."""
        ...

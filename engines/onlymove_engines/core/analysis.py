"""Analysts say what positions are worth. They use a table if there is one, and search otherwise."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, Protocol, TypeAlias, TypeVar, runtime_checkable

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
"""A sequence of integers. A memoryview is enough to look up single numbers, and needs no numpy."""

Report: TypeAlias = Callable[[str, float], object]
"""A callback for progress. It gets a description of the current step and the share done, from 0 to 1."""


def ignore_report(what: str, share: float) -> None: ...


Tell: TypeAlias = Callable[[str], None]
"""A callback that gets one line of text for the user."""


def ignore_line(line: str) -> None: ...


@dataclass(frozen=True)
class Analysis(Generic[M]):
    """Everything known about a position in which one side moves.

    `moves` maps every legal move, in the order of the rules, to its proven value, or to `None` if it is unknown. A
    value is seen by the side that plays the move. Remoteness is counted from this position, and the margin includes
    what the move itself captures. `estimates` may hold what a search believes about unproven moves, and `limits` the
    most that such a move can be worth. `note` says how the answer was found if it is not from the table ("there is no
    table, so this was searched to depth 9"), and `depth` how far a search looked if it was cut off.

    `ends_won` are moves that end a game with points as a win. Their margin counts points that can no longer be made.
    `nearer` are the moves that bring the next points nearer. Others of the same value may repeat positions for ever.
    `past_counts` is true if an earlier position of this game would end it when it occurs again, so that the table's
    values may be wrong.
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

    @cached_property
    def is_complete(self) -> bool:
        return all(value is not None for value in self.moves.values())

    def best_value(self) -> Value | None:
        """Return the best value of a move. It is `None` without moves, or if an unproven move may be better."""
        values = (value for value in self.moves.values() if value is not None)
        top = max(values, key=attrgetter("preference"), default=None)
        if top is None or self.is_complete:
            return top
        limits = [self.limits.get(move) for move, value in self.moves.items() if value is None]
        return top if all(limit is not None and limit <= top for limit in limits) else None

    def list_best_moves(self) -> tuple[M, ...]:
        """Return the best moves by outcome, then margin, then speed. In a draw, these are all moves that hold it. In a
        game with points, moves that bring the next points nearer are preferred if they are known."""
        top = self.best_value()
        if top is None:
            return ()
        best = tuple(m for m, v in self.moves.items() if v is not None and v.preference == top.preference)
        return tuple(move for move in best if move in self.nearer) or best

    def list_good_moves(self) -> tuple[M, ...]:
        """Return the moves that keep the outcome and, with points, the margin, or end the game as a win."""
        top = self.best_value()
        if top is None:
            return ()
        return tuple(
            m
            for m, v in self.moves.items()
            if m in self.ends_won or (v is not None and v.outcome == top.outcome and v.margin == top.margin)
        )

    def group_moves(self) -> list[tuple[Value | None, list[M]]]:
        """Return each value with its moves in the order of the rules: better values first, unknown ones last."""
        groups: dict[tuple[int, ...], list[M]] = {}
        for move, value in self.moves.items():
            groups.setdefault(() if value is None else value.preference, []).append(move)
        return [(self.moves[groups[key][0]], groups[key]) for key in sorted(groups, reverse=True)]


@dataclass(frozen=True)
class HintNotes(Generic[M]):
    """What a game's coach adds to a hint. No text in `area` names a coordinate of a move. `moves` describes single
    moves for the last stage: in a few words, and then in fewer for narrow screens. `ranked` lists the moves that keep
    the value, the best practical choice first. It is empty if the coach has no preference."""

    area: tuple[str, ...] = ()
    moves: Mapping[M, Sequence[str]] = field(default_factory=dict)
    ranked: tuple[M, ...] = ()


@dataclass(frozen=True, slots=True)
class Tally:
    """The number of winning, drawing and losing moves in a position, for the side that plays them, and of moves that
    share the `best` value. All are 0 when the game is over."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    best: int = 0

    @property
    def moves(self) -> int:
        return self.wins + self.draws + self.losses


@dataclass(frozen=True, slots=True)
class Summary:
    """One row of batch analysis. `moves` counts the legal moves and `keeping` those that keep the value, both as text.
    `best` lists the best moves, sorted by code point."""

    value: Value | Mixed
    moves: str
    keeping: str
    best: str


@dataclass(frozen=True, slots=True)
class Expanded:
    """A position and its legal moves, for batch analysis. `moves`, `positions` and `codes` have one entry for each
    move, in the order of the rules: the move as text, the position it leads to, and a code for its value. `worth` maps
    each code to the value for the side that plays the move, and to whether the move ends the game.

    `own_measures` is the code of the game's own measures of this position, and `measures` are those of the positions
    after the moves. `measured` turns a code into measures. The first two are empty in a game without measures.
    """

    value: Value
    moves: Sequence[str]
    positions: Sequence[str]
    codes: Sequence[int]
    worth: Mapping[int, tuple[Value, bool]]
    measures: Sequence[int] = ()
    own_measures: int | None = None
    measured: Callable[[int], Mapping[str, Any]] = lambda _code: {}


@runtime_checkable
class Analyst(Protocol[P_contra, M]):
    """Says what positions of a game are worth. It uses the table if there is one, and otherwise searches."""

    def is_reachable(self, position: P_contra) -> bool:
        """Return whether a game can lead to this position, or True if every well-formed position has a value."""

    def probe(self, position: P_contra) -> Value | None:
        """Return the proven value for the side to move if no search is needed, as at the end of a game."""

    def analyse(self, position: P_contra, budget: Budget = UNLIMITED) -> Analysis[M]:
        """Return the value and the moves of a position. There are no moves if the game is over."""

    def summarise(self, positions: Sequence[P_contra]) -> Iterable[Summary]:
        """Analyse many positions at once with compiled code. Return one row for each, in order. Raises LookupError for
        a position whose value cannot be proven."""


# What an analyst may do besides.


@runtime_checkable
class Ranked(Protocol[P_contra]):
    def rank(self, position: P_contra) -> int | None:
        """Return the number of plies to the next points, for the side that will still gain some. That side can lower
        the number with each of its moves. After a move by the other side, either the number falls or the points to gain
        increase. It is 0 if there is nothing to gain, and `None` if it is not stored."""


@runtime_checkable
class Measuring(Protocol[P_contra]):
    def measures(self, position: P_contra) -> Mapping[str, Any]:
        """Return the measures that JSON output shows beside the value. Empty if the position is not in the table."""


@runtime_checkable
class Remembering(Protocol):
    """An analyst whose searches reuse earlier results, so that asking it again may prove more with as many nodes."""

    def afresh(self) -> AnyAnalyst:
        """Return a new analyst of the same kind with an empty memory."""


@runtime_checkable
class Tallying(Protocol[P_contra]):
    """An analyst that counts the moves of many positions at once, faster than one by one or also outside the table."""

    def tallies(self, positions: Sequence[P_contra], budget: Budget = UNLIMITED) -> Sequence[Tally | None]:
        """Count the moves of each position, in order. The count is `None` if the budget does not settle all of them."""


@runtime_checkable
class Enumerating(Protocol[P_co]):
    @property
    def entries(self) -> int: ...

    def positions_at(self, numbers: Sequence[int]) -> Sequence[P_co | None]:
        """Return the position of each of these table entries, or `None` for an entry that no game leads to."""


class ValueColumns(NamedTuple):
    """The values of many positions, each seen by its side to move, as arrays with an entry for each position."""

    value: Section
    """int8: 1 for a win, 0 for a draw, -1 for a loss, UNKNOWN if the position is not in the table."""
    remoteness: Section | None
    """int32: the plies to the end if both sides play well, 0 if the game is over, -1 in other draws and if the value is
    not known. `None` for a game with points, in which plies are not counted."""
    margin: Section | None
    """int64: the margin still to come, 0 if the value is not known. `None` for a game without points."""


UNKNOWN: Final = 127
"""Stands in an array of values for a position whose value is not known."""


@runtime_checkable
class Tabular(Protocol[P_contra]):
    """An analyst whose table is read as arrays. Positions are given by their numbers, which mirror images share. For a
    game without an `Index`, a number is the place in the table."""

    def list_numbers(self) -> Section:
        """Return the numbers of all positions in the table, int64 in ascending order. If a position's value depends on
        what was captured before, each board counts once."""

    def read_values(self, numbers: Section) -> ValueColumns:
        """Return the values of the positions with these numbers."""

    def number_many(self, positions: Sequence[P_contra]) -> Section:
        """Return the numbers of positions, and -1 for one that has no number."""


@runtime_checkable
class Expanding(Protocol[P_contra]):
    def expand(self, positions: Sequence[P_contra]) -> Iterable[Expanded] | None:
        """Return the moves of many positions, in order, with compiled code. Return `None` if there is none, or if there
        are so few positions that analysing them one by one is quicker than loading it."""


@runtime_checkable
class SimultaneousAnalyst(Protocol[P_contra]):
    """Says what positions are worth in a game with simultaneous moves."""

    def is_reachable(self, position: P_contra) -> bool: ...

    def mixed(self, position: P_contra, budget: Budget = UNLIMITED) -> Mixed:
        """Return the value, both players' strategies and the payoff matrix. `exact` says whether they are proven."""

    def summarise(self, positions: Sequence[P_contra]) -> Iterable[Summary]: ...


AlternatingAnalyst: TypeAlias = Analyst[Any, Any]
"""An analyst of any game in which the sides take turns."""
AnyAnalysis: TypeAlias = Analysis[Any]
AnyAnalyst: TypeAlias = AlternatingAnalyst | SimultaneousAnalyst[Any]
"""An analyst of any game. `Facts.simultaneous` says which of the two kinds it is."""


def alternating(analyst: AnyAnalyst) -> AlternatingAnalyst:
    """Return the analyst unchanged. Raises TypeError if its game is not one with alternating moves."""
    if not isinstance(analyst, Analyst):
        raise TypeError("in this game both sides move at once")
    return analyst


def simultaneous(analyst: AnyAnalyst) -> SimultaneousAnalyst[Any]:
    """Return the analyst unchanged. Raises TypeError if its game is not one with simultaneous moves."""
    if not isinstance(analyst, SimultaneousAnalyst):
        raise TypeError("in this game one side moves at a time")
    return analyst


class Solver(Protocol):
    """Builds a game's table, solves the game a second time as a check, and counts the entries of a table."""

    @property
    def encoding(self) -> str:
        """Return the name and version of the encoding, such as `game-1`. It is written into the table's header."""

    def build(self, jobs: int = 1, report: Report = ignore_report) -> dict[str, Section]:
        """Solve the game. The result is the same, byte for byte, on every platform and for every number of jobs."""

    def derive(self, report: Report = ignore_report) -> Sections:
        """Solve the game again, to check a table that `build` made. The code shares nothing with `build` except the
        facts of the rules and the meaning of numbers and bytes."""

    def to_text(self, sections: Sections, name: str, entry: int) -> str: ...

    def counts(self, sections: Sections) -> dict[str, int]:
        """Count the entries of the table (positions, wins, draws, losses, ...) for its manifest."""

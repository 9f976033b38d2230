"""What a position is worth: proven values, estimates and mixed equilibria.

Knows arithmetic on results. Does not know any game, table or search.
"""

from __future__ import annotations

import enum
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Self, TypeAlias

Seat: TypeAlias = int
"""0 is the first player, 1 the second. In games where either may begin, 0 is still the same side."""


def other(seat: Seat) -> Seat:
    return 1 - seat


class Outcome(enum.IntEnum):
    """A result as one side sees it. Results are ordered by that side's preference."""

    LOSS = -1
    DRAW = 0
    WIN = 1

    @property
    def word(self) -> str:
        """The outcome as `win`, `draw` or `loss`, as in every text format of the project."""
        return self.name.lower()

    @property
    def letter(self) -> str:
        return self.name[0]


class _Proven:
    """What the four kinds of value have in common: their order and how they are written. (It is no protocol, because
    `isinstance` on a class with a protocol takes a microsecond, and values are tested everywhere.)

    Values order by preference: short win > long win > draw > long loss > short loss; with points the outcome counts
    first, then the points.
    """

    __slots__ = ()

    @property
    def outcome(self) -> Outcome:
        raise NotImplementedError

    @property
    def remoteness(self) -> int | None: ...
    @property
    def margin(self) -> int | None: ...

    @property
    def preference(self) -> tuple[int, int, int]:
        """The sort key behind the order: outcome, margin, speed. Equal keys are equally good."""
        return (int(self.outcome), self.margin or 0, -self.outcome * (self.remoteness or 0))

    def stepped_back(self) -> Self:
        """Return the value counted from one ply earlier; only wins and losses count plies."""
        return self

    def __lt__(self, rhs: Value) -> bool:
        return self.preference < rhs.preference

    def __le__(self, rhs: Value) -> bool:
        return self.preference <= rhs.preference

    def __gt__(self, rhs: Value) -> bool:
        return self.preference > rhs.preference

    def __ge__(self, rhs: Value) -> bool:
        return self.preference >= rhs.preference

    def __str__(self) -> str:
        """Return `W5`, `L8`, `D`, or `+4` in games with a margin."""
        if self.margin is not None:
            return f"{self.margin:+d}"
        return f"{self.outcome.letter}{'' if self.remoteness is None else self.remoteness}"

    def sentence(self) -> str:
        """Return `Win in 5`, `Draw`, `Loss in 8` or `Win, +12 to come`, for banners and hints."""
        word = self.outcome.word.capitalize()
        if self.margin is not None:
            return f"{word}, {self.margin:+d} to come"
        return word if self.remoteness is None else f"{word} in {self.remoteness}"


@dataclass(frozen=True, slots=True)
class Win(_Proven):
    """A win in `remoteness` plies when the winner hurries and the loser delays; `None`: plies are not counted."""

    remoteness: int | None = None
    outcome: ClassVar[Outcome] = Outcome.WIN
    margin: ClassVar[None] = None

    def __neg__(self) -> Loss:
        return Loss(self.remoteness)

    def stepped_back(self) -> Win:
        return self if self.remoteness is None else Win(self.remoteness + 1)


@dataclass(frozen=True, slots=True)
class Loss(_Proven):
    """A loss in `remoteness` plies, 0 when the game is over; `None`: plies are not counted."""

    remoteness: int | None = None
    outcome: ClassVar[Outcome] = Outcome.LOSS
    margin: ClassVar[None] = None

    def __neg__(self) -> Win:
        return Win(self.remoteness)

    def stepped_back(self) -> Loss:
        return self if self.remoteness is None else Loss(self.remoteness + 1)


@dataclass(frozen=True, slots=True)
class Draw(_Proven):
    """Neither side can force a win. Nobody hurries in a draw, so it has no remoteness."""

    outcome: ClassVar[Outcome] = Outcome.DRAW
    remoteness: ClassVar[None] = None
    margin: ClassVar[None] = None

    def __neg__(self) -> Draw:
        return self


@dataclass(frozen=True, slots=True)
class Margin(_Proven):
    """A value in games with points. `margin` is the points still to come for this side minus those for the other;
    `outcome` is the result that the points captured so far and those to come add up to.
    """

    outcome: Outcome
    margin: int
    remoteness: ClassVar[None] = None

    def __neg__(self) -> Margin:
        return Margin(Outcome(-self.outcome), -self.margin)


Value: TypeAlias = Win | Loss | Draw | Margin
"""A proven value, seen by the side to move; `ForFirst` is the one for the first player.

>>> Win(3) > Win(5) > Draw() > Loss(8) > Loss(2)
True
>>> str(-Win(4).stepped_back())
'L5'
"""


def proven(outcome: Outcome, remoteness: int | None = None, margin: int | None = None) -> Value:
    """Return the value with this outcome: a `Margin` in games with points; a draw has no remoteness."""
    if margin is not None:
        return Margin(outcome, margin)
    if outcome is Outcome.DRAW:
        return Draw()
    return Win(remoteness) if outcome is Outcome.WIN else Loss(remoteness)


@dataclass(frozen=True, slots=True)
class ForFirst:
    """Convert a value of the side to move to the first player's view."""

    value: Value

    @classmethod
    def from_seat(cls, seat: Seat, value: Value) -> ForFirst:
        return cls(value if seat == 0 else -value)


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a search believes but has not proven. It is never compared with a `Value`.

    `expected` is the expected result in [-1, 1] for the side to move (for the first player in simultaneous
    games); `depth` the plies or rounds that were searched.
    """

    expected: float
    depth: int

    def __neg__(self) -> Estimate:
        return Estimate(-self.expected, self.depth)

    def __str__(self) -> str:
        return f"~{self.expected:+z.2f}"

    def sentence(self) -> str:
        """Return `About +0.25 (searched to depth 9)`."""
        return f"About {self.expected:+z.2f} (searched to depth {self.depth})"


Move: TypeAlias = Hashable


@dataclass(frozen=True, slots=True)
class Mixed:
    """The value of a position in which both sides move at once.

    `expected` is in [-1, 1] for the first player (win 1, draw 0, loss -1); `strategies` are one equilibrium, each a
    share per move that sums to 1; `matrix[a][b]` is the first player's payoff when he plays a and the second b. `exact`
    says whether the payoffs are proven; `gap` is the solver's stated error. `earlier` is what the same search believed
    at a smaller depth. An estimate counts as certain only as far as both agree.
    """

    expected: float
    strategies: tuple[Mapping[Move, float], Mapping[Move, float]]
    matrix: Mapping[Move, Mapping[Move, float]]
    exact: bool
    gap: float = 0.0
    depth: int = 0
    earlier: Mixed | None = None

    def payoff(self, seat: Seat, own: Move, theirs: Move) -> float:
        """Return what `seat` expects in [-1, 1] if it plays `own` against `theirs`."""
        return self.matrix[own][theirs] if seat == 0 else -self.matrix[theirs][own]

    def value_for(self, seat: Seat) -> float:
        """Return the expected value in [-1, 1] seen by `seat`."""
        return self.expected if seat == 0 else -self.expected

    def regret(self, seat: Seat, move: Move) -> float:
        """Return how much expected score, on a scale of 0..1, `move` gives away against the other side's mix."""
        theirs = self.strategies[other(seat)]
        reached = sum(share * self.payoff(seat, move, reply) for reply, share in theirs.items())
        return (self.value_for(seat) - reached) / 2

    def tolerance(self) -> float:
        """Return the regret below which a move counts as part of an equilibrium: max(1e-6, 4 x the stated gap)."""
        return max(1e-6, 4 * self.gap)

    def sound(self, seat: Seat) -> tuple[Move, ...]:
        return tuple(move for move in self.strategies[seat] if self.regret(seat, move) <= self.tolerance())

    def __str__(self) -> str:
        return f"{self.expected:z.3f}" if self.exact else f"~{self.expected:+z.2f}"

"""What a position is worth: proven values, estimates and mixed equilibria.

Knows arithmetic on results. Does not know any game, table or search.
"""

from __future__ import annotations

import enum
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

Seat: TypeAlias = int
"""0 is the first player, 1 the second. In games where either may begin, 0 is still the same side."""


def other(seat: Seat) -> Seat:
    """The opponent's seat."""
    return 1 - seat


class Outcome(enum.IntEnum):
    """A result seen by one side; the order is that side's preference."""

    LOSS = -1
    DRAW = 0
    WIN = 1

    @property
    def word(self) -> str:
        """`win`, `draw` or `loss`, as in every text format of the project."""
        return self.name.lower()

    @property
    def letter(self) -> str:
        """`W`, `D` or `L`."""
        return self.name[0]


@dataclass(frozen=True, slots=True)
class Value:
    """A proven value, always seen by the side to move unless a name says otherwise.

    `remoteness` is the number of plies to the end when the winner hurries and the loser delays; `None` in a
    draw that is not finished and in games that do not count plies. `margin`, only in games with a score, is the
    points still to come for this side minus the other's.

    Values order by preference: short win > long win > draw > long loss > short loss; with a margin the outcome
    counts first, then the margin.

    >>> Value.win(3) > Value.win(5) > Value.draw() > Value.loss(8) > Value.loss(2)
    True
    >>> str(-Value.win(4).stepped_back())
    'L5'
    """

    outcome: Outcome
    remoteness: int | None = None
    margin: int | None = None

    @classmethod
    def win(cls, remoteness: int | None = None) -> Value:
        """A win in `remoteness` plies."""
        return cls(Outcome.WIN, remoteness)

    @classmethod
    def draw(cls, remoteness: int | None = None) -> Value:
        """A draw; with a remoteness only when the game is over (0) or its end is known."""
        return cls(Outcome.DRAW, remoteness)

    @classmethod
    def loss(cls, remoteness: int | None = None) -> Value:
        """A loss in `remoteness` plies; 0 means the game is over."""
        return cls(Outcome.LOSS, remoteness)

    def __neg__(self) -> Value:
        """The same value seen by the other side."""
        margin = None if self.margin is None else -self.margin
        return Value(Outcome(-self.outcome), self.remoteness, margin)

    def stepped_back(self) -> Value:
        """The same value counted from one ply earlier."""
        return self if self.remoteness is None else replace(self, remoteness=self.remoteness + 1)

    @property
    def preference(self) -> tuple[int, int, int]:
        """The sort key behind the order: outcome, margin, speed. Equal keys are equally good."""
        speed = -self.outcome * (self.remoteness or 0)
        return (int(self.outcome), self.margin or 0, speed)

    def __lt__(self, rhs: Value) -> bool:
        return self.preference < rhs.preference

    def __le__(self, rhs: Value) -> bool:
        return self.preference <= rhs.preference

    def __gt__(self, rhs: Value) -> bool:
        return self.preference > rhs.preference

    def __ge__(self, rhs: Value) -> bool:
        return self.preference >= rhs.preference

    def __str__(self) -> str:
        """`W5`, `L8`, `D`, or `+4` in games with a margin."""
        if self.margin is not None:
            return f"{self.margin:+d}"
        if self.outcome is Outcome.DRAW or self.remoteness is None:
            return self.outcome.letter
        return f"{self.outcome.letter}{self.remoteness}"

    def sentence(self) -> str:
        """`Win in 5`, `Draw`, `Loss in 8`, `Win by 12 to come`; for banners and hints."""
        word = self.outcome.word.capitalize()
        if self.margin is not None:
            return f"{word}, {self.margin:+d} to come"
        if self.outcome is Outcome.DRAW or self.remoteness is None:
            return word
        return f"{word} in {self.remoteness}"


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a search believes but has not proven: never compared with a `Value`.

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
        """`About +0.25 (searched to depth 9)`."""
        return f"About {self.expected:+z.2f} (searched to depth {self.depth})"


Move: TypeAlias = Hashable


@dataclass(frozen=True, slots=True)
class Mixed:
    """The value of a position in which both sides move at once.

    `expected` is in [-1, 1] for the first player (win 1, draw 0, loss -1); `strategies` are one equilibrium,
    each a share per move that sums to 1; `matrix[a][b]` is the first player's payoff when he plays a and the
    second b. `exact` says whether the payoffs are proven; `gap` is the solver's stated error.
    """

    expected: float
    strategies: tuple[Mapping[Move, float], Mapping[Move, float]]
    matrix: Mapping[Move, Mapping[Move, float]]
    exact: bool
    gap: float = 0.0
    depth: int = 0

    def payoff(self, seat: Seat, own: Move, theirs: Move) -> float:
        """What `seat` expects in [-1, 1] when it plays `own` against `theirs`."""
        return self.matrix[own][theirs] if seat == 0 else -self.matrix[theirs][own]

    def value_for(self, seat: Seat) -> float:
        """The expected value in [-1, 1] seen by `seat`."""
        return self.expected if seat == 0 else -self.expected

    def regret(self, seat: Seat, move: Move) -> float:
        """How much expected score, on a scale of 0..1, `move` gives away against the other side's mix."""
        theirs = self.strategies[other(seat)]
        reached = sum(share * self.payoff(seat, move, reply) for reply, share in theirs.items())
        return (self.value_for(seat) - reached) / 2

    def tolerance(self) -> float:
        """The regret below which a move counts as part of an equilibrium: max(1e-6, 4 x the stated gap)."""
        return max(1e-6, 4 * self.gap)

    def sound(self, seat: Seat) -> tuple[Move, ...]:
        """The moves of `seat` without regret."""
        return tuple(move for move in self.strategies[seat] if self.regret(seat, move) <= self.tolerance())

    def __str__(self) -> str:
        return f"{self.expected:z.3f}" if self.exact else f"~{self.expected:+z.2f}"

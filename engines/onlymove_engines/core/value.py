"""What a position is worth: proven values, estimates and mixed equilibria, for any game, table or search."""

from __future__ import annotations

import enum
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from onlymove_engines.core.words import choose_number, format_distance

Seat: TypeAlias = int
"""0 is the first player and 1 the second. If either side may move first, 0 is still the same side."""


def other(seat: Seat) -> Seat:
    return 1 - seat


class Outcome(enum.IntEnum):
    """A result as one side sees it. Better results compare as greater."""

    LOSS = -1
    DRAW = 0
    WIN = 1

    @property
    def word(self) -> str:
        """Return `win`, `draw` or `loss`, as in all text formats of the project."""
        return self.name.lower()

    @property
    def letter(self) -> str:
        return self.name[0]


class _Proven:
    """What the four kinds of value have in common: order and spelling. It is not a Protocol, because `isinstance` with
    a Protocol takes a microsecond, and values are tested everywhere. Better values are greater: short win > long win >
    draw > long loss > short loss. With points, the outcome counts first, then the points."""

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
        """Return the sort key: outcome, margin, speed. Values with equal keys are equally good."""
        return (int(self.outcome), self.margin or 0, -self.outcome * (self.remoteness or 0))

    def for_other_side(self) -> Value:
        """Return the value as the other side sees it. Only `turn_value` and `value_before` know when to call this."""
        raise NotImplementedError

    def before_move(self, is_again: bool, gain: int) -> Value:
        """Return the value before a move that gained so many points for the side that played it. That is the same side
        if it moves again, and otherwise the other one. Only wins and losses count plies."""
        raise NotImplementedError

    def __lt__(self, rhs: Value) -> bool:
        return self.preference < rhs.preference

    def __le__(self, rhs: Value) -> bool:
        return self.preference <= rhs.preference

    def __gt__(self, rhs: Value) -> bool:
        return self.preference > rhs.preference

    def __ge__(self, rhs: Value) -> bool:
        return self.preference >= rhs.preference

    def __str__(self) -> str:
        """Return `W5`, `L8`, `D`, or `+4` in games with points."""
        if self.margin is not None:
            return f"{self.margin:+d}"
        return f"{self.outcome.letter}{'' if self.remoteness is None else self.remoteness}"

    def sentence(self) -> str:
        """Return `Win in 5 moves`, `Draw`, `Loss in 8 moves` or `Win, +12 points to come`, for banners and hints."""
        word = self.outcome.word.capitalize()
        if self.margin is not None:
            return f"{word}, {self.margin:+d} {choose_number(self.margin, 'point')} to come"
        return f"{word}{format_distance(self.remoteness)}"


@dataclass(frozen=True, slots=True)
class Win(_Proven):
    """A win in `remoteness` plies if both sides play well. `None` if plies are not counted."""

    remoteness: int | None = None
    outcome: ClassVar[Outcome] = Outcome.WIN
    margin: ClassVar[None] = None

    def for_other_side(self) -> Loss:
        return Loss(self.remoteness)

    def before_move(self, is_again: bool, gain: int) -> Win | Loss:
        plies = None if self.remoteness is None else self.remoteness + 1
        return Win(plies) if is_again else Loss(plies)


@dataclass(frozen=True, slots=True)
class Loss(_Proven):
    """A loss in `remoteness` plies, 0 when the game is over. `None` if plies are not counted."""

    remoteness: int | None = None
    outcome: ClassVar[Outcome] = Outcome.LOSS
    margin: ClassVar[None] = None

    def for_other_side(self) -> Win:
        return Win(self.remoteness)

    def before_move(self, is_again: bool, gain: int) -> Win | Loss:
        plies = None if self.remoteness is None else self.remoteness + 1
        return Loss(plies) if is_again else Win(plies)


@dataclass(frozen=True, slots=True)
class Draw(_Proven):
    """Neither side can force a win. A draw has no remoteness, because neither side tries to end it early."""

    outcome: ClassVar[Outcome] = Outcome.DRAW
    remoteness: ClassVar[None] = None
    margin: ClassVar[None] = None

    def for_other_side(self) -> Draw:
        return self

    def before_move(self, is_again: bool, gain: int) -> Draw:
        return self


@dataclass(frozen=True, slots=True)
class Margin(_Proven):
    """A value in games with points. `margin` is the number of points that this side will still make minus those of the
    other side. `outcome` is the result after adding the points captured so far."""

    outcome: Outcome
    margin: int
    remoteness: ClassVar[None] = None

    def for_other_side(self) -> Margin:
        return Margin(Outcome(-self.outcome), -self.margin)

    def before_move(self, is_again: bool, gain: int) -> Margin:
        return (
            Margin(self.outcome, self.margin + gain) if is_again else Margin(Outcome(-self.outcome), gain - self.margin)
        )


Value: TypeAlias = Win | Loss | Draw | Margin
"""A proven value, seen by the side to move in its position. It cannot be negated: who sees it after a move depends on
who moves next, so use `turn_value` and `value_before`.

>>> Win(3) > Win(5) > Draw() > Loss(8) > Loss(2)
True
"""


def turn_value(value: Value, owner: Seat, viewer: Seat) -> Value:
    """Return a value of `owner` as `viewer` sees it."""
    return value if owner == viewer else value.for_other_side()


def value_before(after: Value, mover: Seat, next_mover: Seat, gain: int = 0) -> Value:
    """Return what a move is worth to `mover`, who plays it, from the value of the position after it, in which
    `next_mover` moves. A side may move twice in a row. Wins and losses count one ply more. With points, `gain` is what
    the move makes for `mover`, minus what it makes for the other side.

    >>> str(value_before(Win(4), mover=0, next_mover=1))
    'L5'
    >>> str(value_before(Win(4), mover=0, next_mover=0))
    'W5'
    """
    return after.before_move(mover == next_mover, gain)


def proven(outcome: Outcome, remoteness: int | None = None, margin: int | None = None) -> Value:
    """Return the value with this outcome. It is a `Margin` if a margin is given. A draw ignores the remoteness."""
    if margin is not None:
        return Margin(outcome, margin)
    if outcome is Outcome.DRAW:
        return Draw()
    return Win(remoteness) if outcome is Outcome.WIN else Loss(remoteness)


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a search believes but has not proven. It is never compared with a `Value`. `expected` is the expected result
    from -1 to 1 for the side to move or, in simultaneous games, for the first player. `depth` is the number of plies or
    rounds that were searched."""

    expected: float
    depth: int

    def __str__(self) -> str:
        return f"~{self.expected:+z.2f}"

    def sentence(self) -> str:
        return f"About {self.expected:+z.2f} (searched to depth {self.depth})"


Move: TypeAlias = Hashable


@dataclass(frozen=True, slots=True)
class Mixed:
    """The value of a position in which both sides move at once. `expected` is the first player's expected result, from
    -1 (loss) to 1 (win). `strategies` are one equilibrium: each player's probabilities of the moves. `matrix[a][b]` is
    the first player's payoff if the first player plays `a` and the second plays `b`. `gap` is the solver's stated
    error. `earlier` is the result of the same search at a smaller depth. An estimate counts as certain only as far as
    both agree."""

    expected: float
    strategies: tuple[Mapping[Move, float], Mapping[Move, float]]
    matrix: Mapping[Move, Mapping[Move, float]]
    exact: bool
    """Whether `expected` is proven. Each strategy then guarantees it, whatever the estimated payoffs really are."""
    gap: float = 0.0
    depth: int = 0
    earlier: Mixed | None = None
    estimated: frozenset[tuple[Move, Move]] | None = None
    """The pairs of moves whose payoff is an estimate. `None` means none of them if the value is proven, and otherwise
    all."""

    def payoff(self, seat: Seat, own: Move, theirs: Move) -> float:
        """Return what `seat` expects, from -1 to 1, if it plays `own` against `theirs`."""
        return self.matrix[own][theirs] if seat == 0 else -self.matrix[theirs][own]

    def is_proven(self, seat: Seat, own: Move, theirs: Move) -> bool:
        """Whether the payoff is proven if `seat` plays `own` against `theirs`."""
        if self.estimated is None:
            return self.exact
        return ((own, theirs) if seat == 0 else (theirs, own)) not in self.estimated

    @property
    def has_estimates(self) -> bool:
        """Whether some payoff is an estimate. The value may be proven all the same."""
        return not self.exact if self.estimated is None else bool(self.estimated)

    def value_for(self, seat: Seat) -> float:
        return self.expected if seat == 0 else -self.expected

    def regret(self, seat: Seat, move: Move) -> float:
        """Return how much expected score, from 0 to 1, `move` gives away against the other side's strategy. In a proven
        win, every reply is equally bad for the other side, so the score against the best reply to `move` counts."""
        return self._compute_regret(seat, move, None)

    def bound_regret(self, seat: Seat, move: Move) -> tuple[float, float]:
        """Return the least and the most that `move` may give away, from 0 to 1, whatever the estimated payoffs really
        are. Both are 0 and 1 if the value itself is not proven."""
        if not self.exact:
            return 0.0, 1.0
        return self._compute_regret(seat, move, 1.0), self._compute_regret(seat, move, -1.0)

    def _compute_regret(self, seat: Seat, move: Move, unproven: float | None) -> float:
        """Return the regret of `move`, with `unproven` in place of the estimated payoffs unless it is `None`."""
        theirs = self.strategies[other(seat)]
        payoffs = {
            reply: self.payoff(seat, move, reply) if unproven is None or self.is_proven(seat, move, reply) else unproven
            for reply in theirs
        }
        if self.exact and self.value_for(seat) == 1:
            reached = min(payoffs.values())
        else:
            reached = sum(share * payoffs[reply] for reply, share in theirs.items())
        return (self.value_for(seat) - reached) / 2

    def tolerance(self) -> float:
        """Return the regret below which a move counts as part of an equilibrium."""
        return max(1e-6, 4 * self.gap)

    def list_sound_moves(self, seat: Seat) -> tuple[Move, ...]:
        """Return the moves that give nothing away. If the value is proven, so is that."""
        lost = {
            move: self.bound_regret(seat, move)[1] if self.exact else self.regret(seat, move)
            for move in self.strategies[seat]
        }
        return tuple(move for move, regret in lost.items() if regret <= self.tolerance())

    def __str__(self) -> str:
        return f"{self.expected:z.3f}" if self.exact else f"~{self.expected:+z.2f}"

"""What every game provides: its rules, the notation of its positions and moves, and how moves are entered. Positions
are frozen and hashable, and `play` returns a new one. A move is a small hashable value."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, TypeAlias, TypeVar, cast

from onlymove_engines.core.errors import GameOver, IllegalMove
from onlymove_engines.core.value import Outcome, Seat, Value, proven

P = TypeVar("P", bound=Hashable)
M = TypeVar("M", bound=Hashable)

Target: TypeAlias = str
"""Something a player can pick: a cell such as `b3`, a piece in hand, or a direction."""

MovePath: TypeAlias = tuple[Target, ...]
"""The targets that a player picks one by one to enter a move."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended. `winner` is `None` for a draw. `score` is (first player's, second player's) points, if any."""

    winner: Seat | None
    score: tuple[int, int] | None = None
    reason: str = ""

    def outcome_for(self, seat: Seat) -> Outcome:
        if self.winner is None:
            return Outcome.DRAW
        return Outcome.WIN if self.winner == seat else Outcome.LOSS

    def value_for(self, seat: Seat) -> Value:
        return proven(self.outcome_for(seat), 0, None if self.score is None else 0)

    @property
    def mark(self) -> str:
        return {0: "1-0", 1: "0-1", None: "1/2-1/2"}[self.winner]


class Rules(Protocol[P, M]):
    """The rules of a game. If both sides move at once, a move is a pair (first player's, second player's)."""

    def to_move(self, position: P) -> Seat | None:
        """Return the seat that moves next, or `None` if both move at once. A finished position has one too."""

    def legal_moves(self, position: P) -> Sequence[M]:
        """Return every legal move once, in a stable order. There are none exactly when `result` is not `None`."""

    def play(self, position: P, move: M) -> P:
        """Return the position after `move`. Raises GameOver after the end, and IllegalMove for other illegal moves."""

    def result(self, position: P) -> Result | None:
        """Return how the game ended, or `None` if it has not."""


class SimultaneousRules(Rules[P, M], Protocol[P, M]):
    """The rules of a game in which both sides choose in secret and move at once."""

    def moves_of(self, position: P, seat: Seat) -> Sequence[Hashable]:
        """Return the choices of `seat`. `legal_moves` has every pair of choices, sorted by the first player's."""


def moves_of(rules: Rules[P, M], position: P, seat: Seat) -> Sequence[Hashable]:
    return cast(SimultaneousRules[P, M], rules).moves_of(position, seat)


class Notation(Protocol[P, M]):
    """Text for positions and moves. `parse(format(x)) == x`, and each position has exactly one text."""

    def format_position(self, position: P) -> str:
        """Return the position as text, without line breaks or tabs."""

    def parse_position(self, text: str) -> P:
        """Return the position written as `text`. Raises BadNotation or BadPosition with the reason."""

    def format_move(self, position: P, move: M) -> str:
        """Return the text of a move played from `position`, without spaces."""

    def parse_move(self, position: P, text: str) -> M:
        """Return the legal move written as `text`. Raises BadNotation, IllegalMove or GameOver."""

    def paths(self, position: P, move: M) -> Sequence[MovePath]:
        """Return every order of targets that enters `move`. The board shows the first one. No order of one legal move
        is the beginning of an order of another."""


def require_legal(rules: Rules[P, M], position: P, move: M, explain: Callable[[], str]) -> M:
    """Return a move read from text. Raises GameOver, or IllegalMove with the reason of `explain` or of the rules."""
    try:
        rules.play(position, move)
    except GameOver:
        raise
    except IllegalMove as refusal:
        raise IllegalMove(explain() or str(refusal)) from refusal
    return move


@dataclass(frozen=True)
class MoveEntry(Generic[M]):
    """A move being entered: the targets picked so far (`prefix`), and the paths of every legal move (`options`)."""

    options: Mapping[MovePath, M]
    prefix: MovePath = ()

    def next_targets(self) -> tuple[Target, ...]:
        """List the targets that can be picked next, in the order of the legal moves."""
        return tuple(self.group_by_target())

    def pick(self, target: Target) -> MoveEntry[M] | None:
        """Return the entry with `target` added, or `None` if no legal move continues that way."""
        return replace(self, prefix=(*self.prefix, target)) if target in self.next_targets() else None

    @property
    def move(self) -> M | None:
        return self.options.get(self.prefix)

    def group_by_target(self) -> dict[Target, tuple[M, ...]]:
        """Return, for each target that can be picked next, the moves that it leads to."""
        depth, found = len(self.prefix), dict[Target, dict[M, None]]()
        for path, move in self.options.items():
            if len(path) > depth and path[:depth] == self.prefix:
                found.setdefault(path[depth], {})[move] = None
        return {target: tuple(moves) for target, moves in found.items()}


NO_ENTRY: MoveEntry[Any] = MoveEntry({})

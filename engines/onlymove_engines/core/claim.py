"""A sentence about a move that is true because the values say so: what it is made of, and what a drawer adds to it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any, Generic, Protocol

from .analysis import Analysis, AnyAnalyst
from .budget import UNLIMITED, Budget
from .rules import M, P, Result
from .value import Mixed, Move, Seat, Value, other


@dataclass(frozen=True)
class Moment(Generic[P, M]):
    """A move that was chosen, and what is known around it.

    `before` holds what the moves at `position` are worth, `after` what the replies at `child` are worth, each seen by
    the side that plays it and in the light of the game under way. `spell` writes a move of a position as a player
    reads it, behind the `noun`.
    """

    position: P
    move: M
    child: P
    seat: Seat
    before: Analysis[M]
    after: Analysis[M]
    analyst: AnyAnalyst
    seats: tuple[str, str]
    spell: Callable[[P, M], str]
    noun: str
    ended: Result | None = None
    """How the game ended with the move; `None` while it goes on."""
    closed: frozenset[P] = frozenset()
    """The positions that stood before and would end the game if it came there now: what others are worth in themselves
    need not hold. That in which the move was chosen is not among them: where the move gives something away, nobody
    gains by going back to it."""
    stood: frozenset[P] = frozenset()
    """The positions that have stood in the game, those of the move among them."""
    budget: Budget = UNLIMITED

    @property
    def opponent(self) -> str:
        """The name of the side that replies."""
        return self.seats[other(self.seat)]

    @property
    def best(self) -> Value:
        """What the position was worth to the side that moved."""
        best = self.before.best_value()
        assert best is not None, "moments are looked at only where all values are known"
        return best

    @property
    def value(self) -> Value:
        """What the move is worth to the side that played it."""
        value = self.before.moves[self.move]
        assert value is not None, "moments are looked at only where all values are known"
        return value

    def own(self, move: M) -> str:
        """A move of the side that moved."""
        return self.noun + self.spell(self.position, move)

    def reply(self, move: M) -> str:
        """A move of the other side after it."""
        return self.noun + self.spell(self.child, move)


class Claim(Protocol):
    """What is true of a move, by the values alone. Tests check every one that is shown by a routine of their own.

    `names_better`: it gives a better move away, so that it is not said while the player may still choose. `is_count`:
    it says how many and not why.
    """

    @property
    def names_better(self) -> bool: ...
    @property
    def is_count(self) -> bool: ...

    def said(self, moment: Moment[Any, Any]) -> str:
        """One short sentence about the moment that it was found at."""
        ...


@dataclass(frozen=True)
class Kin(Generic[M]):
    """The other moves that share a part with one that was chosen.

    `right` is said where that part was right: every move that keeps the value has it and others do not, or with
    `any_tells` where one of them has it.
    `wrong` where none of them is better, with `{does}` for what they do: "loses", "only draws" or, where some of them
    lose, "draws at best"; `only` where one of them, and others without
    the part, keeps the value, with `{move}` and `{held}`. An empty text is not said.
    """

    moves: tuple[M, ...]
    right: str = ""
    wrong: str = ""
    only: str = ""
    any_tells: bool = False


def held_nowhere(_position: Any) -> None:
    """No position of this game has a twin with the other side to move."""


def no_kin(_position: Any, _move: Any, _keeping: Any) -> Iterable[Kin[Any]]:
    """Moves that have no parts."""
    return ()


def no_aim(_position: Any, _move: Any) -> str:
    """What wins has no name but its move."""
    return ""


def no_more(_moment: Any) -> Iterable[Claim]:
    """Nothing that only this game has."""
    return ()


def never_mixed(_position: Any, _seat: Seat, _move: Any, _mixed: Mixed) -> Iterable[str]:
    """One side moves at a time."""
    return ()


@dataclass(frozen=True)
class Claims(Generic[P, M]):
    """What a game knows for the sentences about its moves.

    `passed` is the same board with the other side to move, `None` where there is none; it need not be on record. `kin`
    are the moves that share a part with one, found by the position, the move and the moves that keep the value. `more`
    are the game's own claims, in the order in which they are to be said. `aim` names what a move that wins at once wins
    by, as in "nothing stops three in row 2". `mixed` are sentences about a choice (position, seat, move, values) where
    both sides move at once.
    """

    passed: Callable[[P], P | None] = held_nowhere
    kin: Callable[[P, M, Collection[M]], Iterable[Kin[M]]] = no_kin
    more: Callable[[Moment[P, M]], Iterable[Claim]] = no_more
    aim: Callable[[P, M], str] = no_aim
    mixed: Callable[[P, Seat, Move, Mixed], Iterable[str]] = never_mixed
    noun: str = ""
    """What stands before the text of a move in a sentence, where it is not clear by itself."""

"""What a position is worth and what its moves do: the facts that printed sentences are held against.

Moves and ends come from the plain rules, values of single positions from whoever is asked for them; nothing else of
the program is used here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self, TypeAlias

from tests.reference.plain_rules import Game


class Worth(NamedTuple):
    """What a position is worth to the side to move, or a move to the side that plays it: 1 for a win, 0 for a draw, -1
    for a loss. `plies`: how soon the game is won or lost. `margin`: the points still to come, in a game with points."""

    outcome: int
    plies: int | None = None
    margin: int | None = None

    @property
    def rank(self) -> tuple[int, int, int]:
        """The greater, the better: result, points, a quick win, a late loss."""
        return self.outcome, self.margin or 0, -self.outcome * (self.plies or 0)


class NoSuchMove(Exception):
    """What is called a move is none that may be played there."""


Probe: TypeAlias = Callable[[str], Worth]
"""Knows what a position is worth that is written so and is not over."""


Trait: TypeAlias = Callable[[Any, str], bool]
"""Of a position and a move there: whether it does something."""


def both_forms(traits: Mapping[str, Trait]) -> dict[str, Trait]:
    """The same traits by what several moves do (`take a corner`) and by what one does (`takes a corner`)."""
    return {**traits, **{third_person(phrase): trait for phrase, trait in traits.items()}}


def third_person(phrase: str) -> str:
    """`goes back home` of `go back home`."""
    verb, *rest = phrase.removeprefix("first ").split(" ")
    verb = f"{verb[:-1]}ies" if verb.endswith("ry") else f"{verb}es" if verb.endswith(("o", "ch")) else f"{verb}s"
    return " ".join([*(["first"] if phrase.startswith("first ") else []), verb, *rest])


@dataclass(frozen=True)
class World:
    """A game: its plain rules, what its sides are called, and who knows its values."""

    game: Game
    sides: tuple[str, str]
    probe: Probe
    closed: frozenset[Any] = frozenset()
    """The positions that end the game if it comes back to them."""


class Spot:
    """A position. Moves are text, as the plain rules write them."""

    traits: ClassVar[Mapping[str, Trait]] = {}

    def __init__(self, world: World, position: Any, is_back: bool = False) -> None:
        self.world, self.game, self.position, self.is_back = world, world.game, position, is_back
        self.mover = world.game.mover(position)
        self.text = world.game.text(position)

    def at(self, position: Any) -> Self:
        """Another position of the same game."""
        return type(self)(self.world, position)

    @property
    def side(self) -> str:
        """What the side to move is called."""
        return self.world.sides[self.mover]

    @property
    def other(self) -> str:
        """What the other side is called."""
        return self.world.sides[1 - self.mover]

    @cached_property
    def end(self) -> int | None:
        """How the game has ended for the side to move: by how much it is ahead. `None` while it goes on."""
        lead = self.game.lead(self.position) if self.is_back else self.game.end(self.position)
        return None if lead is None else -lead if self.mover else lead

    @cached_property
    def children(self) -> Mapping[str, Spot]:
        """What each legal move leads to."""
        if self.end is not None:
            return {}
        closed = self.world.closed
        return {move: type(self)(self.world, to, to in closed) for move, to in self.game.moves(self.position)}

    def first_part(self, move: str) -> str:
        """What a move begins with when it is entered part by part."""
        raise NotImplementedError

    def aims(self, move: str) -> set[str]:
        """What a move that wins at once wins by, in words."""
        raise NotImplementedError

    def does(self, phrase: str, move: str) -> bool:
        """Whether a move does what one of the game's phrases says: `captures`, or of several moves `capture`."""
        return self.traits[phrase](self, move)

    def spelled(self, printed: str) -> str:
        """A move as the plain rules write it, from how it is printed."""
        return printed

    def named(self, printed: str) -> str:
        """The same of a move that may be played here. Raises NoSuchMove."""
        move = self.spelled(printed)
        if move not in self.children:
            raise NoSuchMove(f"{move} at {self.text}")
        return move

    def after(self, printed: str) -> Spot:
        """The position after a printed move. Raises NoSuchMove."""
        return self.children[self.named(printed)]

    def value(self, printed: str) -> Worth:
        """What a printed move is worth to the side that plays it. Raises NoSuchMove."""
        return self.values[self.named(printed)]

    @cached_property
    def worth(self) -> Worth:
        """What it is worth to the side to move."""
        if self.end is not None:
            return Worth(sign(self.end), 0 if self.end else None)
        return self.world.probe(self.text)

    @cached_property
    def values(self) -> Mapping[str, Worth]:
        """What each legal move is worth to the side that plays it, the plies counted from here."""
        return {move: self.seen_before(child) for move, child in self.children.items()}

    def seen_before(self, child: Spot) -> Worth:
        """What the move to `child` is worth."""
        outcome, plies, _ = child.worth
        return Worth(-outcome, None if plies is None else plies + 1)

    @cached_property
    def best(self) -> tuple[str, ...]:
        """The moves that nothing is better than: in a won game the quickest, in a drawn one all that draw."""
        top = max((worth.rank for worth in self.values.values()), default=None)
        return tuple(move for move, worth in self.values.items() if worth.rank == top)

    @cached_property
    def keeping(self) -> tuple[str, ...]:
        """The moves that keep the result, or all the points."""
        return self.having(self.outcome)

    def may_show(self, shown: Collection[str]) -> bool:
        """Whether just these may be called the best moves."""
        return set(shown) == set(self.best)

    @property
    def outcome(self) -> int:
        """The best result there is."""
        return max(worth.outcome for worth in self.values.values())

    def having(self, outcome: int) -> tuple[str, ...]:
        """The moves that lead to this result."""
        return tuple(move for move, worth in self.values.items() if worth.outcome == outcome)


class PointsSpot(Spot):
    """The same in a game with points: ends by points, and what a sowing itself captures counts."""

    def spelled(self, printed: str) -> str:
        return printed.removeprefix("pit ")

    @property
    def lead(self) -> int:
        """By how much the side to move is ahead so far."""
        lead = self.game.lead(self.position)
        return -lead if self.mover else lead

    @cached_property
    def worth(self) -> Worth:
        return Worth(self.world.probe(self.text).outcome if self.end is None else sign(self.end), None, self.to_come)

    @cached_property
    def to_come(self) -> int:
        """The points still to come for the side to move, as if nobody could win before the board is empty."""
        if self.is_back:
            return 0
        pits, captured, mover = self.position
        if not self.game.moves(self.position):
            return sum(pits[6:] if mover else pits[:6])
        fours = sum(captured) // 4
        even = (pits, (fours // 2 * 4, (fours - fours // 2) * 4), mover)
        margin = self.world.probe(self.game.text(self.position if self.end is None else even)).margin
        assert margin is not None, "a game with points has margins"
        return margin

    def seen_before(self, child: Spot) -> Worth:
        assert isinstance(child, PointsSpot)
        return Worth(-child.worth.outcome, None, -child.lead - self.lead - child.to_come)

    @cached_property
    def ends_won(self) -> tuple[str, ...]:
        """The moves that end the game as won: what others still promise is not to be had."""
        return tuple(move for move, child in self.children.items() if child.end is not None and child.end < 0)

    @cached_property
    def keeping(self) -> tuple[str, ...]:
        most = max(worth[::2] for worth in self.values.values())
        return tuple(m for m, worth in self.values.items() if worth[::2] == most or m in self.ends_won)


def sign(number: int) -> int:
    """1, 0 or -1."""
    return (number > 0) - (number < 0)

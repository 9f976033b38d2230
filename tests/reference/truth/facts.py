"""The facts with which printed sentences are compared: what positions are worth, and what moves do.

Moves and results come from the plain rules, and values from a given function. No other code of the product is used
here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self, TypeAlias

from tests.reference.plain_rules import Game


class Worth(NamedTuple):
    """The value of a position for the side to move, or of a move for the side that plays it. `outcome` is 1 for a win,
    0 for a draw and -1 for a loss. `plies` says how soon the game is won or lost. `margin` is the number of points
    still to come, in a game with points."""

    outcome: int
    plies: int | None = None
    margin: int | None = None

    @property
    def rank(self) -> tuple[int, int, int]:
        """Return the sort key: result, points, then a quick win or a late loss. Greater is better."""
        return self.outcome, self.margin or 0, -self.outcome * (self.plies or 0)


class NoSuchMove(Exception):
    """The text does not name a legal move."""


Probe: TypeAlias = Callable[[str], Worth]
"""Returns the value of an unfinished position, given as text."""


Trait: TypeAlias = Callable[[Any, str], bool]
"""Whether a move played at a position does something."""


def index_phrases(traits: Mapping[str, Trait]) -> dict[str, Trait]:
    """Return the traits by both phrases: for several moves (`take a corner`) and for one (`takes a corner`)."""
    return {**traits, **{third_person(phrase): trait for phrase, trait in traits.items()}}


def third_person(phrase: str) -> str:
    """Turn `go back home` into `goes back home`."""
    verb, *rest = phrase.removeprefix("first ").split(" ")
    verb = f"{verb[:-1]}ies" if verb.endswith("ry") else f"{verb}es" if verb.endswith(("o", "ch")) else f"{verb}s"
    return " ".join([*(["first"] if phrase.startswith("first ") else []), verb, *rest])


@dataclass(frozen=True)
class World:
    """A game: its plain rules, the names of its sides, and a function that knows its values."""

    game: Game
    sides: tuple[str, str]
    probe: Probe
    closed: frozenset[Any] = frozenset()
    """The positions that end the game when they occur again."""


class Spot:
    """A position. Moves are text, in the form of the plain rules."""

    traits: ClassVar[Mapping[str, Trait]] = {}

    def __init__(self, world: World, position: Any, is_back: bool = False) -> None:
        self.world, self.game, self.position, self.is_back = world, world.game, position, is_back
        self.mover = world.game.mover(position)

    def make_spot(self, position: Any) -> Self:
        """Return another position of the same game."""
        return type(self)(self.world, position)

    @cached_property
    def text(self) -> str:
        return self.game.text(self.position)

    @property
    def side(self) -> str:
        """Return the name of the side to move."""
        return self.world.sides[self.mover]

    @property
    def other(self) -> str:
        """Return the name of the other side."""
        return self.world.sides[1 - self.mover]

    @cached_property
    def end(self) -> int | None:
        """Return by how much the side to move is ahead at the end, or `None` while the game goes on."""
        lead = self.game.lead(self.position) if self.is_back else self.game.end(self.position)
        return None if lead is None else -lead if self.mover else lead

    @cached_property
    def children(self) -> Mapping[str, Spot]:
        """Return the position after each legal move."""
        if self.end is not None:
            return {}
        closed = self.world.closed
        return {move: type(self)(self.world, to, to in closed) for move, to in self.game.moves(self.position)}

    def first_part(self, move: str) -> str:
        """Return the part of a move that is entered first."""
        raise NotImplementedError

    def aims(self, move: str) -> set[str]:
        """Return what a move that wins at once achieves, in words."""
        raise NotImplementedError

    def achieved(self, side: str) -> set[str]:
        """Return what a side has achieved, in the words of `aims`, in games in which the other side can make it win."""
        return set()

    def does(self, phrase: str, move: str) -> bool:
        """Whether a move does what one of the game's phrases says. A phrase is for one move (`captures`) or for several
        (`capture`)."""
        return self.traits[phrase](self, move)

    def convert_move(self, printed: str) -> str:
        """Return a printed move in the form of the plain rules."""
        return printed

    def find_move(self, printed: str) -> str:
        """Return a printed move in the form of the plain rules. Raises NoSuchMove if it is not legal here."""
        move = self.convert_move(printed)
        if move not in self.children:
            raise NoSuchMove(f"{move} at {self.text}")
        return move

    def spot_after(self, printed: str) -> Spot:
        """Return the position after a printed move. Raises NoSuchMove."""
        return self.children[self.find_move(printed)]

    def value(self, printed: str) -> Worth:
        """Return the value of a printed move for the side that plays it. Raises NoSuchMove."""
        return self.values[self.find_move(printed)]

    @cached_property
    def worth(self) -> Worth:
        """Return the value for the side to move."""
        if self.end is not None:
            return Worth(sign(self.end), 0 if self.end else None)
        return self.world.probe(self.text)

    @cached_property
    def values(self) -> Mapping[str, Worth]:
        """Return the value of each legal move for the side that plays it. Plies are counted from this position."""
        return {move: self.step_value_back(child) for move, child in self.children.items()}

    def step_value_back(self, child: Spot) -> Worth:
        """Return the value of the move to `child`."""
        outcome, plies, _ = child.worth
        return Worth(-outcome, None if plies is None else plies + 1)

    @cached_property
    def best(self) -> tuple[str, ...]:
        """Return the best moves: the quickest wins, all draws, or the longest defences."""
        top = max((worth.rank for worth in self.values.values()), default=None)
        return tuple(move for move, worth in self.values.items() if worth.rank == top)

    @cached_property
    def good_moves(self) -> tuple[str, ...]:
        """Return the moves that keep the result or, with points, all the points."""
        return self.list_moves_to(self.outcome)

    def may_show(self, shown: Collection[str]) -> bool:
        """Whether exactly these may be shown as the best moves."""
        return set(shown) == set(self.best)

    @property
    def outcome(self) -> int:
        """Return the best result of any move."""
        return max(worth.outcome for worth in self.values.values())

    def list_moves_to(self, outcome: int) -> tuple[str, ...]:
        """Return the moves that lead to this result."""
        return tuple(move for move, worth in self.values.items() if worth.outcome == outcome)


class PointsSpot(Spot):
    """A position of a game with points. Its result depends on points, and the value of a move includes what it
    captures."""

    def convert_move(self, printed: str) -> str:
        return printed.removeprefix("pit ")

    @property
    def lead(self) -> int:
        """Return by how many points the side to move is ahead so far."""
        lead = self.game.lead(self.position)
        return -lead if self.mover else lead

    @cached_property
    def worth(self) -> Worth:
        return Worth(self.world.probe(self.text).outcome if self.end is None else sign(self.end), None, self.to_come)

    @cached_property
    def to_come(self) -> int:
        """Return the points still to come for the side to move, as if play went on until the board is empty."""
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

    def step_value_back(self, child: Spot) -> Worth:
        assert isinstance(child, PointsSpot)
        return Worth(-child.worth.outcome, None, -child.lead - self.lead - child.to_come)

    @cached_property
    def ends_won(self) -> tuple[str, ...]:
        """Return the moves that end the game as a win. The points that other moves still promise can then no longer be
        made."""
        return tuple(move for move, child in self.children.items() if child.end is not None and child.end < 0)

    @cached_property
    def good_moves(self) -> tuple[str, ...]:
        most = max(worth[::2] for worth in self.values.values())
        return tuple(m for m, worth in self.values.items() if worth[::2] == most or m in self.ends_won)


def sign(number: int) -> int:
    return (number > 0) - (number < 0)

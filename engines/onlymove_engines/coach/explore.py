"""Describes a position for the explorer: what its moves lead to, and how often few replies or only one keep the value.
The history of a game plays no part, so the values agree with `analyse`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Generic, TypeAlias

from onlymove_engines.core.analysis import AlternatingAnalyst, Analysis, AnyAnalysis
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyPosition, Game
from onlymove_engines.core.rules import M, P, Rules
from onlymove_engines.core.value import Move, Outcome, Value


@dataclass(frozen=True, slots=True)
class Choice:
    """The number of `moves` in a position, and how many of them keep its win or draw (`keeping`). In games with points,
    these are the moves that keep the margin. `keeping` is 0 if every move loses."""

    moves: int
    keeping: int

    @property
    def is_narrow(self) -> bool:
        """Whether exactly one of several moves keeps a win or a draw."""
        return self.moves > 1 and self.keeping == 1


@dataclass(frozen=True, slots=True)
class OnlyMoveStats:
    """The different unfinished positions after this many plies. `choices` counts those with more than one move and a
    result to keep. `only` counts those of them in which only one move keeps the result."""

    plies: int
    positions: int
    choices: int
    only: int

    @property
    def share(self) -> float | None:
        """The share of choices in which only one move keeps the result, from 0 to 1. `None` if there are no choices."""
        return self.only / self.choices if self.choices else None


Choices: TypeAlias = Mapping[P, Choice | None]
"""The choice in each of several positions. It is `None` if not all of the needed values are known."""


@dataclass(frozen=True, slots=True)
class Explored(Generic[P, M]):
    """A position in which one side moves, with its analysis, the position after each move, and the moves there.
    `again` are the moves after which the same side moves again."""

    position: P
    analysis: Analysis[M]
    children: Mapping[M, P]
    replies: Choices[P]
    again: frozenset[M] = frozenset()

    @property
    def choice(self) -> Choice | None:
        return count_choice(self.analysis)

    def get_replies(self, move: M) -> Choice | None:
        return self.replies[self.children[move]]


AnyExplored: TypeAlias = Explored[AnyPosition, Move]


def explore(rules: Rules[P, M], position: P, analyst: AlternatingAnalyst, budget: Budget = UNLIMITED) -> Explored[P, M]:
    """Describe a position in a game with alternating moves. Values that the budget does not settle stay unknown."""
    analysis = analyst.analyse(position, budget)
    children = {move: rules.play(position, move) for move in analysis.moves}
    again = frozenset(move for move, child in children.items() if rules.to_move(child) == rules.to_move(position))
    return Explored(position, analysis, children, count_choices(list(children.values()), analyst, budget), again)


def find_alike(game: Game[P, M], position: P) -> Mapping[M, tuple[M, ...]]:
    """Map the first move of each group of moves that symmetries of `position` map to each other to the whole group."""
    symmetries = [each for each in game.solved.symmetries if not each.swaps_seats]
    found, left = dict[M, tuple[M, ...]](), dict.fromkeys(game.rules.legal_moves(position))
    while left:
        first = next(iter(left))
        images, ahead = {(position, first)}, [(position, first)]
        for at, move in ahead:
            fresh = {(each.position(at), each.move(move)) for each in symmetries} - images
            images |= fresh
            ahead += fresh
        found[first] = tuple(move for move in left if (position, move) in images)
        left = {move: None for move in left if move not in found[first]}
    return found


def explore_below(
    rules: Rules[P, M], node: Explored[P, M], analyst: AlternatingAnalyst, budget: Budget = UNLIMITED
) -> tuple[OnlyMoveStats | None, OnlyMoveStats | None]:
    """Count the positions with only one good move, after one ply and two, as far as the budget lasts."""
    first = count_totals(1, node.replies)
    if budget.should_stop():
        return first, None
    after = {rules.play(child, move): None for child in node.replies for move in rules.legal_moves(child)}
    return first, count_totals(2, count_choices(list(after), analyst, budget))


def count_totals(plies: int, found: Choices[P]) -> OnlyMoveStats | None:
    """Add up the choices in positions this many plies ahead, or return `None` if some are not known."""
    known = [choice for choice in found.values() if choice is not None]
    if len(known) < len(found):
        return None
    open_ones = [choice for choice in known if choice.moves > 1 and choice.keeping]
    only = sum(choice.is_narrow for choice in open_ones)
    return OnlyMoveStats(plies, sum(choice.moves > 0 for choice in known), len(open_ones), only)


def count_choices(positions: Sequence[P], analyst: AlternatingAnalyst, budget: Budget = UNLIMITED) -> Choices[P]:
    """Count the choices in each position. Positions outside the table are searched while the budget lasts."""
    recorded = {position: value for position in positions if (value := analyst.probe(position)) is not None}
    rows = zip(recorded.items(), analyst.summarise(list(recorded)), strict=True)
    found: dict[P, Choice | None] = {
        position: Choice(int(row.moves), 0 if is_lost(value) else int(row.keeping)) for (position, value), row in rows
    }
    for position in positions:
        if position not in found:
            found[position] = None
            with suppress(OnlymoveError):
                found[position] = None if budget.should_stop() else count_choice(analyst.analyse(position, budget))
    return found


def count_choice(analysis: AnyAnalysis) -> Choice | None:
    """Count the choices in an analysis, or return `None` if a needed value is not known."""
    top = analysis.best_value()
    if top is None:
        return Choice(0, 0) if isinstance(analysis.value, Value) else None
    return Choice(len(analysis.moves), 0 if is_lost(top) else len(analysis.list_good_moves()))


def is_lost(value: Value) -> bool:
    """Whether a position is lost in a game without points, so that there is nothing left to keep."""
    return value.outcome is Outcome.LOSS and value.margin is None

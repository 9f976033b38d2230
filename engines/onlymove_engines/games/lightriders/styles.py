"""The engines one can play against: the best combination, and each of the searches by itself.

In a game of simultaneous moves a style gives a mix: step -> share, for one seat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias

from onlymove_engines.core.budget import Budget
from onlymove_engines.core.game import Style, Turn
from onlymove_engines.core.value import Seat
from onlymove_engines.search.stop import bounded

from ._kernel.evaluations import CHAMBERS, FLOOD
from .live import Depth, Lookahead
from .rules import LightRidersRules, Position, Step
from .solve import LightRidersAnalyst

RULES = LightRidersRules()
Mix: TypeAlias = Mapping[Step, float]
Search: TypeAlias = Callable[[Lookahead, Position, Seat, Budget, int], Iterator[Depth]]

UNBUDGETED = 4
"""Rounds that a full-width search looks ahead when nobody set a budget."""


def engine(turn: Turn[Position, Step]) -> Mix:
    """The playing engine's choice."""
    from .player import choose  # noqa: PLC0415  (numba loads only when needed)

    assert isinstance(turn.analyst, LightRidersAnalyst)
    return choose(turn.analyst, turn.position, turn.seat, turn.budget)


def searched(search: Search, mode: int = CHAMBERS) -> Callable[[Turn[Position, Step]], Mix]:
    """A style that plays what one search finds in the budget, its leaves judged by this evaluation."""

    def choose(turn: Turn[Position, Step]) -> Mix:
        position, seat, budget = turn.position, turn.seat, turn.budget
        moves = RULES.moves_of(position, seat)
        mix: Mix = {moves[0]: 1.0}
        if len(moves) == 1:
            return mix
        assert isinstance(turn.analyst, LightRidersAnalyst)
        for found in search(turn.analyst.lookahead(position), position, seat, bounded(budget, UNBUDGETED), mode):
            mix = {move: share for move, share in found.mix.items() if move in moves} or mix
        return mix

    return choose


def one_round(tools: Lookahead, position: Position, seat: Seat, budget: Budget, mode: int) -> Iterator[Depth]:
    """The equilibrium of the next round alone, however much time there is."""
    return tools.nash(position, seat, replace(budget, depth=1, nodes=None, deadline=None), mode)


def style(name: str, title: str, text: str, choose: Callable[[Turn[Position, Step]], Mix]) -> Style[Position, Step]:
    """A style with a search of its own."""
    return Style(name, title, text, choose, needs_analysis=False)


STYLES: tuple[Style[Position, Step], ...] = (
    style("engine", "Engine", "The strongest: deep equilibria, exact endgames.", engine),
    style("nash", "Nash", "Solves every round's matrix, a few rounds deep.", searched(Lookahead.nash)),
    style("smab", "SMAB", "The same values with sound pruning, so deeper.", searched(Lookahead.smab)),
    style("serial", "Cautious", "Plays as if you saw its move: deep, never mixes.", searched(Lookahead.serial)),
    style("voronoi", "Grabber", "Looks one round ahead and counts cells.", searched(one_round, FLOOD)),
)

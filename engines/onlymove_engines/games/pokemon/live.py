"""Answers by search, with separate iterative deepening for each move. Every value is proven, with its exact distance.
Values that the depth does not settle stay unknown. It also finds out which positions a game can lead to."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.value import Draw, Loss, Value, Win
from onlymove_engines.search.deepening import LiveAnalyst, deepen, make_analysis
from onlymove_engines.search.stop import ENDLESS, limit_nodes, watch

from . import _kernel
from .codes import MAX_PLIES
from .index import IMAGES, plain_number
from .rules import EACH, EMPTY, KINDS, PLACE, RULES, SIZE, START, TEAM_OF, Placement, Position, full_lines

DEFAULT_NODES = 20_000_000
"""The node limit of a search whose budget has neither nodes nor a deadline. It takes some seconds."""


class LiveSearch:
    """The search of one position. All its moves and depths share a transposition table."""

    def __init__(self, budget: Budget) -> None:
        self.control = np.array(
            [0, limit_nodes(budget, DEFAULT_NODES if budget.deadline is None else ENDLESS)], np.int64
        )
        slots = _kernel.search.SLOTS
        words = [np.zeros(size, np.int64) for size in (9, 7, len(IMAGES), slots)]
        self.memory = _kernel.search.Memory(*words, np.zeros(slots, np.int32), self.control)

    def is_spent(self) -> bool:
        return bool(self.control[_kernel.search.NODES] >= self.control[_kernel.search.ALLOWED])

    def value(self, position: Position, depth: int) -> Value | None:
        """Return the value within `depth` plies for the side to move, or `None` if that depth does not prove it."""
        result = RULES.result(position)
        if result is not None:
            return result.value_for(position.seat)
        ply = MAX_PLIES - sum(position.hands)
        score = _kernel.search.look(plain_number(position), ply, depth, self.memory)
        if self.is_spent():
            return None
        if score:
            remoteness = _kernel.search.WON - abs(score) - ply
            return Win(remoteness) if score > 0 else Loss(remoteness)
        return Draw() if ply + depth >= MAX_PLIES else None


class PokemonLiveAnalyst(LiveAnalyst[Position, Placement]):
    def is_reachable(self, position: Position) -> bool:
        """Whether a game can lead to this position, found by taking moves back."""
        hidden = {kind: EACH - position.hands[PLACE[kind]] - position.cells.count(kind) for kind in KINDS}
        return not (hidden["c"] or hidden["C"]) and can_be_reached(position)

    def analyse(self, position: Position, budget: Budget = UNLIMITED) -> Analysis[Placement]:
        """Return every move, with its value if that can be proven within the budget, and the depth that was reached."""
        children = {move: RULES.play(position, move) for move in RULES.legal_moves(position)}
        if not children:
            return Analysis(self.probe(position), {})
        search, left = LiveSearch(budget), sum(position.hands)
        deepest = left if budget.depth is None else min(budget.depth, left)
        with watch(budget, search.control[_kernel.search.ALLOWED :]):
            found, depth = deepen(children.values(), search.value, deepest, search.is_spent)
        return make_analysis(self.game, position, children, found, depth)


@lru_cache(maxsize=1 << 16)
def can_be_reached(position: Position) -> bool:
    """Whether some sequence of legal moves leads from the start to this position. No large piece may be covered in
    it."""
    return position == START or any(map(can_be_reached, _list_parents(position)))


def _list_parents(position: Position) -> Iterator[Position]:
    """Yield the positions from which one legal move leads here, beginning with those in which that move covered a
    piece.

    The last move put a visible piece of the side not to move on its cell. That cell was empty before, or showed one of
    the smaller pieces that are covered now. Nobody had won before the move.
    """
    cells, hands, seat = position
    hidden = [k for k in KINDS if hands[PLACE[k]] + cells.count(k) < EACH]
    for shown in (*hidden, EMPTY):
        for cell, piece in enumerate(cells):
            if piece == EMPTY or TEAM_OF[piece] == seat or SIZE[piece] <= SIZE[shown]:
                continue
            earlier = cells[:cell] + shown + cells[cell + 1 :]
            place = PLACE[piece]
            if not full_lines(earlier):
                yield Position(earlier, (*hands[:place], hands[place] + 1, *hands[place + 1 :]), 1 - seat)

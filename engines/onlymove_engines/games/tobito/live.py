"""Answers without a table. The game is solved in memory, as far as each budget allows, and the next request continues
where the last one stopped. After d waves, all wins and losses in at most d plies are proven. When a wave settles
nothing more, the rest are draws."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from threading import Lock

from onlymove_engines.core.analysis import Analysis, Expanded, Summary
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.value import Value
from onlymove_engines.search.deepening import NO_TABLE, describe_depth
from onlymove_engines.search.stop import ENDLESS, limit_nodes

from .analyst import TobitoAnalyst
from .rules import RULES, Move, Position, Variant
from .table import CHUNK, Building


class TobitoLiveAnalyst(TobitoAnalyst):
    """Answers from a table while it is being built. Threads may share it. Heat is available once it has been
    computed."""

    def __init__(self, variant: Variant) -> None:
        self._lock = Lock()
        self._building = Building(variant)
        self._steps = self._building.run()
        super().__init__(variant, self._building.sections())

    def is_reachable(self, position: Position) -> bool:
        """Whether a game can lead to this position. The first call lists all moves, which takes about a second."""
        self._advance(UNLIMITED, lambda: self._building.is_marked)
        return super().is_reachable(position)

    def probe(self, position: Position) -> Value | None:
        result = RULES.result(position)
        return super().probe(position) if result is None else result.value_for(position.to_move)

    def analyse(self, position: Position, budget: Budget = UNLIMITED) -> Analysis[Move]:
        """Answer as with a table. The note says how far the search got."""
        deepest = ENDLESS if budget.depth is None else budget.depth
        self._advance(budget, lambda: not self._building.is_solved and self._building.depth >= deepest)
        depth = None if self._building.is_solved else self._building.depth
        note = f"{NO_TABLE}, so this was solved in memory" if depth is None else describe_depth(depth)
        return replace(super().analyse(position), note=note, depth=depth)

    def summarise(self, positions: Sequence[Position]) -> Iterator[Summary]:
        self._advance(UNLIMITED, lambda: self._building.is_solved)
        return super().summarise(positions)

    def expand(self, positions: Sequence[Position]) -> Iterator[Expanded] | None:
        """Return `None`, because what is known about a position's moves depends on the budget for that position."""
        return None

    def _advance(self, budget: Budget, is_enough: Callable[[], bool]) -> None:
        """Continue to solve the game until `is_enough` returns true, within `budget`."""
        with self._lock:
            building, nodes = self._building, 0
            while not building.is_complete and not budget.should_stop() and nodes < limit_nodes(budget):
                if is_enough():
                    break
                next(self._steps)
                nodes += CHUNK
                if building.is_complete:
                    self.load(building.sections())

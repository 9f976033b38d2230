"""Values without a table: the game is solved anew in memory, as far as each budget allows.

What one request leaves undone the next one goes on with. After d waves every win and loss in at most d plies is
proven; when the waves have died out, all is, and what is left is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from threading import Lock

from onlymove_engines.core.analysis import Analysis, Summary
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.value import Value
from onlymove_engines.search.stop import allowed_nodes

from .analyst import TobitoAnalyst
from .rules import RULES, Move, Position, Variant
from .table import CHUNK, Building


class TobitoLiveAnalyst:
    """Answers from a table in the making. Safe to ask from several threads."""

    def __init__(self, variant: Variant) -> None:
        self._variant = variant
        self._lock = Lock()
        self._building = Building(variant)
        self._steps = self._building.steps()
        self._known = TobitoAnalyst(variant, self._building.sections())

    def is_reachable(self, position: Position) -> bool:
        """Whether a game can lead here. Solves the game, which takes a second or two the first time."""
        return self._advance(UNLIMITED, with_heat=False).is_reachable(position)

    def probe(self, position: Position) -> Value | None:
        """The value if it has been proven already; right for finished games."""
        result = RULES.result(position)
        return self._known.probe(position) if result is None else result.value_for(position.to_move)

    def heat(self, position: Position) -> tuple[int, int] | None:
        """Top's and Bottom's heat as the table has it; `None` until it is measured."""
        return self._known.heat(position)

    def measures(self, position: Position) -> Mapping[str, Mapping[str, float]]:
        """Both heats once they are measured."""
        return self._known.measures(position)

    def analyse(self, position: Position, budget: Budget = UNLIMITED) -> Analysis[Move]:
        """As with a table; the note says how far the search came."""
        known = self._advance(budget)
        depth = None if self._building.is_solved else self._building.depth
        how = "solved in memory" if depth is None else f"searched to depth {depth}"
        return replace(known.analyse(position), note=f"no table: {how}", depth=depth)

    def summarise(self, positions: Sequence[Position]) -> Iterator[Summary]:
        """Rows in order, once the game is solved."""
        return self._advance(UNLIMITED, with_heat=False).summarise(positions)

    def _advance(self, budget: Budget, with_heat: bool = True) -> TobitoAnalyst:
        """Go on solving within `budget`; what is known then."""
        with self._lock:
            building, nodes = self._building, 0
            while not (building.is_complete or (building.is_solved and not with_heat)) and not budget.should_stop():
                if budget.depth is not None and building.depth >= budget.depth and not building.is_solved:
                    break
                if nodes >= allowed_nodes(budget):
                    break
                next(self._steps)
                nodes += CHUNK
                if building.is_complete:
                    self._known = TobitoAnalyst(self._variant, building.sections())
            return self._known

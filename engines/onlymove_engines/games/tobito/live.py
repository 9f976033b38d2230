"""Values without a table: the game is solved anew in memory, as far as each budget allows.

What one request leaves undone the next one goes on with. After d waves every win and loss in at most d plies is
proven; when the waves have died out, all is, and what is left is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING

from onlymove_engines.core.analysis import Analysis, Summary
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.value import Value

from .analyst import RULES, TobitoAnalyst
from .rules import Move, Position, Variant

if TYPE_CHECKING:
    from .building import Building, Step


class LiveAnalyst:
    """Answers without a table. Safe to ask from several threads."""

    def __init__(self, variant: Variant) -> None:
        self._variant = variant
        self._lock = Lock()
        self._building: Building | None = None
        self._steps: Iterator[Step] = iter(())
        self._known: TobitoAnalyst | None = None

    def is_reachable(self, position: Position) -> bool:
        """Whether a game can lead here. Solves the game, which takes a second or two the first time."""
        return self._advance(UNLIMITED, with_heat=False).is_reachable(position)

    def probe(self, position: Position) -> Value | None:
        """The value if it has been proven already; right for finished games."""
        result = RULES.result(position)
        if result is not None:
            return result.value_for(position.to_move)
        return None if self._known is None else self._known.probe(position)

    def heat(self, position: Position) -> tuple[int, int] | None:
        """Top's and Bottom's heat as the table has it; `None` until the game is solved."""
        return None if self._known is None else self._known.heat(position)

    def analyse(self, position: Position, budget: Budget = UNLIMITED) -> Analysis[Move]:
        """As with a table; the note says how far the search came."""
        known = self._advance(budget)
        assert self._building is not None
        is_solved, depth = self._building.is_solved, self._building.depth
        note = "no table: solved in memory" if is_solved else f"no table: searched to depth {depth}"
        return replace(known.analyse(position), note=note)

    def summarise(self, positions: Sequence[Position]) -> Iterator[Summary]:
        """Rows in order, once the game is solved."""
        return self._advance(UNLIMITED, with_heat=False).summarise(positions)

    def _advance(self, budget: Budget, with_heat: bool = True) -> TobitoAnalyst:
        """Go on solving within `budget`; what is known then."""
        from .building import CHUNK, Building  # noqa: PLC0415 - needs numba

        with self._lock:
            if self._building is None or self._known is None:
                self._building = Building(self._variant)
                self._steps = self._building.steps()
                self._known = TobitoAnalyst(self._variant, self._building.sections())
            building, nodes = self._building, 0
            while not (building.is_complete or (building.is_solved and not with_heat)) and not budget.should_stop():
                if budget.depth is not None and building.depth >= budget.depth and not building.is_solved:
                    break
                if budget.nodes is not None and nodes >= budget.nodes:
                    break
                next(self._steps)
                nodes += CHUNK
            if building.is_complete:
                self._known = TobitoAnalyst(self._variant, building.sections())
            return self._known

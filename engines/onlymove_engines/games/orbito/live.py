"""Play without a table: alpha-beta, deeper and deeper, that proves what it can and guesses the rest.

A move is proven when the most hopeful and the most fearful idea of what lies beyond the horizon give it the same
score. Needs the compiler.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from onlymove_engines.core.analysis import Analysis, Summary
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.value import Draw, Estimate, Value

from ._kernel import live
from .analyst import TableAnalyst, result_value
from .lookahead import HAS_LINE
from .rules import LINES, RULES, Move, Position
from .scores import HIGHEST, value_of
from .solve import NEAR, solved

NODES = 1_000_000
"""Where a search without any limit of its own ends, of the order of a second."""

LOOK = 0.02
"""Seconds between two looks at the budget while the kernel runs."""

SHALLOW = 2
"""Searches up to this depth are over before anybody could look."""

LINE_SETS = np.array(LINES, np.int64)
WIDEST = 100
NODES_LEFT, STOP = 0, 1
ENDLESS = 1 << 60


class OutOfBudget(Exception):
    """The search must stop where it is."""


@dataclass
class Horizon:
    """One search within a budget, on a thread of its own so that the budget can be watched. `left` is shared with
    the kernel: nodes it may still visit, and a stop sign."""

    budget: Budget
    helper: ThreadPoolExecutor
    left: npt.NDArray[np.int64]

    @classmethod
    def of(cls, budget: Budget, helper: ThreadPoolExecutor) -> Horizon:
        """A search that has not begun."""
        unlimited = budget.nodes is None and budget.deadline is None
        nodes = NODES if unlimited else ENDLESS if budget.nodes is None else budget.nodes
        return cls(budget, helper, np.array([nodes, 0], np.int64))

    def score(self, position: Position, depth: int, hope: int) -> int:
        """The first player's score of `position` with this hope beyond `depth` plies. Raises OutOfBudget."""
        if self.budget.should_stop():
            raise OutOfBudget
        if depth <= SHALLOW:
            found = self._search(position, depth, hope)
        else:
            looked = self.helper.submit(self._search, position, depth, hope)
            while not wait([looked], LOOK).done:
                if self.budget.should_stop():
                    self.left[STOP] = 1
            found = looked.result()
        if self.left[NODES_LEFT] < 0:
            raise OutOfBudget
        return found

    def _search(self, position: Position, depth: int, hope: int) -> int:
        return live.search(*position, depth, -WIDEST, WIDEST, hope, HAS_LINE, NEAR, LINE_SETS, self.left)


@dataclass(frozen=True)
class LiveAnalyst:
    """The analyst of Orbito when there is no table."""

    def is_reachable(self, position: Position) -> bool:
        """True: every position that can be written is answered."""
        return True

    def probe(self, position: Position) -> Value | None:
        """The value of finished positions only."""
        return result_value(position)

    def analyse(self, position: Position, budget: Budget = UNLIMITED) -> Analysis[Move]:
        """The moves with the values that are proven within the budget, and estimates of the others."""
        children = {move: RULES.play(position, move) for move in RULES.legal_moves(position)}
        if not children:
            return Analysis(self.probe(position), {})
        seat = RULES.to_move(position)
        values: dict[Move, Value | None] = dict.fromkeys(children)
        guesses: dict[Move, float] = {}
        depth = 0
        deepest = min(16 - position.marbles, 16 if budget.depth is None else budget.depth)
        with ThreadPoolExecutor(1) as helper, suppress(OutOfBudget):
            search = Horizon.of(budget, helper)
            while depth < deepest and None in values.values():
                guesses = self._deepen(search, children, depth, values)
                depth += 1
        sign = -1 if seat else 1
        estimates = {
            move: Estimate(sign * guesses.get(move, 0.0) / HIGHEST, depth)
            for move, value in values.items()
            if value is None
        }
        return Analysis(
            _overall(values, estimates, depth), values, estimates, note=f"no table: searched to depth {depth}"
        )

    @staticmethod
    def _deepen(
        search: Horizon,
        children: dict[Move, Position],
        depth: int,
        values: dict[Move, Value | None],
    ) -> dict[Move, float]:
        """Look `depth` plies beyond every move that is not proven yet; gives the guessed scores of those that
        stay so."""
        guesses: dict[Move, float] = {}
        for move, child in children.items():
            if values[move] is not None:
                continue
            worst, best = search.score(child, depth, -1), search.score(child, depth, 1)
            if worst == best:
                values[move] = (-value_of(child.marbles, worst)).stepped_back()
            else:
                guesses[move] = float(search.score(child, depth, live.GUESS))
        return guesses

    def summarise(self, positions: Sequence[Position]) -> Iterable[Summary]:
        """Rows for many positions: the whole game is solved in memory first, which takes seconds."""
        yield from TableAnalyst(solved()).summarise(positions)


def _overall(values: dict[Move, Value | None], estimates: dict[Move, Estimate], depth: int) -> Value | Estimate | None:
    """The position's value: proven when every move is, or when a win is and nothing faster can hide."""
    known = [value for value in values.values() if value is not None]
    best = max(known, default=None)
    if best is not None and not estimates:
        return Draw() if best.outcome == 0 else best
    if best is not None and best.outcome > 0 and best.remoteness is not None and best.remoteness <= depth:
        return best
    hopes = [guess.expected for guess in estimates.values()] + [float(value.outcome) for value in known]
    return Estimate(max(hopes), depth)

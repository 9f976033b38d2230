"""Answers from the table: single positions in plain Python and numpy, many at once without a compiler."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from onlymove_engines.core.analysis import Analysis, Summary
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.value import Value

from .index import INDEX
from .lookahead import ACTIONS, Children, children
from .rules import RULES, Move, Position
from .scores import value_of

BATCH = 256
"""Positions looked at together: enough to keep numpy busy, few enough for the processor's cache."""

TEXTS = tuple("".join(move) for move in ACTIONS)


def result_value(position: Position) -> Value | None:
    """The value of a finished position, `None` while the game goes on."""
    result = RULES.result(position)
    return None if result is None else result.value_for(RULES.to_move(position))


@dataclass(frozen=True)
class TableAnalyst:
    """The authority on Orbito: one look-up for a position, one for each move. `scores` is the table by number."""

    scores: npt.NDArray[Any]

    def is_reachable(self, position: Position) -> bool:
        """True: every position that can be written has a value, reached or not."""
        return True

    def probe(self, position: Position) -> Value:
        """The proven value for the side to move."""
        score = int(self.scores[INDEX.number(position)])
        # Only a draw looks the same before and at the end.
        return value_of(position.marbles, score)

    def children(self, positions: Sequence[Position]) -> Children:
        """Every move of every position with the score after it."""
        sets = np.array(positions, np.int32).reshape(-1, 2)
        return children(sets[:, 0], sets[:, 1], self.scores)

    def analyse(self, position: Position, budget: Budget = UNLIMITED) -> Analysis[Move]:
        """The value of every move, exact; the budget is not needed."""
        value = self.probe(position)
        if RULES.result(position) is not None:
            return Analysis(value, {})
        found = self.children([position])
        after = position.marbles + 1
        sign = -1 if position.marbles % 2 else 1
        moves: dict[Move, Value | None] = {
            ACTIONS[action]: _stepped_back(after, sign * score)
            for action, score in zip(found.action.tolist(), found.score.tolist(), strict=True)
        }
        return Analysis(value, moves)

    def summarise(self, positions: Sequence[Position]) -> Iterable[Summary]:
        """Rows for many positions, a batch at a time."""
        for begin in range(0, len(positions), BATCH):
            yield from self._summarised(positions[begin : begin + BATCH])

    def _summarised(self, positions: Sequence[Position]) -> Iterator[Summary]:
        found = self.children(positions)
        bounds = np.searchsorted(found.row, np.arange(len(positions) + 1)).tolist()
        rows = found.row
        top = np.full(len(positions), LOST, np.int8)
        np.maximum.at(top, rows, found.score)
        keeps = np.sign(found.score) == np.sign(top)[rows]
        keeping = np.bincount(rows[keeps], minlength=len(positions)).tolist()
        is_best = keeps & ((found.score == top[rows]) | (top[rows] == 0))
        best_actions, best_rows = found.action[is_best].tolist(), rows[is_best]
        best_bounds = np.searchsorted(best_rows, np.arange(len(positions) + 1)).tolist()
        for k, position in enumerate(positions):
            moves = bounds[k + 1] - bounds[k]
            if not moves:
                yield Summary(self.probe(position), "0", "0", "-")
                continue
            value = value_of(position.marbles, int(top[k]) * (-1 if position.marbles % 2 else 1))
            best = " ".join([TEXTS[action] for action in best_actions[best_bounds[k] : best_bounds[k + 1]]])
            yield Summary(value, str(moves), str(keeping[k]), best)


LOST = -100
"""Below every score."""


def _stepped_back(marbles: int, score: int) -> Value:
    """The value of a move into a position with `marbles`, seen by the side that plays it."""
    return (-value_of(marbles, score)).stepped_back()

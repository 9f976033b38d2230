"""Answers by alpha-beta search with iterative deepening. It proves what it can and estimates the rest. A move is proven
if the best and the worst assumption about positions beyond the depth limit give it the same score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from onlymove_engines.core.analysis import Analysis, Summary
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.value import Estimate, Value
from onlymove_engines.search.deepening import LiveAnalyst, deepen, make_analysis
from onlymove_engines.search.stop import ENDLESS, limit_nodes, watch

from . import _kernel
from .analyst import OrbitoAnalyst, find_lines
from .codes import HIGHEST, value_of
from .rules import LINES, RULES, Move, Position
from .table import list_neighbours, solve_layers

NODES_UNBOUNDED = 1_000_000
"""The node limit of a search whose budget has none. It takes about a second."""

MAX_PLIES = 16
"""The length of the longest game in plies."""


class Horizon:
    """One search within a budget. The kernel and the thread that watches the budget share `control`."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        otherwise = NODES_UNBOUNDED if budget.deadline is None else ENDLESS
        self.control = np.array([0, limit_nodes(budget, otherwise)], np.int64)
        self.guesses: dict[tuple[Position, int], int] = {}
        self._board = (find_lines(), list_neighbours(), np.array(LINES, np.int64))
        self._room = np.zeros((MAX_PLIES + 1, _kernel.moves.MAX_MOVES, 5), np.int64)

    def is_spent(self) -> bool:
        """Whether the search must stop now."""
        nodes, allowed = self.control
        return bool(nodes > allowed) or self.budget.should_stop()

    def score(self, position: Position, depth: int, hope: int) -> int:
        """Return the first player's score, assuming `hope` beyond `depth` plies. It is meaningless once the budget is
        spent."""
        board, widest = (self._board, self._room, self.control), _kernel.search.WIDEST
        score: int = _kernel.search.search(*position, depth, -widest, widest, hope, *board)
        return score

    def value(self, position: Position, depth: int) -> Value | None:
        """Look `depth` plies ahead. Return the value for the side to move if it is proven. Otherwise, store an estimate
        and return `None`."""
        if self.is_spent():
            return None
        worst, best = self.score(position, depth, -1), self.score(position, depth, 1)
        if worst != best:
            self.guesses[position, depth] = self.score(position, depth, _kernel.search.GUESS)
            return None
        return None if self.is_spent() else value_of(position.marbles, worst)


class OrbitoLiveAnalyst(LiveAnalyst[Position, Move]):
    def analyse(self, position: Position, budget: Budget = UNLIMITED) -> Analysis[Move]:
        children = {move: RULES.play(position, move) for move in RULES.legal_moves(position)}
        if not children:
            return Analysis(self.probe(position), {})
        horizon = Horizon(budget)
        deepest = min(MAX_PLIES - position.marbles, MAX_PLIES if budget.depth is None else budget.depth)
        with watch(budget, horizon.control[_kernel.search.ALLOWED : _kernel.search.ALLOWED + 1]):
            found, depth = deepen(children.values(), horizon.value, deepest, horizon.is_spent)
        analysis = make_analysis(self.game, position, children, found, depth)
        sign = -1 if RULES.to_move(position) else 1
        estimates = {
            move: Estimate(sign * horizon.guesses.get((child, depth - 1), 0) / HIGHEST, depth)
            for move, child in children.items()
            if found[child] is None
        }
        if analysis.value is not None:
            return replace(analysis, estimates=estimates)
        proven = [float(value.outcome) for value in analysis.moves.values() if value is not None]
        promise = Estimate(max([*proven, *(guess.expected for guess in estimates.values())]), depth)
        return replace(analysis, value=promise, estimates=estimates)

    def summarise(self, positions: Sequence[Position]) -> Iterator[Summary]:
        """Return rows for many positions. First, the whole game is solved in memory, which takes seconds."""
        return OrbitoAnalyst(solve_layers()).summarise(positions)

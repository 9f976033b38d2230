"""Answers by search. The search looks one round deeper at a time within a budget. It is exact if few cells are left,
and fills the territories if the riders are separated.

`Lookahead` holds the compiled searches for fields of one size. It remembers their transposition table between the moves
of a game, so that the next move starts from what the last one found. Its values are estimates unless they are 1 or -1.
`ExactSearch` solves every round's matrix to the end of the game. `measure_fills` says how many rounds each separated
rider can still last after each of its steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.value import Seat, other
from onlymove_engines.search.matrix_game import solve
from onlymove_engines.search.stop import ENDLESS, limit_nodes, watch

from ._kernel import chambers, induction, search
from ._kernel.evaluation import FITTED, LAST
from ._kernel.exact import MAX_GRAPH, make_memo, state_value
from ._kernel.field import ALLOWED, BELIEVED, BEST, FILLS, GAVE_UP, LEAVES, NODES, OPEN, Tools, make_tools, pack_cells
from .rules import CRASH, EMPTY, RULES, Cell, Position, Round, Step, find_landing
from .territory import find_reachable

ENTRIES = 1 << 18
"""How many entries the transposition table has, with 32 bytes each."""

DEEPEST = 60

MIN_FILLS, FILLS_GROW, MAX_FILLS = 64, 4, 1 << 16
"""The nodes of a fill at leaves with separated riders: at first, the factor for another search with more, and at
most."""

Kernel: TypeAlias = Callable[[int, int, int, int, Tools], float]
"""A compiled search. Takes both heads, the rounds to look ahead, how to value leaves, and the working memory with the
board. Returns the value for the first head, and leaves its mix over the steps in `result`."""


@dataclass(frozen=True)
class Depth:
    """The result of a completed depth: the seat's mix over its steps, and the value for the seat."""

    rounds: int
    value: float
    mix: dict[Step, float]
    alone: dict[Step, float] = field(default_factory=dict)
    """What each of the seat's steps guarantees by itself, if the search by saddle points or SMAB found a mix of several
    steps. After SMAB, steps that it pruned may guarantee more."""


class Lookahead:
    """The compiled searches on fields of one size. Two threads must not use it at once."""

    def __init__(self, width: int, height: int, entries: int = ENTRIES) -> None:
        self.tools = make_tools(width, height, entries)
        self.size = (width, height)
        self.plan: list[tuple[int, ...]] = [(), ()]
        """For each seat, the path on which it last planned to fill its territory."""
        self.all_evaluations = 0
        """How many leaves all depths of the last deepened search had, including the one that was given up."""
        self.latest: Depth | None = None
        """The result of the deepest completed depth of the last deepened search."""
        self.horizon = 0
        """How many rounds ahead the table may know positions from earlier searches."""

    def forget(self) -> None:
        """Clear the transposition table and the history of good cells."""
        self.tools.keys[:] = 0
        self.tools.history[:] = 0
        self.horizon = 0

    @contextmanager
    def play_to_win(self, contempt: float, margin: float) -> Iterator[None]:
        """In this block, value a draw at `-contempt` for the rider that searches, and search selectively
        (`tools.margin`)."""
        tools = self.tools
        tools.draw[0], tools.margin[0] = -contempt, margin
        try:
            yield
        finally:
            tools.draw[0], tools.margin[0] = 0.0, np.inf

    @contextmanager
    def limit(self, nodes: int, budget: Budget = UNLIMITED) -> Iterator[None]:
        """Reset the counters. In this block, searches and fills give up after so many nodes, or when the budget's time
        is over."""
        stat = self.tools.stat
        stat[:] = 0
        stat[ALLOWED] = nodes
        with watch(budget, stat[ALLOWED : ALLOWED + 1]):
            yield

    def load(self, position: Position, seat: Seat = 0) -> tuple[Cell, Cell]:
        """Put the empty cells of `position` on the first board. Return the cells of `seat`'s rider and of the other."""
        signs = np.frombuffer(position.cells.encode(), np.uint8)
        self.tools.boards[0] = pack_cells(signs == ord(EMPTY), len(self.tools.dark))
        return find_heads(position, seat)

    def value(self, kernel: Kernel, position: Position, seat: Seat, rounds: int, mode: int = FITTED) -> float:
        """Return the value for `seat` that a search finds `rounds` ahead. `mode` is how it values leaves."""
        me, you = self.load(position, seat)
        self.tools.mixes[:] = 0.0  # a search that ends at its root writes no mix
        self.tools.result[1:] = 0.0
        return float(kernel(me, you, rounds, mode, self.tools))

    def search_by_depth(self, once: Callable[[int], Depth | None], budget: Budget) -> Iterator[Depth]:
        """Yield the result of each depth until the budget is spent or nothing is left to search."""
        tools, nodes = self.tools, limit_nodes(budget)
        stat = tools.stat
        self.all_evaluations, self.latest = 0, None
        tools.history[:] //= 8  # the history of earlier moves counts less and less
        self.horizon = max(0, self.horizon - 1)
        fills = 0
        most_fills = MIN_FILLS if budget.deadline is None and budget.nodes is None else MAX_FILLS
        for rounds in range(1, 1 + min(DEEPEST, budget.depth or DEEPEST)):
            with self.limit(nodes, budget):
                stat[FILLS] = fills
                found = once(rounds)
            nodes -= int(stat[NODES])
            self.all_evaluations += int(stat[LEAVES])
            is_deeper, self.horizon = rounds > self.horizon, max(self.horizon, rounds)
            if found is not None:
                self.latest = found
                yield found
            is_decided = stat[BELIEVED] == 0 or (found is not None and abs(found.value) == 1.0)
            if stat[GAVE_UP] or nodes <= 0 or is_decided:
                return
            if stat[OPEN] == 0 and is_deeper:  # what is left is who fills longer
                self.horizon = rounds
                fills = min(FILLS_GROW * fills, most_fills) or MIN_FILLS
                tools.keys[:] = 0

    def deepen(self, kernel: Kernel, position: Position, seat: Seat, budget: Budget, mode: int) -> Iterator[Depth]:
        """Search deeper and deeper. There is no mix if the root is a leaf, because a rider is stuck or the riders are
        separated."""
        tools, steps = self.tools, position.list_neighbours(find_heads(position, seat)[0])
        tools.result[0] = 0.0

        def once(rounds: int) -> Depth | None:
            tools.stat[BEST] = -1
            value = self.value(kernel, position, seat, rounds, mode)
            if not tools.stat[GAVE_UP]:
                return self.read_root(position, seat, rounds, value)
            best = int(tools.stat[BEST])  # a step that is better than the last depth's choice still counts
            return Depth(rounds, float(tools.result[0]), {steps[best]: 1.0}) if best in steps else None

        return self.search_by_depth(once, budget)

    def read_root(self, position: Position, seat: Seat, rounds: int, value: float) -> Depth:
        """Return what the last search found. There is no mix if it ended at its root."""
        tools, steps = self.tools, position.list_neighbours(find_heads(position, seat)[0])
        cells, shares = tools.lists[0, 0].tolist(), tools.result[1:].tolist()
        mix = {steps[cell]: share for cell, share in zip(cells, shares, strict=True) if share > 0.0}
        if len(mix) < 2:
            return Depth(rounds, value, mix)
        mine, yours = (len(RULES.moves_of(position, one)) for one in (seat, other(seat)))
        rows = tools.low[0, :mine, :yours].tolist()
        return Depth(rounds, value, mix, {steps[cell]: min(row) for cell, row in zip(cells, rows, strict=False)})

    def serial(self, position: Position, seat: Seat, budget: Budget = UNLIMITED, mode: int = FITTED) -> Iterator[Depth]:
        """Search by serialised alpha-beta. Find the one step that is best if the other rider sees it before
        replying."""
        return self.deepen(search.serial_at_root, position, seat, budget, mode)

    def saddle(self, position: Position, seat: Seat, budget: Budget = UNLIMITED, mode: int = FITTED) -> Iterator[Depth]:
        """Search by saddle points. Find an equilibrium of the root matrix that mixes only if it has to."""
        return self.deepen(search.saddle_at_root, position, seat, budget, mode)

    def smab(self, position: Position, seat: Seat, budget: Budget = UNLIMITED, mode: int = FITTED) -> Iterator[Depth]:
        """Search by SMAB. Find an equilibrium of the part of the root matrix that remains after pruning."""
        self.forget()  # bounds from different depths may contradict each other
        return self.deepen(induction.smab_at_root, position, seat, budget, mode)

    def nash(self, position: Position, seat: Seat, budget: Budget = UNLIMITED, mode: int = FITTED) -> Iterator[Depth]:
        """Search by backward induction. Find an equilibrium of the root matrix."""
        moves, replies = RULES.moves_of(position, seat), RULES.moves_of(position, other(seat))
        payoff = self.tools.low[0, : len(moves), : len(replies)]

        def once(rounds: int) -> Depth | None:
            payoff[:] = float(moves != (CRASH,)) - float(replies != (CRASH,))  # what stays if a rider has no step
            induction.nash_at_root(*self.load(position, seat), rounds, mode, self.tools)
            if self.tools.stat[GAVE_UP]:
                return None
            found = solve(payoff.tolist())
            mix = {move: share for move, share in zip(moves, found.rows, strict=True) if share > 0.0}
            return Depth(rounds, found.value, mix)

        return self.search_by_depth(once, budget)

    def search_last_rounds(
        self, position: Position, seat: Seat, rounds: int, budget: Budget = UNLIMITED
    ) -> Depth | None:
        """Return an equilibrium of the position if the game is drawn after this many rounds. Return `None` if the
        budget is too small, or if a rider is stuck and there is nothing to search."""
        self.forget()  # remembered values have more rounds to go
        with self.limit(limit_nodes(budget), budget):
            value = self.value(search.saddle_at_root, position, seat, rounds, LAST)
        found = self.read_root(position, seat, rounds, value)
        self.forget()
        return None if self.tools.stat[GAVE_UP] or not found.mix else found


def find_heads(position: Position, seat: Seat) -> tuple[Cell, Cell]:
    """Return the cells of `seat`'s rider and of the other. Raises ValueError if one has crashed."""
    me, you = position.head(seat), position.head(other(seat))
    if me is None or you is None:
        raise ValueError("the game is over: a rider has crashed")
    return me, you


MEMO = 1 << 19
"""How many entries the memo has, with 18 bytes each. The start of a 6 x 6 field needs 130,000."""


class ExactSearch:
    """The compiled exact solver with its memo. Two threads must not use it at once."""

    def __init__(self) -> None:
        self._memo = make_memo(MEMO)
        self._size = (0, 0)
        self._numbers: dict[Cell, int] = {}
        """The cells of the graph, with their new numbers."""

    def fit_graph(self, position: Position) -> bool:
        """Set up a graph of the position. Return False if too many cells can still be reached for that. A graph that
        already contains the position is used again, with its memo."""
        size = (position.width, position.height)
        needed = find_reachable(position).union(find_heads(position, 0))
        if self._size == size and needed <= self._numbers.keys():
            return True
        if len(needed) > MAX_GRAPH:
            return False
        cells = len(position.cells)
        self._size = size
        self._numbers = {cell: k for k, cell in enumerate(range(cells) if cells <= MAX_GRAPH else sorted(needed))}
        self._memo.near[: len(self._numbers)] = [self._mask(position.list_neighbours(cell)) for cell in self._numbers]
        self._memo.dark[0] = self._mask(cell for cell in self._numbers if sum(divmod(cell, position.width)) & 1)
        self._memo.heads[:] = 0
        return True

    def _mask(self, cells: Iterable[Cell]) -> np.uint64:
        """Return the word for those of the cells that are in the graph."""
        return np.uint64(sum(1 << self._numbers[cell] for cell in cells if cell in self._numbers))

    def matrix(
        self, position: Position, visits: int = ENDLESS, budget: Budget = UNLIMITED
    ) -> dict[Round, float] | None:
        """Return the exact value for rider 0 after every round, or `None` if the search gave up. `visits` limits all
        searches together. Both riders must be on the field."""
        if not self.fit_graph(position):
            return None
        stat, found = self._memo.stat, dict[Round, float]()
        stat[:] = (0, visits, 0)
        with watch(budget, stat[ALLOWED : ALLOWED + 1]):
            for move in RULES.legal_moves(position):
                after = RULES.play(position, move)
                result = RULES.result(after)
                found[move] = self._value(after) if result is None else float(result.outcome_for(0))
        return None if stat[GAVE_UP] else found

    def _value(self, position: Position) -> float:
        head0, head1 = (self._numbers[head] for head in find_heads(position, 0))
        free = self._mask(cell for cell, sign in enumerate(position.cells) if sign == EMPTY)
        return float(state_value(free, head0, head1, 0, self._memo))


FILL_NODES = 400_000
"""The node limit of one question without a budget. It takes about half a second."""


@dataclass(frozen=True)
class Length:
    """Bounds on the longest path: one of length `least` was found (`path`), and none is longer than `most`."""

    least: int
    most: int
    path: tuple[Cell, ...] = ()


def find_longest_path(
    searches: Lookahead, position: Position, start: Cell, nodes: int = FILL_NODES, budget: Budget = UNLIMITED
) -> Length:
    """Return the longest path from `start` over empty cells, without counting `start`. The other rider is only an
    obstacle."""
    searches.load(position)
    work = searches.tools
    work.own[0] = work.boards[0]
    work.own[0, start >> 6] &= ~(np.uint64(1) << np.uint64(start & 63))
    with searches.limit(nodes, budget):
        least, most = chambers.find_longest(0, start, nodes, work)
    return Length(int(least), int(most), tuple(int(cell) for cell in work.paths[chambers.FOUND, :least]))


def measure_fills(
    searches: Lookahead, position: Position, seat: Seat, nodes: int = FILL_NODES, budget: Budget = UNLIMITED
) -> dict[Step, Length]:
    """For every step of a separated rider, return bounds on how many cells it can fill from now on, including that
    step."""
    found: dict[Step, Length] = {}
    steps = RULES.moves_of(position, seat)
    for step in steps:
        cell = find_landing(position, seat, step)
        if cell is None:
            return {step: Length(0, 0)}
        on = find_longest_path(searches, position, cell, nodes // len(steps), budget)
        found[step] = Length(1 + on.least, 1 + on.most, (cell, *on.path))
    return found


def compare_lengths(mine: Length, theirs: Length) -> tuple[float, bool]:
    """Compare the longest paths of two riders. Return 1 if the first rider is sure to last longer, -1 if the second is,
    0 if they last equally long, and otherwise an estimate in between. Also return whether the answer is proven."""
    if mine.least > theirs.most:
        return 1.0, True
    if mine.most < theirs.least:
        return -1.0, True
    if mine.least == mine.most == theirs.least == theirs.most:
        return 0.0, True
    lead = (mine.least + mine.most - theirs.least - theirs.most) / 2
    return 0.9 * lead / (abs(lead) + 2.0), False

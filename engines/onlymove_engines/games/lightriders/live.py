"""Answers by search. The search looks one round deeper at a time within a budget. It is exact if few cells are left,
and fills the territories if the riders are separated.

`Lookahead` holds the compiled searches for fields of one size. It remembers their transposition table between the moves
of a game, so that the next move starts from what the last one found. Its values are estimates unless they are 1 or -1.
`ExactSearch` solves every round's matrix to the end of the game. `measure_fills` says how many rounds each separated
rider can still last after each of its steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.value import Seat, other
from onlymove_engines.search.matrix_game import solve
from onlymove_engines.search.stop import ENDLESS, Allowed, limit_nodes, watch

from ._kernel import chambers, induction, search
from ._kernel.evaluation import FITTED, LAST
from ._kernel.exact import LARGEST_GRAPH, make_memo, state_value
from ._kernel.field import ALLOWED, BELIEVED, BEST, FILLS, GAVE_UP, LEAVES, NODES, OPEN, make_tools
from .rules import CRASH, EMPTY, RULES, Cell, Position, Round, Step, find_landing
from .territory import measure_distances

ENTRIES = 1 << 18
"""How many entries the transposition table has, with 32 bytes each."""

DEEPEST = 60

LEAST_FILLS, FILLS_GROW, MOST_FILLS = 64, 4, 1 << 16
"""The nodes of a fill at leaves with separated riders: at first, the factor for another search with more, and at
most."""


@dataclass(frozen=True)
class Depth:
    """The result of a completed depth: the seat's mix over its steps, and the value for the seat."""

    rounds: int
    value: float
    mix: dict[Step, float]
    evaluations: int
    alone: dict[Step, float] = field(default_factory=dict)
    """What each of the seat's steps guarantees by itself, if the mix has several."""


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

    def load(self, position: Position) -> None:
        """Put the empty cells of `position` on the first board."""
        signs = np.frombuffer(position.cells.encode(), np.uint8)
        raw = np.packbits(signs == ord(EMPTY), bitorder="little").tobytes()
        self.tools.boards[0] = np.frombuffer(raw.ljust(8 * len(self.tools.dark), b"\0"), np.dtype("<u8"))

    def key(self) -> np.uint64:
        return np.uint64(search.board_key(self.tools.boards[0], self.tools))

    def reset(self, nodes: int) -> None:
        self.tools.stat[:] = 0
        self.tools.stat[ALLOWED] = nodes

    @property
    def allowed(self) -> Allowed:
        """Return the nodes that the search may still visit. Another thread sets this to 0 to stop it."""
        return self.tools.stat[ALLOWED : ALLOWED + 1]

    @property
    def nodes(self) -> int:
        return int(self.tools.stat[NODES])

    @property
    def gave_up(self) -> bool:
        return bool(self.tools.stat[GAVE_UP])

    @property
    def evaluations(self) -> int:
        return int(self.tools.stat[LEAVES])

    @property
    def believed(self) -> int:
        """Return how many of the leaves were estimates."""
        return int(self.tools.stat[BELIEVED])

    def serial_value(self, position: Position, leader: Seat, rounds: int, mode: int = FITTED) -> float:
        """Return the value for `leader` if it shows each choice before the other side chooses. This is at most what the
        simultaneous game is worth to it."""
        self.load(position)
        me, you = find_heads(position, leader)
        return float(search.serial_at_root(me, you, rounds, self.key(), mode, self.tools))

    def nash_value(self, position: Position, seat: Seat, rounds: int, mode: int = FITTED) -> float:
        self.load(position)
        me, you = find_heads(position, seat)
        return float(induction.nash(0, me, you, rounds, mode, self.tools))

    def smab_value(self, position: Position, seat: Seat, rounds: int, mode: int = FITTED) -> float:
        self.load(position)
        me, you = find_heads(position, seat)
        self.tools.mixes[:] = 0.0  # a search that ends at its root writes none
        return float(induction.smab_at_root(me, you, rounds, self.key(), mode, self.tools))

    def search_by_depth(self, once: Callable[[int], Depth | None], budget: Budget) -> Iterator[Depth]:
        """Yield the result of each depth until the budget is spent or nothing is left to search."""
        nodes = limit_nodes(budget)
        self.all_evaluations, self.latest = 0, None
        self.tools.history[:] //= 8  # the history of earlier moves counts less and less
        self.horizon = max(0, self.horizon - 1)
        fills = 0
        most_fills = LEAST_FILLS if budget.deadline is None and budget.nodes is None else MOST_FILLS
        for rounds in range(1, 1 + min(DEEPEST, budget.depth or DEEPEST)):
            self.reset(nodes)
            self.tools.stat[FILLS] = fills
            with watch(budget, self.allowed):
                found = once(rounds)
            nodes -= self.nodes
            self.all_evaluations += self.evaluations
            is_deeper, self.horizon = rounds > self.horizon, max(self.horizon, rounds)
            if found is not None:
                self.latest = found
                yield found
            if self.gave_up or nodes <= 0 or self.believed == 0 or (found is not None and abs(found.value) == 1.0):
                return
            if self.tools.stat[OPEN] == 0 and is_deeper:  # what is left is who fills longer
                self.horizon = rounds
                fills = min(FILLS_GROW * fills, most_fills) or LEAST_FILLS
                self.tools.keys[:] = 0

    def serial(self, position: Position, seat: Seat, budget: Budget = UNLIMITED, mode: int = FITTED) -> Iterator[Depth]:
        """Search by serialised alpha-beta. Find the one step that is best if the other rider sees it before
        replying."""
        steps = find_steps(position, seat)

        def once(rounds: int) -> Depth | None:
            self.tools.stat[BEST] = -1
            value = self.serial_value(position, seat, rounds, mode)
            best = int(self.tools.stat[BEST])
            if self.gave_up:  # the best step so far still counts, because the search began with the last depth's choice
                value = float(self.tools.result[0])
                if best < 0:
                    return None
            return Depth(rounds, value, {steps.get(best, CRASH): 1.0}, self.evaluations)

        return self.search_by_depth(once, budget)

    def nash(self, position: Position, seat: Seat, budget: Budget = UNLIMITED, mode: int = FITTED) -> Iterator[Depth]:
        """Search by backward induction. Find an equilibrium of the root matrix."""
        moves = RULES.moves_of(position, seat)
        replies = RULES.moves_of(position, other(seat))
        lead = float(moves != (CRASH,)) - float(replies != (CRASH,))
        payoff = np.full((4, 4), lead)  # the payoff if a rider has no step, because there is no search then

        def once(rounds: int) -> Depth | None:
            self.load(position)
            induction.nash_matrix(*find_heads(position, seat), rounds, mode, self.tools, payoff)
            if self.gave_up:
                return None
            found = solve(payoff[: len(moves), : len(replies)].tolist())
            mix = {move: share for move, share in zip(moves, found.rows, strict=True) if share > 0.0}
            return Depth(rounds, found.value, mix, self.evaluations)

        return self.search_by_depth(once, budget)

    def saddle_value(self, position: Position, seat: Seat, rounds: int, mode: int = FITTED) -> float:
        """Return the value that the search by saddle points finds `rounds` ahead. `mode` is how it values leaves."""
        self.load(position)
        me, you = find_heads(position, seat)
        self.tools.mixes[:] = 0.0
        self.tools.result[:] = 0.0  # a search that ends at its root writes none
        return float(search.saddle_at_root(me, you, rounds, self.key(), mode, self.tools))

    def saddle(self, position: Position, seat: Seat, budget: Budget = UNLIMITED, mode: int = FITTED) -> Iterator[Depth]:
        """Search by saddle points. Find an equilibrium of the root matrix that mixes only if it has to. There is no mix
        if the root is a leaf, because a rider is stuck or the riders are separated."""
        steps = find_steps(position, seat)
        mine, yours = (len(RULES.moves_of(position, one)) for one in (seat, other(seat)))
        value = 0.0

        def once(rounds: int) -> Depth | None:
            nonlocal value
            self.tools.stat[BEST] = -1
            found = self.saddle_value(position, seat, rounds, mode)
            better = int(self.tools.stat[BEST])
            if self.gave_up:  # a step that is better than the last depth's choice still counts
                return Depth(rounds, value, {steps[better]: 1.0}, self.evaluations) if better in steps else None
            value = found
            alone = self.find_guarantees(steps, mine, yours)
            return Depth(rounds, value, self.root_mix(steps), self.evaluations, alone)

        return self.search_by_depth(once, budget)

    def search_last_rounds(
        self, position: Position, seat: Seat, rounds: int, budget: Budget = UNLIMITED
    ) -> Depth | None:
        """Return an equilibrium of the position if the game is drawn after this many rounds. Return `None` if the
        budget is too small, or if a rider is stuck and there is nothing to search."""
        self.forget()  # remembered values have more rounds to go
        self.reset(limit_nodes(budget))
        with watch(budget, self.allowed):
            value = self.saddle_value(position, seat, rounds, LAST)
        found = Depth(rounds, value, self.root_mix(find_steps(position, seat)), self.evaluations)
        self.forget()
        return None if self.gave_up or not found.mix else found

    def root_mix(self, steps: Mapping[Cell, Step]) -> dict[Step, float]:
        """Return the mix that the last search by saddle points found. Empty if it ended at its root."""
        cells, shares = self.tools.lists[0, 0], self.tools.result[1:]
        return {steps[int(cell)]: float(p) for cell, p in zip(cells, shares, strict=True) if p > 0.0}

    def find_guarantees(self, steps: Mapping[Cell, Step], mine: int, yours: int) -> dict[Step, float]:
        """Return the least that each step is worth in the matrix for which the last search by saddle points found a
        mix. Empty if it found none."""
        if np.count_nonzero(self.tools.result[1:]) < 2:
            return {}
        cells, rows = self.tools.lists[0, 0, :mine], self.tools.low[0, :mine, :yours]
        return {steps[int(cell)]: float(row.min()) for cell, row in zip(cells, rows, strict=True)}

    def smab(self, position: Position, seat: Seat, budget: Budget = UNLIMITED, mode: int = FITTED) -> Iterator[Depth]:
        """Search by SMAB. Find an equilibrium of the part of the root matrix that remains after pruning."""
        moves = RULES.moves_of(position, seat)
        self.forget()  # bounds from different depths may contradict each other

        def once(rounds: int) -> Depth | None:
            value = self.smab_value(position, seat, rounds, mode)
            if self.gave_up:
                return None
            shares = zip(moves, self.tools.mixes[0], strict=False)
            return Depth(rounds, value, {move: float(share) for move, share in shares if share > 0.0}, self.evaluations)

        return self.search_by_depth(once, budget)


def find_heads(position: Position, seat: Seat) -> tuple[int, int]:
    """Return the cells of `seat`'s rider and of the other. Raises ValueError if one has crashed."""
    me, you = position.head(seat), position.head(other(seat))
    if me is None or you is None:
        raise ValueError("the game is over: a rider has crashed")
    return me, you


def find_steps(position: Position, seat: Seat) -> Mapping[Cell, Step]:
    """Return the empty cells beside the rider's head, each with the step that leads there."""
    head = position.head(seat)
    return {} if head is None else position.list_neighbours(head)


MEMO = 1 << 19
"""How many entries the memo has, with 18 bytes each. The start of a 6 x 6 field needs 130,000."""


def find_reachable(position: Position) -> set[Cell]:
    return {*measure_distances(position, 0), *measure_distances(position, 1)}


class ExactSearch:
    """The compiled exact solver with its memo. Two threads must not use it at once."""

    def __init__(self) -> None:
        self._memo = make_memo(MEMO)
        self._size = (0, 0)
        self._numbers: dict[Cell, int] = {}
        """The cells of the graph, with their new numbers."""

    def forget(self) -> None:
        """Forget everything, so that the number of states that a question needs does not depend on earlier
        questions."""
        self._numbers = {}

    def fit_graph(self, position: Position) -> bool:
        """Set up a graph of the position. Return False if too many cells can still be reached for that. A graph that
        already contains the position is used again, with its memo."""
        size = (position.width, position.height)
        needed = find_reachable(position) | {head for seat in (0, 1) if (head := position.head(seat)) is not None}
        if self._size == size and needed <= self._numbers.keys():
            return True
        if len(needed) > LARGEST_GRAPH:
            return False
        cells = len(position.cells)
        self._size = size
        self._numbers = {cell: k for k, cell in enumerate(range(cells) if cells <= LARGEST_GRAPH else sorted(needed))}
        near = ({n for n in position.list_neighbours(cell) if n in self._numbers} for cell in self._numbers)
        self._memo.near[: len(self._numbers)] = [self._mask(cells) for cells in near]
        self._memo.dark[0] = self._mask({cell for cell in self._numbers if sum(divmod(cell, position.width)) & 1})
        self._memo.heads[:] = 0
        return True

    def _mask(self, cells: set[Cell]) -> np.uint64:
        return np.uint64(sum(1 << self._numbers[cell] for cell in cells))

    def value(self, position: Position, visits: int = ENDLESS, budget: Budget = UNLIMITED) -> float | None:
        """Return the exact value for rider 0 of a position with both riders on the field. Return `None` if the search
        gave up."""
        head0, head1, stat = position.head(0), position.head(1), self._memo.stat
        if head0 is None or head1 is None or not self.fit_graph(position):
            return None
        stat[:] = (0, visits, 0)
        free = self._mask({cell for cell in self._numbers if position.cells[cell] == EMPTY})
        with watch(budget, stat[ALLOWED : ALLOWED + 1]):
            value = state_value(free, self._numbers[head0], self._numbers[head1], 0, self._memo)
        return None if stat[GAVE_UP] else float(value)

    @property
    def visits(self) -> int:
        return int(self._memo.stat[NODES])

    def matrix(
        self, position: Position, visits: int = ENDLESS, budget: Budget = UNLIMITED
    ) -> dict[Round, float] | None:
        """Return the exact value after every round, or `None` if the search gave up. `visits` limits all searches
        together."""
        if not self.fit_graph(position):
            return None
        found: dict[Round, float] = {}
        left = visits
        for move in RULES.legal_moves(position):
            after = RULES.play(position, move)
            result = RULES.result(after)
            value = float(result.outcome_for(0)) if result else self.value(after, left, budget)
            if value is None:
                return None
            left -= 0 if result else self.visits
            found[move] = value
        return found


FILL_NODES = 400_000
"""The node limit of one question without a budget. It takes about half a second."""


@dataclass(frozen=True)
class Length:
    """Bounds on the longest path: one of length `least` was found (`path`), and none is longer than `most`."""

    least: int
    most: int
    path: tuple[Cell, ...] = ()

    @property
    def exact(self) -> bool:
        return self.least == self.most

    @property
    def as_found(self) -> Length:
        """Return the bounds that hold if no longer path than the one found exists."""
        return Length(self.least, self.least, self.path)


def are_separated(position: Position) -> bool:
    """Whether both riders are on the field and no empty cell can be reached by both."""
    return RULES.result(position) is None and measure_distances(position, 0).keys().isdisjoint(
        measure_distances(position, 1)
    )


def find_longest_path(
    searches: Lookahead, position: Position, start: Cell, nodes: int = FILL_NODES, budget: Budget = UNLIMITED
) -> Length:
    """Return the longest path from `start` over empty cells, without counting `start`. The other rider is only an
    obstacle."""
    searches.load(position)
    work = searches.tools
    work.own[0] = work.boards[0]
    if work.own[0][start >> 6] >> np.uint64(start & 63) & np.uint64(1):
        work.own[0][start >> 6] ^= np.uint64(1) << np.uint64(start & 63)
    searches.reset(nodes)  # a fill can be stopped in the same way as a search
    with watch(budget, searches.allowed):
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
        if step == CRASH or cell is None:
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
    if mine.exact and theirs.exact:
        return 0.0, True
    lead = (mine.least + mine.most - theirs.least - theirs.most) / 2
    return 0.9 * lead / (abs(lead) + 2.0), False

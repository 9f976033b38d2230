"""Values the start position under other rules for endless play, with tables of closed boards and a search above
them."""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
from onlymove_engines.compiled.jit import Array
from onlymove_engines.core.budget import UNLIMITED
from onlymove_engines.games.ayoayo import rules
from onlymove_engines.games.ayoayo._kernel import table
from onlymove_engines.games.ayoayo.codes import lead
from onlymove_engines.games.ayoayo.index import BOARDS, closed_number, seen_by
from onlymove_engines.games.ayoayo.live import MarginSearch
from onlymove_engines.games.ayoayo.rules import START, Pits
from onlymove_engines.games.ayoayo.table import LAYERS, list_layers

from tests.games.ayoayo import _kernel

Worth: TypeAlias = Callable[[Array, int], Array]
"""Returns what a node that is passed again and again is worth to the favoured side. It takes the seeds in the own row
minus the other's, and the seeds on the board."""

MOVER = 1
"""In `pits`, player 1's row comes first. So on a board that begins with the side to move, player 1 moves."""


@lru_cache(maxsize=LAYERS)
def boards_with(seeds: int) -> Array:
    """Return the numbers of the closed boards with this many seeds."""
    return list_layers()[seeds // 4].copy()


class Bounds(NamedTuple):
    """The margins of the closed boards for the side to move, if endless play counts in the other side's favour and in
    its own."""

    low: Array
    high: Array


class Nodes(NamedTuple):
    """Closed boards with the same number of seeds, each of them twice, as in `_kernel`."""

    quiet: Array
    found: Array
    starts: Array
    exits: Array
    rows: Array

    @property
    def graph(self) -> tuple[Array, Array, Array, Array]:
        """Return the arrays that kernels take."""
        return self.quiet, self.found, self.starts, self.exits


def nodes(numbers: Array, low: Array, high: Array) -> Nodes:
    """Return the nodes of the boards with these numbers. `low` and `high` hold the margins of boards with fewer
    seeds."""
    size = 2 * len(numbers)
    quiet, place = np.empty((size, 6), np.int32), np.zeros(BOARDS, np.int32)
    exits, rows = np.zeros(size, np.int16), np.zeros(size, np.int16)
    _kernel.expand(numbers, low, high, place, quiet, exits, rows)
    return Nodes(quiet, *table.list_parents(quiet), exits, rows)


def solve_bounds(worth: Worth, four_seeds: Bounds | None = None) -> Bounds:
    """Solve the closed boards twice. Endless play is worth the best node of its cycle to one side, and then to the
    other. With `four_seeds`, the margins of boards with four seeds are taken from there."""
    low, high = np.zeros(BOARDS, np.int8), np.zeros(BOARDS, np.int8)
    for layer in range(LAYERS):
        here = boards_with(4 * layer)
        if layer == 1 and four_seeds is not None:
            low[here], high[here] = four_seeds.low[here], four_seeds.high[here]
            continue
        layer_nodes, value = nodes(here, low, high), np.zeros(2 * len(here), np.int16)
        assert _kernel.settle(4 * layer, worth(layer_nodes.rows, 4 * layer), *layer_nodes.graph, value)
        high[here], low[here] = value[: len(here)], -value[len(here) :]
    return Bounds(low, high)


def solve_with_limit(moves: int) -> tuple[Array, list[int]]:
    """Solve the closed boards if play stops after this many moves without a capture, and each side takes its own row.
    Also return, for boards with 0, 4, ... 36 seeds, the last of these moves that changed a margin."""
    margins, last = np.zeros(BOARDS, np.int8), []
    place = np.zeros(BOARDS, np.int32)
    for layer in range(LAYERS):
        here = boards_with(4 * layer)
        quiet = np.empty((len(here), 6), np.int32)
        best, left = np.empty(len(here), np.int8), np.empty(len(here), np.int8)
        place[here] = np.arange(len(here))
        table.expand(margins, place, here, quiet, best, left)
        value = row_minus_row(here)
        last.append(int(_kernel.run_out(moves, best, quiet, value)))
        margins[here] = value
    return margins, last


def row_minus_row(numbers: Array) -> Array:
    """Return the seeds in the own row minus those in the other, for closed boards with these numbers."""
    pits = numbers[:, None] >> 2 * np.arange(11, dtype=np.int32) & 3
    own, total = pits[:, :6].sum(axis=1), pits.sum(axis=1)
    margins: Array = (2 * own - total - -total % 4).astype(np.int8)
    return margins


def start_value(margins: Array) -> int:
    """Return the margin of the start with this table of closed boards, by the engine's search."""
    search = MarginSearch(margins)
    (found,) = search.intervals([START.pits], UNLIMITED)
    assert found.is_proven
    return found.low


class Above:
    """Answers questions about boards that are not closed, by the plain rules and bounds on the closed boards."""

    def __init__(self, closed: Bounds) -> None:
        self.closed = closed
        self.proven: dict[tuple[Pits, bool], tuple[int, int]] = {}

    def bound_margin(self, board: Pits, favoured: bool) -> tuple[int, int]:
        """Return bounds on the margin of the side to move."""
        number = closed_number(board)
        if number is not None:
            margin = int(self.closed[favoured][number])
            return margin, margin
        return self.proven.get((board, favoured), (-sum(board), sum(board)))

    def has_margin(self, board: Pits, favoured: bool, t: int) -> bool:
        """Whether the side to move has a margin of `t` or more. `favoured` says whether endless play counts in its
        favour."""
        low, high = self.bound_margin(board, favoured)
        if low < t <= high:
            holds = self.has_move(board, favoured, t)
            low, high = self.bound_margin(board, favoured)
            low, high = (max(low, t), high) if holds else (low, min(high, t - 1))
            self.proven[board, favoured] = low, high
        return low >= t

    def has_move(self, board: Pits, favoured: bool, t: int) -> bool:
        """Whether some move has a margin of `t` or more. The most promising moves are searched first."""
        moves = []
        for cell in rules.permitted(board, MOVER):
            sown = rules.sow(board, MOVER, cell)
            assert sown is not None
            child, gain = seen_by(sown.pits, 0), lead(sown.captured, MOVER)
            moves.append((sum(self.bound_margin(child, not favoured)) - 2 * gain, child, gain))
        if not moves:
            return sum(board[:6]) >= t
        return any(not self.has_margin(child, not favoured, gain - t + 1) for _, child, gain in sorted(moves))

    def is_start(self, favoured: bool, margin: int) -> bool:
        """Whether the start is worth exactly this margin to the first player."""
        pits = START.pits
        return self.has_margin(pits, favoured, margin) and not self.has_margin(pits, favoured, margin + 1)

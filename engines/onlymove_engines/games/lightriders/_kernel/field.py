"""Fields as bit boards, which rider reaches each cell first, and the working memory of a search. Compiled.

A board is a row of uint64 words. Bit c of the whole row is set if cell c = y * width + x is empty. Heads are not empty.
Fields of up to 256 cells use 4 words and flood by shifts. Larger fields use 9 words and flood cell by cell.

    word 0   ......10110111   bit 0: cell 0, the top left corner
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from onlymove_engines.compiled.bitset import ONE, ZERO, popcount
from onlymove_engines.compiled.jit import Array, allocation_free, inlined
from onlymove_engines.compiled.vectors import (
    add_words,
    count_bits,
    has_bits,
    high_half,
    join,
    lift_words,
    load4,
    low_half,
    only4,
    shift_down,
    shift_up,
    store4,
    swap,
)

from .matrix import WORK_ROWS

WORDS, WIDE = 4, 9
SEEN_BITS = 14
"""How many territories are remembered, as a power of two. They fit into the processor's cache."""

BAND, LAST_BAND = 3, 5
"""The number of steps in a band, and the last band that is counted."""

MAX_STEPS = 0x7FFF
"""A sum of steps counts as at most this, which only mazes of more than 256 cells exceed."""

FIGURES, UNITS, BLOCKS = 30, 32, 3
"""How many figures the evaluation computes for a territory, how many units a block of the net's first layer has, and
how many blocks there are."""

COLUMN, LINE, TO_EDGE, TO_CENTRE = range(4)
"""Columns of `Tools.places`: a cell's column and line, and its figures EDGE and CENTRE (`evaluation`)."""

NODES, ALLOWED, GAVE_UP, LEAVES, BELIEVED, BEST, OPEN, FILLS = range(8)
"""Indices in `Tools.stat`: nodes visited; nodes allowed, which a thread sets to 0 to stop the search; whether the
search gave up; evaluations; how many values were only estimates; the root's best cell; how many evaluations were open,
with the riders still able to meet; and the nodes of a fill at a leaf, where the riders are separated and bounds do not
decide who lasts longer."""

FILL_NODES, FILL_ALLOWED, FILL_GAVE_UP, FILL_LENGTH, MEETING = range(8, 13)
"""More indices in `Tools.stat`: the nodes of a fill, the nodes allowed, whether it gave up, and the longest length
found; and the number of rounds until the fronts of a flood meet, or 0 if they do not."""

ROUNDS = 64
"""The most rounds that any search looks ahead."""

CACHE_LINE = 64
"""How many bytes the processor reads and writes together."""


class Tools(NamedTuple):
    """The working memory of a search, allocated once for each field size and thread."""

    near: Array
    """int16[cells, 4]: the cell above, below, left and right, or -1."""
    places: Array
    """int16[cells, 4]: where each cell is."""
    inner: Array
    """uint64[2, words]: all cells but those in the first column, and all but those in the last."""
    dark: Array
    """uint64[words]: one colour of the chessboard."""
    size: Array
    """int64[2]: width, height."""
    own: Array
    """uint64[2, words]: the cells that each rider reaches first."""
    touch: Array
    """uint64[2, words]: those of them next to a cell that the other rider reaches no later."""
    spread: Array
    """uint64[2, 2]: the last figures of each rider, 16 bits each: the sum of the steps to the cells that it reaches
    first, and how many of them are 1 or 2 steps away, 3 to 5 and so on up to 14."""
    cells: Array
    """int16[9, at least 257]: a depth-first walk through the nodes of a territory, which are its cells or the
    candidates and the parts between them, or a flood cell by cell."""
    counts: Array
    """int64[at least 65]: the cells of each node and what is known of them, packed."""
    links: Array
    """uint64[64]: which of these nodes are next to each other."""
    chambers: Array
    """int64[cells + 2, 4]: the table of chambers."""
    survey: Array
    """uint64[6, 4]: the cells that may cut a territory, the numbers of neighbours, and space, as boards."""
    memory: Array
    """uint64[n, 8]: territories seen before, with their figures. n is a power of two."""
    boards: Array
    """uint64[ROUNDS + 4, words]: the empty cells after each round of the current line."""
    keys: Array
    """uint64[n]: the keys of the transposition table. n is a power of two. What the table knows of a node lies side by
    side in memory, so that it is loaded at once."""
    values: Array
    notes: Array
    """int64[n]: more about each entry, as `pack_note` packs it."""
    zobrist: Array
    """uint64[3, cells]: hash values of an empty cell, of my head, and of your head."""
    killers: Array
    """int16[2, ROUNDS + 4]: the cell that last caused a cutoff, for me and you at each round."""
    history: Array
    """int32[2, cells]: how often a cell was best, weighted by depth."""
    lists: Array
    """int64[2, ROUNDS + 4, 4]: the steps of both riders at each round of the current line."""
    low: Array
    """float64[ROUNDS + 4, 4, 4]: the matrix at each round of the current line, or lower bounds on its entries."""
    high: Array
    """float64[ROUNDS + 4, 4, 4]: upper bounds on the entries."""
    mixes: Array
    """float64[2, 4]: space for the equilibrium of one matrix."""
    work: Array
    """float64[WORK_ROWS, 4]: space to compute it."""
    program: Array
    """float64[9, 5]: SMAB's linear program about a row or column: its constraints, what the options are worth, and four
    rows of space to solve it."""
    figures: Array
    """int16[2, 32]: the FIGURES figures of both riders' territories, and space."""
    figure_words: Array
    """uint64[2, 8]: the same memory as words."""
    sums: Array
    """float32[2 * BLOCKS + 2, UNITS]: the units of the net's first layer. Even rows hold what one rider sees, and odd
    rows what the other one sees. The last two rows hold what the net reads. Every row begins at a cache line."""
    net: Array
    """float32[287, UNITS]: the weights of the fitted evaluation."""
    draw: Array
    """float64[1]: what a draw is worth to the rider that searches: 0, or less if it would rather play on."""
    margin: Array
    """float64[1]: how far outside the window the value of a shorter search must be to settle a node. It is infinite if
    only full searches count."""
    paths: npt.NDArray[np.int16]
    """int16[2, cells + 1]: the cells of the fill being tried, and of the best one."""
    fills: Array
    """int16[cells + 1, 2, 4]: the steps at each cell of the fill being tried, with their ranks."""
    stat: npt.NDArray[np.int64]
    result: Array
    """float64[5]: what the root's best cell is worth, and the mix over the root's steps in `lists[0, 0]`. A search that
    ends at its root writes neither."""


def make_tools(width: int, height: int, entries: int) -> Tools:
    """Return the working memory for a field of this size, with a transposition table of `entries`, a power of two."""
    cells = width * height
    words = WORDS if cells <= 64 * WORDS else WIDE
    cell = np.arange(cells)
    y, x = np.divmod(cell, width)
    ahead = y, height - 1 - y, x, width - 1 - x  # how many cells are above, below, to the left and to the right
    beside = zip(ahead, (-width, width, -1, 1), strict=True)
    centre = abs(ahead[2] - ahead[3]) + abs(ahead[0] - ahead[1])
    figures = np.zeros((2, 32), np.int16)
    table = align_zeros((entries, 4), np.uint64)
    dice = np.random.default_rng(20170401)
    return Tools(
        near=np.stack([np.where(room > 0, cell + step, -1) for room, step in beside], axis=1).astype(np.int16),
        places=np.stack([x, y, np.min(ahead, axis=0), centre], axis=1).astype(np.int16),
        inner=np.array([pack_cells(x > 0, words), pack_cells(x < width - 1, words)]),
        dark=pack_cells((x + y) & 1, words),
        size=np.array([width, height]),
        own=np.zeros((2, words), np.uint64),
        touch=np.zeros((2, words), np.uint64),
        spread=np.zeros((2, 2), np.uint64),
        cells=np.zeros((9, max(cells, 64 * WORDS) + 1), np.int16),
        counts=np.zeros(max(cells, 64) + 1, np.int64),
        links=np.zeros(64, np.uint64),
        chambers=np.zeros((cells + 2, 4), np.int64),
        survey=np.zeros((6, WORDS), np.uint64),
        memory=align_zeros((1 << SEEN_BITS, 8), np.uint64),
        boards=np.zeros((ROUNDS + 4, words), np.uint64),
        keys=table[:, 0],
        values=table.view(np.float64)[:, 1],
        notes=table.view(np.int64)[:, 2],
        zobrist=dice.integers(1, 2**64 - 1, (3, cells), np.uint64),
        killers=np.zeros((2, ROUNDS + 4), np.int16),
        history=np.zeros((2, cells), np.int32),
        lists=np.zeros((2, ROUNDS + 4, 4), np.int64),
        low=np.zeros((ROUNDS + 4, 4, 4)),
        high=np.zeros((ROUNDS + 4, 4, 4)),
        mixes=np.zeros((2, 4)),
        work=np.zeros((WORK_ROWS, 4)),
        program=np.zeros((9, 5)),
        figures=figures,
        figure_words=figures.view(np.uint64),
        sums=align_zeros((2 * BLOCKS + 2, UNITS), np.float32),
        net=load_net(),
        draw=np.zeros(1),
        margin=np.full(1, np.inf),
        paths=np.zeros((2, cells + 1), np.int16),
        fills=np.zeros((cells + 1, 2, 4), np.int16),
        stat=np.zeros(13, np.int64),
        result=np.zeros(5),
    )


def load_net(file: Path | None = None) -> Array:
    """Load the weights of the fitted evaluation, float32[287, UNITS]: the installed ones, or those in `file`."""
    weights = np.loadtxt(file or Path(__file__).with_name("net.txt"), np.float32)
    net = align_zeros(weights.shape, np.float32)
    net[:] = weights
    return net


def align_zeros(shape: tuple[int, int], kind: type[np.generic]) -> Array:
    """Return an array of zeros that begins at a cache line. numpy aligns arrays only to 16 bytes. If the rows that a
    search reads crossed cache lines, it would take a tenth longer."""
    size = shape[0] * shape[1] * np.dtype(kind).itemsize
    space = np.zeros(size + CACHE_LINE, np.uint8)
    start = -space.ctypes.data % CACHE_LINE
    return space[start : start + size].view(kind).reshape(shape)


def pack_cells(cells: npt.NDArray[Any], words: int) -> npt.NDArray[np.uint64]:
    """Return the board of so many words on which the cells are set that are not 0."""
    raw = np.packbits(cells, bitorder="little").tobytes()
    return np.frombuffer(raw.ljust(8 * words, b"\0"), np.dtype("<u8")).astype(np.uint64)


@inlined
def is_set(board: Array, cell: int) -> bool:
    return (board[cell >> 6] >> np.uint64(cell & 63)) & ONE != ZERO


@inlined
def clear(board, cell):
    board[cell >> 6] &= ~(ONE << np.uint64(cell & 63))


@inlined
def copy(board, onto):
    for k in range(board.shape[0]):
        onto[k] = board[k]


@inlined
def count(board):
    total = 0
    for k in range(board.shape[0]):
        total += popcount(board[k])
    return total


@inlined
def grow(front, free, left, right, w):
    """Return the cells of `free` next to a cell of `front`. `left` and `right` are `free` without its last and first
    columns."""
    beside = (shift_down(front, 1) & left) | (shift_up(front, 1) & right)
    return beside | ((shift_down(front, w) | shift_up(front, w)) & free)


@inlined
def fill_part(part, free, left, right, w):
    """Return the cells of `free` that are connected with a cell of it, on a field of at most 256 cells. Each step goes
    one cell to the left, two up and down, and as far as possible to the right, with a carry through the free cells."""
    two_up, two_down = free & shift_down(free, w), free & shift_up(free, w)
    while True:
        grown = grow(part, free, left, right, w) | part | (((left + (part & left)) ^ left) & left)
        grown |= (shift_down(part, 2 * w) & two_up) | (shift_up(part, 2 * w) & two_down)
        if not has_bits(grown ^ part):
            return part
        part = grown


@inlined
def load_twice(board):
    return join(load4(board), load4(board))


@inlined
def meet4(board, head0, head1, tools):
    """Return whether the riders can meet, on a field of at most 256 cells."""
    w, inner = np.uint64(tools.size[0]), tools.inner
    free = load_twice(board)
    left, right = free & load_twice(inner[1]), free & load_twice(inner[0])
    front = join(only4(head0), only4(head1))
    reached = free ^ free
    while True:
        front = grow(front, free, left, right, w) & ~reached
        reached |= front
        if has_bits(front & swap(reached)):
            return True
        if not has_bits(front):
            return False


@inlined
def flood4(board, head0, head1, tools):
    """Flood from both heads at once, on two boards side by side. Return how many cells both reach at the same time,
    and whether they meet. Fill `own` and `touch`."""
    own, touch, spread, inner = tools.own, tools.touch, tools.spread, tools.inner
    w = np.uint64(tools.size[0])
    free = load_twice(board)
    left, right = free & load_twice(inner[1]), free & load_twice(inner[0])
    front = join(only4(head0), only4(head1))
    unclaimed, reached = free, free ^ free
    counted = earlier = early = late = reached  # cells reached first, the sum of these counts before, and the bands
    level = apart = 0
    is_met = False
    while True:
        grown = grow(front, free, left, right, w)
        if not is_met:
            is_met = has_bits(grown & swap(reached | grown))
            apart += not is_met
        front = grown & unclaimed
        if not has_bits(front):
            break
        level += 1
        others = swap(front)
        unclaimed &= ~(front | others)
        reached |= front
        first = count_bits(front & ~others)
        earlier += counted
        counted += first
        band = 1 + level // BAND
        if band < 4:
            early += lift_words(first, 16 * band)
        elif band <= LAST_BAND:
            late += lift_words(first, 16 * (band - 4))
    both = earlier + lift_words(counted, 32)
    for rider in range(2):
        sums = add_words(high_half(both) if rider else low_half(both))
        steps = level * (sums >> 32) - (sums & 0xFFFFFFFF)
        spread[rider, 0] = add_words(high_half(early) if rider else low_half(early)) + steps
        spread[rider, 1] = add_words(high_half(late) if rider else low_half(late))
    tools.stat[MEETING] = apart + 1 if is_met else 0
    others = swap(reached)
    ties, owned = reached & others, reached & ~others
    front = grow(others, free, left, right, w) & owned
    store4(low_half(owned), own[0])
    store4(high_half(owned), own[1])
    store4(low_half(front), touch[0])
    store4(high_half(front), touch[1])
    return add_words(count_bits(low_half(ties))), has_bits(front | ties)


@allocation_free
def flood_wide(board, head0, head1, tools):
    """Flood from both heads cell by cell, for fields of more than 256 cells."""
    near, cells, own, touch, spread = tools.near, tools.cells, tools.own, tools.touch, tools.spread
    size = near.shape[0]
    own[:] = ZERO
    touch[:] = ZERO
    spread[:] = ZERO
    cells[1, :size] = 0
    cells[2, :size] = 0
    for rider in range(2):
        steps, queue = cells[1 + rider], cells[0]
        begin, end = 0, 1
        queue[0] = head0 if rider == 0 else head1
        while begin < end:
            cell = queue[begin]
            begin += 1
            for way in range(4):
                beside = near[cell, way]
                if beside >= 0 and steps[beside] == 0 and is_set(board, beside):
                    steps[beside] = steps[cell] + 1 if begin > 1 else 1
                    queue[end] = beside
                    end += 1
    nearest = 2 * size
    for way in range(4):
        beside = near[head1, way]
        if beside >= 0 and cells[1, beside] > 0:
            nearest = min(nearest, cells[1, beside])
    tools.stat[MEETING] = (nearest + 2) // 2 if nearest <= size else 0
    ties = 0
    met = False
    for rider in range(2):
        mine, theirs = cells[1 + rider], cells[2 - rider]
        total = 0
        for cell in range(size):
            steps, facing = mine[cell], theirs[cell]
            if steps == 0:
                continue
            met |= facing > 0
            ties += rider == 0 and steps == facing
            if 0 < facing <= steps:
                continue
            own[rider, cell >> 6] |= ONE << np.uint64(cell & 63)
            total += steps
            band = 1 + steps // BAND
            if band <= LAST_BAND:
                spread[rider, band >> 2] += ONE << np.uint64(16 * (band & 3))
            for way in range(4):
                beside = near[cell, way]
                if beside >= 0 and theirs[beside] > 0 and not 0 < mine[beside] < theirs[beside]:
                    touch[rider, cell >> 6] |= ONE << np.uint64(cell & 63)
        spread[rider, 0] += np.uint64(min(total, MAX_STEPS))
    return ties, met


@inlined
def flood(board: Array, head0: int, head1: int, tools: Tools) -> tuple[int, bool]:
    """Find which rider reaches each empty cell first, in tools.own and tools.touch. Return the number of cells reached
    at the same time, and whether the riders meet."""
    if board.shape[0] == WORDS:
        return flood4(board, head0, head1, tools)
    return flood_wide(board, head0, head1, tools)


@inlined
def can_meet(board: Array, head0: int, head1: int, tools: Tools) -> bool:
    """Return whether the riders can meet. This takes less time than a flood."""
    if board.shape[0] == WORDS:
        return meet4(board, head0, head1, tools)
    return flood_wide(board, head0, head1, tools)[1]


@inlined
def list_ways(board: Array, head: int, tools: Tools, found: Array) -> int:
    """Write the empty cells beside `head` to `found`, in the order up, down, left, right. Return how many there are."""
    number = 0
    for way in range(4):
        cell = tools.near[head, way]
        if cell >= 0 and is_set(board, cell):
            found[number] = cell
            number += 1
    return number

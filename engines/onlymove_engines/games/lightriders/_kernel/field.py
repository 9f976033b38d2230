"""Fields as bit boards, which rider reaches each cell first, and the working memory of a search. Compiled.

A board is a row of uint64 words. Bit c of the whole row is set if cell c = y * width + x is empty. Heads are not empty.
Fields of up to 256 cells use 4 words and flood by shifts. Larger fields use 9 words and flood cell by cell.

    word 0   ......10110111   bit 0: cell 0, the top left corner
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from onlymove_engines.search.bitset import ONE, ZERO, popcount
from onlymove_engines.search.jit import Array, inlined, lean

from .matrix import SYSTEM_ROWS, WORK_ROWS

U63, U64 = np.uint64(63), np.uint64(64)
WORDS, WIDE = 4, 9
SEEN_BITS = 13
"""How many territories are remembered, as a power of two. They fit into the processor's cache."""

BAND, LAST_BAND, MEETING = 3, 5, 7
"""The number of steps in a band, the number of the last band, which is open, and the column after those of the
bands."""

FIGURES, UNITS = 25, 32
"""How many figures the evaluation computes for a territory, and how many units a layer of its net has."""

NODES, ALLOWED, GAVE_UP, LEAVES, BELIEVED, BEST, OPEN, FILLS = range(8)
"""Indices in `Tools.stat`: nodes visited; nodes allowed, which a thread sets to 0 to stop the search; whether the
search gave up; evaluations; how many values were only estimates; the root's best cell; how many evaluations were open,
with the riders still able to meet; and the nodes of a fill at a leaf, where the riders are separated and bounds do not
decide who lasts longer."""

ROUNDS = 64
"""The most rounds that any search looks ahead."""

CACHE_LINE = 64
"""How many bytes the processor reads and writes together."""


class Tools(NamedTuple):
    """The working memory of a search, allocated once for each field size and thread."""

    near: Array
    """int16[cells, 4]: the cell above, below, left and right, or -1."""
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
    """int64[2, 8]: the sum of the steps to the cells that each rider reaches first, and how many of them are 1 or 2
    steps away, 3 to 5 and so on up to 14, and more. The last entry of the first row is the number of rounds until the
    fronts meet, or 0 if they do not."""
    cells: Array
    """int16[14, cells + 1]: a depth-first walk from cell to cell, with the same rows as `nodes`, or a flood cell by
    cell."""
    chambers: Array
    """int32[10, cells + 2]: the table of chambers."""
    survey: Array
    """uint64[4, 4]: the cells that may cut a territory, and the numbers of neighbours, as boards."""
    nodes: Array
    """uint16[14, 256]: the candidates of a territory, and the parts between them."""
    links: Array
    """uint64[64]: which of these nodes are next to each other."""
    memory: Array
    """uint64[n, 16]: territories seen before, with their figures. n is a power of two."""
    boards: Array
    """uint64[ROUNDS + 4, words]: the empty cells after each round of the current line."""
    keys: Array
    """uint64[n]: the keys of the transposition table. n is a power of two."""
    values: Array
    notes: Array
    """int32[n]: more about each entry, as `pack_note` packs it."""
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
    part: Array
    """float64[5, 4]: SMAB's linear program about a row or column. The last row is what the options are worth."""
    turned: Array
    """float64[2, 4, 4]: space for the bounds of a matrix as the column player sees it."""
    system: Array
    """float64[SYSTEM_ROWS, 5]: space to solve that linear program."""
    figures: Array
    """float32[2, FIGURES]: the figures of both riders' territories."""
    sums: Array
    """float32[4, UNITS]: the units of the net's layers, for each rider. Every row begins at a cache line."""
    net: Array
    """float32[87, UNITS]: the weights of the fitted evaluation."""
    draw: Array
    """float64[1]: what a draw is worth to the rider that searches: 0, or less if it would rather play on."""
    margin: Array
    """float64[1]: how far outside the window the value of a shorter search must be to settle a node. It is infinite if
    only full searches count."""
    limit: npt.NDArray[np.int64]
    """int64[4]: the counters of one fill."""
    paths: npt.NDArray[np.int16]
    """int16[2, cells + 1]: the cells of the fill being tried, and of the best one."""
    fills: Array
    """int16[cells + 1, 2, 4]: the steps at each cell of the fill being tried, with their ranks."""
    stat: npt.NDArray[np.int64]
    result: Array
    """float64[5]: what the root's best cell is worth, and the mix over the root's steps in `lists[0, 0]`."""


def make_tools(width: int, height: int, entries: int) -> Tools:
    """Return the working memory for a field of this size, with a transposition table of `entries`, a power of two."""
    cells = width * height
    words = WORDS if cells <= 64 * WORDS else WIDE
    near = np.full((cells, 4), -1, np.int16)
    inner = [0, 0]
    dark = 0
    for cell in range(cells):
        y, x = divmod(cell, width)
        dark |= ((x + y) & 1) << cell
        inner[0] |= (x > 0) << cell
        inner[1] |= (x < width - 1) << cell
        for way, (dx, dy) in enumerate(((0, -1), (0, 1), (-1, 0), (1, 0))):
            if 0 <= x + dx < width and 0 <= y + dy < height:
                near[cell, way] = (y + dy) * width + x + dx
    dice = np.random.default_rng(20170401)
    return Tools(
        near=near,
        inner=np.array([split_words(inner[0], words), split_words(inner[1], words)]),
        dark=split_words(dark, words),
        size=np.array([width, height]),
        own=np.zeros((2, words), np.uint64),
        touch=np.zeros((2, words), np.uint64),
        spread=np.zeros((2, MEETING + 1), np.int64),
        cells=np.zeros((14, cells + 1), np.int16),
        chambers=np.zeros((10, cells + 2), np.int32),
        survey=np.zeros((4, WORDS), np.uint64),
        nodes=np.zeros((14, 64 * WORDS), np.uint16),
        links=np.zeros(64, np.uint64),
        memory=np.zeros((1 << SEEN_BITS, 16), np.uint64),
        boards=np.zeros((ROUNDS + 4, words), np.uint64),
        keys=np.zeros(entries, np.uint64),
        values=np.zeros(entries, np.float64),
        notes=np.zeros(entries, np.int32),
        zobrist=dice.integers(1, 2**64 - 1, (3, cells), np.uint64),
        killers=np.zeros((2, ROUNDS + 4), np.int16),
        history=np.zeros((2, cells), np.int32),
        lists=np.zeros((2, ROUNDS + 4, 4), np.int64),
        low=np.zeros((ROUNDS + 4, 4, 4)),
        high=np.zeros((ROUNDS + 4, 4, 4)),
        mixes=np.zeros((2, 4)),
        work=np.zeros((WORK_ROWS, 4)),
        part=np.zeros((5, 4)),
        turned=np.zeros((2, 4, 4)),
        system=np.zeros((SYSTEM_ROWS, 5)),
        figures=np.zeros((2, FIGURES), np.float32),
        sums=align_zeros(4, UNITS),
        net=load_net(),
        draw=np.zeros(1),
        margin=np.full(1, np.inf),
        limit=np.zeros(4, np.int64),
        paths=np.zeros((2, cells + 1), np.int16),
        fills=np.zeros((cells + 1, 2, 4), np.int16),
        stat=np.zeros(8, np.int64),
        result=np.zeros(5),
    )


def load_net(file: Path | None = None) -> Array:
    """Load the weights of the fitted evaluation, float32[87, UNITS]: the installed ones, or those in `file`."""
    return np.loadtxt(file or Path(__file__).with_name("net.txt"), np.float32)


def align_zeros(rows: int, columns: int) -> Array:
    """Return zeros, float32[rows, columns], aligned to a cache line. numpy aligns arrays only to 16 bytes. If the
    vectors of the net crossed cache lines, the search would take a tenth longer."""
    size = rows * columns * np.dtype(np.float32).itemsize
    space = np.zeros(size + CACHE_LINE, np.uint8)
    start = -space.ctypes.data % CACHE_LINE
    return space[start : start + size].view(np.float32).reshape(rows, columns)


def split_words(bits, words):
    """Convert a Python integer to a row of words, the lowest first."""
    return np.array([bits >> 64 * k & 0xFFFFFFFFFFFFFFFF for k in range(words)], np.uint64)


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
def grow4(a0, a1, a2, a3, f, left, right, w):
    """Return the cells of f next to a cell of a. `left` and `right` are f without its last and first columns."""
    v = U64 - w
    up0, up1, up2, up3 = (a0 >> w) | (a1 << v), (a1 >> w) | (a2 << v), (a2 >> w) | (a3 << v), a3 >> w
    dn0, dn1, dn2, dn3 = a0 << w, (a1 << w) | (a0 >> v), (a2 << w) | (a1 >> v), (a3 << w) | (a2 >> v)
    lf0, lf1, lf2, lf3 = (a0 >> ONE) | (a1 << U63), (a1 >> ONE) | (a2 << U63), (a2 >> ONE) | (a3 << U63), a3 >> ONE
    rt0, rt1, rt2, rt3 = a0 << ONE, (a1 << ONE) | (a0 >> U63), (a2 << ONE) | (a1 >> U63), (a3 << ONE) | (a2 >> U63)
    return (
        ((up0 | dn0) & f[0]) | (lf0 & left[0]) | (rt0 & right[0]),
        ((up1 | dn1) & f[1]) | (lf1 & left[1]) | (rt1 & right[1]),
        ((up2 | dn2) & f[2]) | (lf2 & left[2]) | (rt2 & right[2]),
        ((up3 | dn3) & f[3]) | (lf3 & left[3]) | (rt3 & right[3]),
    )


@inlined
def only4(cell):
    """Return the board on which only `cell` is set."""
    k, b = cell >> 6, ONE << np.uint64(cell & 63)
    return b if k == 0 else ZERO, b if k == 1 else ZERO, b if k == 2 else ZERO, b if k == 3 else ZERO


@inlined
def flood4(board, head0, head1, brief, tools):
    """Flood from both heads at once, bit by bit. Return how many cells both reach at the same time, and whether they
    meet. Fill `own` and `touch`, unless `brief` is set and they meet."""
    own, touch, spread, inner = tools.own, tools.touch, tools.spread, tools.inner
    w = np.uint64(tools.size[0])
    f = (board[0], board[1], board[2], board[3])
    left = (f[0] & inner[1, 0], f[1] & inner[1, 1], f[2] & inner[1, 2], f[3] & inner[1, 3])
    right = (f[0] & inner[0, 0], f[1] & inner[0, 1], f[2] & inner[0, 2], f[3] & inner[0, 3])
    a0, a1, a2, a3 = only4(head0)
    c0, c1, c2, c3 = only4(head1)
    o0 = o1 = o2 = o3 = ZERO
    p0 = p1 = p2 = p3 = ZERO
    u0, u1, u2, u3 = f
    level = sum0 = sum1 = meeting = 0
    spread[:] = 0
    while True:
        a0, a1, a2, a3 = grow4(a0, a1, a2, a3, f, left, right, w)
        c0, c1, c2, c3 = grow4(c0, c1, c2, c3, f, left, right, w)
        level += 1
        if meeting == 0:
            closed = (a0 & (p0 | c0)) | (a1 & (p1 | c1)) | (a2 & (p2 | c2)) | (a3 & (p3 | c3))
            meeting = level if closed != ZERO else 0
            if brief and meeting > 0:
                return 0, True
        a0, a1, a2, a3 = a0 & u0, a1 & u1, a2 & u2, a3 & u3
        c0, c1, c2, c3 = c0 & u0, c1 & u1, c2 & u2, c3 & u3
        b0, b1, b2, b3 = a0 | c0, a1 | c1, a2 | c2, a3 | c3
        if (b0 | b1 | b2 | b3) == ZERO:
            break
        u0, u1, u2, u3 = u0 & ~b0, u1 & ~b1, u2 & ~b2, u3 & ~b3
        o0, o1, o2, o3 = o0 | a0, o1 | a1, o2 | a2, o3 | a3
        p0, p1, p2, p3 = p0 | c0, p1 | c1, p2 | c2, p3 | c3
        mine = popcount(a0) + popcount(a1) + popcount(a2) + popcount(a3)
        yours = popcount(c0) + popcount(c1) + popcount(c2) + popcount(c3)
        if ((a0 & c0) | (a1 & c1) | (a2 & c2) | (a3 & c3)) != ZERO:
            both = popcount(a0 & c0) + popcount(a1 & c1) + popcount(a2 & c2) + popcount(a3 & c3)
            mine -= both
            yours -= both
        sum0 += level * mine
        sum1 += level * yours
        band = 1 + min(level // BAND, LAST_BAND)
        spread[0, band] += mine
        spread[1, band] += yours
    t0, t1, t2, t3 = o0 & p0, o1 & p1, o2 & p2, o3 & p3
    o0, o1, o2, o3 = o0 & ~t0, o1 & ~t1, o2 & ~t2, o3 & ~t3
    p0, p1, p2, p3 = p0 & ~t0, p1 & ~t1, p2 & ~t2, p3 & ~t3
    spread[0, 0], spread[1, 0], spread[0, MEETING] = sum0, sum1, meeting
    own[0, 0], own[0, 1], own[0, 2], own[0, 3] = o0, o1, o2, o3
    own[1, 0], own[1, 1], own[1, 2], own[1, 3] = p0, p1, p2, p3
    g0, g1, g2, g3 = grow4(p0 | t0, p1 | t1, p2 | t2, p3 | t3, f, left, right, w)
    touch[0, 0], touch[0, 1], touch[0, 2], touch[0, 3] = g0 & o0, g1 & o1, g2 & o2, g3 & o3
    met = ((g0 & o0) | (g1 & o1) | (g2 & o2) | (g3 & o3) | t0 | t1 | t2 | t3) != ZERO
    g0, g1, g2, g3 = grow4(o0 | t0, o1 | t1, o2 | t2, o3 | t3, f, left, right, w)
    touch[1, 0], touch[1, 1], touch[1, 2], touch[1, 3] = g0 & p0, g1 & p1, g2 & p2, g3 & p3
    return popcount(t0) + popcount(t1) + popcount(t2) + popcount(t3), met


@lean
def flood_wide(board, head0, head1, tools):
    """Flood from both heads cell by cell, for fields of more than 256 cells."""
    near, cells, own, touch, spread = tools.near, tools.cells, tools.own, tools.touch, tools.spread
    size = near.shape[0]
    own[:] = ZERO
    touch[:] = ZERO
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
    ties = 0
    met = False
    spread[:] = 0
    nearest = 2 * size
    for way in range(4):
        beside = near[head1, way]
        if beside >= 0 and cells[1, beside] > 0:
            nearest = min(nearest, cells[1, beside])
    spread[0, MEETING] = (nearest + 2) // 2 if nearest <= size else 0
    for cell in range(size):
        mine, theirs = cells[1, cell], cells[2, cell]
        if mine > 0 and mine == theirs:
            ties += 1
        met |= mine > 0 and theirs > 0
        if mine > 0 and (theirs == 0 or mine < theirs):
            own[0, cell >> 6] |= ONE << np.uint64(cell & 63)
            spread[0, 0] += mine
            spread[0, 1 + min(mine // BAND, LAST_BAND)] += 1
        if theirs > 0 and (mine == 0 or theirs < mine):
            own[1, cell >> 6] |= ONE << np.uint64(cell & 63)
            spread[1, 0] += theirs
            spread[1, 1 + min(theirs // BAND, LAST_BAND)] += 1
    for cell in range(size):
        for rider in range(2):
            if is_set(own[rider], cell):
                for way in range(4):
                    beside = near[cell, way]
                    if beside >= 0 and cells[2 - rider, beside] > 0 and not is_set(own[rider], beside):
                        touch[rider, cell >> 6] |= ONE << np.uint64(cell & 63)
    return ties, met


@inlined
def flood(board: Array, head0: int, head1: int, brief: bool, tools: Tools) -> tuple[int, bool]:
    """Find which rider reaches each empty cell first, in tools.own and tools.touch. Return the number of cells reached
    at the same time, and whether the riders meet. With `brief`, stop as soon as they meet."""
    if board.shape[0] == WORDS:
        return flood4(board, head0, head1, brief, tools)
    return flood_wide(board, head0, head1, tools)


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

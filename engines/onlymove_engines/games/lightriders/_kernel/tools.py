"""Everything a search works with, made once for a size of field.

`stat`: 0 nodes, 1 nodes allowed (a watcher sets it to 0 to stop the search), 2 set when the search gave up,
3 evaluations, 4 how many values were believed only, 5 the root's best cell, 6 how many of 3 were open, both riders
with a way to each other, 7 nodes of a fill at a leaf where they are apart and bounds do not tell who lasts longer.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from onlymove_engines.search.jit import Array

from .field import make_field, make_scratch
from .matrix import ROOM, SYSTEM
from .net import FIGURES, UNITS, load_net

NODES, ALLOWED, GAVE_UP, LEAVES, BELIEVED, BEST, OPEN, FILLS = 0, 1, 2, 3, 4, 5, 6, 7
ROUNDS = 64
"""No search looks further ahead."""


class Tools(NamedTuple):
    """Everything a search works with; one for each thread."""

    near: Array
    inner: Array
    dark: Array
    size: Array
    own: Array
    touch: Array
    cells: Array
    chambers: Array
    survey: Array
    nodes: Array
    links: Array
    memory: Array
    spread: Array
    boards: Array
    """uint64[ROUNDS + 4, words]: the empty cells after each round of the line that is searched."""
    keys: Array
    """uint64[n]: the transposition table; n is a power of two."""
    values: Array
    notes: Array
    """int32[n]: what else is remembered, as `node` draws it."""
    zobrist: Array
    """uint64[3, cells]: an empty cell, a head of mine, a head of yours."""
    killers: Array
    """int16[2, ROUNDS + 4]: the cell that last refuted, for me and you at each round."""
    history: Array
    """int32[2, cells]: how often a cell was best, by depth."""
    lists: Array
    """int64[2, ROUNDS + 4, 4]: the steps of both at each round of the line that is searched."""
    low: Array
    """float64[ROUNDS + 4, 4, 4]: the matrix at each round of the line, or the least that is known of its entries."""
    high: Array
    """float64[ROUNDS + 4, 4, 4]: the most that is known of them."""
    mixes: Array
    """float64[2, 4]: room for the equilibrium of one matrix."""
    room: Array
    """float64[ROOM, 4]: room to find it."""
    part: Array
    """float64[ROOM, 4]: room for what SMAB has left of a matrix, or for its question about a row or column."""
    system: Array
    """float64[SYSTEM, 5]: room to answer that."""
    figures: Array
    """float32[2, 25]: what the evaluation reads off both riders' territories."""
    sums: Array
    """float32[4, 32]: the units of the net's layers, for each rider."""
    net: Array
    """float32[87, 32]: the fitted evaluation's weights."""
    limit: npt.NDArray[np.int64]
    """int64[4]: the account of one fill."""
    paths: npt.NDArray[np.int16]
    """int16[2, cells + 1]: the cells of the fill that is tried, and of the best."""
    fills: Array
    """int16[cells + 1, 2, 4]: the steps at each cell of the fill that is tried, with their ranks."""
    stat: npt.NDArray[np.int64]
    result: Array
    """float64[5]: what the root's best cell is worth; the mix over the root's steps in `lists[0, 0]`."""


def make_tools(width: int, height: int, entries: int) -> Tools:
    """Tools for a field of this size with a transposition table of `entries`, a power of two."""
    field = make_field(width, height)
    scratch = make_scratch(field)
    cells, words = width * height, field.dark.shape[0]
    dice = np.random.default_rng(20170401)
    return Tools(
        *field,
        *scratch,
        np.zeros((ROUNDS + 4, words), np.uint64),
        np.zeros(entries, np.uint64),
        np.zeros(entries, np.float64),
        np.zeros(entries, np.int32),
        dice.integers(1, 2**64 - 1, (3, cells), np.uint64),
        np.zeros((2, ROUNDS + 4), np.int16),
        np.zeros((2, cells), np.int32),
        np.zeros((2, ROUNDS + 4, 4), np.int64),
        np.zeros((ROUNDS + 4, 4, 4)),
        np.zeros((ROUNDS + 4, 4, 4)),
        np.zeros((2, 4)),
        np.zeros((ROOM, 4)),
        np.zeros((ROOM, 4)),
        np.zeros((SYSTEM, 5)),
        np.zeros((2, FIGURES), np.float32),
        np.zeros((4, UNITS), np.float32),
        load_net(),
        np.zeros(4, np.int64),
        np.zeros((2, cells + 1), np.int16),
        np.zeros((cells + 1, 2, 4), np.int16),
        np.zeros(8, np.int64),
        np.zeros(5),
    )

"""The endgame of separated riders: the longest path through a territory, exactly or as far as a budget goes; compiled.

Depth first with the chamber bound; the cell with the fewest ways onward first, so that the first line is already good.
`limit`: 0 the longest length found, 1 nodes, 2 nodes allowed (a watcher sets it to 0 to stop), 3 set when it gave up.
"""

import numpy as np

from onlymove_engines.search.jit import Array, kernel, lean

from .chambers import BATTLEFRONT, worth
from .exact import ONE
from .field import clear, is_set
from .tools import Tools

LENGTH, NODES, ALLOWED, GAVE_UP = 0, 1, 2, 3


@lean
def fill_bound(at: int, tools: Tools) -> int:
    """No path from `at` through the board own[0] is longer."""
    tools.touch[0, :] = 0
    return worth(np.int64(0), at, BATTLEFRONT, tools)[0]


@kernel
def fill(at: int, length: int, tools: Tools, line: Array, best_line: Array, limit: Array) -> None:
    """Search every way on from `at`, `length` cells into `line`; a longer line than any before goes to `best_line`."""
    limit[NODES] += 1
    if limit[NODES] > limit[ALLOWED]:
        limit[GAVE_UP] = 1
    if length > limit[LENGTH]:
        limit[LENGTH] = length
        best_line[:length] = line[:length]
    region = tools.own[0]
    steps, ranks = np.empty(4, np.int64), np.empty(4, np.int64)
    number = 0
    for way in range(4):
        cell = tools.near[at, way]
        if cell < 0 or not is_set(region, cell):
            continue
        onward = 0
        for other in range(4):
            beyond = tools.near[cell, other]
            if beyond >= 0 and is_set(region, beyond):
                onward += 1
        rank = 9 if onward == 0 else onward
        k = number
        while k > 0 and ranks[k - 1] > rank:
            ranks[k], steps[k] = ranks[k - 1], steps[k - 1]
            k -= 1
        ranks[k], steps[k] = rank, cell
        number += 1
    stopped = limit[GAVE_UP] and length < limit[LENGTH]  # the first line is ridden to its end all the same
    if number == 0 or stopped or length + fill_bound(at, tools) <= limit[LENGTH]:
        return
    for k in range(number):
        cell = steps[k]
        clear(region, cell)
        line[length] = cell
        fill(cell, length + 1, tools, line, best_line, limit)
        region[cell >> 6] |= ONE << np.uint64(cell & 63)
        if limit[GAVE_UP]:
            return

"""The endgame of separated riders: the longest path through a territory, exactly or as far as a budget goes; compiled.

Depth first with the chamber bound; the cell with the fewest ways onward first, so that the first line is already good.
`tools.limit`: 0 the longest length found, 1 nodes, 2 nodes allowed (a watcher sets it to 0 to stop), 3 set when it gave
up; `tools.paths`: the line that is tried and the best one.
"""

import numpy as np

from onlymove_engines.search.bitset import ONE
from onlymove_engines.search.jit import lean

from .chambers import BATTLEFRONT, worth
from .field import clear, is_set
from .tools import ALLOWED as SEARCH_ALLOWED
from .tools import Tools

LENGTH, NODES, ALLOWED, GAVE_UP = 0, 1, 2, 3
LINE, BEST = 0, 1


@lean
def fill(rider: int, at: int, length: int, tools: Tools) -> None:
    """Search every way on from `at` through the rider's territory, `length` cells into the line."""
    limit, paths, region = tools.limit, tools.paths, tools.own[rider]
    limit[NODES] += 1
    if limit[NODES] > limit[ALLOWED] or tools.stat[SEARCH_ALLOWED] == 0:
        limit[GAVE_UP] = 1
    if length > limit[LENGTH]:
        limit[LENGTH] = length
        for k in range(length):
            paths[BEST, k] = paths[LINE, k]
    steps, ranks = tools.fills[length, 0], tools.fills[length, 1]
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
    if number == 0 or stopped or length + worth(rider, at, BATTLEFRONT, tools)[0] <= limit[LENGTH]:
        return
    for k in range(number):
        cell = np.int64(steps[k])
        clear(region, cell)
        paths[LINE, length] = cell
        fill(rider, cell, length + 1, tools)
        region[cell >> 6] |= ONE << np.uint64(cell & 63)
        if limit[GAVE_UP]:
            return


@lean
def longest(rider: int, at: int, nodes: int, tools: Tools) -> tuple[int, int]:
    """The longest path from `at` through the rider's territory: as long as the one found, and none longer than that."""
    limit = tools.limit
    limit[LENGTH], limit[NODES], limit[ALLOWED], limit[GAVE_UP] = 0, 0, nodes, 0
    tools.touch[rider, :] = 0
    most = worth(rider, at, BATTLEFRONT, tools)[0]
    fill(
        rider, at, np.int64(0), tools
    )  # a literal would make a second form that calls the first: not restored from disk
    return limit[LENGTH], most if limit[GAVE_UP] else limit[LENGTH]

"""What a leaf is worth: who fills longer once the riders are apart, a belief while they can still meet; compiled.

Beliefs are expected results, -1 to 1: fitted to the results of games, so that those about separated riders and those
about open positions may be compared, and mixed.
"""

import math

import numpy as np

from onlymove_engines.search.jit import inlined, lean

from .chambers import BATTLEFRONT, PLAIN, greedy_fill, worth
from .evaluations import FITTED, FLOOD
from .field import MEETING, copy, count
from .fill import NODES as FILL_NODES
from .fill import longest
from .net import gather, lead_of
from .tools import BELIEVED, FILLS, NODES, OPEN, Tools

SURE = 0.95
"""Beliefs stay below this."""

HALF = 0.11
"""A lead in cells of this share of all open cells is worth 0.71 times SURE."""

DOUBT, SLACK = 0.6, 0.15
"""The same of separated riders: the bound on the longest path is right within half a cell, and less sure by a seventh
of the distance to the path that was found. In 1,540 separations of self-play 98 % of leads by two cells were wins."""


@lean
def separated(me: int, you: int, tools: Tools) -> float:
    """The value when the riders cannot meet: proven where the bounds on both fills decide it, else believed."""
    most, their_most = worth(np.int64(0), me, BATTLEFRONT, tools)[0], worth(np.int64(1), you, BATTLEFRONT, tools)[0]
    spare = tools.boards[tools.boards.shape[0] - 1]
    least, their_least = most, their_most
    if most >= their_most:
        copy(tools.own[0], spare)
        least = greedy_fill(spare, me, tools)
        if least > their_most:
            return 1.0
    if most <= their_most:
        copy(tools.own[1], spare)
        their_least = greedy_fill(spare, you, tools)
        if their_least > most:
            return -1.0
    if least == most == their_least == their_most:
        return 0.0
    if tools.stat[FILLS] > 0:
        least, most = longest(np.int64(0), me, tools.stat[FILLS], tools)
        tools.stat[NODES] += tools.limit[FILL_NODES]
        their_least, their_most = longest(np.int64(1), you, tools.stat[FILLS], tools)
        tools.stat[NODES] += tools.limit[FILL_NODES]
        if least > their_most or most < their_least:
            return np.sign(np.float64(least - their_least))
        if least == most == their_least == their_most:
            return 0.0
    tools.stat[BELIEVED] += 1
    lead = np.float64(most - their_most)
    doubt = DOUBT + SLACK * (most - least + their_most - their_least)
    return SURE * lead / math.sqrt(lead * lead + doubt * doubt)


@inlined
def believed(me, you, mine, yours, mode, tools):
    """What a flooded position in which both can meet is believed to be worth to me."""
    tools.stat[BELIEVED] += 1
    tools.stat[OPEN] += 1
    if mode == FITTED:
        gather(me, you, mine, yours, tools)
        return SURE * math.tanh(0.5 * lead_of(tools.figures, tools.spread[0, MEETING], tools.net, tools.sums))
    reach, their_reach = count(tools.own[0]), count(tools.own[1])
    if mode == FLOOD:
        lead = np.float64(reach - their_reach)
    else:
        lead = np.float64(worth(np.int64(0), me, PLAIN, tools)[0] - worth(np.int64(1), you, PLAIN, tools)[0])
    half = HALF * (reach + their_reach) + 0.5
    return SURE * lead / math.sqrt(lead * lead + half * half)

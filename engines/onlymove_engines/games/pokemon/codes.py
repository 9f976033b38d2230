"""The sections of the table: the numbers of all positions, sorted and stored as steps, and a code for each.

    firsts   uint32   the first number of every block
    starts   uint32   its index, and at the end the number of positions
    steps    uint16   for every position, its number minus the one before in its block; 0 for the first of a block
    codes    uint8    for every position, what it is worth

A block ends after BLOCK positions or before a step that does not fit. Steps repeat, so they compress well, and a
look-up adds up the steps of one block. A code is seen by the side to move:

    0..11    lost (even) or won (odd) in that many plies
    12       finished and drawn
    13 + t   drawn and not finished; t in 0..240 is the trap

The trap says how likely the side to move goes wrong in the rest of the game, in 240ths. The other side holds the draw
and sets the best traps it can. A move that holds the draw is assumed to be KEEPING_WEIGHT times as likely as a losing
move (docs/engines/pokemon.md).
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from onlymove_engines.compiled.jit import Array
from onlymove_engines.core.analysis import Columns, Section
from onlymove_engines.core.value import Draw, Loss, Value, Win

Code: TypeAlias = int

DRAWN = 12
OPEN_DRAW = 13
TRAP_SCALE = 240
KEEPING_WEIGHT = 8
"""About e^2. This is how much an opponent of strength 20 prefers a move that holds the draw (play.players)."""

MAX_PLIES = 12
NO_CODE = 255
"""Stands for a position that is not in the table."""

BLOCK = 256
MAX_STEP = 0xFFFF


def value_of(code: Code) -> Value:
    """Return the value for the side to move."""
    if code >= OPEN_DRAW or code == DRAWN:
        return Draw()
    return Win(code) if code % 2 else Loss(code)


def trap_of(code: Code) -> int:
    """Return the trap, 0..240, of an unfinished drawn position, and 0 for any other."""
    return max(0, code - OPEN_DRAW)


def pack(numbers: Array, codes: Array) -> dict[str, Section]:
    """Return the sections for sorted numbers and their codes."""
    steps = np.diff(numbers, prepend=numbers[:1]).astype(np.int64)
    jumps = np.flatnonzero(steps > MAX_STEP)
    edges = np.concatenate([[0], jumps, [len(numbers)]])
    starts = np.concatenate([np.arange(low, high, BLOCK) for low, high in pairwise(edges)])
    steps[starts] = 0
    return {
        "firsts": numbers[starts],
        "starts": np.append(starts, len(numbers)).astype(np.uint32),
        "steps": steps.astype(np.uint16),
        "codes": codes,
    }


def code_at(columns: Columns, number: int) -> Code | None:
    """Return the code of the position with this number, or `None` if no game leads to it."""
    firsts, starts = columns["firsts"], columns["starts"]
    block = bisect_right(firsts, number) - 1
    if block < 0:
        return None
    start, end = int(starts[block]), int(starts[block + 1])
    steps, beyond = columns["steps"][start:end].tolist(), number - int(firsts[block])
    place, half = 0, BLOCK // 2
    while half:
        if (part := sum(steps[place : place + half])) < beyond:
            place, beyond = place + half, beyond - part
        half //= 2
    return int(columns["codes"][start + place]) if steps[place : place + 1] == [beyond] else None


def numbers_of(columns: Columns) -> Array:
    """Return the sorted numbers of all positions. They take 21 MB."""
    firsts, starts = np.asarray(columns["firsts"]).astype(np.int64), np.asarray(columns["starts"]).astype(np.int64)
    total = np.cumsum(np.asarray(columns["steps"]), dtype=np.int64)
    offsets = firsts - total[starts[:-1]]
    total += np.repeat(offsets, np.diff(starts))
    return total.astype(np.uint32)

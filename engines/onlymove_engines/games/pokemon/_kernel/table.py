"""Loops over the whole table: finding, valuing and counting positions. Codes are those of codes.py."""

import numpy as np

from onlymove_engines.search.jit import Array, kernel, lean

from .law import ALL_IMAGES, COVERED_STATES, boards_of, parted

# Compiled into the kernels, so they stand here and not in codes.py, which says what they mean.
DRAWN = 12
OPEN_DRAW = 13
TRAP_SCALE = 240
KEEPING_WEIGHT = 8
NO_CODE = 255


@lean
def find(numbers, buckets, shift, number):
    """The place of `number` in the sorted `numbers`, or -1. `buckets[h]`: how many numbers are below h << shift."""
    if number >> shift >= len(buckets) - 1:
        return -1
    low = np.int64(buckets[number >> shift])
    end = np.int64(buckets[(number >> shift) + 1])
    high = end
    while low < high:
        middle = (low + high) // 2
        if np.int64(numbers[middle]) < number:
            low = middle + 1
        else:
            high = middle
    return low if low < end and np.int64(numbers[low]) == number else -1


@lean
def worth(count, codes, lures):
    """The code of a position from its children's: (code, lure).

    `codes[k]` is child k's code, `lures[k]` its lure: the best trap that its side to move can set next, 0 when not
    drawn. A trap is a weighted mean over all moves, 240 for a losing one with weight 1, the child's lure for a
    keeping one with weight KEEPING_WEIGHT, rounded to the nearest. `count` 0: finished, drawn.
    """
    if count == 0:
        return DRAWN, 0
    win = 100
    loss = -1
    losing = 0
    drawn = 0
    hopes = 0
    lure = 0
    for k in range(count):
        c = np.int64(codes[k])
        if c >= DRAWN:
            drawn += 1
            hopes += lures[k]
            lure = max(lure, c - OPEN_DRAW)
        elif c % 2 == 0:
            win = min(win, c + 1)
        else:
            losing += 1
            loss = max(loss, c + 1)
    if win < 100:
        return win, 0
    if drawn == 0:
        return loss, 0
    weight = losing + KEEPING_WEIGHT * drawn
    total = losing * TRAP_SCALE + KEEPING_WEIGHT * hopes
    return OPEN_DRAW + (2 * total + weight) // (2 * weight), lure


@kernel
def tally(numbers: Array, codes: Array, classes: Array, raw: Array, figures: Array) -> None:
    """Count by ply (13 entries) classes and raw positions, their images; and classes by code, open draws as one."""
    board = np.zeros(9, np.int64)
    left = np.zeros(7, np.int64)
    boards = np.zeros(ALL_IMAGES, np.int64)
    for n in range(len(numbers)):
        number = np.int64(numbers[n])
        parted(number, board, left)
        ply = 12
        for t in range(1, 7):
            ply -= left[t]
        if ply < 0 or ply > 12:
            continue  # a damaged table's number describes no position
        boards_of(board, boards)
        classes[ply] += 1
        raw[ply] += ALL_IMAGES // np.sum(boards == number // COVERED_STATES)
        figures[min(np.int64(codes[n]), OPEN_DRAW)] += 1

"""Solves the game again, with code that shares nothing with the solver. The table is checked against the result.

It plays every game depth first from the empty board, making and taking back moves on one board. A position is valued
once all its moves have been valued. A hash table holds the results by number.
"""

from typing import NamedTuple

import numpy as np

from onlymove_engines.compiled.jit import Array, allocation_free, inlined, kernel

SLOTS = 1 << 23
"""More than the number of canonical positions."""

SPREAD = 2654435769
"""2^32 divided by the golden ratio (Knuth, TAOCP 3, 6.4)."""

ENDLESS = 99
"""More plies than any game has."""


class Search(NamedTuple):
    """The position that is being solved, the rules, and what is known so far."""

    board: Array
    left: Array
    """The pieces in hand by kind. Entry 0 is not used. `hidden` counts the covered pieces."""
    hidden: Array
    images: Array
    lines: Array
    weights: Array
    """The weight of a move that holds the draw, the trap of a sure loss, and the codes of a finished draw and of an
    unfinished one."""
    numbers: Array
    """The numbers of positions by slot, plus one, because 0 marks an empty slot. `codes` and `lures` are in the same
    order."""
    codes: Array
    lures: Array


@inlined
def number_of(board, hidden, images):
    """Return the number of a board: the smallest of its symmetric images in base 7, and then the covered pieces of
    kinds 1, 2, 4 and 5 in base 3."""
    least = np.int64(1) << 62
    for image in range(len(images)):
        word = 0
        for cell in range(9):
            word = 7 * word + board[images[image, cell]]
        least = min(least, word)
    return (((least * 3 + hidden[1]) * 3 + hidden[2]) * 3 + hidden[4]) * 3 + hidden[5]


@inlined
def slot_of(number, numbers):
    """Return the slot of the number in the hash table, or the slot where it belongs."""
    slot = (number * SPREAD >> 8) & (len(numbers) - 1)
    while numbers[slot] != 0 and numbers[slot] != number + 1:
        slot = (slot + 1) & (len(numbers) - 1)
    return slot


@inlined
def has_lost(board, seat, lines):
    """Whether the other side has three in a line."""
    for line in range(len(lines)):
        count = 0
        for k in range(3):
            piece = board[lines[line, k]]
            if piece and (piece > 3) != (seat == 1):
                count += 1
        if count == 3:
            return True
    return False


@allocation_free
def solve(seat: int, search: Search) -> int:
    """Compute the values of the position on the board and of all positions after it. Return its slot.

    The lure of a drawn position is the best trap that the side to move can set with a move that holds the draw.
    """
    board, left, hidden, numbers = search.board, search.left, search.hidden, search.numbers
    finished, open_draw = search.weights[2], search.weights[3]
    is_lost = has_lost(board, seat, search.lines)
    moves = losing = drawn = hopes = lure = 0
    quickest, slowest = ENDLESS, -1
    for choice in range(0 if is_lost else 27):
        cell, piece = choice // 3, 3 * seat + choice % 3 + 1
        under = board[cell]
        if left[piece] == 0 or (under and (under - 1) % 3 >= choice % 3):
            continue
        board[cell] = piece
        left[piece] -= 1
        hidden[under] += 1
        slot = slot_of(number_of(board, hidden, search.images), numbers)
        if numbers[slot] == 0:
            slot = solve(1 - seat, search)
        board[cell] = under
        left[piece] += 1
        hidden[under] -= 1
        moves += 1
        code = np.int64(search.codes[slot])
        if code >= finished:
            drawn += 1
            hopes += np.int64(search.lures[slot])
            lure = max(lure, code - open_draw)
        elif code % 2 == 0:
            quickest = min(quickest, code + 1)
        else:
            losing += 1
            slowest = max(slowest, code + 1)
    if is_lost:
        code = 0
    elif moves == 0:
        code = finished
    elif quickest < ENDLESS:
        code = quickest
    elif drawn == 0:
        code = slowest
    else:
        keeping, sure = search.weights[0], search.weights[1]
        weight = losing + keeping * drawn
        code = open_draw + (2 * (losing * sure + keeping * hopes) + weight) // (2 * weight)
    number = number_of(board, hidden, search.images)
    slot = slot_of(number, numbers)
    numbers[slot], search.codes[slot], search.lures[slot] = number + 1, code, lure if code >= finished else 0
    return slot


@kernel
def cut(numbers: Array, most: int, farthest: int, is_first: Array, steps: Array) -> None:
    """Mark where the blocks of the sorted `numbers` begin, and write each number's difference from the one before it in
    the same block."""
    begin = 0
    for k in range(len(numbers)):
        step = np.int64(numbers[k]) - np.int64(numbers[k - 1]) if k else 0
        is_first[k] = k == 0 or k - begin == most or step > farthest
        if is_first[k]:
            begin = k
        steps[k] = 0 if is_first[k] else step


def derive(images: tuple, lines: tuple, weights: tuple, most: int, farthest: int) -> dict[str, Array]:
    """Return every section of the table. Images and lines are those of the rules, and `weights` are as in
    `Search`. The positions are in blocks of at most `most`, with no step above `farthest`."""
    slots, codes, lures = np.zeros(SLOTS, np.uint32), np.zeros(SLOTS, np.uint8), np.zeros(SLOTS, np.uint8)
    board, left, hidden = np.zeros(9, np.int64), np.full(7, 2), np.zeros(7, np.int64)
    solve(0, Search(board, left, hidden, np.array(images), np.array(lines), np.array(weights), slots, codes, lures))
    order = np.argsort(slots, kind="stable")[np.count_nonzero(slots == 0) :]
    numbers = slots[order] - np.uint32(1)
    is_first, steps = np.empty(len(numbers), np.bool_), np.empty(len(numbers), np.uint16)
    cut(numbers, most, farthest, is_first, steps)
    starts = np.append(np.flatnonzero(is_first), len(numbers)).astype(np.uint32)
    return {"firsts": numbers[is_first], "starts": starts, "steps": steps, "codes": codes[order]}

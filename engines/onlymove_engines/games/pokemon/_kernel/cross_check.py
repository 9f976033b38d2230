"""Solves the game again, with code that shares nothing with the solver. The table is checked against the result.

It plays every game depth first from the empty board, making and taking back moves on one board. A position is valued
once all its moves have been valued. A hash table holds the results by number.
"""

import numpy as np

from onlymove_engines.search.jit import Array, inlined, kernel

SLOTS = 1 << 23
"""More than the number of canonical positions."""

DEEPEST = 13
SPREAD = 2654435769
"""2^32 divided by the golden ratio (Knuth, TAOCP 3, 6.4)."""

# Indices in a frame: the next choice, the piece and its cell, the piece that it covered, and the results of the moves
# so far.
NEXT, PIECE, CELL, UNDER, MOVES, QUICKEST, SLOWEST, LOSING, DRAWN, HOPES, LURE = range(11)
ENDLESS = 99


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
    """Return the slot of the number in the hash table, or the slot where it belongs. Numbers are stored plus one,
    because 0 marks an empty slot."""
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


@inlined
def value_frame(frame, weights):
    """Return the code of a position whose moves have all been valued. `weights` holds the weight of a move that holds
    the draw, the trap of a sure loss, and the codes of a finished draw and of an unfinished one."""
    keeping, sure, finished, open_draw = weights
    if frame[MOVES] == 0:
        return finished
    if frame[QUICKEST] < ENDLESS:
        return frame[QUICKEST]
    if frame[DRAWN] == 0:
        return frame[SLOWEST]
    weight = frame[LOSING] + keeping * frame[DRAWN]
    return open_draw + (2 * (frame[LOSING] * sure + keeping * frame[HOPES]) + weight) // (2 * weight)


@kernel
def walk(images: Array, lines: Array, weights: tuple, numbers: Array, codes: Array, lures: Array) -> int:
    """Compute the value of every position. Write numbers (plus one), codes and lures by slot, and return how many
    positions there are.

    The lure of a drawn position is the best trap that the side to move can set with a move that holds the draw. The
    number of slots must be a power of two above the number of positions.
    """
    finished, open_draw = weights[2], weights[3]
    board, left, hidden = np.zeros(9, np.int64), np.full(7, 2), np.zeros(7, np.int64)
    frames = np.zeros((DEEPEST, 11), np.int64)
    frames[0, QUICKEST] = ENDLESS
    frames[0, SLOWEST] = -1
    depth, found = 0, 0
    while True:
        frame, seat, code, lure = frames[depth], depth % 2, -1, 0
        if frame[NEXT] == 0 and has_lost(board, seat, lines):
            code = 0
        while code < 0:
            choice = frame[NEXT]
            if choice == 27:
                code = value_frame(frame, weights)
                lure = frame[LURE] if code >= finished else 0
                break
            frame[NEXT] += 1
            cell, piece = choice // 3, 3 * seat + choice % 3 + 1
            under = board[cell]
            if left[piece] == 0 or (under and (under - 1) % 3 >= choice % 3):
                continue
            frame[PIECE], frame[CELL], frame[UNDER] = piece, cell, under
            board[cell] = piece
            left[piece] -= 1
            hidden[under] += 1
            slot = slot_of(number_of(board, hidden, images), numbers)
            if numbers[slot] == 0:
                break
            take_back(board, left, hidden, frame)
            learn(frame, np.int64(codes[slot]), np.int64(lures[slot]), finished, open_draw)
        if code < 0:
            depth += 1
            frames[depth] = 0
            frames[depth, QUICKEST] = ENDLESS
            frames[depth, SLOWEST] = -1
            continue
        number = number_of(board, hidden, images)
        slot = slot_of(number, numbers)
        numbers[slot], codes[slot], lures[slot] = number + 1, code, lure
        found += 1
        if depth == 0 or found == len(numbers):
            return found
        depth -= 1
        take_back(board, left, hidden, frames[depth])
        learn(frames[depth], code, lure, finished, open_draw)


@inlined
def take_back(board, left, hidden, frame):
    board[frame[CELL]] = frame[UNDER]
    left[frame[PIECE]] += 1
    hidden[frame[UNDER]] -= 1


@inlined
def learn(frame, code, lure, finished, open_draw):
    """Record a move that leads to a position with this code and lure."""
    frame[MOVES] += 1
    if code >= finished:
        frame[DRAWN] += 1
        frame[HOPES] += lure
        frame[LURE] = max(frame[LURE], code - open_draw)
    elif code % 2 == 0:
        frame[QUICKEST] = min(frame[QUICKEST], code + 1)
    else:
        frame[LOSING] += 1
        frame[SLOWEST] = max(frame[SLOWEST], code + 1)


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
    `value_frame`. The positions are in blocks of at most `most`, with no step above `farthest`."""
    slots, codes, lures = np.zeros(SLOTS, np.uint32), np.zeros(SLOTS, np.uint8), np.zeros(SLOTS, np.uint8)
    walk(np.array(images), np.array(lines), weights, slots, codes, lures)
    order = np.argsort(slots, kind="stable")[np.count_nonzero(slots == 0) :]
    numbers = slots[order] - np.uint32(1)
    is_first, steps = np.empty(len(numbers), np.bool_), np.empty(len(numbers), np.uint16)
    cut(numbers, most, farthest, is_first, steps)
    starts = np.append(np.flatnonzero(is_first), len(numbers)).astype(np.uint32)
    return {"firsts": numbers[is_first], "starts": starts, "steps": steps, "codes": codes[order]}

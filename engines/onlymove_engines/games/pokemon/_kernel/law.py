"""The law once more for numba, on position numbers. Knows nothing of values. Numbers are those of index.py.

Placing piece t (1..6 for a b c A B C) on cell i, which shows o, changes the number by

    (t - o) x 81 x 7^(8-i)  +  27, 9, 3 or 1 if o is a, b, A or B (one more of that kind is covered)

and the same holds in each of the eight images with i's image, so children are numbered without turning boards.
"""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from onlymove_engines.search.jit import kernel

Array: TypeAlias = npt.NDArray[Any]

# Compiled into the kernels, so they stand here and not in the modules they repeat; a test holds them together.
MOST_MOVES = 27
HASH = 11400714819323
"""A large odd factor: spreads numbers over the slots of a hash table."""
COVERED_STATES = 81

IMAGES = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8),
    (6, 3, 0, 7, 4, 1, 8, 5, 2),
    (8, 7, 6, 5, 4, 3, 2, 1, 0),
    (2, 5, 8, 1, 4, 7, 0, 3, 6),
    (2, 1, 0, 5, 4, 3, 8, 7, 6),
    (6, 7, 8, 3, 4, 5, 0, 1, 2),
    (0, 3, 6, 1, 4, 7, 2, 5, 8),
    (8, 5, 2, 7, 4, 1, 6, 3, 0),
)
ALL_IMAGES = len(IMAGES)
WEIGHTS = np.array([[7 ** (8 - image.index(cell)) for cell in range(9)] for image in IMAGES], np.int64)
"""WEIGHTS[s, i]: what a piece on cell i weighs in image s of the board."""

COVER = np.array([0, 27, 9, 0, 3, 1, 0], np.int64)
SIZE = np.array([0, 1, 2, 3, 1, 2, 3], np.int64)
LINES = np.array([(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)], np.int64)


@kernel
def unpack(number: int, board: Array, left: Array) -> int:
    """Fill `board` (9 cells, 0..6) and `left` (7: pieces in hand by kind, entry 0 unused); give the seat to move."""
    rest = number // COVERED_STATES
    covered = number % COVERED_STATES
    left[:] = 2
    for i in range(8, -1, -1):
        board[i] = rest % 7
        left[board[i]] -= 1
        rest //= 7
    left[1] -= covered // 27
    left[2] -= covered // 9 % 3
    left[4] -= covered // 3 % 3
    left[5] -= covered % 3
    return left[4] + left[5] + left[6] - left[1] - left[2] - left[3]


@kernel
def has_line(board):
    """Whether three visible pieces of one team stand in a line."""
    for k in range(8):
        x = board[LINES[k, 0]]
        y = board[LINES[k, 1]]
        z = board[LINES[k, 2]]
        if x > 0 and y > 0 and z > 0 and (x > 3) == (y > 3) and (y > 3) == (z > 3):
            return True
    return False


@kernel
def children(board: Array, left: Array, seat: int, covered: int, images: int, numbers: Array, moves: Array) -> int:
    """Write every child's number and its move, cell x 3 + size (0..2), in the rules' order; give how many.

    Of the first `images` images the least counts: ALL_IMAGES gives canonical numbers, 1 those of the children as
    they lie. A finished line has no children, nor has a number that describes no position (a damaged table's).
    """
    if has_line(board) or seat < 0 or seat > 1:
        return 0
    code = np.zeros(8, np.int64)
    for s in range(images):
        for i in range(9):
            code[s] += board[i] * WEIGHTS[s, i]
    count = 0
    for i in range(9):
        o = board[i]
        for size in range(SIZE[o], 3):
            t = 3 * seat + size + 1
            if left[t] > 0:
                least = code[0] + (t - o) * WEIGHTS[0, i]
                for s in range(1, images):
                    image = code[s] + (t - o) * WEIGHTS[s, i]
                    least = min(least, image)
                numbers[count] = least * COVERED_STATES + covered + COVER[o]
                moves[count] = 3 * i + size
                count += 1
    return count

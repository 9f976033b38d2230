"""The law once more for numba, on position numbers. Knows nothing of values.

A number is the word of a position; `index.py` draws it. Its board is the least of eight, one for each image:

    number = least board x 81 + covered
    board  = sum over cells i of piece x 7^(8-i)            1..6 for a b c A B C, 0 for nothing
    covered = 27, 9, 3 and 1 times the a, b, A and B that lie covered

Placing piece t on cell i, which shows o, adds (t - o) x 7^(8-i) to the board, and what o weighs to `covered`; the
same holds in each image with i's image, so children are numbered without turning boards. A move is a word too:

    move = 3 x cell + size (0..2)
"""

import numpy as np

from onlymove_engines.search.jit import Array, inlined, kernel, lean

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


@inlined
def boards_of(board, boards):
    """The eight board words of what stands on 9 cells."""
    for s in range(ALL_IMAGES):
        boards[s] = 0
    for i in range(9):
        for s in range(ALL_IMAGES):
            boards[s] += board[i] * WEIGHTS[s, i]


@kernel
def packed(board, left):
    """The canonical number of a board (9 cells, 0..6) with so many pieces in hand (7: by kind, entry 0 unused); -1
    when a large piece is missing."""
    boards = np.empty(ALL_IMAGES, np.int64)
    boards_of(board, boards)
    covered = 0
    for t in range(1, 7):
        missing = 2 - left[t] - np.sum(board == t)
        if missing and COVER[t] == 0:
            return -1
        covered += COVER[t] * missing
    return boards.min() * COVERED_STATES + covered


@lean
def parted(number: int, board: Array, left: Array) -> int:
    """Fill `board` and `left` with what the number says; give the seat to move. No image is turned back."""
    rest = number // COVERED_STATES
    covered = number % COVERED_STATES
    for t in range(7):
        left[t] = 2
    for i in range(8, -1, -1):
        board[i] = rest % 7
        left[board[i]] -= 1
        rest //= 7
    left[1] -= covered // 27
    left[2] -= covered // 9 % 3
    left[4] -= covered // 3 % 3
    left[5] -= covered % 3
    return seat_of(left)


@inlined
def seat_of(left):
    """Who moves: the second player has as many pieces left as the first, or one more."""
    return left[4] + left[5] + left[6] - left[1] - left[2] - left[3]


@inlined
def packed_move(cell, size):
    """The word of a move."""
    return 3 * cell + size


def parted_move(move: int) -> tuple[int, int]:
    """Cell and size of a move. For Python: no kernel takes a move apart."""
    return move // 3, move % 3


@lean
def has_line(board):
    """Whether three visible pieces of one team stand in a line."""
    for k in range(8):
        x = board[LINES[k, 0]]
        y = board[LINES[k, 1]]
        z = board[LINES[k, 2]]
        if x > 0 and y > 0 and z > 0 and (x > 3) == (y > 3) and (y > 3) == (z > 3):
            return True
    return False


@inlined
def least_board(boards, cell, change, images):
    """The least of the first board words, 1 or ALL_IMAGES of them, after `change` on a cell."""
    least = boards[0] + change * WEIGHTS[0, cell]
    if images == ALL_IMAGES:
        for s in range(1, ALL_IMAGES):
            least = min(least, boards[s] + change * WEIGHTS[s, cell])
    return least


@lean
def children(
    board: Array, left: Array, seat: int, covered: int, images: int, boards: Array, numbers: Array, moves: Array
) -> int:
    """Write every child's number and its move in the rules' order; give how many.

    Of the first `images` images the least counts: ALL_IMAGES gives canonical numbers, 1 those of the children as
    they lie. A finished line has no children, nor has a number that describes no position (a damaged table's).
    `boards` is room for the images of `board`.
    """
    if has_line(board) or seat < 0 or seat > 1:
        return 0
    boards_of(board, boards)
    count = 0
    for i in range(9):
        o = board[i]
        for size in range(SIZE[o], 3):
            t = 3 * seat + size + 1
            if left[t] > 0:
                numbers[count] = least_board(boards, i, t - o, images) * COVERED_STATES + covered + COVER[o]
                moves[count] = packed_move(i, size)
                count += 1
    return count

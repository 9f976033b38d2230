"""The rules compiled, with positions as the numbers of `index.py`.

The board of a number is the least of eight numbers, one for each symmetric image:

    number  = least board x 81 + covered
    board   = sum over cells i of piece x 7^(8-i)            1..6 for a b c A B C, 0 for an empty cell
    covered = 27, 9, 3 and 1 times the numbers of a, b, A and B that are covered

Placing piece t on cell i, which shows o, adds (t - o) x 7^(8-i) to the board, and the weight of o to `covered`. In each
image, the same holds for the image of i. So the numbers after moves are found without turning boards. A move is packed
as

    move = 3 x cell + size (0..2)
"""

from typing import NamedTuple

import numpy as np

from onlymove_engines.compiled.jit import Array, allocation_free, inlined, kernel

# Kernels are compiled with these constants, so they are repeated here. A test compares them with the originals.
MAX_MOVES = 27
HASH = 11400714819323
"""A large odd factor that spreads numbers over the slots of a hash table."""
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
"""WEIGHTS[s, i] is the weight of a piece on cell i in image s of the board."""

COVER = np.array([0, 27, 9, 0, 3, 1, 0], np.int64)
SIZE = np.array([0, 1, 2, 3, 1, 2, 3], np.int64)
LINES = np.array([(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)], np.int64)
LINE_MASKS = np.sum(1 << LINES, axis=1)
"""The cells of every line as bits."""


class Node(NamedTuple):
    """A position and its moves, in arrays of int64."""

    board: Array
    """The pieces that the 9 cells show."""
    left: Array
    """The pieces in hand by kind. Entry 0 is not used."""
    images: Array
    """The board as a number, in each symmetric image."""
    numbers: Array
    """The canonical numbers of the positions after the moves. `moves` is in the same order."""
    moves: Array


@kernel
def make_node() -> Node:
    numbers, moves = np.zeros(MAX_MOVES, np.int64), np.zeros(MAX_MOVES, np.int64)
    return Node(np.zeros(9, np.int64), np.zeros(7, np.int64), np.zeros(ALL_IMAGES, np.int64), numbers, moves)


@inlined
def boards_of(board, boards):
    """Write the numbers of the eight symmetric images of a board with 9 cells."""
    for s in range(ALL_IMAGES):
        boards[s] = 0
    for i in range(9):
        for s in range(ALL_IMAGES):
            boards[s] += board[i] * WEIGHTS[s, i]


@allocation_free
def pack(node: Node) -> int:
    """Return the canonical number of a board with these pieces in hand, or -1 if a large piece is missing."""
    boards_of(node.board, node.images)
    covered = 0
    for t in range(1, 7):
        missing = 2 - node.left[t]
        for i in range(9):
            missing -= node.board[i] == t
        if missing and COVER[t] == 0:
            return -1
        covered += COVER[t] * missing
    least = node.images[0]
    for s in range(1, ALL_IMAGES):
        least = min(least, node.images[s])
    return least * COVERED_STATES + covered


@allocation_free
def unpack(number: int, board: Array, left: Array) -> int:
    """Fill `board` and `left` with the canonical position of this number. Return the seat to move."""
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
    """Return the seat to move. It is the second player's if that player has more pieces left than the first."""
    return left[4] + left[5] + left[6] - left[1] - left[2] - left[3]


@allocation_free
def has_line(board):
    """Whether three visible pieces of one team are in a line."""
    for k in range(8):
        x = board[LINES[k, 0]]
        y = board[LINES[k, 1]]
        z = board[LINES[k, 2]]
        if x > 0 and y > 0 and z > 0 and (x > 3) == (y > 3) and (y > 3) == (z > 3):
            return True
    return False


@inlined
def wins_now(board, left, seat):
    """Whether the side to move can complete a line with a piece in hand."""
    largest = 2 if left[3 * seat + 3] else 1 if left[3 * seat + 2] else 0 if left[3 * seat + 1] else -1
    own, free = 0, 0
    for i in range(9):
        own |= (board[i] > 3 * seat and board[i] <= 3 * seat + 3) << i
        free |= (SIZE[board[i]] <= largest) << i
    for k in range(8):
        lacking = LINE_MASKS[k] & ~own
        if lacking & (lacking - 1) == 0 and lacking & free:
            return True
    return False


@allocation_free
def list_children(node: Node, seat: int, covered: int) -> int:
    """List the canonical number and the packed form of every move on the node's board, in the order of the rules.
    Return how many there are. There are none if the game is over, or if the number describes no position, as in a
    damaged table."""
    board, images = node.board, node.images
    if has_line(board) or seat < 0 or seat > 1:
        return 0
    boards_of(board, images)
    count = 0
    for i in range(9):
        o = board[i]
        for size in range(SIZE[o], 3):
            t = 3 * seat + size + 1
            if node.left[t] > 0:
                least = images[0] + (t - o) * WEIGHTS[0, i]
                for s in range(1, ALL_IMAGES):
                    least = min(least, images[s] + (t - o) * WEIGHTS[s, i])
                node.numbers[count] = least * COVERED_STATES + covered + COVER[o]
                node.moves[count] = 3 * i + size
                count += 1
    return count

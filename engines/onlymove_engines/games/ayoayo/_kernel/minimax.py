"""Plain minimax as the seed plays it, and games of it against random moves.

The score is player 0's captures minus player 1's, at the depth or at the end of the game; the first of equally
good moves counts, cells ascending. Cutting branches that cannot change that choice does not change the move.
"""

import numpy as np

from onlymove_engines.search.jit import kernel

from .sow import Ints, children, key, own_seeds

HALF = 24
LONGEST = 4096
"""Plies without a capture that `against_random` has room for."""

SEAT, TAKEN, ALPHA, BETA, COUNT, NEXT = 0, 1, 2, 3, 4, 5
"""Places in a row of `frame`: who is to move, captures as first + 64 x second, the window, moves, the next of them."""


@kernel
def enter(frame: Ints, ply: int, seat: int, taken: int, alpha: int, beta: int) -> None:
    """Write down the question that is asked of the board at `ply`."""
    frame[ply, SEAT], frame[ply, TAKEN] = seat, taken
    frame[ply, ALPHA], frame[ply, BETA] = alpha, beta
    frame[ply, COUNT], frame[ply, NEXT] = -1, 0


@kernel
def with_gain(taken: int, seat: int, gain: int) -> int:
    """The captures first + 64 x second after `seat` has sown with this gain."""
    own, theirs = gain & 255, gain >> 8
    return taken + (own + 64 * theirs if seat == 0 else theirs + 64 * own)


@kernel
def lead(taken: int) -> int:
    """Player 0's captures minus player 1's."""
    return (taken & 63) - (taken >> 6)


@kernel
def final(board: Ints, seat: int, taken: int) -> int:
    """The score where `seat`, to move, has no permitted move and sweeps its row."""
    swept = own_seeds(board)
    return lead(taken) + (swept if seat == 0 else -swept)


@kernel
def score(board: Ints, depth: int, after: Ints, gains: Ints, pits: Ints, frame: Ints, nodes: Ints) -> int:
    """Player 0's captures minus player 1's after `depth` plies of best play; exact inside the window of frame 0.

    Frame 0 holds the question; the arrays have a row a ply, `depth` + 1 of them. A loop, for the reason given at
    `search.narrow`.
    """
    ply, here = 0, board
    while True:
        seat = frame[ply, SEAT]
        if frame[ply, COUNT] < 0:
            nodes[0] += 1
            frame[ply, COUNT] = children(here, after[ply], gains[ply], pits[ply])
            taken = frame[ply, TAKEN]
            if frame[ply, COUNT] == 0:
                worth, done = final(here, seat, taken), True
            elif ply == depth or max(taken & 63, taken >> 6) > HALF:
                worth, done = lead(taken), True
            else:
                done = False
        else:
            done = frame[ply, NEXT] == frame[ply, COUNT] or frame[ply, ALPHA] >= frame[ply, BETA]
            worth = frame[ply, ALPHA] if seat == 0 else frame[ply, BETA]
        if not done:
            m = frame[ply, NEXT]
            frame[ply, NEXT] += 1
            taken = with_gain(frame[ply, TAKEN], seat, gains[ply, m])
            enter(frame, ply + 1, 1 - seat, taken, frame[ply, ALPHA], frame[ply, BETA])
            here, ply = after[ply, m], ply + 1
            continue
        if ply == 0:
            return worth
        ply -= 1
        if frame[ply, SEAT] == 0:
            frame[ply, ALPHA] = max(frame[ply, ALPHA], worth)
        else:
            frame[ply, BETA] = min(frame[ply, BETA], worth)
        here = board if ply == 0 else after[ply - 1, frame[ply - 1, NEXT] - 1]


@kernel
def choose(
    board: Ints, seat: int, taken: int, depth: int, after: Ints, gains: Ints, pits: Ints, frame: Ints, nodes: Ints
) -> int:
    """The cell that minimax of this depth sows; -1 where no move is permitted. The arrays have depth + 1 rows."""
    count = children(board, after[depth], gains[depth], pits[depth])
    boards, captures, cells = after[depth].copy(), gains[depth].copy(), pits[depth].copy()
    best, cell = -1000 if seat == 0 else 1000, -1
    for k in range(count):
        m = count - 1 - k if seat == 0 else k
        alpha, beta = (best, 1000) if seat == 0 else (-1000, best)
        enter(frame, 0, 1 - seat, with_gain(taken, seat, captures[m]), alpha, beta)
        worth = score(boards[m], depth - 1, after, gains, pits, frame, nodes)
        if (worth > best) if seat == 0 else (worth < best):
            best = worth
            cell = 5 - cells[m] if seat == 0 else cells[m]
    return cell


@kernel
def comes_back(past: Ints, length: int) -> bool:
    """Whether the last of these keys is among those before it."""
    for i in range(length - 1):
        if past[i] == past[length - 1]:
            return True
    return False


@kernel
def against_random(games: int, depth: int, repeats: bool, seed: int, tally: Ints) -> int:
    """Play minimax as player 0 against random moves from the start; returns the longest game in plies.

    `tally` gets player 0's wins, draws, losses and unfinished games. With `repeats` positions may come back, as
    in the seed, and a game is given up after `LONGEST` plies without a capture; else repetition ends it.
    """
    board, past = np.empty(12, np.int64), np.empty(LONGEST, np.int64)
    after, frame = np.empty((depth + 1, 6, 12), np.int64), np.empty((depth + 1, 6), np.int64)
    gains, pits = np.empty((depth + 1, 6), np.int64), np.empty((depth + 1, 6), np.int64)
    nodes = np.zeros(1, np.int64)
    np.random.seed(seed)
    most = 0
    for _ in range(games):
        board[:] = 4
        taken, ply, quiet, worth = 0, 0, 0, 0
        while True:
            seat = ply & 1
            cell = choose(board, seat, taken, depth, after, gains, pits, frame, nodes) if seat == 0 else -1
            count = children(board, after[0], gains[0], pits[0])
            past[quiet] = key(board) * 2 + seat
            quiet += 1
            worth = final(board, seat, taken) if count == 0 else lead(taken)
            if count == 0 or max(taken & 63, taken >> 6) > HALF or (not repeats and comes_back(past, quiet)):
                break
            if quiet == LONGEST:
                break
            pick = np.random.randint(0, count)
            for m in range(count):
                if 5 - pits[0, m] == cell:
                    pick = m
            if gains[0, pick]:
                quiet = 0
            taken = with_gain(taken, seat, gains[0, pick])
            board[:] = after[0, pick]
            ply += 1
        most = max(most, ply)
        tally[3 if quiet == LONGEST else 0 if worth > 0 else 1 if worth == 0 else 2] += 1
    return most

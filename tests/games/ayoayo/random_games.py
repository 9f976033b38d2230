"""Plays games of the original program's minimax against random moves, under its rules or ours."""

import numpy as np
from onlymove_engines.compiled.jit import Array, kernel
from onlymove_engines.games.ayoayo._kernel.moves import count_own_seeds, key, list_children, net
from onlymove_engines.games.ayoayo._kernel.search import choose, has_majority, pass_turn

MAX_PLIES = 4096
"""The most plies without a capture for which `against_random` has room."""


@kernel
def comes_back(past: Array, length: int) -> bool:
    """Whether the last of these keys occurs earlier."""
    for i in range(length - 1):  # noqa: SIM110 - numba compiles no generators inside `any`
        if past[i] == past[length - 1]:
            return True
    return False


@kernel
def play_against_random(games: int, depth: int, own: int, repeats: bool, seed: int, tally: Array) -> int:
    """Play minimax as player `own` against random moves from the start. Return the longest game in plies. If `own` is
    neither player, both move at random.

    `tally` gets player 0's wins, draws, losses and unfinished games. With `repeats`, positions may occur again, as in
    the original program, and a game is given up after `MAX_PLIES` plies without a capture. Otherwise a repetition ends
    it.
    """
    board, past = np.empty(12, np.int64), np.empty(MAX_PLIES, np.int64)
    after = np.empty((depth + 1, 6, 12), np.int64)
    gains, pits = np.empty((depth + 1, 6), np.int64), np.empty((depth + 1, 6), np.int64)
    np.random.seed(seed)
    most = 0
    for _ in range(games):
        board[:] = 4
        taken, ply, quiet, worth = 0, 0, 0, 0
        while True:
            seat = ply & 1
            pit = choose(board, taken, depth, seat == 0, after, gains, pits) if seat == own else -1
            count = list_children(board, after[0], gains[0], pits[0])
            past[quiet] = key(board) * 2 + seat
            quiet += 1
            worth = net(taken) + (count_own_seeds(board) if count == 0 else 0)
            if seat == 1:
                worth = -worth
            if count == 0 or has_majority(taken) or (not repeats and comes_back(past, quiet)):
                break
            if quiet == MAX_PLIES:
                break
            pick = np.random.randint(0, count)
            for m in range(count):
                if pits[0, m] == pit:
                    pick = m
            if gains[0, pick]:
                quiet = 0
            taken = pass_turn(taken, gains[0, pick])
            board[:] = after[0, pick]
            ply += 1
        most = max(most, ply)
        tally[3 if quiet == MAX_PLIES else 0 if worth > 0 else 1 if worth == 0 else 2] += 1
    return most

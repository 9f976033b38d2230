"""Plain minimax as the seed plays it.

The score is player 0's captures minus player 1's, at the depth or at the end of the game; the first of equally
good moves counts, cells ascending. Cutting branches that cannot change that choice does not change the move.
"""

from onlymove_engines.search.jit import Array, kernel

from .moves import children, net, own_seeds, packed, parted

HALF = 24

SEAT, TAKEN, ALPHA, BETA, COUNT, NEXT = 0, 1, 2, 3, 4, 5
"""Places in a row of `frame`: who is to move, captures so far, the window, moves, the next of them."""


@kernel
def enter(frame: Array, ply: int, seat: int, taken: int, alpha: int, beta: int) -> None:
    """Write down the question that is asked of the board at `ply`."""
    frame[ply, SEAT], frame[ply, TAKEN] = seat, taken
    frame[ply, ALPHA], frame[ply, BETA] = alpha, beta
    frame[ply, COUNT], frame[ply, NEXT] = -1, 0


@kernel
def with_gain(taken: int, seat: int, gain: int) -> int:
    """The captures of both players after `seat` has sown with this gain."""
    own, theirs = parted(gain)
    return taken + (gain if seat == 0 else packed(theirs, own))


@kernel
def has_majority(taken: int) -> bool:
    """Whether somebody has captured more than half of the seeds."""
    first, second = parted(taken)
    return max(first, second) > HALF


@kernel
def final(board: Array, seat: int, taken: int) -> int:
    """The score where `seat`, to move, has no permitted move and sweeps its row."""
    swept = own_seeds(board)
    return net(taken) + (swept if seat == 0 else -swept)


@kernel
def score(board: Array, depth: int, after: Array, gains: Array, pits: Array, frame: Array) -> int:
    """Player 0's captures minus player 1's after `depth` plies of best play; exact inside the window of frame 0.

    Frame 0 holds the question; the arrays have a row a ply, `depth` + 1 of them. A loop, for the reason given at
    `search.narrow`.
    """
    ply, here = 0, board
    while True:
        seat = frame[ply, SEAT]
        if frame[ply, COUNT] < 0:
            frame[ply, COUNT] = children(here, after[ply], gains[ply], pits[ply])
            taken = frame[ply, TAKEN]
            if frame[ply, COUNT] == 0:
                worth, done = final(here, seat, taken), True
            elif ply == depth or has_majority(taken):
                worth, done = net(taken), True
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
    board: Array, seat: int, taken: int, depth: int, after: Array, gains: Array, pits: Array, frame: Array
) -> int:
    """The cell that minimax of this depth sows; -1 where no move is permitted. The arrays have depth + 1 rows."""
    count = children(board, after[depth], gains[depth], pits[depth])
    boards, captures, cells = after[depth].copy(), gains[depth].copy(), pits[depth].copy()
    best, cell = -1000 if seat == 0 else 1000, -1
    for k in range(count):
        m = count - 1 - k if seat == 0 else k
        alpha, beta = (best, 1000) if seat == 0 else (-1000, best)
        enter(frame, 0, 1 - seat, with_gain(taken, seat, captures[m]), alpha, beta)
        worth = score(boards[m], depth - 1, after, gains, pits, frame)
        if (worth > best) if seat == 0 else (worth < best):
            best = worth
            cell = 5 - cells[m] if seat == 0 else cells[m]
    return cell

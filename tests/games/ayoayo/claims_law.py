"""What it takes for Ayòayò's own claims to be true, by sowing seed by seed on a plain board."""

from __future__ import annotations

from onlymove_engines.games.ayoayo.claims import Feeds, Takes, TakesLess
from onlymove_laws.claims import Case


def captured(pits: tuple[int, ...], seat: int, cell: int) -> list[int]:
    """What a sowing captures for either side: four in a pit go to its owner, the last four to the sower."""
    board, taken = list(pits), [0, 0]
    pit = 11 - cell if seat == 0 else cell
    while True:
        hand, board[pit] = board[pit], 0
        while hand:
            pit, hand = (pit + 1) % 12, hand - 1
            board[pit] += 1
            if board[pit] == 4:
                board[pit] = 0
                taken[seat if hand == 0 else 0 if pit >= 6 else 1] += 4
        if board[pit] < 2:
            return taken


def best_of(case: Case, position: object) -> list[int]:
    """The moves of a position that give most."""
    moves = case.analyst.analyse(position).moves
    top = max(value.preference for value in moves.values() if value)
    return [move for move, value in moves.items() if value and value.preference == top]


def takes(case: Case, claim: Takes) -> bool:
    there, theirs, seat = case.child, case.child.to_move, case.position.to_move
    for move in claim.line[:-1]:
        if move not in best_of(case, there) or any(captured(there.pits, there.to_move, move)):
            return False
        there = case.game.rules.play(there, move)
    last = captured(there.pits, there.to_move, claim.line[-1])
    is_theirs = there.to_move == theirs and claim.line[-1] in best_of(case, there)
    return bool(is_theirs and last[theirs] - last[seat] == claim.seeds > 0)


def takes_less(case: Case, claim: TakesLess) -> bool:
    here, seat = case.position, case.position.to_move
    most = max(captured(here.pits, seat, move)[seat] for move in best_of(case, here))
    return bool(captured(here.pits, seat, case.move)[seat] == claim.seeds < claim.could == most)


def feeds(case: Case, claim: Feeds) -> bool:
    here, seat = case.position, case.position.to_move
    return bool(captured(here.pits, seat, case.move)[1 - seat] == claim.seeds > 0)


OWN = {"Takes": takes, "TakesLess": takes_less, "Feeds": feeds}

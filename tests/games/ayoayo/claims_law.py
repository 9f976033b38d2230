"""Checks the claims that only Ayòayò makes, by sowing seed by seed on a plain board."""

from __future__ import annotations

from typing import Any

from onlymove_engines.core.game import Claim
from onlymove_engines.games.ayoayo.coach import Capture
from onlymove_laws.claims import Case, Line


def count_captures(pits: tuple[int, ...], seat: int, cell: int) -> list[int]:
    """Return what a sowing captures for each side. Four seeds in a pit go to its owner, but the last seed's four go to
    the sower."""
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


def find_best_moves(case: Case, line: Line) -> list[int]:
    """Return the best moves at the end of a line."""
    moves = case.values(line)
    top = max(value.preference for value in moves.values() if value)
    return [move for move, value in moves.items() if value and value.preference == top]


def is_next(case: Case, capture: Capture, chosen: int) -> bool:
    """Whether a line is best play after its first `chosen` moves, and ends with its first capture."""
    line = case.line
    for ply, move in enumerate(capture.line):
        if ply >= chosen and move not in find_best_moves(case, line):
            return False
        gains = count_captures(line[-1].pits, line[-1].to_move, move)
        if ply < len(capture.line) - 1 and ply >= chosen and any(gains):
            return False
        last, line = gains, case.extend(line, move)
    return bool(last[capture.taker] == capture.seeds > capture.given == last[1 - capture.taker])


def takes(case: Case, claim: Claim) -> bool:
    is_theirs = claim.facts["capture"].taker != case.position.to_move
    return is_theirs and claim.facts["capture"].line[0] == case.move and is_next(case, claim.facts["capture"], 1)


def is_turn_true(case: Case, claim: Claim) -> bool:
    """Whether the claim is true. Points must also be at stake for the sides that it names, and for nobody if it says
    so."""
    seat, values = case.position.to_move, case.values(case.line)
    owed, left = max(value.margin or 0 for value in values.values() if value), values[case.move]
    to_come = 0 if left is None else left.margin or 0
    was = owed == 0 if claim.facts["before"] is None else owed > 0 and claim.facts["before"].taker == seat
    now = to_come == 0 if claim.facts["after"] is None else to_come < 0 and claim.facts["after"].taker != seat
    lines = [(claim.facts["before"], 0), (claim.facts["after"], 1)]
    return was and now and all(is_next(case, capture, chosen) for capture, chosen in lines if capture is not None)


def takes_less(case: Case, claim: Claim) -> bool:
    here, seat = case.position, case.position.to_move
    most = max(count_captures(here.pits, seat, move)[seat] for move in find_best_moves(case, case.line))
    return bool(count_captures(here.pits, seat, case.move)[seat] == claim.facts["seeds"] < claim.facts["could"] == most)


def feeds(case: Case, claim: Claim) -> bool:
    here, seat = case.position, case.position.to_move
    least = min(count_captures(here.pits, seat, move)[1 - seat] for move in find_best_moves(case, case.line))
    return bool(
        count_captures(here.pits, seat, case.move)[1 - seat] == claim.facts["seeds"] > claim.facts["least"] == least
    )


def captures(case: Case, claim: Claim) -> bool:
    here, seat, better = case.position, case.position.to_move, claim.facts["better"]
    gains = count_captures(here.pits, seat, better)
    return better in find_best_moves(case, case.line) and (gains[seat], gains[1 - seat]) == claim.facts["gain"]


def gets_last_seeds(case: Case, claim: Claim) -> bool:
    """Whether the other side gets all seeds on the board, which are one capture, and another move prevents it."""
    left, values = sum(case.position.pits), case.values(case.line)
    margins = {move: value.margin or 0 for move, value in values.items() if value}
    return bool(left == claim.facts["seeds"] <= 4 and margins[case.move] == -left < max(margins.values()))


OWN = {
    "LastSeeds": gets_last_seeds,
    "Captures": captures,
    "Takes": takes,
    "TakesLess": takes_less,
    "Feeds": feeds,
    "Turned": is_turn_true,
}


def parts(case: Case) -> dict[frozenset[Any], str]:
    """Return nothing, because a sowing has no parts."""
    return {}

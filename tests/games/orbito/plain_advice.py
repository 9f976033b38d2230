"""The advice in terms of positions and moves of the plain rules. `None` means that it says nothing about a move."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from onlymove_engines.games.orbito.rules import BIT, INNER, LINES, RULES, Move, Position


def moves(position: Position) -> Sequence[Move]:
    """Return the legal moves in the order of the table."""
    return RULES.legal_moves(position)


def leaves_no_three(before: Position, move: Move) -> bool:
    later = RULES.play(before, move).shift()
    theirs = later[1 - RULES.to_move(before)]
    return all(sum(bool(theirs & line & bit) for bit in BIT.values()) < 3 for line in LINES)


def pushes_out(before: Position, move: Move) -> bool | None:
    return move[0] in INNER and move[1] not in INNER if len(move) == 3 else None


def gains_inner_cell(before: Position, move: Move) -> tuple[bool, int]:
    after, seat = RULES.play(before, move), RULES.to_move(before)
    inside = [sum(bool(marbles & BIT[cell]) for cell in INNER) for marbles in after]
    return leaves_no_three(before, move), inside[seat] - inside[1 - seat]


@lru_cache(maxsize=1)
def best_lead(before: Position) -> tuple[bool, int]:
    return max(gains_inner_cell(before, move) for move in moves(before))


FOLLOWS: Mapping[str, Callable[[Position, Move], bool | None]] = {
    "inside": lambda before, move: gains_inner_cell(before, move) == best_lead(before),
    "no-three": leaves_no_three,
    "inner": lambda before, move: move[-1] in ("b2", "b3", "c2", "c3"),
    "push-out": pushes_out,
    "push": lambda before, move: len(move) == 3,
    "corner": lambda before, move: move[-1] in ("a1", "a4", "d1", "d4"),
}

"""The advice in terms of positions and moves of the plain rules, with Top to move. `None` means that it says nothing
about a move."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from onlymove_engines.games.tobito.rules import BOTTOM, HOME, NEUTRAL, PAWN, RULES, TOP, Move, Position, list_flights
from onlymove_engines.games.tobito.rules import apply_move as fly


def moves(position: Position) -> Sequence[Move]:
    """Return the legal moves in the order of the table."""
    return RULES.legal_moves(position)


def is_safe(before: Position, move: Move) -> bool:
    landed = fly(before, move)
    return not any(landed.cells[cell] == PAWN[TOP] for flight in list_flights(landed) for cell in flight.jumped)


def is_far_back(before: Position, move: Move) -> bool | None:
    return all(cell in HOME[BOTTOM] for cell in move.pawns) if move.pawns else None


def gives_no_springboard(before: Position, move: Move) -> bool | None:
    cells = fly(before, move).cells
    behind = [cell for cell in range(12) if cells[cell] == cells[cell + 3] == PAWN[BOTTOM]]
    return not behind if move.pawns else None


def keeps_neutral_before_home(before: Position, move: Move) -> bool | None:
    return None if move.neutral is None else fly(before, move).cells.index(NEUTRAL) in (9, 10, 11)


def compare_race(before: Position, move: Move) -> tuple[bool, int]:
    cells = fly(before, move).cells
    return is_safe(before, move), -sum(cell // 3 for cell in range(15) if cells[cell] in PAWN)


@lru_cache(maxsize=1)
def best_race(before: Position) -> tuple[bool, int]:
    return max(compare_race(before, move) for move in moves(before))


FOLLOWS: Mapping[str, Callable[[Position, Move], bool | None]] = {
    "race": lambda before, move: compare_race(before, move) == best_race(before),
    "safe": is_safe,
    "far-back": is_far_back,
    "springboard": gives_no_springboard,
    "neutral": keeps_neutral_before_home,
    "arrive": lambda before, move: move.landing in HOME[BOTTOM],
    "two": lambda before, move: len(move.pawns) >= 2,
    "middle": lambda before, move: move.landing in (1, 4, 7, 10, 13),
}

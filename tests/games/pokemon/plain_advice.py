"""The advice in terms of positions and moves of the plain rules. `None` means that it says nothing about a move."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from onlymove_engines.core.value import Seat
from onlymove_engines.games.pokemon.rules import LINES, PLACE, RULES, TEAMS, Placement, Position


def moves(position: Position) -> Sequence[Placement]:
    """Return the legal moves in the order of the table."""
    return RULES.legal_moves(position)


def lines_next(before: Position, move: Placement, seat: Seat) -> set[tuple[int, int, int]]:
    """Return the lines that a side could complete after a move if it were to place next."""
    after = RULES.play(before, move)._replace(seat=seat)
    found = set()
    for reply in RULES.legal_moves(after):
        cells = RULES.play(after, reply).cells
        found |= {line for line in LINES if reply.cell in line and all(cells[cell] in TEAMS[seat] for cell in line)}
    already = {line for line in LINES if all(after.cells[cell] in TEAMS[seat] for cell in line)}
    return found - already


def is_safe(before: Position, move: Placement) -> bool:
    return not lines_next(before, move, 1 - before.seat)


def threatens(lines: int) -> Callable[[Position, Placement], bool | None]:
    def follows(before: Position, move: Placement) -> bool | None:
        return len(lines_next(before, move, before.seat)) >= lines if is_safe(before, move) else None

    return follows


def keeps_large(before: Position, move: Placement) -> bool:
    return RULES.play(before, move).hands[PLACE[TEAMS[before.seat][2]]] > 0


FOLLOWS: Mapping[str, Callable[[Position, Placement], bool | None]] = {
    "safe": is_safe,
    "two-lines": threatens(2),
    "threaten": threatens(1),
    "cover": lambda before, move: before.cells[move.cell] in TEAMS[1 - before.seat],
    "own": lambda before, move: before.cells[move.cell] not in TEAMS[before.seat],
    "centre": lambda before, move: move.cell == 4,
    "keep-large": keeps_large,
    "keep-large-safe": lambda before, move: keeps_large(before, move) if is_safe(before, move) else None,
}

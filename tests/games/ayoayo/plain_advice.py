"""The advice in terms of positions and moves of the plain rules. `None` means that it says nothing about a move."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from onlymove_engines.games.ayoayo import rules
from onlymove_engines.games.ayoayo.rules import Cell, Position, Sown


def moves(position: Position) -> Sequence[Cell]:
    """Return the legal moves in the order of the table, which is the direction of sowing. The first player's begin with
    cell 5."""
    return sorted(rules.legal_moves(position), key=lambda cell: rules.pit_of(position.to_move, cell))


def sow(before: Position, move: Cell) -> Sown:
    found = rules.sow(before.pits, before.to_move, move)
    assert found is not None, "a permitted sowing ends"
    return found


def other_row(before: Position, move: Cell) -> list[int]:
    return [sow(before, move).pits[rules.pit_of(1 - before.to_move, cell)] for cell in rules.CELLS]


def compute_gain(before: Position, move: Cell) -> int:
    captured = sow(before, move).captured
    return captured[before.to_move] - captured[1 - before.to_move]


def maximises(score: Callable[[Position, Cell], int]) -> Callable[[Position, Cell], bool]:
    return lambda before, move: score(before, move) == max(score(before, other) for other in moves(before))


def leaves_fewest_quietly(before: Position, move: Cell) -> bool | None:
    quiet = [other for other in moves(before) if sow(before, other).captured == (0, 0)]
    least = min((sum(other_row(before, other)) for other in quiet), default=0)
    return sum(other_row(before, move)) == least if move in quiet else None


FOLLOWS: Mapping[str, Callable[[Position, Cell], bool | None]] = {
    "gain-then-few": maximises(lambda before, move: 100 * compute_gain(before, move) - sum(other_row(before, move))),
    "quiet": leaves_fewest_quietly,
    "few-pits": maximises(lambda before, move: other_row(before, move).count(0)),
    "gain": maximises(compute_gain),
    "left": lambda before, move: move == moves(before)[0],
    "capture": lambda before, move: sow(before, move).captured[before.to_move] > 0,
    "give": lambda before, move: sow(before, move).captured[1 - before.to_move] == 0,
    "their-threes": maximises(lambda before, move: -other_row(before, move).count(3)),
    "own-threes": lambda before, move: before.pits[rules.pit_of(before.to_move, move)] != 3,
}

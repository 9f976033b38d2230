"""Ayòayò in text: `4,4,4,4,4,4/4,4,4,4,4,4 0-0 0` for positions, `1`..`6` for pits.

A position spells row 0 and row 1 by cell, the seeds captured by player 0 and player 1, and the player to move.
A move is the cell plus one, everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from onlymove_engines.core.errors import BadNotation, BadPosition, GameOver, IllegalMove
from onlymove_engines.core.rules import MovePath, Target

from . import rules
from .reasons import forbidden_by
from .rules import CAPTURED_AT, CELLS, SEEDS, Cell, Pit, Position

_ROW = r"([0-9]{1,2}(?:,[0-9]{1,2}){5})"
_POSITION = re.compile(rf"{_ROW}/{_ROW} ([0-9]{{1,2}})-([0-9]{{1,2}}) ([01])")


def format_position(position: Position) -> str:
    """The canonical spelling."""
    rows = (",".join(map(str, position.row(seat))) for seat in (0, 1))
    first, second = position.captured
    return f"{'/'.join(rows)} {first}-{second} {position.to_move}"


def parse_position(text: str) -> Position:
    """The position spelled `text`. Raises BadNotation for its form, BadPosition for its seeds."""
    found = _POSITION.fullmatch(text.strip())
    if found is None:
        raise BadNotation("a position looks like 4,4,4,4,4,4/4,4,4,4,4,4 0-0 0")
    row0, row1 = ([int(seeds) for seeds in found[group].split(",")] for group in (1, 2))
    position = Position((*row1, *reversed(row0)), (int(found[3]), int(found[4])), int(found[5]))
    check(position)
    return position


def check(position: Position) -> None:
    """Raises BadPosition unless the seeds add up and, while the game goes on, were captured in fours."""
    seeds = sum(position.pits) + sum(position.captured)
    if seeds != SEEDS:
        raise BadPosition(f"{seeds} seeds on the board and captured, not {SEEDS}")
    if any(count % CAPTURED_AT for count in position.captured) and rules.result(position) is None:
        raise BadPosition("captured seeds come in fours while the game goes on")


def format_move(position: Position, move: Cell) -> str:
    """The pit's number, 1..6."""
    return str(move + 1)


def parse_move(position: Position, text: str) -> Cell:
    """The permitted move spelled `text`. Raises BadNotation, IllegalMove or GameOver."""
    name = text.strip()
    if not re.fullmatch("[1-6]", name):
        raise BadNotation("a move is a pit, 1 to 6")
    moves = rules.legal_moves(position)
    if not moves:
        raise GameOver("the game is over")
    if (move := int(name) - 1) not in moves:
        raise IllegalMove(forbidden_by(position, position.to_move, (name,)))
    return move


def paths(position: Position, move: Cell) -> Sequence[MovePath]:
    """One target: the pit, in the row of the side to move."""
    return ((str(move + 1),),)


def target_of(position: Position, pit: Pit) -> Target:
    """The name of any pit: `3` in the row of the side to move, `3'` across."""
    name = str(rules.cell_of(pit) + 1)
    return name if rules.owner(pit) == position.to_move else name + "'"


DIRECT_KEYS = {str(cell + 1): str(cell + 1) for cell in CELLS}
"""A digit sows at once."""

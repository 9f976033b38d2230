"""The compiled twin of the rules in the drawer's own words: children, minimax, warming. Imports numba."""

from __future__ import annotations

from typing import Any

import numpy as np

from onlymove_engines.core.value import other

from . import rules
from ._kernel import minimax, sow
from .deep import Deep
from .index import seen_by
from .rules import START, Cell, Position, Sown


def board_of(position: Position) -> Any:
    """The pits as an array, the side to move first."""
    return np.array(seen_by(position.pits, position.to_move), np.int64)


def rows(plies: int) -> list[Any]:
    """Working memory for so many plies: boards, captures, pits, frames."""
    return [np.zeros(shape, np.int64) for shape in ((plies, 6, 12), *((plies, 6),) * 3)]


def children(position: Position) -> list[tuple[Cell, Position]]:
    """Every legal move with the position after it, in the rules' order; none when somebody has a majority."""
    if rules.has_majority(position):
        return []
    after, gains, pits, _ = rows(2)
    count = sow.children(board_of(position), after[0], gains[0], pits[0])
    seat = position.to_move
    found = []
    for m in range(count):
        own, theirs = int(gains[0, m]) & 255, int(gains[0, m]) >> 8
        captured = (own, theirs) if seat == 0 else (theirs, own)
        board = seen_by(tuple(int(seeds) for seeds in after[0, m]), other(seat))
        child = rules.taken(Position(board, position.captured, other(seat)), Sown(board, captured))
        if sow.children(after[0, m], after[1], gains[1], pits[1]) == 0:
            child = rules.taken(child, rules.swept(child.pits, child.to_move))
        found.append((5 - int(pits[0, m]) if seat == 0 else int(pits[0, m]), child))
    return found[::-1] if seat == 0 else found


def minimax_move(position: Position, depth: int) -> Cell:
    """What the seed's minimax of this depth plays; the position must not be over."""
    first, second = position.captured
    board, seat, taken = board_of(position), position.to_move, first + 64 * second
    after, gains, pits, frame = rows(depth + 1)
    return int(minimax.choose(board, seat, taken, depth, after, gains, pits, frame, np.zeros(1, np.int64)))


def warm() -> None:
    """Compile or load what a game needs."""
    from onlymove_engines.core.budget import Budget  # noqa: PLC0415

    minimax_move(START, 1)
    deep, budget = Deep(np.zeros(1, np.int8)), Budget(nodes=1)
    with deep.session(budget):
        deep.interval(START.pits, budget)
    Deep.loaded = True

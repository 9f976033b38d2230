"""Lists moves by the kernel, for the law that they agree with the rules."""

from __future__ import annotations

import numpy as np
from onlymove_engines.core.value import other
from onlymove_engines.games.ayoayo import rules
from onlymove_engines.games.ayoayo._kernel import moves
from onlymove_engines.games.ayoayo.index import seen_by
from onlymove_engines.games.ayoayo.rules import Cell, Position, Sown


def children(position: Position) -> list[tuple[Cell, Position]]:
    """Return every legal move and the position after it, in the order of the rules. There are none once a side has a
    majority."""
    if rules.has_majority(position):
        return []
    after, gains, pits = np.zeros((2, 6, 12), np.int64), np.zeros((2, 6), np.int64), np.zeros((2, 6), np.int64)
    seat = position.to_move
    count = moves.list_children(np.array(seen_by(position.pits, seat), np.int64), after[0], gains[0], pits[0])
    found = []
    for board, gain, pit in zip(after[0, :count], gains[0, :count], pits[0, :count].tolist(), strict=True):
        own, theirs = moves.unpack(gain)
        sown = Sown(seen_by(tuple(board.tolist()), other(seat)), (own, theirs) if seat == 0 else (theirs, own))
        child = rules.taken(Position(sown.pits, position.captured, other(seat)), sown)
        if moves.list_children(board, after[1], gains[1], pits[1]) == 0:
            child = rules.taken(child, rules.swept(child.pits, child.to_move))
        found.append((5 - pit if seat == 0 else pit, child))
    return found[::-1] if seat == 0 else found

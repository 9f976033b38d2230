"""Lists moves by the kernel, for the law that they agree with the rules."""

from __future__ import annotations

import numpy as np
from onlymove_engines.games.orbito._kernel import moves
from onlymove_engines.games.orbito.analyst import find_lines
from onlymove_engines.games.orbito.rules import RING_ORDER, Move, Position
from onlymove_engines.games.orbito.table import list_neighbours

NAMES = {1 << k: cell for k, cell in enumerate(RING_ORDER)}


def children(position: Position) -> list[tuple[Move, Position]]:
    """Return every legal move and the position after it, in the order of the rules."""
    if moves.final_score(*position, find_lines(), 0) != moves.UNSET:
        return []
    found = np.empty((moves.MAX_MOVES, 5), np.int64)
    rows = found[: moves.expand(*position, list_neighbours(), found)].tolist()
    return sorted((tuple(NAMES[bit] for bit in row[:3] if bit), Position(*row[3:])) for row in rows)

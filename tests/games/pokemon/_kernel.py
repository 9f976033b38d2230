"""A kernel that only tests use. It counts how many moves of the drawn positions hold the draw."""

from __future__ import annotations

import numpy as np
from onlymove_engines.compiled.jit import Array, kernel
from onlymove_engines.games.pokemon._kernel.moves import COVERED_STATES, list_children, make_node, unpack
from onlymove_engines.games.pokemon._kernel.table import DRAWN, OPEN_DRAW, Table, find


@kernel
def choices(table: Table, figures: Array) -> None:
    """Count all moves (`figures[0]`) and the moves that hold the draw (`figures[1]`) in the unfinished draws of a
    table."""
    node = make_node()
    for n in range(len(table.numbers)):
        if table.codes[n] >= OPEN_DRAW:
            number = np.int64(table.numbers[n])
            seat = unpack(number, node.board, node.left)
            count = list_children(node, seat, number % COVERED_STATES)
            figures[0] += count
            for k in range(count):
                at = find(table, node.numbers[k])
                figures[1] += at >= 0 and table.codes[at] >= DRAWN

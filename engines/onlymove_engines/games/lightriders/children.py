"""The compiled boards seen as positions: the twin of the rules, for the test that both are the same law."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._kernel import field
from .lookahead import Lookahead
from .rules import CRASH, HEADS, STEPS, Cell, Position, Round, Step

kernel: Any = field


def landings(tools: Lookahead, head: Cell) -> list[tuple[Step, Cell | None]]:
    """The steps of a rider with the cells they lead to, by the board that `tools` holds."""
    found = np.zeros(4, np.int64)
    number = kernel.ways(tools.tools.boards[0], head, tools.tools, found)
    ways = {int(way): step for way, step in zip(tools.tools.near[head], STEPS, strict=True)}
    return [(ways[int(cell)], int(cell)) for cell in found[:number]] or [(CRASH, None)]


def kernel_children(position: Position) -> Sequence[tuple[Round, Position]]:
    """Every legal round with the position after it, in the rules' order."""
    first, second = position.head(0), position.head(1)
    if first is None or second is None:
        return ()
    tools = Lookahead(position.width, position.height, entries=2)
    tools.load(position)
    return [
        ((a, b), after(tools, position, landing0, landing1))
        for a, landing0 in landings(tools, first)
        for b, landing1 in landings(tools, second)
    ]


def after(tools: Lookahead, position: Position, first: Cell | None, second: Cell | None) -> Position:
    """The position once both have landed, read back from the board of the next round."""
    board = tools.tools.boards[1]
    board[:] = tools.tools.boards[0]
    alive = [cell if first != second else None for cell in (first, second)]
    for cell in alive:
        if cell is not None:
            kernel.clear(board, cell)
    signs = ["." if kernel.is_set(board, cell) else "x" for cell in range(len(position.cells))]
    for seat, cell in enumerate(alive):
        if cell is not None:
            signs[cell] = HEADS[seat]
    return Position(position.width, position.height, "".join(signs))

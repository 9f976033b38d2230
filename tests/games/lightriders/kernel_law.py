"""Lists moves by the kernel, for the law that they agree with the rules. Compiled boards are converted to positions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product

import numpy as np
from onlymove_engines.games.lightriders._kernel import field
from onlymove_engines.games.lightriders.live import Lookahead, find_heads
from onlymove_engines.games.lightriders.rules import CRASH, EMPTY, HEADS, STEPS, Position, Round, Step

from tests.games.lightriders._kernel import ride

WAYS = {**{step: way for way, step in enumerate(STEPS)}, CRASH: -1}


@lru_cache(maxsize=64)
def tools_for(width: int, height: int) -> Lookahead:
    """Return searches for fields of this size."""
    return Lookahead(width, height, entries=2)


def play_rounds(positions: Sequence[Position], rounds: Sequence[Round]) -> list[Position]:
    """Return the position after each round, whatever the riders chose. All positions have the same size and both
    riders."""
    if not positions:
        return []
    width, height = positions[0].width, positions[0].height
    tools = tools_for(width, height).tools
    words = len(tools.dark)
    empty = np.array([find_sign(position, EMPTY, words) for position in positions], np.uint64)
    cells = np.array([find_heads(position, 0) for position in positions], np.int64)
    ride(empty, cells, np.array([[WAYS[step] for step in steps] for steps in rounds], np.int64), tools)
    return [
        read_back(width, height, board.tobytes(), (first, second))
        for board, (first, second) in zip(empty, cells.tolist(), strict=True)
    ]


def find_sign(position: Position, sign: str, words: int) -> list[int]:
    """Return the cells that show `sign` as a row of words."""
    bits = int(position.cells[::-1].translate({ord(sign): "1", **{ord(s): "0" for s in ".x01" if s != sign}}), 2)
    return [bits >> 64 * k & 0xFFFFFFFFFFFFFFFF for k in range(words)]


def read_back(width: int, height: int, board: bytes, landed: Sequence[int]) -> Position:
    """Return the position with these empty cells and the riders where they landed, where -1 stands for a crash."""
    bits = format(int.from_bytes(board, "little"), f"0{width * height}b")[::-1][: width * height]
    signs = ["." if bit == "1" else "x" for bit in bits]
    for seat, cell in enumerate(landed):
        if cell >= 0:
            signs[cell] = HEADS[seat]
    return Position(width, height, "".join(signs))


def steps_of(position: Position, seat: int) -> list[Step]:
    """Return the steps of a rider, according to the compiled boards."""
    tools = tools_for(position.width, position.height)
    tools.load(position)
    head = find_heads(position, 0)[seat]
    found = np.zeros(4, np.int64)
    number = field.list_ways(tools.tools.boards[0], head, tools.tools, found)
    ways = {int(way): step for way, step in zip(tools.tools.near[head], STEPS, strict=True)}
    return [ways[int(cell)] for cell in found[:number]] or [CRASH]


def children(position: Position) -> Sequence[tuple[Round, Position]]:
    """Return every legal round and the position after it, in the order of the rules."""
    if position.head(0) is None or position.head(1) is None:
        return ()
    rounds = list(product(steps_of(position, 0), steps_of(position, 1)))
    return list(zip(rounds, play_rounds([position] * len(rounds), rounds), strict=True))

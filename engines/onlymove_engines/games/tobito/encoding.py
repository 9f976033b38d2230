"""Moves as numbers and positions as planes. Each side sees its own home in the first row."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from itertools import combinations

from onlymove_engines.core.encoding import Encoding, mark_letter
from onlymove_engines.core.value import Seat, other

from .index import SYMMETRIES
from .rules import BETWEEN, BOTTOM, CELLS, COLUMNS, GOAL, MIDDLE, NEUTRAL, PAWN, ROWS, TOP, Move, Position, Variant

MAX_JUMPED = 3
"""A side has three pawns."""


def list_moves_of_top(has_neutral: bool) -> Iterator[Move]:
    """List every move that Top can ever make, and a few that no board allows."""
    for (origin, landing), between in BETWEEN.items():
        if origin in GOAL[TOP]:
            continue
        can_be_jumped = sum(cell not in GOAL[BOTTOM] for cell in between)
        free = [cell for cell in CELLS if cell not in (origin, landing, *between)]
        for count in range(min(MAX_JUMPED, can_be_jumped) + 1):
            for pawns in combinations(free, count):
                yield Move(origin, landing, pawns)
                if has_neutral and count < len(between):
                    for neutral in free:
                        if neutral in MIDDLE and neutral not in pawns:
                            yield Move(origin, landing, pawns, neutral)


MARKS = tuple(map(mark_letter, PAWN))
NEUTRAL_MARK = mark_letter(NEUTRAL)


def make_planes(has_neutral: bool, position: Position, seat: Seat) -> bytes:
    """Return the planes of the player's pawns, of the opponent's and, in Haneto, of the neutral pawn. The player's home
    is in the first row and the goal in the last."""
    cells = position.cells.encode()
    if seat == TOP:
        cells = b"".join([cells[row : row + COLUMNS] for row in range(COLUMNS * (ROWS - 1), -1, -COLUMNS)])
    pawns = cells.translate(MARKS[seat]) + cells.translate(MARKS[other(seat)])
    return pawns + cells.translate(NEUTRAL_MARK) if has_neutral else pawns


@cache
def make_encoding(variant: Variant) -> Encoding[Position, Move]:
    """Return the encoding. Bottom's moves are Top's moves, turned upside down."""
    has_neutral = variant.neutrals > 0
    overturn = next(symmetry.move for symmetry in SYMMETRIES if symmetry.swaps_seats)
    moves = tuple(list_moves_of_top(has_neutral))
    return Encoding(
        moves=(moves, tuple(map(overturn, moves))),
        channels=("own pawns", "other pawns", "neutral pawn")[: 2 + has_neutral],
        rows=ROWS,
        columns=COLUMNS,
        planes=partial(make_planes, has_neutral),
    )

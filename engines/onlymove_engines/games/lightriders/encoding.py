"""A rider's moves as numbers, and fields as planes."""

from __future__ import annotations

from typing import Final

from onlymove_engines.core.encoding import Encoding
from onlymove_engines.core.value import Seat, other

from .rules import CRASH, EMPTY, HEADS, LARGEST, STEPS, Position, Step

ALL_STEPS: Final[tuple[Step, ...]] = (*STEPS, CRASH)
BLOCKED: Final = bytes(letter != ord(EMPTY) for letter in range(256))
"""A table for `bytes.translate` that gives 0 for an empty cell and 1 for any other."""


def make_planes(position: Position, seat: Seat) -> bytes:
    """Return planes for the blocked cells and both heads. The field is in the top left corner, and everything around it
    is blocked."""
    width, height = position.width, position.height
    cells, margin = position.cells.encode().translate(BLOCKED), b"\1" * (LARGEST - width)
    rows = [cells[begin : begin + width] + margin for begin in range(0, width * height, width)]
    blocked = b"".join(rows) + b"\1" * (LARGEST * (LARGEST - height))
    heads = bytearray(2 * LARGEST * LARGEST)
    for plane, rider in enumerate((seat, other(seat))):
        head = position.cells.find(HEADS[rider])
        if head >= 0:
            row, column = divmod(head, width)
            heads[(plane * LARGEST + row) * LARGEST + column] = 1
    return blocked + heads


ENCODING: Encoding[Position, Step] = Encoding(
    moves=(ALL_STEPS, ALL_STEPS),
    channels=("blocked", "own head", "other head"),
    rows=LARGEST,
    columns=LARGEST,
    planes=make_planes,
)

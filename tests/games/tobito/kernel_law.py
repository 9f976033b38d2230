"""Lists moves by the kernel, for the law that they agree with the rules."""

from __future__ import annotations

from collections.abc import Sequence

from onlymove_engines.games.tobito._kernel.moves import list_moves
from onlymove_engines.games.tobito.analyst import make_masks, move_of
from onlymove_engines.games.tobito.rules import CELLS, EMPTY, NEUTRAL, PAWN, Move, Position


def children(position: Position) -> list[tuple[Move, Position]]:
    """Return every legal move and the position after it, in the order of the rules."""
    seat = position.to_move
    found = list_moves(*make_masks([position]), True)
    return [
        (move_of(word), board(after, (PAWN[seat], PAWN[1 - seat], NEUTRAL), 1 - seat))
        for word, after in zip(found.words.tolist(), found.after.tolist(), strict=True)
    ]


def board(masks: Sequence[int], pieces: Sequence[str], seat: int) -> Position:
    """Return the position with these sets of cells."""
    cells = [EMPTY] * len(CELLS)
    for mask, piece in zip(masks, pieces, strict=True):
        for cell in CELLS:
            if mask >> cell & 1:
                cells[cell] = piece
    return Position("".join(cells), seat)

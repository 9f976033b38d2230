"""How a position is set up: which pawn a cell may take."""

from __future__ import annotations

from onlymove_engines.core.game import SetUp
from onlymove_engines.core.rules import Target
from onlymove_engines.core.value import other

from .notation import cell_named
from .rules import CELLS, EMPTY, NEUTRAL, PAWN, SIDES, TOP, Position, Variant


def put(draft: Position, target: Target, piece: str) -> Position:
    """The draft with a pawn, or none, on this cell."""
    cell = cell_named(target)
    return draft._replace(cells=draft.cells[:cell] + piece + draft.cells[cell + 1 :])


def there(draft: Position, target: Target) -> str:
    """What stands on this cell."""
    return draft.cells[cell_named(target)]


def with_other_side(draft: Position) -> Position:
    """The same with the other side to move."""
    return draft._replace(to_move=other(draft.to_move))


def set_up_of(variant: Variant) -> SetUp[Position]:
    """The pawns of one variant."""
    pieces = {pawn: f"a pawn of {side}" for pawn, side in zip(PAWN, SIDES, strict=True)}
    neutral = {NEUTRAL: "the neutral pawn"} if variant.neutrals else {}
    return SetUp(
        {**pieces, **neutral, EMPTY: "nothing"}, put, there, Position(EMPTY * len(CELLS), TOP), with_other_side
    )

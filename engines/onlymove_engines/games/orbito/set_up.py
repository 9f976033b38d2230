"""How a position is set up: which marble a cell may take. The number of marbles says who moves."""

from __future__ import annotations

from onlymove_engines.core.game import SetUp
from onlymove_engines.core.rules import Target

from .rules import BIT, START, Position

WHITE, BLACK, EMPTY = "W", "B", "."


def put(draft: Position, target: Target, piece: str) -> Position:
    """The draft with a marble, or none, on this cell."""
    bit = BIT[target]
    return Position(
        draft.white & ~bit | bit * (piece == WHITE),
        draft.black & ~bit | bit * (piece == BLACK),
    )


def there(draft: Position, target: Target) -> str:
    """What lies on this cell."""
    bit = BIT[target]
    return WHITE if draft.white & bit else BLACK if draft.black & bit else EMPTY


SET_UP: SetUp[Position] = SetUp({WHITE: "a white marble", BLACK: "a black marble", EMPTY: "nothing"}, put, there, START)

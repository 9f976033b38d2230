"""How a position is set up: seeds are put into pits and taken out of them.

Seeds that are not on the board have been captured: half of the fours by each, until a four is given to the other side.
"""

from __future__ import annotations

from dataclasses import replace

from onlymove_engines.core.game import SetUp
from onlymove_engines.core.rules import Target
from onlymove_engines.core.value import Seat, other

from .rules import CAPTURED_AT, SEEDS, Pit, Position, pit_of

MORE, FEWER, NONE, GIVE = "+", "-", ".", "/"
MOST = 19
"""More seeds than in any pit that is worth setting up; the notation takes two digits."""
EMPTY = Position((0,) * 12, (SEEDS // 2, SEEDS // 2), 0)


def put(draft: Position, target: Target, piece: str) -> Position:
    """The draft with one seed more or fewer in this pit, with none, or with four captured seeds given away."""
    if piece == GIVE:
        return given(draft)
    pits, pit = list(draft.pits), pit_called(draft, target)
    pits[pit] = {MORE: min(MOST, pits[pit] + 1), FEWER: max(0, pits[pit] - 1), NONE: 0}[piece]
    captured = max(0, SEEDS - sum(pits))
    first = captured // (2 * CAPTURED_AT) * CAPTURED_AT
    return replace(draft, pits=tuple(pits), captured=(first, captured - first))


def given(draft: Position) -> Position:
    """Four captured seeds of the second player go to the first; where there are none, all go back."""
    first, second = draft.captured
    moved = CAPTURED_AT if second >= CAPTURED_AT else -(first // CAPTURED_AT) * CAPTURED_AT
    return replace(draft, captured=(first + moved, second - moved))


def pit_called(draft: Position, target: Target) -> Pit:
    """The pit that a target names: `3` in the row of the side to move, `3'` across."""
    seat: Seat = other(draft.to_move) if target.endswith("'") else draft.to_move
    return pit_of(seat, int(target[0]) - 1)


def there(_draft: Position, _target: Target) -> str:
    """None of the pieces: a pit holds seeds, and takes one more."""
    return ""


def with_other_side(draft: Position) -> Position:
    """The same with the other side to move."""
    return replace(draft, to_move=other(draft.to_move))


PIECES = {
    MORE: "one seed more",
    FEWER: "one seed fewer",
    NONE: "no seeds",
    GIVE: "move four captured",
}
SET_UP: SetUp[Position] = SetUp(PIECES, put, there, EMPTY, with_other_side)

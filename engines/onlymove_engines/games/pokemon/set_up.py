"""How a position is set up: which piece a cell shows, and how many are left in hand.

What is put on the board leaves the hand, what is taken off comes back; a piece that is covered has left the hand, so
that a hand may be made smaller. The pieces left say who moves.
"""

from __future__ import annotations

from onlymove_engines.core.game import SetUp
from onlymove_engines.core.rules import Target

from .rules import EACH, EMPTY, KINDS, PLACE, START, TEAMS, Position
from .targets import CELLS, SIZES

NAMES = {kind: f"{size} {kind}" for team in TEAMS for kind, size in zip(team, SIZES, strict=True)}


def put(draft: Position, target: Target, piece: str) -> Position:
    """The draft with a piece, or none, on this cell; in the hand of the side to move with one fewer of this size."""
    if target in SIZES:
        return fewer(draft, TEAMS[draft.seat][SIZES.index(target)])
    cell, hands = CELLS.index(target), list(draft.hands)
    for kind, change in ((draft.cells[cell], 1), (piece, -1)):
        if kind != EMPTY:
            hands[PLACE[kind]] = max(0, min(EACH, hands[PLACE[kind]] + change))
    return with_turn(draft.cells[:cell] + piece + draft.cells[cell + 1 :], hands)


def fewer(draft: Position, kind: str) -> Position:
    """One fewer in hand; as many as can be where there are none."""
    hands, place = list(draft.hands), PLACE[kind]
    hands[place] = hands[place] - 1 if hands[place] else max(0, EACH - draft.cells.count(kind))
    return with_turn(draft.cells, hands)


def with_turn(cells: str, hands: list[int]) -> Position:
    """Whoever has more pieces left is to move."""
    return Position(cells, tuple(hands), int(sum(hands[1::2]) > sum(hands[::2])))


def there(draft: Position, target: Target) -> str:
    """What a cell shows; nothing of the hand."""
    return "" if target in SIZES else draft.cells[CELLS.index(target)]


SET_UP: SetUp[Position] = SetUp({**{kind: NAMES[kind] for kind in KINDS}, EMPTY: "nothing"}, put, there, START)

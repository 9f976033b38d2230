"""Which rule forbids a move, in the words of the rules page."""

from __future__ import annotations

from collections.abc import Sequence

from onlymove_engines.core.rules import Target
from onlymove_engines.core.value import Seat

from .rules import CELLS, Position, pit_of, sow

NAMES = tuple(str(cell + 1) for cell in CELLS)


def forbidden_by(position: Position, seat: Seat, path: Sequence[Target]) -> str:
    """What forbids sowing this pit."""
    name = path[0]
    if name not in NAMES:
        return "choose one of your pits, 1 to 6: that one is in the other row"
    cell = NAMES.index(name)
    if not position.pits[pit_of(seat, cell)]:
        return f"pit {name} is empty: choose one of your pits with seeds"
    if sow(position.pits, seat, cell) is None:
        return f"sowing pit {name} would go round for ever: that is not permitted"
    return f"the other row is empty: you must play a move that puts seeds there, not pit {name}"

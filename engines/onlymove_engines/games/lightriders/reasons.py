"""Which rule forbids a step, in the words of the rules page."""

from __future__ import annotations

from collections.abc import Sequence

from onlymove_engines.core.rules import Target
from onlymove_engines.core.value import Seat

from .rules import CRASH, HEADS, RULES, STEPS, Position


def forbidden_by(position: Position, seat: Seat, path: Sequence[Target]) -> str:
    """What forbids this step."""
    step, head = path[0], position.head(seat)
    if step not in STEPS and step != CRASH:
        return "a step is one letter: u, d, l, r (x for a rider with no way out)"
    if step == CRASH or head is None:
        return "x is only for a rider with no way out"
    cell = position.beside(head, step)
    if RULES.moves_of(position, seat) == (CRASH,):
        return "a rider with no way out plays x"
    if cell is None:
        return "a rider crashes when its next cell is off the field"
    if position.cells[cell] in HEADS:
        return "a rider crashes there: even the cell the other has just left is not empty"
    return "a rider crashes when its next cell is not empty: any wall, any trail"

"""What it takes to say why a move is bad: the moves that are like one."""

from __future__ import annotations

from collections.abc import Iterator

from onlymove_engines.core.claim import Claims, Kin

from .rules import RULES, Placement, Position
from .targets import size_target


def kin(position: Position, move: Placement) -> Iterator[Kin[Placement]]:
    """The same cell with another size; the same size on another cell."""
    others = [one for one in RULES.legal_moves(position) if one != move]
    yield Kin("That cell", "with another size", "with any size", tuple(one for one in others if one.cell == move.cell))
    size = f"A {size_target(move.piece)} piece"
    yield Kin(size, "elsewhere", "wherever it goes", tuple(one for one in others if one.piece == move.piece))


CLAIMS: Claims[Position, Placement] = Claims(kin=kin)

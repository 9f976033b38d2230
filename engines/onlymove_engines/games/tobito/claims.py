"""What it takes to say why a move is bad: the board with the other side to move, and the moves that are like one."""

from __future__ import annotations

from collections.abc import Iterator

from onlymove_engines.core.claim import Claims, Kin
from onlymove_engines.core.value import other

from .rules import RULES, Move, Position

MANY = "the jumped pawns"


def passed(position: Position) -> Position | None:
    """The same board with the other side to move."""
    return None if RULES.result(position) else position._replace(to_move=other(position.to_move))


def kin(position: Position, move: Move) -> Iterator[Kin[Move]]:
    """The same flight with what it jumps put elsewhere; the same pawn on its other ways."""
    others = [one for one in RULES.legal_moves(position) if one != move]
    same_flight = tuple(one for one in others if one[:2] == move[:2])
    if same_flight:
        put = "the neutral pawn" if not move.pawns else "the jumped pawn" if len(move.pawns) == 1 else MANY
        are = "are" if put == MANY else "is"
        yield Kin("That jump", f"with {put} put elsewhere", f"wherever {put} {are} put", same_flight)
    elsewhere = tuple(one for one in others if one.origin == move.origin and one.landing != move.landing)
    yield Kin("That pawn", "moved elsewhere", "wherever it goes", elsewhere)


CLAIMS = Claims(passed=passed, kin=kin)

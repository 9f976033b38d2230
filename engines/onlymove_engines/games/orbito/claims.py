"""What it takes to say why a move is bad: the moves that are like one."""

from __future__ import annotations

from collections.abc import Iterator

from onlymove_engines.core.claim import Claims, Kin

from .rules import RULES, Move, Position


def kin(position: Position, move: Move) -> Iterator[Kin[Move]]:
    """The same placement without the push or with another one; the same push with the marble placed elsewhere."""
    *push, place = move
    others = [one for one in RULES.legal_moves(position) if one != move]
    marble = f"The marble on {place}"
    same_place = tuple(one for one in others if one[-1] == place)
    if push:
        yield Kin(marble, "without the push", "", tuple(one for one in same_place if len(one) == 1))
        yield Kin(
            "That push",
            "with the marble elsewhere",
            "wherever the marble goes",
            tuple(one for one in others if [*one[:-1]] == push),
        )
    yield Kin(marble, "with another push" if push else "after a push", "whatever is pushed", same_place)


CLAIMS: Claims[Position, Move] = Claims(kin=kin)

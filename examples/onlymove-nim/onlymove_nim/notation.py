"""Nim in writing: `3,4,5 1` is the start with player 1 to move, `b2` takes two from the second heap."""

from __future__ import annotations

import re
from collections.abc import Sequence

from onlymove.authoring import BadNotation, MovePath

from . import rules
from .rules import START, Position, Take

HEAPS = "abc"


def format_position(position: Position) -> str:
    """The heaps, and 1 or 2 for who moves."""
    return f"{','.join(map(str, position.heaps))} {position.seat + 1}"


def parse_position(text: str) -> Position:
    """The position spelled so. Raises BadNotation."""
    found = re.fullmatch(r"(\d),(\d),(\d) ([12])", text, re.ASCII)
    if found is None:
        raise BadNotation("not a position: heaps and who moves, such as 3,4,5 1")
    *heaps, seat = map(int, found.groups())
    if any(left > most for left, most in zip(heaps, START.heaps, strict=True)):
        raise BadNotation("not a position: no heap is larger than at the start")
    return Position(tuple(heaps), seat - 1)


def format_move(position: Position, move: Take) -> str:
    """The heap's letter and the number."""
    return f"{HEAPS[move.heap]}{move.count}"


def parse_move(position: Position, text: str) -> Take:
    """The legal move spelled so. Raises BadNotation, IllegalMove or GameOver."""
    found = re.fullmatch(rf"([{HEAPS}])(\d)", text, re.ASCII)
    if found is None:
        raise BadNotation("not a move: a heap and how many, such as b2")
    move = Take(HEAPS.index(found[1]), int(found[2]))
    rules.play(position, move)
    return move


def paths(position: Position, move: Take) -> Sequence[MovePath]:
    """First the heap is picked, then the number."""
    return [(HEAPS[move.heap], str(move.count))]

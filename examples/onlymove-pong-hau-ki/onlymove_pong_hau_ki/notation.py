"""Pong Hau K'i in writing: `xx.oo x` is the start with the first player to move, `a1` moves the piece on a1."""

from __future__ import annotations

import re
from collections.abc import Sequence

from onlymove.authoring import BadNotation, MovePath

from . import rules
from .rules import PIECES, Point, Position

NAMES = ("a1", "c1", "b2", "a3", "c3")
"""The points by number."""


def format_position(position: Position) -> str:
    """The five points, and the piece of the side that moves."""
    return f"{position.points} {PIECES[position.seat]}"


def parse_position(text: str) -> Position:
    """The position spelled so. Raises BadNotation."""
    found = re.fullmatch(r"([xo.]{5}) ([xo])", text, re.ASCII)
    if found is None:
        raise BadNotation("not a position: five points and who moves, such as xx.oo x")
    if sorted(found[1]) != sorted("xx.oo"):
        raise BadNotation("not a position: there are two pieces each, and one point is empty")
    return Position(found[1], PIECES.index(found[2]))


def format_move(position: Position, move: Point) -> str:
    """The point that the piece leaves."""
    return NAMES[move]


def parse_move(position: Position, text: str) -> Point:
    """The legal move spelled so. Raises BadNotation, IllegalMove or GameOver."""
    if text not in NAMES:
        raise BadNotation(f"not a move: the point that a piece leaves, one of {', '.join(NAMES)}")
    move = NAMES.index(text)
    rules.play(position, move)
    return move


def paths(position: Position, move: Point) -> Sequence[MovePath]:
    """The piece is picked; there is only one point it can go to."""
    return [(NAMES[move],)]

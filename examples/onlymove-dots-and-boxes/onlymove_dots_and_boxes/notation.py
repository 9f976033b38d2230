"""Dots and Boxes in writing: `000000/000000 1 0-0` is the start with player 1 to move, `b1` draws the line below the
first box."""

from __future__ import annotations

import re
from collections.abc import Sequence

from onlymove.authoring import BadNotation, BadPosition, MovePath

from . import rules
from .rules import ACROSS, BOXES, SPOTS, Line, Position

FORM = re.compile(rf"([01]{{{len(ACROSS)}}})/([01]{{{len(SPOTS) - len(ACROSS)}}}) ([12]) (\d+)-(\d+)", re.ASCII)
NAMES = [f"{chr(ord('a') + x)}{y + 1}" for x, y in SPOTS]
"""The name of each line."""


def format_position(position: Position) -> str:
    """The horizontal and the vertical lines, row by row from below, who moves, and the boxes of both players."""
    bits = f"{position.lines:0{len(SPOTS)}b}"[::-1]
    first, second = position.boxes
    return f"{bits[: len(ACROSS)]}/{bits[len(ACROSS) :]} {position.seat + 1} {first}-{second}"


def parse_position(text: str) -> Position:
    """The position spelled so. Raises BadNotation or BadPosition."""
    found = FORM.fullmatch(text)
    if found is None:
        raise BadNotation("not a position: lines, who moves and boxes, such as 000000/000000 1 0-0")
    position = Position(int((found[1] + found[2])[::-1], 2), int(found[3]) - 1, (int(found[4]), int(found[5])))
    closed = sum(position.lines & box == box for box in BOXES.values())
    if sum(position.boxes) != closed or format_position(position) != text:
        raise BadPosition(f"not a position: {closed} boxes are closed, so the players have {closed} together")
    return position


def format_move(position: Position, move: Line) -> str:
    """The name of the line."""
    return NAMES[move]


def parse_move(position: Position, text: str) -> Line:
    """The legal move spelled so. Raises BadNotation, IllegalMove or GameOver."""
    if text not in NAMES:
        raise BadNotation("not a move: a line, such as b1")
    rules.play(position, NAMES.index(text))
    return NAMES.index(text)


def paths(position: Position, move: Line) -> Sequence[MovePath]:
    """The line is the only thing to pick."""
    return [(NAMES[move],)]

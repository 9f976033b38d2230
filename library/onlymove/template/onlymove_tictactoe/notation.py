"""Tic-tac-toe as text. A board such as `XO./.X./...` is written from the top row down, and a move is a cell such as
`b2`."""

from __future__ import annotations

from collections.abc import Sequence

from onlymove.authoring import BadNotation, BadPosition, MovePath

from . import rules
from .rules import LINES, Cell, Position

SIGNS = {0: "X", 1: "O", None: "."}
OWNERS = {sign: owner for owner, sign in SIGNS.items()}
NAMES = tuple(file + rank for rank in "321" for file in "abc")
"""The name of each cell."""


def format_position(position: Position) -> str:
    """Return the three rows, top row first. The number of marks shows whose turn it is."""
    signs = "".join(SIGNS[owner] for owner in position.owners)
    return "/".join((signs[:3], signs[3:6], signs[6:]))


def parse_position(text: str) -> Position:
    """Read a position. Raises BadNotation or BadPosition."""
    rows = text.split("/")
    if len(rows) != 3 or any(len(row) != 3 or set(row) - set(OWNERS) for row in rows):
        raise BadNotation("Not a position. Write three rows of X, O and dots, such as XO./.X./...")
    owners = tuple(OWNERS[sign] for sign in "".join(rows))
    if owners.count(0) - owners.count(1) not in (0, 1):
        raise BadPosition("X begins, so X must have as many marks as O or one more.")
    lines = {owners[line[0]] for line in LINES if len({owners[cell] for cell in line}) == 1} - {None}
    position = Position(owners)
    if lines - {1 - rules.to_move(position)}:
        raise BadPosition("The game would have ended before this position.")
    return position


def format_move(_position: Position, move: Cell) -> str:
    return NAMES[move]


def parse_move(position: Position, text: str) -> Cell:
    """Read a legal move. Raises BadNotation, IllegalMove or GameOver."""
    if text not in NAMES:
        raise BadNotation("That is not a move. Type a cell, such as b2.")
    move = NAMES.index(text)
    rules.play(position, move)
    return move


def paths(_position: Position, move: Cell) -> Sequence[MovePath]:
    """Return what a player picks on the board to make this move: one cell."""
    return [(NAMES[move],)]

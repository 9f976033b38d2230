"""Tic-tac-toe in writing: `XO./.X./...` is a board from the top row down, `b2` a cell."""

from __future__ import annotations

from collections.abc import Sequence

from onlymove.authoring import BadNotation, BadPosition, MovePath

from . import rules
from .rules import LINES, Cell, Position

SIGNS = {0: "X", 1: "O", None: "."}
OWNERS = {sign: owner for owner, sign in SIGNS.items()}
NAMES = tuple(file + rank for rank in "321" for file in "abc")
"""What each cell is called."""


def format_position(position: Position) -> str:
    """Return the three rows, top row first. The number of marks says whose turn it is."""
    signs = "".join(SIGNS[owner] for owner in position.owners)
    return "/".join((signs[:3], signs[3:6], signs[6:]))


def parse_position(text: str) -> Position:
    """Return the position written as `text`. Raises BadNotation or BadPosition."""
    rows = text.split("/")
    if len(rows) != 3 or any(len(row) != 3 or set(row) - set(OWNERS) for row in rows):
        raise BadNotation("Not a position. Write three rows of X, O and dots, such as XO./.X./...")
    owners = tuple(OWNERS[sign] for sign in "".join(rows))
    if owners.count(0) - owners.count(1) not in (0, 1):
        raise BadPosition("X begins, so there are as many X as O, or one X more.")
    lines = {owners[line[0]] for line in LINES if len({owners[cell] for cell in line}) == 1} - {None}
    position = Position(owners)
    if lines - {1 - rules.to_move(position)}:
        raise BadPosition("The game would have ended before this position.")
    return position


def format_move(_position: Position, move: Cell) -> str:
    """Return the name of the cell."""
    return NAMES[move]


def parse_move(position: Position, text: str) -> Cell:
    """Return the legal move written as `text`. Raises BadNotation, IllegalMove or GameOver."""
    if text not in NAMES:
        raise BadNotation("That is not a move. Type a cell, such as b2.")
    move = NAMES.index(text)
    rules.play(position, move)
    return move


def paths(_position: Position, move: Cell) -> Sequence[MovePath]:
    """Return what a player chooses on the board to make the move: one cell."""
    return [(NAMES[move],)]

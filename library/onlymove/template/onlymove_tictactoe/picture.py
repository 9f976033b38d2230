"""Draws the board of tic-tac-toe in one size, in Unicode or ASCII."""

from __future__ import annotations

from onlymove.authoring import Place, Role, Scene, Sprite, Target, View

from .notation import NAMES
from .rules import Cell, Position

GRIDS = (
    (
        "╭───────────┬───────────┬───────────╮",
        "│           │           │           │",
        "├───────────┼───────────┼───────────┤",
        "╰───────────┴───────────┴───────────╯",
    ),
    (
        "+-----------+-----------+-----------+",
        "|           |           |           |",
        "+-----------+-----------+-----------+",
        "+-----------+-----------+-----------+",
    ),
)
"""The top edge, a row of cells, an inner edge and the bottom edge. The second set is ASCII."""
SIGNS = (
    (("▚ ▞", " █ ", "▞ ▚"), ("▗▄▖", "█ █", "▝▀▘")),
    (("\\ /", " X ", "/ \\"), ("/-\\", "| |", "\\-/")),
)
ROLES = (Role.FIRST, Role.SECOND)
LEFT, TOP, WIDTH, HEIGHT = 2, 1, 11, 3
"""Where the grid begins, and the size of a cell, with space for a sign in the middle and for marks in the corners."""


def corner(cell: Cell) -> tuple[int, int]:
    """Return the column and row of the top left character inside a cell."""
    row, column = divmod(cell, 3)
    return LEFT + 1 + (WIDTH + 1) * column, TOP + 1 + (HEIGHT + 1) * row


def scene(view: View[Position, Cell]) -> Scene:
    """Draw the current position."""
    top, cells, inner, bottom = GRIDS[view.ascii_only]
    rows = (top, *(cells,) * 3, inner, *(cells,) * 3, inner, *(cells,) * 3, bottom)
    sprites = [Sprite(LEFT, TOP, rows, Role.GRID)]
    sprites += [Sprite(corner(cell)[0] + 5, 0, (NAMES[cell][0],), Role.LABEL) for cell in (0, 1, 2)]
    sprites += [Sprite(0, corner(cell)[1] + 1, (NAMES[cell][1],), Role.LABEL) for cell in (0, 3, 6)]
    for cell, owner in enumerate(view.position.owners):
        if owner is not None:
            x, y = corner(cell)
            sprites.append(Sprite(x + 4, y, SIGNS[view.ascii_only][owner], ROLES[owner]))
    places = [Place(name, *corner(cell), WIDTH, HEIGHT) for cell, name in enumerate(NAMES)]
    return Scene(LEFT + len(top), TOP + len(rows), tuple(sprites), tuple(places))


def between(_view: View[Position, Cell]) -> tuple[Scene, ...]:
    """Return pictures of a move in progress. Nothing moves in this game, so there are none."""
    return ()


def trace(_position: Position, move: Cell) -> tuple[Target, ...]:
    """Return the cells to mark as the last move."""
    return (NAMES[move],)

"""The maps of the field that the law does not notice: mirrors, a quarter turn's diagonal, trading the riders."""

from __future__ import annotations

from onlymove_engines.core.game import Symmetry

from .rules import Position, Round

LEFT_RIGHT = str.maketrans("lr", "rl")
UP_DOWN = str.maketrans("ud", "du")
DIAGONAL = str.maketrans("udlr", "lrud")
TRADED = str.maketrans("01", "10")


def rows(position: Position) -> list[str]:
    """The cells, a string for each row."""
    width = position.width
    return [position.cells[at : at + width] for at in range(0, len(position.cells), width)]


def left_right(position: Position) -> Position:
    """The mirror image, left for right."""
    return Position(position.width, position.height, "".join(row[::-1] for row in rows(position)))


def up_down(position: Position) -> Position:
    """The mirror image, top for bottom."""
    return Position(position.width, position.height, "".join(reversed(rows(position))))


def diagonal(position: Position) -> Position:
    """Rows for columns."""
    columns = ("".join(column) for column in zip(*rows(position), strict=True))
    return Position(position.height, position.width, "".join(columns))


def traded(position: Position) -> Position:
    """The same field with the riders' names exchanged."""
    return Position(position.width, position.height, position.cells.translate(TRADED))


def relettered(table: dict[int, int | str | None], move: Round) -> Round:
    """Both steps through a table of letters."""
    return (move[0].translate(table), move[1].translate(table))


SYMMETRIES: tuple[Symmetry[Position, Round], ...] = (
    Symmetry("mirror left and right", left_right, lambda move: relettered({**LEFT_RIGHT}, move)),
    Symmetry("mirror top and bottom", up_down, lambda move: relettered({**UP_DOWN}, move)),
    Symmetry("mirror on the diagonal", diagonal, lambda move: relettered({**DIAGONAL}, move)),
    Symmetry("trade the riders", traded, lambda move: (move[1], move[0]), swaps_seats=True),
)

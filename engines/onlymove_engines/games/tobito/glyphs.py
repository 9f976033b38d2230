"""The shapes of the board and its pieces, in block elements and in ASCII. Knows no position and no colour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

CELL_WIDTH, CELL_HEIGHT = 7, 2
PIECE_WIDTH = 5

Shape = tuple[str, str]


class Line(NamedTuple):
    """One horizontal line of the grid."""

    left: str
    flat: str
    cross: str
    right: str


@dataclass(frozen=True, slots=True)
class Glyphs:
    """One set of shapes. A piece is 5 x 2; the two kinds of pawn differ in filling, the neutral one in outline.

    `pawns` are (Top's, Bottom's), `lifted` the same pieces taken off the board for the moment. `rows` are the
    grid lines from the top edge to the bottom edge, `home_wall` the outer verticals of a home row and `wall` the
    other verticals. `arrows` point along a flight, by (columns, rows) on the screen.
    """

    pawns: tuple[Shape, Shape]
    neutral: Shape
    lifted: tuple[Shape, Shape]
    lifted_neutral: Shape
    rows: tuple[Line, ...]
    home_wall: str
    wall: str
    tint: str
    arrows: dict[tuple[int, int], str]


BLOCKS: Final = Glyphs(
    pawns=(("▟███▙", "▜███▛"), ("▞▀▀▀▚", "▚▄▄▄▞")),
    neutral=("▗▟█▙▖", "▝▜█▛▘"),
    lifted=(("▗▒▒▒▖", "▝▒▒▒▘"), ("▗╌╌╌▖", "▝╌╌╌▘")),
    lifted_neutral=(" ▗▒▖ ", " ▝▒▘ "),
    rows=(Line(*"┏━┯┓"), Line(*"┡━┿┩"), Line(*"├─┼┤"), Line(*"┢━┿┪"), Line(*"┗━┷┛")),
    home_wall="┃",
    wall="│",
    tint="░",
    arrows={
        (0, 1): "▼",
        (0, -1): "▲",
        (1, 0): "►",
        (-1, 0): "◄",
        (1, 1): "╲",
        (-1, -1): "╲",
        (1, -1): "╱",
        (-1, 1): "╱",
    },
)

PLAIN: Final = Glyphs(
    pawns=(("/###\\", "\\###/"), ("/---\\", "\\___/")),
    neutral=(" /N\\ ", " \\N/ "),
    lifted=(("/:::\\", "\\:::/"), (" - - ", " - - ")),
    lifted_neutral=(" /:\\ ", " \\:/ "),
    rows=(Line(*"+=++"), Line(*"+=++"), Line(*"+-++"), Line(*"+=++"), Line(*"+=++")),
    home_wall="|",
    wall="|",
    tint=".",
    arrows={
        (0, 1): "v",
        (0, -1): "^",
        (1, 0): ">",
        (-1, 0): "<",
        (1, 1): "\\",
        (-1, -1): "\\",
        (1, -1): "/",
        (-1, 1): "/",
    },
)

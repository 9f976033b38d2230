"""A picture of a position: glyphs and roles at coordinates, and shapes of any size as text. No colours, no terminal.

A game turns a `View` into a `Scene`; one widget paints any scene, and `Scene.text()` is the plain-text mode
and the golden test."""

from __future__ import annotations

import enum
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Final, Generic, Protocol, TypeAlias

from onlymove_engines.core.rules import M, P, Target


class Role(enum.Enum):
    """The meaning of a glyph; the stylesheet gives each role its colour."""

    GRID = "grid"
    LABEL = "label"
    FIRST = "first"
    SECOND = "second"
    FIRST_FRESH = "first-fresh"
    SECOND_FRESH = "second-fresh"
    NEUTRAL = "neutral"
    HOME_FIRST = "home-first"
    HOME_SECOND = "home-second"
    STORE = "store"
    SPENT = "spent"
    FLOW = "flow"
    WALL = "wall"
    CONTROL_FIRST = "control-first"
    CONTROL_SECOND = "control-second"
    GHOST = "ghost"
    NOTE = "note"
    MOVING = "moving"
    CAPTURE = "capture"
    WHITE = "white"
    BLACK = "black"
    WHITE_SIGN = "white-sign"
    BLACK_SIGN = "black-sign"
    CUT = "cut"
    PLACE = "place"
    PLACE_OTHER = "place-other"
    PLACE_FIRST = "place-first"
    PLACE_SECOND = "place-second"
    BAND = "band"
    BAND_INNER = "band-inner"
    DIMPLE = "dimple"
    LIT = "lit"
    CHIP = "chip"


GROUNDS = frozenset(
    {
        *(Role.PLACE, Role.PLACE_OTHER, Role.PLACE_FIRST, Role.PLACE_SECOND),
        *(Role.BAND, Role.BAND_INNER, Role.DIMPLE, Role.LIT, Role.CHIP),
    }
)
"""What others stand on. As the role of a glyph, a ground is its own rounded edge."""


@dataclass(frozen=True, slots=True)
class Sprite:
    """Some rows of text, with their top left corner at column x and row y. A space in a row is transparent."""

    x: int
    y: int
    rows: tuple[str, ...]
    role: Role


@dataclass(frozen=True, slots=True)
class Tint:
    """The background of a rectangle of characters, behind every glyph. It is only colour. For terminals without
    colours, a glyph or a word must show the same."""

    x: int
    y: int
    width: int
    height: int
    role: Role


@dataclass(frozen=True, slots=True)
class Place:
    """Where a target lies on the picture: the inside of its cell, without the grid lines around it.

    Marks stand at fixed corners that the painter keeps free of pieces, given as (column, row) offsets from (x, y);
    negative ones count from the right or lower edge, as indices do. `mark` is for what can be picked, the order of
    what was picked, and threats; `hint` for what the coach points at; `last` for the ends of the last move; `label`
    is the middle of a value of up to four characters. The cursor is a frame one column and row outside the place
    where the scene has room (`framed`), else brackets in its first and last column. `frame_top` is the row of the
    frame's upper corners, counted from `y`: 0 where a word of the place above stands in the row before.
    """

    target: Target
    x: int
    y: int
    width: int
    height: int
    mark: tuple[int, int] = (0, 0)
    hint: tuple[int, int] = (-1, 0)
    last: tuple[int, int] = (0, -1)
    label: tuple[int, int] = (-3, -1)
    framed: bool = True
    frame_top: int = -1

    def spot(self, offset: tuple[int, int]) -> tuple[int, int]:
        """Return the column and row on the picture of an offset in this place."""
        dx, dy = offset
        return self.x + (dx if dx >= 0 else self.width + dx), self.y + (dy if dy >= 0 else self.height + dy)

    def spots(self) -> tuple[tuple[int, int], ...]:
        """Return the characters where marks are drawn: the three symbols, and three characters of a value."""
        x, y = self.spot(self.label)
        return *map(self.spot, (self.mark, self.hint, self.last)), (x - 1, y), (x, y), (x + 1, y)

    def contains(self, x: int, y: int) -> bool:
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture `width` x `height` characters large. Later sprites and tints cover earlier ones."""

    width: int
    height: int
    sprites: tuple[Sprite, ...]
    places: tuple[Place, ...] = ()
    tints: tuple[Tint, ...] = ()

    def text(self) -> str:
        """Return the picture as plain text, with trailing blanks cut and rows joined by line breaks."""
        return "\n".join("".join(glyph for glyph, _ in row).rstrip() for row in self.cells())

    def cells(self) -> list[list[tuple[str, Role | None]]]:
        """Return the picture as rows of (glyph, role). The role is `None` where nothing was drawn."""
        canvas: list[list[tuple[str, Role | None]]] = [[(" ", None)] * self.width for _ in range(self.height)]
        for sprite in self.sprites:
            for dy, row in enumerate(sprite.rows):
                for dx, glyph in enumerate(row):
                    if glyph != " ":
                        canvas[sprite.y + dy][sprite.x + dx] = (glyph, sprite.role)
        return canvas

    def grounds(self) -> list[list[Role | None]]:
        """Return the background role behind every character; `None` where nothing is tinted."""
        canvas: list[list[Role | None]] = [[None] * self.width for _ in range(self.height)]
        for tint in self.tints:
            for row in canvas[tint.y : tint.y + tint.height]:
                row[tint.x : tint.x + tint.width] = [tint.role] * tint.width
        return canvas

    def place(self, target: Target) -> Place | None:
        return next((place for place in self.places if place.target == target), None)

    def target_at(self, x: int, y: int) -> Target | None:
        return next((place.target for place in self.places if place.contains(x, y)), None)


@dataclass(frozen=True)
class View(Generic[P, M]):
    """The input of a painter. `positions` and `moves` are the game so far, oldest first, with one position more than
    moves. They are needed to draw trails, directions and covered pieces; a position given as text has no past.

    `flipped` turns the board round. `chosen` are the targets already picked for the move being entered. `overlay` asks
    for the game's own overlay (territory, next shift). With `ascii_only`, only ASCII characters are allowed. `scale`
    limits the size of the picture: a painter draws the largest of its sizes that is not above it. With `is_over`,
    nobody moves any more, even if the position does not show that (a resignation, an agreed draw).
    """

    positions: tuple[P, ...]
    moves: tuple[M, ...] = ()
    flipped: bool = False
    chosen: tuple[Target, ...] = ()
    overlay: bool = False
    ascii_only: bool = False
    options: dict[str, Hashable] = field(default_factory=dict)
    scale: int = 1
    is_over: bool = False

    @property
    def position(self) -> P:
        return self.positions[-1]


LARGEST = 3
"""The largest scale: 1 fits 52 x 20 characters, 2 about 80 x 30, 3 about 120 x 44."""


class Painter(Protocol[P, M]):
    def scene(self, view: View[P, M]) -> Scene:
        """Draw `view.position`. The picture's size depends on the scale, and not on what happens on the board."""
        ...

    def between(self, view: View[P, M]) -> tuple[Scene, ...]:
        """Return in-between pictures of the last move of `view`, oldest first; empty if nothing moves on the way."""
        ...

    def trace(self, position: P, move: M) -> tuple[Target, ...]:
        """Return the targets that mark `move`, played from `position`, as the last move: where it began and where it
        ended.
        """
        ...


Shape: TypeAlias = Callable[[float, float], bool]

QUADRANTS: Final = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
"""By the bits upper left 1, upper right 2, lower left 4, lower right 8."""
SAMPLES: Final = 4
"""Points looked at across and down in a quarter of a character."""
HALF: Final = 0.5
"""From this share of a box on it is filled."""


def in_blocks(shape: Shape, width: int, height: int) -> tuple[str, ...]:
    """The shape `width` x `height` characters large, two by two quarters a character.

    >>> in_blocks(disc, 7, 3)
    ('▗▟███▙▖', '███████', '▝▜███▛▘')
    """
    filled = _coverage(shape, 2 * width, 2 * height)
    return tuple(
        "".join(
            QUADRANTS[
                sum(
                    bit
                    for bit, (dx, dy) in ((1, (0, 0)), (2, (1, 0)), (4, (0, 1)), (8, (1, 1)))
                    if filled[2 * y + dy][2 * x + dx] >= HALF
                )
            ]
            for x in range(width)
        )
        for y in range(height)
    )


def in_ascii(shape: Shape, width: int, height: int, fill: str) -> tuple[str, ...]:
    """The shape in one ASCII character.

    >>> in_ascii(disc, 7, 3, "#")
    (' ##### ', '#######', ' ##### ')
    """
    filled = _coverage(shape, width, height)
    return tuple("".join(fill if share >= HALF else " " for share in row) for row in filled)


def _coverage(shape: Shape, columns: int, rows: int) -> list[list[float]]:
    """Return how much of each box of a `columns` x `rows` raster the shape covers, 0..1."""

    def share(x: int, y: int) -> float:
        points = [
            (2 * (x + (i + 0.5) / SAMPLES) / columns - 1, 2 * (y + (j + 0.5) / SAMPLES) / rows - 1)
            for i in range(SAMPLES)
            for j in range(SAMPLES)
        ]
        return sum(shape(*point) for point in points) / len(points)

    return [[share(x, y) for x in range(columns)] for y in range(rows)]


def disc(x: float, y: float) -> bool:
    return x * x + y * y <= 1


def ring(inner: float) -> Shape:
    """Return a disc with a hole of radius `inner`."""
    return lambda x, y: inner * inner <= x * x + y * y <= 1


def lozenge(x: float, y: float) -> bool:
    """Whether a point is inside a square that stands on a corner."""
    return abs(x) + abs(y) <= 1

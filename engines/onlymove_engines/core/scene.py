"""A picture of a position: characters with roles at coordinates, without colours or a terminal. A game turns a `View`
into a `Scene`. One widget paints all scenes, and `Scene.text()` is used for plain text and for golden tests."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeAlias

from onlymove_engines.core.rules import M, P, Target
from onlymove_engines.core.value import Seat


class Role(enum.Enum):
    """The meaning of a character. The theme gives each role its colour."""

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
"""Roles of backgrounds that pieces stand on. A character with such a role draws the rounded edge of the background."""


@dataclass(frozen=True, slots=True)
class Sprite:
    """Some rows of text with their top left corner at column `x` and row `y`. A space in a row is transparent."""

    x: int
    y: int
    rows: tuple[str, ...]
    role: Role


@dataclass(frozen=True, slots=True)
class Tint:
    """The background colour of a rectangle, behind all characters. It must not carry information alone: for terminals
    without colours, a character or a word has to show the same."""

    x: int
    y: int
    width: int
    height: int
    role: Role


Piece: TypeAlias = Sprite | Tint
"""A part of a picture."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a target is in the picture: the inside of its cell, without the grid lines around it.

    Marks have fixed positions, which the painter leaves free. They are (column, row) offsets from (`x`, `y`). Negative
    offsets count from the right or lower edge, like indices in Python. `mark` is for what can be picked, the order of
    picks, and threats. `hint` is for what the coach points at. `last` is for the ends of the last move. `label` is the
    middle of a value with up to four characters.

    If `framed`, the cursor is a frame one column and one row outside the place. Otherwise it is a pair of brackets in
    the first and last columns. `frame_top` is the row of the frame's upper corners, counted from `y`. It is 0 if the
    row above is needed for a word.
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
        """Return the column and row in the picture of an offset. A negative one counts from the right or the bottom."""
        dx, dy = offset
        return self.x + (dx if dx >= 0 else self.width + dx), self.y + (dy if dy >= 0 else self.height + dy)

    def list_spots(self) -> tuple[tuple[int, int], ...]:
        """Return the screen positions of a cell's marks: three symbols, and the three characters of a value."""
        x, y = self.spot(self.label)
        return *map(self.spot, (self.mark, self.hint, self.last)), (x - 1, y), (x, y), (x + 1, y)

    def contains(self, x: int, y: int) -> bool:
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture of `width` x `height` characters. Later sprites and tints cover earlier ones."""

    width: int
    height: int
    sprites: tuple[Sprite, ...]
    places: tuple[Place, ...] = ()
    tints: tuple[Tint, ...] = ()

    @classmethod
    def of(cls, width: int, height: int, pieces: Iterable[Piece], places: tuple[Place, ...]) -> Scene:
        parts = tuple(pieces)
        sprites = tuple(part for part in parts if isinstance(part, Sprite))
        return cls(width, height, sprites, places, tuple(part for part in parts if isinstance(part, Tint)))

    def text(self) -> str:
        """Return the picture as plain text. Rows are joined by line breaks and have no trailing spaces."""
        return "\n".join("".join(glyph for glyph, _ in row).rstrip() for row in self.cells())

    def cells(self) -> list[list[tuple[str, Role | None]]]:
        """Return the picture as rows of (character, role). The role is `None` where nothing is drawn."""
        canvas: list[list[tuple[str, Role | None]]] = [[(" ", None)] * self.width for _ in range(self.height)]
        for sprite in self.sprites:
            for dy, row in enumerate(sprite.rows):
                for dx, glyph in enumerate(row):
                    if glyph != " ":
                        canvas[sprite.y + dy][sprite.x + dx] = (glyph, sprite.role)
        return canvas

    def compute_grounds(self) -> list[list[Role | None]]:
        """Return the background role of every character, or `None` where there is no tint."""
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
    """The input of a painter.

    `positions` and `moves` are the game so far, oldest first, with one position more than moves. Painters need them for
    trails, directions and covered pieces. `flipped` turns the board round. `chosen` are the targets already picked for
    the move being entered. `overlay` asks for the game's own overlay, such as territory or the next shift; painters
    read `shows_overlay` instead. With `ascii_only`, only ASCII characters are allowed. `scale` limits the size: a
    painter draws its largest size that is not above it. `seat` is the side that chooses here (`None`: either side), and
    `cursor` is the target under its cursor. Without `is_asked`, nobody chooses a move here, so an overlay previews
    none. With `is_over`, nobody moves any more, even if the position does not show that (after a resignation or an
    agreed draw).
    """

    positions: tuple[P, ...]
    moves: tuple[M, ...] = ()
    flipped: bool = False
    chosen: tuple[Target, ...] = ()
    overlay: bool = False
    ascii_only: bool = False
    scale: int = 1
    seat: Seat | None = None
    cursor: Target | None = None
    is_asked: bool = True
    is_over: bool = False

    @property
    def position(self) -> P:
        return self.positions[-1]

    @property
    def shows_overlay(self) -> bool:
        """Whether to draw the overlay. At the end of a game, the final board is drawn as it is, with what has won."""
        return self.overlay and not self.is_over


LARGEST = 3
"""The largest scale. A picture fits into 52 x 20 characters at scale 1, about 80 x 30 at 2 and 120 x 44 at 3."""


class Painter(Protocol[P, M]):
    def scene(self, view: View[P, M]) -> Scene:
        """Draw `view.position`. The size of the picture depends on the scale, not on the position."""

    def between(self, view: View[P, M]) -> tuple[Scene, ...]:
        """Return the pictures that animate the last move of `view`, oldest first. Empty if there is no animation."""

    def trace(self, position: P, move: M) -> tuple[Target, ...]:
        """Return the targets to mark as the start and end of `move`, played from `position`."""

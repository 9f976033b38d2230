"""A picture of a position: glyphs and roles at coordinates. No colours, no terminal.

A drawer turns a `View` into a `Scene`; one widget paints any scene, and `Scene.text()` is the plain-text mode
and the golden test.
"""

from __future__ import annotations

import enum
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Generic, Protocol

from .rules import M, P, Target


class Role(enum.Enum):
    """What a glyph stands for; the stylesheet gives each role its colour."""

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


@dataclass(frozen=True, slots=True)
class Sprite:
    """Some rows of text with their top left corner at column x, row y. A space in a row is transparent."""

    x: int
    y: int
    rows: tuple[str, ...]
    role: Role


@dataclass(frozen=True, slots=True)
class Place:
    """Where a target lies on the picture: the inside of its cell, without the grid lines around it.

    The board widget draws its overlays relative to the place: the cursor as a frame one column and row outside
    it where the scene has room (`framed`), else as brackets in its first and last column; marks (last move,
    hint, threat, chosen order) at `mark`, value labels centred on `label`, both (column, row) offsets from
    (x, y) and both chosen by the drawer so that no piece is covered.
    """

    target: Target
    x: int
    y: int
    width: int
    height: int
    mark: tuple[int, int] = (0, 0)
    label: tuple[int, int] = (0, 0)
    framed: bool = True

    def contains(self, x: int, y: int) -> bool:
        """Whether the character cell (x, y) lies in this place."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture `width` x `height` characters large. Later sprites cover earlier ones."""

    width: int
    height: int
    sprites: tuple[Sprite, ...]
    places: tuple[Place, ...] = ()

    def text(self) -> str:
        """The picture as plain text, trailing blanks cut, rows joined by line breaks."""
        return "\n".join("".join(glyph for glyph, _ in row).rstrip() for row in self.cells())

    def cells(self) -> list[list[tuple[str, Role | None]]]:
        """The picture as rows of (glyph, role); role is `None` where nothing was drawn."""
        canvas: list[list[tuple[str, Role | None]]] = [[(" ", None)] * self.width for _ in range(self.height)]
        for sprite in self.sprites:
            for dy, row in enumerate(sprite.rows):
                for dx, glyph in enumerate(row):
                    if glyph != " ":
                        canvas[sprite.y + dy][sprite.x + dx] = (glyph, sprite.role)
        return canvas

    def place(self, target: Target) -> Place | None:
        """Where `target` lies, or `None` if it is not on the picture."""
        return next((place for place in self.places if place.target == target), None)

    def target_at(self, x: int, y: int) -> Target | None:
        """The target under the character cell (x, y)."""
        return next((place.target for place in self.places if place.contains(x, y)), None)


@dataclass(frozen=True)
class View(Generic[P, M]):
    """What a drawer may look at when it draws.

    `positions` and `moves` are the game so far, oldest first (one position more than moves), so that trails,
    directions and covered pieces can be drawn; a position given from text has no past. `flipped` turns the
    board round. `chosen` are the targets already picked for the move being entered. `overlay` asks for the
    game's own overlay (territory, next shift). `ascii_only` allows no byte >= 0x80.
    """

    positions: tuple[P, ...]
    moves: tuple[M, ...] = ()
    flipped: bool = False
    chosen: tuple[Target, ...] = ()
    overlay: bool = False
    ascii_only: bool = False
    options: dict[str, Hashable] = field(default_factory=dict)

    @property
    def position(self) -> P:
        """The position to draw."""
        return self.positions[-1]


class Painter(Protocol[P, M]):
    """A drawer's picture maker."""

    def scene(self, view: View[P, M]) -> Scene:
        """The picture of `view.position`. Its size does not depend on the position."""
        ...

    def between(self, view: View[P, M]) -> tuple[Scene, ...]:
        """In-between pictures of the last move of `view`, oldest first; empty where nothing moves on the way."""
        ...

    def trace(self, position: P, move: M) -> tuple[Target, ...]:
        """The targets that mark `move`, played from `position`, as the last move: where it began, where it ended."""
        ...

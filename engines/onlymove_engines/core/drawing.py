"""Parts of pictures that several games draw."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar

from onlymove_engines.core.scene import Piece, Place, Role, Scene, Sprite, Tint, View
from onlymove_engines.core.shapes import Rows

PIECES: Final = (Role.FIRST, Role.SECOND)
FRESH: Final = (Role.FIRST_FRESH, Role.SECOND_FRESH)
GROUNDS: Final = (Role.PLACE_FIRST, Role.PLACE_SECOND)
WORDS: Final = (Role.HOME_FIRST, Role.HOME_SECOND)
"""The roles of each seat: pieces, bright pieces, the ground under them, and words about them."""
HEADS: Final = {(1, 0): "►", (-1, 0): "◄", (0, 1): "▼", (0, -1): "▲"}
"""Small arrows by direction."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """The size of a picture, from which side the board is seen, and whether only ASCII characters are allowed. A game's
    layout of a scale adds its measures."""

    width: int
    height: int
    flipped: bool = field(default=False, kw_only=True)
    ascii_only: bool = field(default=False, kw_only=True)

    def compose(self, pieces: Iterable[Piece], places: tuple[Place, ...], twins: Mapping[int, int]) -> Scene:
        return Scene.of(self.width, self.height, self.to_text(pieces, twins), places)

    def to_text(self, pieces: Iterable[Piece], twins: Mapping[int, int]) -> Iterable[Piece]:
        """Replace characters by their `twins`, as `str.translate` does, if only ASCII is allowed."""
        if not self.ascii_only:
            return pieces
        return tuple(
            piece
            if isinstance(piece, Tint) or all(map(str.isascii, piece.rows))
            else Sprite(piece.x, piece.y, tuple(row.translate(twins) for row in piece.rows), piece.role)
            for piece in pieces
        )

    def note(self, text: str) -> Sprite:
        """Write a note in the middle of the last row."""
        return centre(text, 0, self.width, self.height - 1, Role.NOTE)


S = TypeVar("S", bound=Sheet)


def choose_layout(layouts: Sequence[S], view: View[Any, Any]) -> S:
    """Return the layout for the scale of a view, seen as in the view."""
    return replace(layouts[view.scale - 1], flipped=view.flipped, ascii_only=view.ascii_only)


def find_direction(start: tuple[float, float], end: tuple[float, float]) -> tuple[int, int]:
    """Return whether `end` is to the left (-1) or right (1) of `start`, and whether above (-1) or below (1)."""
    (x, y), (to_x, to_y) = start, end
    return (to_x > x) - (to_x < x), (to_y > y) - (to_y < y)


def centre(text: str, x: int, width: int, y: int, role: Role) -> Sprite:
    """Write a text in the middle of `width` columns that begin at `x`."""
    return Sprite(x + (width - len(text)) // 2, y, (text,), role)


def fill(rows: Rows, x: int, y: int, role: Role) -> list[Piece]:
    """Colour the background in the shape of these rows. Full characters become background, and the others form its
    edge, which comes first."""
    edge = Sprite(x, y, tuple(row.replace("█", " ") for row in rows), role)
    full = [(row.index("█"), dy, row.count("█")) for dy, row in enumerate(rows) if "█" in row]
    return [edge, *(Tint(x + start, y + dy, count, 1, role) for start, dy, count in full)]

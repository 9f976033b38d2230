"""Parts of pictures that several games draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from onlymove_engines.core.scene import Piece, Role, Sprite, Tint, View

PIECES: Final = (Role.FIRST, Role.SECOND)
FRESH: Final = (Role.FIRST_FRESH, Role.SECOND_FRESH)
GROUNDS: Final = (Role.PLACE_FIRST, Role.PLACE_SECOND)
WORDS: Final = (Role.HOME_FIRST, Role.HOME_SECOND)
"""The roles of each seat: pieces, bright pieces, the ground under them, and words about them."""
HEADS: Final = {(1, 0): "►>", (-1, 0): "◄<", (0, 1): "▼v", (0, -1): "▲^"}
"""Small arrows by direction, in Unicode and ASCII."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """What a game's layout of a scale also says: from which side the board is seen, and with which characters."""

    flipped: bool = False
    ascii_only: bool = False


S = TypeVar("S", bound=Sheet)


def choose_layout(layouts: Sequence[S], view: View[Any, Any]) -> S:
    """Return the layout for the scale of a view, seen as in the view."""
    return replace(layouts[view.scale - 1], flipped=view.flipped, ascii_only=view.ascii_only)


def centre(text: str, x: int, width: int, y: int, role: Role) -> Sprite:
    """Write a text in the middle of `width` columns that begin at `x`."""
    return Sprite(x + (width - len(text)) // 2, y, (text,), role)


def fill(rows: tuple[str, ...], x: int, y: int, role: Role) -> list[Piece]:
    """Colour the background in the shape of these rows. Full characters become background, and the others form its
    edge, which comes first."""
    edge = Sprite(x, y, tuple(row.replace("█", " ") for row in rows), role)
    full = [(row.index("█"), dy, row.count("█")) for dy, row in enumerate(rows) if "█" in row]
    return [edge, *(Tint(x + start, y + dy, count, 1, role) for start, dy, count in full)]

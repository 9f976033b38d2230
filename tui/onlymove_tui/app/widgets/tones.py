"""The names of every way something is shown. A theme gives each its colours, nothing else does."""

from __future__ import annotations

import enum
from typing import NamedTuple, TypeAlias

from onlymove_engines.core.scene import Role


class Tone(enum.Enum):
    """What a piece of text means, apart from the roles of a board."""

    TEXT = "text"
    STRONG = "strong"
    DIM = "dim"
    TITLE = "title"
    KEY = "key"
    CURSOR = "cursor"
    CHOSEN = "chosen"
    LEGAL = "legal"
    LAST = "last"
    HINT = "hint"
    THREAT = "threat"
    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"
    BEST = "best"
    SLIP = "slip"
    ERROR = "error"
    ALARM = "alarm"
    SELECTED = "selected"
    CURRENT = "current"
    BANNER = "banner"


Ink: TypeAlias = Tone | Role
"""A colour of the palette."""


class On(NamedTuple):
    """Something shown on a ground of its own."""

    ink: Ink
    ground: Role


AnyTone: TypeAlias = Ink | On

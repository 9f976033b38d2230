"""Every colour of a board and of the app, by purpose, with one value for each theme. What is painted has tones and does
not know colours. A test checks the contrast with the background, which is at least 4.5:1 for text and 3:1 for pieces
and marks."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from onlymove_engines.core.scene import Role


class Tone(enum.Enum):
    """What a piece of text means, apart from the roles of a board. Its value is its look, as in `INKS`."""

    TEXT = "text"
    STRONG = "text, bold"
    DIM = "dim"
    TITLE = "accent, bold"
    KEY = "key"
    CURSOR = "frame, bold"
    CHOSEN = "cursor, bold reverse"
    LEGAL = "legal"
    LAST = "last"
    HINT = "hint, bold"
    THREAT = "threat, bold"
    WIN = "good, bold"
    DRAW = "even"
    LOSS = "error"
    BEST = "good"
    SLIP = "slip"
    ERROR = "error, bold"
    ALARM = "error, bold reverse"
    CURRENT = "cursor, bold"


Ink: TypeAlias = Tone | Role
"""The meaning or role for which the palette has a colour."""


class On(NamedTuple):
    """An ink on a background other than the usual one."""

    ink: Ink
    ground: Role


AnyTone: TypeAlias = Ink | On


USUAL, LIGHT, ANSI = "dark", "light", "ansi"
NAMES: Final = (USUAL, LIGHT, "high-contrast", "colour-blind", ANSI)

COLOURS: Final[Mapping[str, tuple[str, str, str, str, str]]] = MappingProxyType(
    {
        # The screen.
        "background": ("#111417", "#fbfbf8", "#000000", "#111417", "default"),
        "raised": ("#1a1e23", "#efefe9", "#000000", "#1a1e23", "default"),
        "panel": ("#262c34", "#e4e4dd", "#1c1c1c", "#262c34", "default"),
        "text": ("#e2e2dc", "#1c1c1c", "#ffffff", "#e2e2dc", "default"),
        "dim": ("#9aa0a6", "#5a5e63", "#d0d0d0", "#a6acb2", "dim default"),
        "accent": ("#7cb7ff", "#004f9e", "#8fd0ff", "#7cc4f0", "bright_cyan"),
        "key": ("#d7d7af", "#6b4a00", "#ffff9f", "#f0e442", "yellow"),
        # The two players, and neutral pieces.
        "first": ("#5fafff", "#005fb8", "#6fc3ff", "#56b4e9", "bright_cyan"),
        "second": ("#ff8f5f", "#b84300", "#ffb27f", "#f0c020", "bright_red"),
        "first-fresh": ("#b5dcff", "#003f8a", "#d0ecff", "#b5e0ff", "bright_cyan"),
        "second-fresh": ("#ffd2b0", "#8a2c00", "#ffe4d0", "#fff09a", "bright_red"),
        "control-first": ("#4f86bd", "#3f7fbf", "#5fa0d8", "#4a90bd", "cyan"),
        "control-second": ("#b5673f", "#b8652f", "#d8905f", "#b89a20", "red"),
        "neutral": ("#d7d7af", "#5f5f33", "#ffffcf", "#d0d0d0", "yellow"),
        "white": ("#f4f4f0", "#ffffff", "#ffffff", "#f4f4f0", "default"),
        "black": ("#0a0a0a", "#101010", "#000000", "#0a0a0a", "default"),
        "white-sign": ("#f4f4f0", "#85857f", "#ffffff", "#f4f4f0", "default"),
        "black-sign": ("#858d96", "#101010", "#a0a0a0", "#858d96", "default"),
        "cut": ("#111417", "#fbfbf8", "#000000", "#111417", "black"),
        # Values and judgements.
        "good": ("#5fd75f", "#006400", "#6fff6f", "#3fd0a0", "bright_green"),
        "even": ("#d7d75f", "#655500", "#ffff6f", "#cfcfcf", "yellow"),
        "slip": ("#ffaf5f", "#864300", "#ffc07f", "#e8a8cc", "yellow"),
        "error": ("#ff7a7a", "#b00000", "#ff9a9a", "#ff8a4f", "bright_red"),
        # Marks on a board.
        "frame": ("#ffd75f", "#6a3300", "#ffff00", "#ffffff", "reverse default"),
        "cursor": ("#ffd75f", "#6a3300", "#ffff00", "#ffffff", "default"),
        "last": ("#d7afff", "#6a009a", "#e4c8ff", "#e8c0dc", "bright_magenta"),
        "legal": ("#9fcf9f", "#1f4a1f", "#c0ffc0", "#b0d8d0", "default"),
        "hint": ("#6fe76f", "#004d00", "#6fff6f", "#5fe0b8", "bright_green"),
        "threat": ("#ffa08f", "#900000", "#ffb0a8", "#ffa070", "bright_red"),
        "moving": ("#ffff87", "#5a3c00", "#ffff00", "#ffffff", "yellow"),
        "capture": ("#ff87a7", "#a00048", "#ffb0c8", "#ff9a6a", "bright_magenta"),
        # The cells of a board, and what is between them.
        "grid": ("#596069", "#b0b0a8", "#a0a0a0", "#596069", "dim default"),
        "place": ("#1d2126", "#eeeee8", "#141414", "#1d2126", "default"),
        "place-other": ("#262b32", "#e2e2db", "#262626", "#262b32", "default"),
        "place-first": ("#14304a", "#cfe2f7", "#002a4f", "#0f3348", "default"),
        "place-second": ("#4a2a18", "#fadccb", "#4f2400", "#453a08", "default"),
        "band": ("#36404c", "#bcc5d0", "#303030", "#36404c", "default"),
        "band-inner": ("#2b4d4a", "#a6c4bb", "#424242", "#2b4d4a", "dim default"),
        "dimple": ("#576270", "#8893a2", "#626262", "#576270", "default"),
        "lit": ("#4a4520", "#f0e3a0", "#4a4400", "#4a4520", "default"),
    }
)
"""For each purpose, a colour for each theme in NAMES. The theme `ansi` uses names of the terminal's own colours. Dim
or reversed, they tell inks apart that have the same colour there."""

INKS: Final[Mapping[Ink, str]] = MappingProxyType(
    {
        **{ink: ink.value for ink in (*Tone, *Role)},
        **{role: f"{role.value}, bold" for role in (Role.FIRST_FRESH, Role.SECOND_FRESH, Role.MOVING, Role.CAPTURE)},
        **dict.fromkeys((Role.STORE, Role.SPENT), "grid"),
        **dict.fromkeys((Role.LABEL, Role.FLOW, Role.WALL, Role.GHOST, Role.NOTE), "dim"),
        Role.HOME_FIRST: "first",
        Role.HOME_SECOND: "second",
        Role.CHIP: "background",
    }
)
"""The look of each ink: a colour of COLOURS, then attributes after a comma. Most roles have a colour of their own."""


def colour(name: str, theme: str) -> str:
    """Return a colour in a theme: `#rrggbb`, or one of the terminal's own colours by name, dim or reversed."""
    return COLOURS[name][NAMES.index(theme)]


def split_ink(ink: Ink) -> tuple[str, str]:
    """Return the name of an ink's colour, and its attributes.

    >>> split_ink(Role.FIRST_FRESH)
    ('first-fresh', 'bold')
    """
    name, _, attributes = INKS[ink].partition(", ")
    return name, attributes

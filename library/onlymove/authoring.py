"""Everything that a package imports to define a game of its own.

Write `from onlymove.authoring import Game, Result, ...`. These names, and what their docstrings promise, stay the same
until the next major version. Every other module of onlymove may change at any time. docs/authoring.md says which of the
names a game needs. Importing this module loads neither numpy nor the rest of the library.
"""

from __future__ import annotations

from onlymove_engines.core.encoding import Encoding
from onlymove_engines.core.errors import BadNotation, BadPosition, GameOver, IllegalMove
from onlymove_engines.core.facts import Facts, Level, read_facts
from onlymove_engines.core.game import (
    NO_REPETITIONS,
    Claim,
    Game,
    GameReasons,
    HouseRule,
    MoveContext,
    Option,
    Play,
    RelatedMoves,
    SetUp,
    Solved,
    Style,
    Substance,
    Symmetry,
    Turn,
    Voice,
    alike,
)
from onlymove_engines.core.repetition import THREEFOLD, Repetition
from onlymove_engines.core.rules import MovePath, Result, Target
from onlymove_engines.core.scene import Place, Role, Scene, Sprite, Tint, View
from onlymove_engines.core.shapes import disc, in_ascii, in_blocks, lozenge, ring
from onlymove_engines.core.value import Draw, Loss, Outcome, Seat, Value, Win, other, turn_value, value_before

__all__ = [
    "NO_REPETITIONS",
    "THREEFOLD",
    "BadNotation",
    "BadPosition",
    "Claim",
    "Draw",
    "Encoding",
    "Facts",
    "Game",
    "GameOver",
    "GameReasons",
    "HouseRule",
    "IllegalMove",
    "Level",
    "Loss",
    "MoveContext",
    "MovePath",
    "Option",
    "Outcome",
    "Place",
    "Play",
    "RelatedMoves",
    "Repetition",
    "Result",
    "Role",
    "Scene",
    "Seat",
    "SetUp",
    "Solved",
    "Sprite",
    "Style",
    "Substance",
    "Symmetry",
    "Target",
    "Tint",
    "Turn",
    "Value",
    "View",
    "Voice",
    "Win",
    "alike",
    "disc",
    "in_ascii",
    "in_blocks",
    "lozenge",
    "other",
    "read_facts",
    "ring",
    "turn_value",
    "value_before",
]

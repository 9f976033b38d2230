"""What widgets and workers tell the screens. Small, and about the game, never about the screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from onlymove_engines.core.rules import Target
from textual.message import Message
from textual.screen import Screen


@dataclass
class Pointed(Message):
    """The mouse chose a target on the board."""

    target: Target


@dataclass
class Jumped(Message):
    """The mouse chose a ply on the value strip or in the move list."""

    ply: int


@dataclass
class Pressed(Message):
    """The mouse chose a key that is named on the screen, as players read it."""

    name: str


@dataclass
class Opened(Message):
    """The mouse chose a line of a list."""

    index: int


@dataclass
class Found(Message):
    """A worker has found something out; `take` uses it."""

    take: Callable[[], object]


@dataclass
class Settled(Message):
    """A screen is built, or has the answer to the question named `group`: keys need not wait for it any longer."""

    group: str = ""


@dataclass
class Acted(Message):
    """`screen` has done what came of a key."""

    screen: Screen[Any]


@dataclass
class Noted(Message):
    """Something has been done; `text` is the line to show."""

    text: str


@dataclass
class Trouble(Message):
    """Something could not be saved or found; `text` is the line to show."""

    text: str

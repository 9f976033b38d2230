"""The messages from widgets and workers to the screens. They say what happened, and not what the screen should do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import Scene
from textual.message import Message


@dataclass
class Pointed(Message):
    """Posted when the player picks a target on the board with the mouse."""

    target: Target


@dataclass
class Jumped(Message):
    """Posted when the player picks a ply on the value strip or in the move list with the mouse."""

    ply: int


@dataclass
class Arrived(Message):
    """Posted when a board has shown all pictures of an animation."""

    frames: Sequence[Scene]


@dataclass
class KeyClicked(Message):
    """Posted when the player clicks on a key that is named on the screen. It is the key of `command`."""

    command: str


@dataclass
class Opened(Message):
    """Posted when the player picks a line of a list with the mouse."""

    index: int


class Refitted(Message):
    """Posted when a list has a new width, so that its lines have to be written again."""


@dataclass
class Settled(Message):
    """Posted when a screen is built, or when a worker of `group` has finished. Keys need not wait for it any longer."""

    group: str = ""


@dataclass
class Noted(Message):
    """Posted when something has been done. `text` is the line to show."""

    text: str


@dataclass
class Trouble(Message):
    """Posted when something could not be saved or found. `text` is the line to show."""

    text: str

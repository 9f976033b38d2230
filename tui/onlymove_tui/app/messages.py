"""What widgets and workers tell the screens. Small, and about the game, never about the screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from onlymove_engines.core.rules import Target
from onlymove_engines.core.value import Seat
from textual.message import Message


@dataclass
class Pointed(Message):
    """The mouse chose a target on the board."""

    target: Target


@dataclass
class Jumped(Message):
    """The mouse chose a ply on the value strip or in the move list."""

    ply: int


@dataclass
class Opened(Message):
    """The mouse chose a line of a list."""

    index: int


@dataclass
class Looked(Message):
    """A worker knows the values of the moves of a node. `failure` is what stopped it, if it could not."""

    node_id: int
    values: Any
    failure: str = ""


@dataclass
class Replied(Message):
    """An engine has chosen its move at a node, hidden in a simultaneous round."""

    node_id: int
    seat: Seat
    move: Any
    turn: int


@dataclass
class Seated(Message):
    """Who knows the game's values is at hand; `note` says what it stands on when it is not the table."""

    analyst: Any
    note: str


@dataclass
class Saved(Message):
    """The game is in the store, or `failure` says why it is not."""

    failure: str = ""


@dataclass
class Settled(Message):
    """A screen is built, or has the answer to the question named `group`: keys need not wait for it any longer."""

    group: str = ""


@dataclass
class Trouble(Message):
    """Something could not be kept or fetched; `text` is the line to show."""

    text: str


@dataclass
class Collected(Message):
    """The mistakes of a game are in the box of drills; `new` of them were not there yet."""

    new: int

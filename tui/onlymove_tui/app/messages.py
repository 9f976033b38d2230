"""What widgets and workers tell the screens. Small, and about the game, never about the screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from onlymove_engines.coach.hint import Hint
from onlymove_engines.coach.in_line import Known
from onlymove_engines.core.analysis import AnyAnalyst
from onlymove_engines.core.rules import Target
from onlymove_engines.core.value import Move, Seat
from onlymove_engines.match.explanation import Explanation, Key, Refutation
from onlymove_engines.match.match import Match
from onlymove_engines.play.line import AnyNode
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
class Answer(Message):
    """What a worker has found out about a match; by now another one may be on the board. Where that matters, `turn`
    is the match's when it was asked."""

    match: Match
    turn: int | None


@dataclass
class Looked(Answer):
    """The values of the moves of a node are known. `failure` is what stopped the search, if they are not."""

    node_id: int
    values: Known | None
    failure: str = ""


@dataclass
class Replied(Answer):
    """An engine has chosen its move at a node, hidden in a simultaneous round."""

    seat: Seat
    move: Move


@dataclass
class Hinted(Answer):
    """The next rung of the hint ladder."""

    hint: Hint


@dataclass
class Refuted(Answer):
    """Best play after a move from `start` has been found."""

    start: AnyNode
    refutation: Refutation


@dataclass
class Explained(Answer):
    """It has been found out why a move is bad."""

    key: Key
    explanation: Explanation


@dataclass
class Weighed(Answer):
    """Which move at a node is hardest to answer, in words."""

    node_id: int
    hardest: str


@dataclass
class Seated(Answer):
    """Who knows the game's values is at hand; `note` says what it stands on when it is not the table."""

    analyst: AnyAnalyst | None
    note: str


@dataclass
class Compiling(Message):
    """What the game searches with is being compiled; `share` of it is done, 0..1."""

    share: float


@dataclass
class Saved(Message):
    """The game is in the store, or `failure` says why it is not."""

    failure: str = ""


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
    """Something could not be kept or fetched; `text` is the line to show."""

    text: str


@dataclass
class Collected(Message):
    """The mistakes of a game are in the box of drills; `new` of them were not there yet."""

    new: int


@dataclass
class RatingTold(Message):
    """What a game that is over did to the player's rating, in words; empty where there is nothing to say."""

    text: str

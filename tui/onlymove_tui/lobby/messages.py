"""The lines of a record: everything that one side of a shared game can say, as JSON objects (docs/formats.md).

`time` is when the line was written, in seconds since 1970. `seen` is how many lines of the other side's record its
writer had read by then. In a line about a decision, `epoch` is the number of undos so far that both players agreed to,
and `ply` the number of moves before the decision.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

VERSION = 2
"""Games that were begun by version 1 continue by the rules of version 1."""
LONGEST_LINE = 4096
"""In bytes. The longest position of any game needs a tenth of this."""

NAME = re.compile(r"^[A-Za-z0-9_.@-]{1,100}\Z")
Name = Annotated[str, Meta(pattern=NAME.pattern)]
"""A player's name, which is shown on other users' terminals."""
Id = Annotated[str, Meta(pattern=r"^[a-z2-7]{16}\Z")]
"""The random id of a challenge, or of a player who wants to join it."""
Text = Annotated[str, Meta(pattern=r"^[^\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]{0,1000}\Z")]
"""Text that can safely be shown in an error, without characters that control the terminal or reverse a line."""
Stamp = Annotated[float, Meta(ge=0, le=1e11)]
Count = Annotated[int, Meta(ge=0, le=10**6)]
Uid = Annotated[int, Meta(ge=0, le=2**32 - 1)]
"""The number of an account. Directory services use large numbers, from about 10^9 on."""
OneOfTwo = Annotated[int, Meta(ge=0, le=1)]


class RequestKind(Enum):
    """What one side may ask of the other."""

    DRAW = "draw"
    UNDO = "undo"


class Message(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", forbid_unknown_fields=True):
    """A line of a record, with its time and how much of the other record its writer had read."""

    time: Stamp = 0.0
    seen: Count = 0


class Opening(Message, frozen=True, kw_only=True, tag="open"):
    """The first line of a player who opens a challenge. `challenge_id` is its id, `start` a position as text, `rule` a
    house rule, `seat` the opener's seat, and `clock` a time control as a player types it. `wanted` names the player who
    may join. It is empty if anyone may. With `has_code`, a player who joins must prove that they know the code."""

    version: int
    challenge_id: Id = msgspec.field(name="table")
    name: Name
    game: Text
    start: Text
    seat: OneOfTwo
    rule: Text = ""
    clock: Text = ""
    wanted: Text = ""
    has_code: bool = False


class Joining(Message, frozen=True, kw_only=True, tag="join"):
    """The first line of a player who wants to join. `proof` shows that the player knows the code."""

    version: int
    challenge_id: Id = msgspec.field(name="table")
    joiner: Id
    name: Name
    proof: Text = ""


class Accepting(Message, frozen=True, kw_only=True, tag="accept"):
    """The opener accepts this player, whose record belongs to the account `uid`. The game begins."""

    joiner: Id
    uid: Uid


class Refusing(Message, frozen=True, kw_only=True, tag="refuse"):
    """The opener refuses this player of the account `uid`, which version 1 did not name."""

    joiner: Id
    uid: Uid | None = None


class Closing(Message, frozen=True, kw_only=True, tag="close"):
    """The opener withdraws the challenge."""


class Deciding(Message, frozen=True, kw_only=True):
    """A line that is about one decision."""

    epoch: Count
    ply: Count


class Moving(Deciding, frozen=True, kw_only=True, tag="move"):
    """A move by the side to move."""

    move: Text


class Committing(Deciding, frozen=True, kw_only=True, tag="commit"):
    """The hash of a hidden choice, in a game where both sides move at once (see `commitments`)."""

    fixed: Text


class Revealing(Deciding, frozen=True, kw_only=True, tag="reveal"):
    """A hidden choice, revealed after both sides have committed."""

    nonce: Text
    move: Text


class Asking(Deciding, frozen=True, kw_only=True, tag="ask"):
    """A request for a draw, or for an undo to the position after `back_to` moves. The next move cancels it."""

    wish: RequestKind
    back_to: Count = 0


class Answering(Message, frozen=True, kw_only=True, tag="answer"):
    """The answer to line `asked` of the other side's record, counted from 0."""

    asked: Count
    agrees: bool


class Resigning(Message, frozen=True, kw_only=True, tag="resign"):
    """The writer resigns or, with `is_late`, has run out of time."""

    is_late: bool = False


class Claiming(Deciding, frozen=True, kw_only=True, tag="claim"):
    """The writer claims that the other side has run out of time."""


RecordLine: TypeAlias = (
    Opening
    | Joining
    | Accepting
    | Refusing
    | Closing
    | Moving
    | Committing
    | Revealing
    | Asking
    | Answering
    | Resigning
    | Claiming
)

_READER: msgspec.json.Decoder[RecordLine] = msgspec.json.Decoder(RecordLine)


def parse_line(line: bytes) -> RecordLine | None:
    """Return the message in a line without its newline, or `None` if it cannot be understood."""
    try:
        return _READER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def format_line(line: RecordLine) -> bytes:
    return msgspec.json.encode(line) + b"\n"

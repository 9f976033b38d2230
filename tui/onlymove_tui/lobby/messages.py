"""What can stand in the record that one side of a table keeps: each line says one thing, as JSON: docs/formats.md.

`time` is when a line was written, in seconds since 1970, `seen` how many lines of the other side's record its writer
had read by then. Where a decision is named, `epoch` counts the undos that were agreed on, `ply` the moves before it.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

VERSION = 2
"""Games that version 1 began are gone on with, by its rules."""
LONGEST_LINE = 4096
"""Bytes; the longest position of any game takes a tenth."""

NAME = re.compile(r"^[A-Za-z0-9_.@-]{1,100}\Z")
Name = Annotated[str, Meta(pattern=NAME.pattern)]
"""Of somebody; it is shown on other people's terminals."""
Id = Annotated[str, Meta(pattern=r"^[a-z2-7]{16}\Z")]
"""Of a table, and of who wants to join it: drawn by lot."""
Text = Annotated[str, Meta(pattern=r"^[^\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]{0,1000}\Z")]
"""Nothing that a terminal would obey or that turns the rest of a line round: others' terminals show why it is wrong."""
Stamp = Annotated[float, Meta(ge=0, le=1e11)]
Count = Annotated[int, Meta(ge=0, le=10**6)]
Uid = Annotated[int, Meta(ge=0, le=2**32 - 1)]
"""Of an account; directory services number them from some 10^9 on."""
OneOfTwo = Annotated[int, Meta(ge=0, le=1)]


class Wish(Enum):
    """What one side may ask the other."""

    DRAW = "draw"
    UNDO = "undo"


class Message(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", forbid_unknown_fields=True):
    """A line."""

    time: Stamp = 0.0
    seen: Count = 0


class Opening(Message, frozen=True, kw_only=True, tag="open"):
    """The first line of whoever opens a table. `start` is a position in the game's spelling, `rule` a house rule,
    `seat` the opener's, `clock` a time control as it is spelled; `wanted` names who may join (empty: anybody), and
    with `has_code` whoever joins shows that he knows a code."""

    version: int
    table: Id
    name: Name
    game: Text
    start: Text
    seat: OneOfTwo
    rule: Text = ""
    clock: Text = ""
    wanted: Text = ""
    has_code: bool = False


class Joining(Message, frozen=True, kw_only=True, tag="join"):
    """The first line of whoever wants to sit down at a table. `proof` comes of its code."""

    version: int
    table: Id
    joiner: Id
    name: Name
    proof: Text = ""


class Accepting(Message, frozen=True, kw_only=True, tag="accept"):
    """The opener takes this joiner, whose record belongs to the account `uid`. The game has begun."""

    joiner: Id
    uid: Uid


class Refusing(Message, frozen=True, kw_only=True, tag="refuse"):
    """The opener does not take this joiner of the account `uid`: the code was wrong. Version 1 did not name the
    account."""

    joiner: Id
    uid: Uid | None = None


class Closing(Message, frozen=True, kw_only=True, tag="close"):
    """The opener waits for nobody any more."""


class Deciding(Message, frozen=True, kw_only=True):
    """Something about one decision."""

    epoch: Count
    ply: Count


class Moving(Deciding, frozen=True, kw_only=True, tag="move"):
    """A move of the side whose turn it is."""

    move: Text


class Committing(Deciding, frozen=True, kw_only=True, tag="commit"):
    """A choice where both move at once, fixed and hidden: see `commitments`."""

    fixed: Text


class Revealing(Deciding, frozen=True, kw_only=True, tag="reveal"):
    """The choice that was fixed, after both have fixed theirs."""

    nonce: Text
    move: Text


class Asking(Deciding, frozen=True, kw_only=True, tag="ask"):
    """A draw, or an undo back to where only `back_to` moves were made. Gone when the game has gone on."""

    wish: Wish
    back_to: Count = 0


class Answering(Message, frozen=True, kw_only=True, tag="answer"):
    """To what stands in line `asked` of the other side's record, counted from 0."""

    asked: Count
    agrees: bool


class Resigning(Message, frozen=True, kw_only=True, tag="resign"):
    """The game is given up, or lost by one's own clock."""

    is_late: bool = False


class Claiming(Deciding, frozen=True, kw_only=True, tag="claim"):
    """The other side has run out of time."""


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
_WRITER = msgspec.json.Encoder()


def parse_line(line: bytes) -> RecordLine | None:
    """The line without its end; `None` for one that says nothing that is known."""
    try:
        return _READER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def format_line(spoken: RecordLine) -> bytes:
    """The line with its end."""
    return _WRITER.encode(spoken) + b"\n"

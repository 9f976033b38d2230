"""What the page sends over its WebSocket: Textual's messages, checked before anything is done with them."""

from __future__ import annotations

from typing import Annotated

from msgspec import DecodeError, Meta, Struct
from msgspec.json import Decoder
from onlymove_engines.core.errors import OnlymoveError

LONGEST = 1 << 18
"""Bytes in one message. A paste is one message; no record of a game comes near this."""

LARGEST_SIDE = 65535
"""Columns or rows, as many as the system's own terminals can have. The app decides how many of them it draws."""

Cells = Annotated[int, Meta(ge=1, le=LARGEST_SIDE)]


class BadMessage(OnlymoveError):
    """A message that the page does not send."""


class Message(Struct, array_like=True, forbid_unknown_fields=True):
    """A list with its kind in front."""


class Typed(Message, tag="stdin"):
    """Keys, clicks or a paste, as a terminal sends them."""

    keys: str


class Size(Struct, forbid_unknown_fields=True):
    """How many cells the terminal has."""

    width: Cells
    height: Cells


class Resized(Message, tag="resize"):
    """The window has another size."""

    size: Size


class Ping(Message, tag="ping"):
    """The page wants `mark` back."""

    mark: str


class Focused(Message, tag="focus"):
    """The visitor looks at the page."""


class Blurred(Message, tag="blur"):
    """The visitor looks elsewhere."""


AnyMessage = Typed | Resized | Ping | Focused | Blurred
_decoder: Decoder[AnyMessage] = Decoder(AnyMessage)


def read(text: str) -> AnyMessage:
    """What the page says. Raises BadMessage.

    >>> read('["resize", {"width": 80, "height": 24}]')
    Resized(size=Size(width=80, height=24))
    """
    try:
        return _decoder.decode(text)
    except (DecodeError, RecursionError, UnicodeEncodeError):
        raise BadMessage("the page sent something that onlymove does not understand") from None

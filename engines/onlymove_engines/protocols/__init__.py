"""Text protocols for all games: text in, text out, no I/O.

A game package names dialects of its own in `Play.protocols`: name -> factory `(analyst, clock, stop) -> Dialect`.
`analyst` knows the game's values, `clock` gives seconds and never runs backwards, and `stop` says that the other side
wants the answer now. `Play.hosts` names the hosts that speak to programs in these dialects (`protocols.host`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol


class Dialect(Protocol):
    """A protocol as a state machine. It answers unreadable input with at most one line. A protocol that has no line for
    errors raises an OnlymoveError, which the caller writes to stderr, and continues.

    `finished`: the other side has ended the conversation. `handover`: the line just read belongs to the common protocol
    (UGI), which gets that line and every later one; always False in a dialect that knows no other.
    """

    finished: bool
    handover: bool

    def replies(self, line: str) -> Iterable[str]:
        """Yield the lines that answer one line of input, each as soon as it is known."""
        ...

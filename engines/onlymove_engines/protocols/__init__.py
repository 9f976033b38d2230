"""Text protocols for all games: text in, text out, no I/O.

A game package names dialects of its own in `Play.protocols`: name -> factory `(analyst, clock, stop) -> Dialect`, where
`analyst` knows the game's values, `clock` gives seconds and never runs backwards, and `stop` says that
the other side wants the answer now. `Play.hosts` names the other ends of dialects (`protocols.host`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol


class Dialect(Protocol):
    """A protocol as a state machine. Garbage is answered by at most one line; a protocol that has no words for
    complaints raises an OnlymoveError, which is told on stderr in one line, and listens on.

    `finished`: the other side has said goodbye. `handover`: the line just read belongs to the common protocol
    (UGI), which is given that line and every later one; a dialect that knows no other keeps it False.
    """

    finished: bool
    handover: bool

    def replies(self, line: str) -> Iterable[str]:
        """Yield the lines that answer one line of input, each as soon as it is known."""
        ...

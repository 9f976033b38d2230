"""Text protocols for all games. They turn lines into lines and do no input or output themselves.

A game package can define its own protocols in `Play.protocols`, which maps a name to a factory `(analyst, clock, stop)
-> Dialect`. `analyst` knows the game's values, `clock` returns seconds and never runs backwards, and `stop` says
whether the other side wants an answer now. `Play.hosts` are the hosts that speak to other programs in these protocols
(`protocols.host`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol


class Dialect(Protocol):
    """A protocol as a state machine. It answers input that it cannot read with at most one line. If the protocol has no
    line for errors, it raises an OnlymoveError. The caller writes that to stderr and continues.

    `finished` means that the other side has ended the conversation. `handover` means that the line just read, and all
    later ones, are for the common protocol (UGI). It is always false in a dialect that knows no other protocol.
    """

    finished: bool
    handover: bool

    def replies(self, line: str) -> Iterable[str]:
        """Yield the lines that answer one line of input, each as soon as it is known."""

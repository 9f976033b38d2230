"""Both ends of a text protocol, as state machines that turn lines into lines. A dialect answers what another program
asks. A host tells a program that plays one side what it needs and reads its answers. The caller runs the program,
passes the lines on and measures the time.

A game package can define its own protocols in `Play.protocols`, which maps a name to a factory `(analyst, clock, stop)
-> Dialect`. `analyst` knows the game's values, `clock` returns seconds and never runs backwards, and `stop` says
whether the other side wants an answer now. `Play.hosts` are the hosts that speak to other programs in these protocols.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.text import clean_line
from onlymove_engines.core.value import Move, Seat
from onlymove_engines.play.session import AnySession

MAX_NAME_LENGTH = 200


def printable(text: str) -> str:
    """Return `text` as one harmless line, cut to a maximum length."""
    return clean_line(text[:MAX_NAME_LENGTH])


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


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a program may use for its next move: nodes, seconds, or the seconds in its bank, which gets `increment`
    seconds back after the move. `None` means no such limit."""

    nodes: int | None = None
    seconds: float | None = None
    bank: float | None = None
    increment: float = 0.0


class Host(Protocol):
    """The host of one program in one game. Call `begin` once, `ask` for every move, and send the lines of `farewell` at
    the end.

    Pass every line from the program to `hear` until the host is `ready` (after `begin`) or has an `answer` (after
    `ask`). Send the program the lines that these methods return.
    """

    name: str
    """The program's own name. Empty if it has not given one, or if the protocol does not send names."""
    ready: bool
    """Whether the program can be asked for a move."""
    answer: str | None
    """The program's answer to the last `ask`, as it wrote it."""
    counts_nodes: bool
    """Whether the protocol can limit a move by nodes."""
    usual: Allowance
    """The limits in a match that sets none which the protocol could send."""
    farewell: Sequence[str]
    """The lines that ask the program to exit."""

    def begin(self, allowance: Allowance) -> Sequence[str]:
        """Start the game with this much time. Return the lines to send."""

    def hear(self, line: str) -> Sequence[str]: ...

    def ask(self, session: AnySession, allowance: Allowance) -> Sequence[str]:
        """Ask for a move at the session's position. Return the lines to send."""

    def move(self, session: AnySession) -> Move:
        """Return the move that the answer stands for. Raises BadNotation or IllegalMove."""


HostFactory: TypeAlias = Callable[[AnyGame, AnyPosition, Seat, int], Host]
"""Takes the game, the start position, the program's seat and a seed for random choices."""

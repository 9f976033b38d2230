"""The host's end of a protocol: what to send to a program that plays one side, and how to read its answers.

Hosts are state machines as the dialects are: text in, text out. The caller runs the program, carries the lines and
measures the time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.value import Move, Seat
from onlymove_engines.play.session import AnySession

LONGEST = 200


def printable(text: str) -> str:
    """Return `text` without line breaks, for use in a line."""
    return "".join(glyph if glyph.isprintable() else "?" for glyph in text)[:LONGEST]


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a program may use for its next move: nodes, seconds, or the seconds in its bank, which gets `increment`
    seconds back after the move. `None`: no limit of that kind."""

    nodes: int | None = None
    seconds: float | None = None
    bank: float | None = None
    increment: float = 0.0


class Host(Protocol):
    """The host of one program in one game: call `begin` once, `ask` for every move, and `farewell` at the end.

    Pass every line from the program to `hear` until the host is `ready` (after `begin`) or has an `answer` (after
    `ask`). Send the program the lines that these methods return.
    """

    name: str
    """What the program calls itself; empty as long as it has not said so, or where the protocol has no word for it."""
    ready: bool
    """Whether it can be asked for a move."""
    answer: str | None
    """The move as the program spells it, since the last `ask`."""
    counts_nodes: bool
    """Whether the protocol can limit a move by nodes."""
    usual: Allowance
    """What a program is given in a match without limits that the protocol could tell."""
    farewell: Sequence[str]
    """What asks the program to leave."""

    def begin(self, allowance: Allowance) -> Sequence[str]:
        """Start the game with this much time. Returns the lines to send."""
        ...

    def hear(self, line: str) -> Sequence[str]: ...

    def ask(self, session: AnySession, allowance: Allowance) -> Sequence[str]:
        """Ask for a move at the session's position. Returns the lines to send."""
        ...

    def move(self, session: AnySession) -> Move:
        """Return the move that the answer means. Raises BadNotation if it is not a move, and IllegalMove if it is
        not allowed."""
        ...


HostFactory: TypeAlias = Callable[[AnyGame, AnyPosition, Seat, int], Host]
"""Of (game, start position, seat of the program, seed for what it leaves to chance)."""

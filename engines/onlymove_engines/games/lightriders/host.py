"""The competition's protocol (riddles.io) from the other end: a program is told the field and asked for a direction.

`pass` and turning back are read as straight on, as the competition does, turning back not in the first round. Knows
the words and no time; steering into what is not empty is for the referee to judge.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from onlymove_engines.core.errors import BadNotation, IllegalMove
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.value import Seat
from onlymove_engines.play.session import AnySession
from onlymove_engines.protocols.host import Allowance

from .protocol import WORDS
from .rules import CRASH, Position, Step

STEPS: Final = {word: step for step, word in WORDS.items() if step != CRASH}
PASS: Final = WORDS[CRASH]
BACK: Final[dict[Step, Step]] = {"u": "d", "d": "u", "l": "r", "r": "l"}
FIRST_HEADINGS: Final[tuple[Step, Step]] = ("r", "l")


class RiddlesHost:
    """One program that steers the rider of `seat` in one game."""

    name = ""
    counts_nodes = False
    usual = Allowance(bank=10.0, increment=0.2)
    farewell: Sequence[str] = ()

    def __init__(self, game: AnyGame, start: Position, seat: Seat, seed: int) -> None:
        self.start = start
        self.seat = seat
        self.ready = False
        self.answer: str | None = None

    def begin(self, allowance: Allowance) -> Sequence[str]:
        """The settings. Nothing is answered to them."""
        self.ready = True
        own = f"player{self.seat}"
        settings = {
            "timebank": milliseconds(allowance.bank or allowance.seconds),
            "time_per_move": milliseconds(allowance.increment if allowance.bank else allowance.seconds),
            "player_names": "player0,player1",
            "your_bot": own,
            "your_botid": self.seat,
            "field_width": self.start.width,
            "field_height": self.start.height,
        }
        return tuple(f"settings {name} {value}" for name, value in settings.items())

    def hear(self, line: str) -> Sequence[str]:
        """Whatever it says is its answer."""
        if self.answer is None:
            self.answer = line.strip()
        return ()

    def ask(self, session: AnySession, allowance: Allowance) -> Sequence[str]:
        """The round, the field and the time left. A rider that can only crash is not asked any more."""
        self.answer = None
        position: Position = session.position
        if session.moves_of(self.seat) == (CRASH,):
            self.answer = PASS
            return ()
        return (
            f"update game round {session.node.ply}",
            f"update game field {','.join(position.cells)}",
            f"action move {milliseconds(allowance.bank or allowance.seconds)}",
        )

    def move(self, session: AnySession) -> Step:
        """The step that the answer means. Raises BadNotation, or IllegalMove for steering into what is not empty."""
        word = self.answer or ""
        if word != PASS and word not in STEPS:
            raise BadNotation("a direction is up, down, left, right or pass")
        open_steps = session.moves_of(self.seat)
        if tuple(open_steps) == (CRASH,):
            return CRASH
        rounds = session.moves()
        heading: Step = rounds[-1][self.seat] if rounds else FIRST_HEADINGS[self.seat]
        step = heading if word == PASS else STEPS[word]
        if rounds and step == BACK[heading]:
            step = heading
        if step not in open_steps:
            raise IllegalMove("that steers into what is not empty")
        return step


def milliseconds(seconds: float | None) -> int:
    """Whole milliseconds; 0 for none."""
    return int(1000 * (seconds or 0.0))

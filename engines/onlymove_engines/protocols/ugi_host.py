"""UGI from the other end: a program is asked for moves. The specification: https://github.com/kz04px/ugi."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from onlymove_engines.core.errors import BadNotation
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.value import Move, Seat
from onlymove_engines.play.session import AnySession

from .host import Allowance
from .text import printable
from .ugi import LARGEST_SEED

SEED = "seed"
"""The option of a program that can be told what its chance follows from."""


class UgiHost:
    """One program that plays `seat` in one game."""

    counts_nodes = True
    usual = Allowance(seconds=1.0)
    farewell: Sequence[str] = ("quit",)

    def __init__(self, game: AnyGame, start: AnyPosition, seat: Seat, seed: int) -> None:
        self.game = game
        self.seat = seat
        self.seed = seed
        is_usual = start == game.default_start()
        self.start = "startpos" if is_usual else f"fen {game.notation.format_position(start)}"
        self.options: dict[str, Sequence[str]] = {}
        """What it said of its options, by name in lower case."""
        self.name = ""
        self.ready = False
        self.answer: str | None = None

    def begin(self, allowance: Allowance) -> Sequence[str]:
        """It is asked who it is."""
        return ("ugi",)

    def hear(self, line: str) -> Sequence[str]:
        """`ugiok` is answered by what the game needs; `info` and all that nobody asked for is passed over."""
        words = line.split()
        match words[:1]:
            case ["id"] if words[1:2] == ["name"]:
                self.name = printable(" ".join(words[2:]))
            case ["option"] if words[1:2] == ["name"]:
                name = words[2 : words.index("type")] if "type" in words else words[2:]
                self.options[" ".join(name).lower()] = words
            case ["ugiok"]:
                return (*self.chance(), "uginewgame", "isready")
            case ["readyok"]:
                self.ready = True
            case ["bestmove"]:
                self.answer = " ".join(words[1:2])
        return ()

    def chance(self) -> Sequence[str]:
        """The seed, to a program that takes one."""
        words = self.options.get(SEED)
        if words is None:
            return ()
        told = [int(most) for name, most in pairwise(words) if name == "max" and most.isdecimal()]
        return (f"setoption name {words[2]} value {self.seed % (min([LARGEST_SEED, *told]) + 1)}",)

    def ask(self, session: AnySession, allowance: Allowance) -> Sequence[str]:
        """The whole game so far, as a program that minds repetitions needs it."""
        self.answer = None
        spelled = [
            self.game.notation.format_move(node.parent.position, node.move)
            for node in session.node.path()
            if node.parent is not None
        ]
        moves = f" moves {' '.join(spelled)}" if spelled else ""
        return (f"position {self.start}{moves}", f"go {self.limits(allowance)}")

    def limits(self, allowance: Allowance) -> str:
        """What may be used, as `go` takes it."""
        player = f"p{self.seat + 1}"
        said = {
            "nodes": allowance.nodes,
            "movetime": milliseconds(allowance.seconds),
            f"{player}time": milliseconds(allowance.bank),
            f"{player}inc": None if allowance.bank is None else int(1000 * allowance.increment),
        }
        return " ".join(f"{name} {number}" for name, number in said.items() if number is not None)

    def move(self, session: AnySession) -> Move:
        """What stands behind `bestmove`. Raises BadNotation, IllegalMove."""
        if not self.answer:
            raise BadNotation("bestmove needs a move")
        move: Move = self.game.notation.parse_move(session.position, printable(self.answer))
        return move


def milliseconds(seconds: float | None) -> int | None:
    """Whole milliseconds, at least one; `None` for `None`."""
    return None if seconds is None else max(1, int(1000 * seconds))

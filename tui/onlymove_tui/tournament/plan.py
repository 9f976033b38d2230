"""The plan of a match: everything that its games depend on. Two runs of one plan play the same games."""

from __future__ import annotations

import enum
import hashlib
from dataclasses import dataclass
from random import Random

from onlymove_engines.core.facts import GameId
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.protocols.host import Allowance

MAX_PLIES = 1000
"""A game is a draw after this many plies. No game between strong players lasts so long."""

TRIES = 100
"""How often another random opening is tried after one that ended the game."""


class FaultKind(enum.Enum):
    TIMEOUT = "timeout"
    CRASH = "crash"
    NONSENSE = "nonsense"
    ILLEGAL = "illegal"
    FLOOD = "flood"


class Fault(Exception):
    """A contestant has failed and loses the game. `text` is one line that says what happened."""

    def __init__(self, kind: FaultKind, text: str) -> None:
        super().__init__(text)
        self.kind = kind
        self.text = text


class Limits(Allowance):
    """The limits for each side: `nodes` or `seconds` for each move, or a `bank` of seconds. `None` means no limit. A
    bank starts full, gets `increment` seconds back after every move, and never holds more than at the start."""

    __slots__ = ()

    def __str__(self) -> str:
        """Return the limits as text: `1000 nodes`, `0.5 s`, `10+0.2 s`, or `-` if there are none."""
        if self.bank is not None:
            return f"{self.bank:g}+{self.increment:g} s"
        if self.seconds is not None:
            return f"{self.seconds:g} s"
        return "-" if self.nodes is None else f"{self.nodes} nodes"

    @property
    def are_timed(self) -> bool:
        return self.bank is not None or self.seconds is not None


NO_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Plan:
    """Two players by name, and how they play. Games 2k and 2k + 1 form pair k. In the first of them the first player
    has seat 0. Every game begins at `start` (empty: the game's own start), followed by `opening_plies` random plies.
    With `adjudicate`, a game ends as soon as the table knows a win within that many plies. In a game with points, it
    ends as soon as the table knows the result."""

    game: GameId
    players: tuple[str, str]
    limits: Limits = NO_LIMITS
    house_rule: str = ""
    adjudicate: int | None = None
    max_plies: int = MAX_PLIES
    seed: int = 0
    start: str = ""
    opening_plies: int = 0

    def __str__(self) -> str:
        """Return the plan in one line. Different plans have different lines."""
        parts = [f"{self.players[0]} against {self.players[1]}", f"seed {self.seed}"]
        parts += [f"limit {self.limits}"] if self.limits != NO_LIMITS else []
        parts += [f"from {self.start}"] if self.start else []
        parts += [f"{self.opening_plies} random plies"] if self.opening_plies else []
        parts += [f"rule {self.house_rule}"] if self.house_rule else []
        parts += [] if self.adjudicate is None else [f"adjudicated at {self.adjudicate} plies"]
        parts += [f"at most {self.max_plies} plies"] if self.max_plies != MAX_PLIES else []
        return "; ".join(parts)

    def seat_players(self, number: int) -> tuple[str, str]:
        first, second = self.players
        return (second, first) if number % 2 else (first, second)

    def start_of(self, game: AnyGame, pair: int) -> AnyPosition:
        """Return the position from which both games of a pair begin: the given one, or the game's own (which may be
        random), after the random plies. In simultaneous games a ply is a round. Raises BadNotation."""
        begin: AnyPosition = game.start({}, derive_seed(self.seed, pair, "start"))
        if self.start:
            begin = game.notation.parse_position(self.start)
        dice = Random(derive_seed(self.seed, pair, "opening"))
        for _ in range(TRIES):
            position = begin
            for _ in range(self.opening_plies):
                moves = game.rules.legal_moves(position)
                if not moves:
                    break
                position = game.rules.play(position, dice.choice(moves))
            if game.rules.legal_moves(position):
                return position
        return begin


def derive_seed(*parts: object) -> int:
    """Return a seed that depends only on `parts` and is the same on every machine."""
    return int.from_bytes(hashlib.sha256("/".join(map(str, parts)).encode()).digest()[:8])

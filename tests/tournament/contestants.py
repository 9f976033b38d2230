"""Contestants with prescribed moves, for the tests of the referee."""

from __future__ import annotations

from collections.abc import Sequence

from onlymove.tournament.processes import Fault
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.value import Move, Seat
from onlymove_engines.play.session import AnySession


class Scripted:
    """Plays these moves or fails where the script says so, and then plays the first legal move."""

    identity = "scripted 1"
    clock = "cpu"
    is_timed = False

    def __init__(self, *moves: Move | Fault) -> None:
        self.moves: Sequence[Move | Fault] = moves
        self.ended = 0

    def begin(self, game: AnyGame, start: AnyPosition, seat: Seat, seed: int) -> None:
        self.left = list(self.moves)

    def choose(self, session: AnySession, seat: Seat) -> Move:
        move = self.left.pop(0) if self.left else session.moves_of(seat)[0]
        if isinstance(move, Fault):
            raise move
        return move

    def end(self) -> None:
        self.ended += 1

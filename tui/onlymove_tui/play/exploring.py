"""A walk through the solved game: from a start, move by move, to the position on the board, and back.

Headless. It walks from position to position: none has a past, so nothing is drawn by repetition on the way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.rules import Result
from onlymove_engines.core.scene import View
from onlymove_engines.core.value import Move
from onlymove_engines.play.line import AnyNode
from onlymove_engines.play.players import Players
from onlymove_engines.play.session import AnySession, Session
from onlymove_engines.records.record import number_move_after

START = "the start"


class Walk:
    """From `start`, by these `moves`, through these `positions`, the start among them. `name` says where it began."""

    def __init__(self, start: AnyPosition, name: str = START) -> None:
        self.start = start
        self.name = name
        self.moves: list[Move] = []
        self.positions: list[AnyPosition] = [start]


class Exploration:
    """Where the walk stands, and the walks before the last jump to a position."""

    def __init__(self, game: AnyGame, start: AnyPosition, moves: Iterable[Move] = ()) -> None:
        self.game = game
        self.walk = Walk(start)
        self._left: list[Walk] = []
        for move in moves:
            self.down(move)

    @classmethod
    def to(cls, game: AnyGame, node: AnyNode) -> Exploration:
        """The way of a game to one of its nodes."""
        path = node.path()
        return cls(game, path[0].position, [step.move for step in path[1:]])

    @property
    def position(self) -> AnyPosition:
        return self.walk.positions[-1]

    @property
    def result(self) -> Result | None:
        """How the game has ended here; `None` while it goes on."""
        return self.game.rules.result(self.position)

    def down(self, move: Move) -> None:
        """Along a move. Raises GameOver or IllegalMove."""
        self.walk.positions.append(self.game.rules.play(self.position, move))
        self.walk.moves.append(move)

    def back(self) -> Move | None:
        """One move back, or back from where a jump has led; the move, if it was one. See `can_go_back`."""
        if self.walk.moves:
            self.walk.positions.pop()
            return self.walk.moves.pop()
        if self._left:
            self.walk = self._left.pop()
        return None

    @property
    def can_go_back(self) -> bool:
        return bool(self.walk.moves or self._left)

    def home(self) -> None:
        """To the start of the walk."""
        del self.walk.moves[:], self.walk.positions[1:]

    def jump(self, position: AnyPosition, name: str) -> None:
        """To any position, which is called that: a new walk begins there."""
        self._left.append(self.walk)
        self.walk = Walk(position, name)

    def view(self, **options: Any) -> View[AnyPosition, Move]:
        return View(tuple(self.walk.positions), tuple(self.walk.moves), is_over=self.result is not None, **options)

    def steps(self) -> Sequence[str]:
        """The moves with their numbers: `1. a4`, `b3`, `2. c2`."""
        first, said = self.game.rules.to_move(self.walk.start), list[str]()
        for ply, (position, move) in enumerate(zip(self.walk.positions, self.walk.moves, strict=False)):
            number, is_second = number_move_after(ply, first)
            mark = "" if is_second and ply else f"{number}{'...' if is_second else '.'} "
            said.append(mark + self.game.describe_move(position, move))
        return said

    def session(self, players: Players) -> AnySession:
        """A game in which this was played, as far as it goes before it is over. Nobody made these moves at a table."""
        session: AnySession = Session(self.game, self.walk.start, players)
        for move in self.walk.moves:
            if session.is_over:
                break
            session.play(move).players = None
        return session

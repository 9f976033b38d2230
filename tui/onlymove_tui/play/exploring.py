"""The explorer's walk through the solved game: from a start, move by move, to the position on the board, and back.

Headless. Positions on the way have no history, so none of them is drawn by repetition.
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
    """`moves` through `positions`, of which the first is the start; `name` says where that is."""

    def __init__(self, start: AnyPosition, name: str = START) -> None:
        self.name = name
        self.moves: list[Move] = []
        self.positions: list[AnyPosition] = [start]


class Exploration:
    """The current walk, and those before the last jumps to other positions."""

    def __init__(self, game: AnyGame, start: AnyPosition, moves: Iterable[Move] = ()) -> None:
        self.game = game
        self.walk = Walk(start)
        self._earlier: list[Walk] = []
        for move in moves:
            self.play(move)

    @classmethod
    def to(cls, game: AnyGame, node: AnyNode) -> Exploration:
        """The moves of a game up to one of its nodes."""
        path = node.path()
        return cls(game, path[0].position, [step.move for step in path[1:]])

    @property
    def position(self) -> AnyPosition:
        return self.walk.positions[-1]

    @property
    def result(self) -> Result | None:
        """How the game has ended here; `None` while it goes on."""
        return self.game.rules.result(self.position)

    def play(self, move: Move) -> None:
        """Go on by a move. Raises GameOver or IllegalMove."""
        self.walk.positions.append(self.game.rules.play(self.position, move))
        self.walk.moves.append(move)

    def go_back(self) -> Move | None:
        """Take one move or jump back. Returns the move, if it was one."""
        if self.walk.moves:
            self.walk.positions.pop()
            return self.walk.moves.pop()
        if self._earlier:
            self.walk = self._earlier.pop()
        return None

    @property
    def can_go_back(self) -> bool:
        return bool(self.walk.moves or self._earlier)

    def go_home(self) -> None:
        """Go to the start of the walk."""
        del self.walk.moves[:], self.walk.positions[1:]

    def jump(self, position: AnyPosition, name: str) -> None:
        """Begin a new walk at any position, which gets this name."""
        self._earlier.append(self.walk)
        self.walk = Walk(position, name)

    def view(self, **options: Any) -> View[AnyPosition, Move]:
        return View(tuple(self.walk.positions), tuple(self.walk.moves), is_over=self.result is not None, **options)

    def steps(self) -> Sequence[str]:
        """The moves with their numbers: `1. a4`, `b3`, `2. c2`."""
        first, steps = self.game.rules.to_move(self.walk.positions[0]), list[str]()
        for ply, (position, move) in enumerate(zip(self.walk.positions, self.walk.moves, strict=False)):
            number, is_second = number_move_after(ply, first)
            mark = "" if is_second and ply else f"{number}{'...' if is_second else '.'} "
            steps.append(mark + self.game.describe_move(position, move))
        return steps

    def session(self, players: Players) -> AnySession:
        """A game with these moves, up to its end. They count as nobody's."""
        session: AnySession = Session(self.game, self.walk.positions[0], players)
        for move in self.walk.moves:
            if session.is_over:
                break
            session.play(move).players = None
        return session

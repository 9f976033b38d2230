"""The explorer's path through the solved game. Its positions have no history, so none is drawn by repetition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.rules import Result
from onlymove_engines.core.scene import View
from onlymove_engines.core.value import Move
from onlymove_engines.play.players import Players
from onlymove_engines.play.session import AnySession, Session
from onlymove_engines.play.tree import AnyNode

START = "the start"


class Exploration:
    """A walk of `moves` through `positions`, and the walks before the latest jumps to other positions. `name` is the
    name of the first position. The walk begins with the moves of a game up to `node`, or at the usual start."""

    def __init__(self, game: AnyGame, node: AnyNode | None = None) -> None:
        self.game = game
        path = [] if node is None else node.path()
        self.name = START
        self.moves: list[Move] = []
        self.positions: list[AnyPosition] = [path[0].position if path else game.default_start()]
        self._earlier: list[tuple[str, list[Move], list[AnyPosition]]] = []
        for step in path[1:]:
            self.play(step.move)

    @property
    def position(self) -> AnyPosition:
        return self.positions[-1]

    @property
    def result(self) -> Result | None:
        return self.game.rules.result(self.position)

    def play(self, move: Move) -> None:
        """Play a move. Raises GameOver or IllegalMove."""
        self.positions.append(self.game.rules.play(self.position, move))
        self.moves.append(move)

    @property
    def can_go_back(self) -> bool:
        return bool(self.moves or self._earlier)

    def go_back(self) -> Move | None:
        """Take back one move and return it. If there is no move, take back one jump and return `None`."""
        if self.moves:
            self.positions.pop()
            return self.moves.pop()
        if self._earlier:
            self.name, self.moves, self.positions = self._earlier.pop()
        return None

    def go_to_start(self) -> Move | None:
        """Take back all moves of this walk, and return the first of them."""
        first = next(iter(self.moves), None)
        del self.moves[:], self.positions[1:]
        return first

    def jump(self, position: AnyPosition, name: str) -> None:
        self._earlier.append((self.name, self.moves, self.positions))
        self.name, self.moves, self.positions = name, [], [position]

    def view(self, **options: Any) -> View[AnyPosition, Move]:
        return View(tuple(self.positions), tuple(self.moves), is_over=self.result is not None, **options)

    def format_steps(self) -> Sequence[str]:
        """Return the moves with their numbers, as in a list of moves: `1. a4`, `b3`, `3. c2`. The second player's reply
        follows without its number."""
        steps, was_first = list[str](), False
        for number, (position, move) in enumerate(zip(self.positions, self.moves, strict=False), 1):
            is_second = self.game.rules.to_move(position) == 1
            mark = "" if is_second and was_first else f"{number}. "
            steps.append(mark + self.game.describe_move(position, move))
            was_first = not is_second
        return steps

    def session(self, players: Players) -> AnySession:
        """Return a game with these moves, as far as the game goes on. The moves do not count as any player's."""
        session: AnySession = Session(self.game, self.positions[0], players)
        for move in self.moves:
            if session.is_over:
                break
            session.play(move).players_at_move = None
        return session

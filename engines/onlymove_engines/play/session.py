"""A game being played: the line, who sits where, whose turn it is, and how it ends.

Knows the rules through the card, house rules and repetition. Knows no screen, clock or engine.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic

from onlymove_engines.core.errors import GameOver, IllegalMove
from onlymove_engines.core.game import Game, HouseRule
from onlymove_engines.core.move_entry import MoveEntry
from onlymove_engines.core.rules import M, P, Result
from onlymove_engines.core.scene import View
from onlymove_engines.core.value import Move, Seat, other
from onlymove_engines.play.line import Line, Node


class PlayerKind(enum.Enum):
    """Who makes a seat's moves."""

    HUMAN = "human"
    ENGINE = "engine"


@dataclass(frozen=True, slots=True)
class Player:
    """One side of the table: who sits there and, for an engine, its style and strength 0..100."""

    kind: PlayerKind
    style: str = ""
    strength: int = 100

    @property
    def is_human(self) -> bool:
        """Whether the moves come from this keyboard."""
        return self.kind is PlayerKind.HUMAN


HUMAN = Player(PlayerKind.HUMAN)


def person_at(seat: Seat | None, engine: Player) -> tuple[Player, Player]:
    """A person at `seat` against `engine`; at the first one where both move at once (`None`)."""
    return (engine, HUMAN) if seat == 1 else (HUMAN, engine)


class Session(Generic[P, M]):
    """One game from start to end. Every change goes through a method; the line keeps all that was tried."""

    def __init__(
        self,
        game: Game[P, M],
        start: P | None = None,
        players: tuple[Player, Player] = (HUMAN, HUMAN),
        house_rule: HouseRule | None = None,
    ) -> None:
        self.game = game
        self.line: Line[P, M] = Line(game.default_start() if start is None else start)
        self.node: Node[P, M] = self.line.root
        self.players = players
        self.house_rule = house_rule
        self.pending: dict[Seat, Move] = {}
        self._agreed: Result | None = None
        self._undone: list[Node[P, M]] = []

    @property
    def position(self) -> P:
        """The position on the board."""
        return self.node.position

    @property
    def to_move(self) -> Seat | None:
        """The seat whose turn it is; `None` where both move at once."""
        return self.game.rules.to_move(self.position)

    def positions(self) -> list[P]:
        """The positions from the start to the current one."""
        return [node.position for node in self.node.path()]

    def moves(self) -> list[M]:
        """The moves (rounds) from the start to the current position."""
        return [node.move for node in self.node.path() if node.move is not None]

    @property
    def result(self) -> Result | None:
        """How the game ended: agreed, by the rules, by repetition or for want of a move the house rule allows."""
        if self._agreed is not None:
            return self._agreed
        if (result := self.game.rules.result(self.position)) is not None:
            return result
        past = self.positions()
        if self.game.repetition is not None and (result := self.game.repetition(past)) is not None:
            return result
        if self.house_rule is not None and self.to_move is not None and not self._allowed(past):
            return self.house_rule.result_when_stuck(self.to_move)
        return None

    @property
    def is_over(self) -> bool:
        """Whether no more moves can be made."""
        return self.result is not None

    def legal_moves(self) -> Sequence[M]:
        """What the rules and the house rule allow now; nothing when the game is over."""
        return () if self.is_over else self._allowed(self.positions())

    def _allowed(self, past: Sequence[P]) -> Sequence[M]:
        moves = self.game.rules.legal_moves(self.position)
        return moves if self.house_rule is None else self.house_rule.legal_moves(self.game.rules, past, moves)

    def moves_of(self, seat: Seat) -> Sequence[Move]:
        """What `seat` may choose from now, in either kind of game."""
        if self.is_over:
            return ()
        if self.to_move is None:
            rules: Any = self.game.rules
            moves: Sequence[Move] = rules.moves_of(self.position, seat)
            return moves
        return self.legal_moves() if self.to_move == seat else ()

    def entry(self, seat: Seat) -> MoveEntry[Any]:
        """A fresh entry over the moves of `seat`."""
        moves = self.moves_of(seat)
        return MoveEntry({path: move for move in moves for path in self.game.notation.paths(self.position, move)})  # type: ignore[arg-type]

    def view(self, **overrides: Any) -> View[P, M]:
        """What a drawer needs to draw the current position."""
        return View(tuple(self.positions()), tuple(self.moves()), **overrides)

    def play(self, move: M) -> Node[P, M]:
        """Make a move (a whole round in simultaneous games). Raises GameOver or IllegalMove and changes nothing."""
        if self.is_over:
            raise GameOver("the game is over")
        if move not in self.legal_moves():
            self.game.rules.play(self.position, move)
            title = "the house rule" if self.house_rule is None else f"the rule '{self.house_rule.title}'"
            raise IllegalMove(f"{title} forbids this move")
        child = self.line.add(self.node, move, self.game.rules.play(self.position, move))
        self.node = child
        self.pending.clear()
        self._undone.clear()
        return child

    def commit(self, seat: Seat, move: Move) -> Node[P, M] | None:
        """Fix the hidden choice of `seat` in a simultaneous round; the round is played once both have chosen.

        A choice can be replaced until then. Raises GameOver or IllegalMove.
        """
        if self.is_over:
            raise GameOver("the game is over")
        if move not in self.moves_of(seat):
            raise IllegalMove("that is not one of this side's moves")
        self.pending[seat] = move
        if len(self.pending) < 2:
            return None
        joint: Any = (self.pending[0], self.pending[1])
        return self.play(joint)

    def withdraw(self, seat: Seat) -> None:
        """Forget the hidden choice of `seat`, if it has made one."""
        self.pending.pop(seat, None)

    def resign(self, seat: Seat) -> None:
        """End the game as a loss for `seat`."""
        self._agree(Result(other(seat), reason=f"{self.game.seats[seat]} resigned"))

    def agree_draw(self) -> None:
        """End the game as an agreed draw."""
        self._agree(Result(None, reason="draw agreed"))

    def _agree(self, result: Result) -> None:
        if self.is_over:
            raise GameOver("the game is over")
        self._agreed = result
        self.pending.clear()

    @property
    def agreed(self) -> Result | None:
        """A resignation or an agreed draw, if there was one."""
        return self._agreed

    def restore_agreed(self, result: Result | None) -> None:
        """Put back an agreement from a saved game."""
        self._agreed = result

    def undo(self) -> bool:
        """Back to the last own decision: the nearest earlier position where a person was to move.

        Between engines, one ply. Returns whether anything changed. What was undone can be redone.
        """
        target = self._last_decision()
        if target is None and self._agreed is None:
            return False
        agreed, self._agreed = self._agreed, None
        if target is None or (agreed is not None and self._person_decides(self.node)):
            return True
        self._undone.append(self.node)
        self.node = target
        self.pending.clear()
        return True

    def redo(self) -> bool:
        """Undo the last undo. Returns whether anything changed."""
        if not self._undone:
            return False
        self.node = self._undone.pop()
        self.pending.clear()
        return True

    @property
    def undo_depth(self) -> int:
        """How many undos can be redone."""
        return len(self._undone)

    @property
    def undone(self) -> tuple[Node[P, M], ...]:
        """The positions that redo goes back to, the next one last."""
        return tuple(self._undone)

    def restore(self, node: Node[P, M], undone: Sequence[Node[P, M]] = ()) -> None:
        """Stand at `node`, with these positions to redo; used when a game is resumed or reviewed."""
        self.node = node
        self._undone = list(undone)
        self.pending.clear()

    def _last_decision(self) -> Node[P, M] | None:
        earlier = [node for node in self.node.lineage() if node is not self.node]
        people = [node for node in earlier if self._person_decides(node)]
        if people:
            return people[0]
        if any(player.is_human for player in self.players):
            return None
        return earlier[0] if earlier else None

    def _person_decides(self, node: Node[P, M]) -> bool:
        seat = self.game.rules.to_move(node.position)
        return any(player.is_human for player in self.players) if seat is None else self.players[seat].is_human

    def human_seats(self) -> tuple[Seat, ...]:
        """The seats on this keyboard."""
        return tuple(seat for seat in (0, 1) if self.players[seat].is_human)

"""Who sits at the table, and whose choice it is. Knows no values and no screen."""

from __future__ import annotations

from typing import Any, TypeAlias

from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.value import Seat
from onlymove_engines.play.line import Node
from onlymove_engines.play.session import Session

AnyNode: TypeAlias = Node[Any, Any]


class Seating:
    """A session as its people see it: which seats are theirs, which are engines'."""

    def __init__(self, session: Session[Any, Any]) -> None:
        self.session = session
        self.game: AnyGame = session.game

    @property
    def node(self) -> AnyNode:
        """Where the game stands."""
        return self.session.node

    @property
    def line_root(self) -> AnyNode:
        """Where the game began."""
        return self.session.line.root

    @property
    def is_simultaneous(self) -> bool:
        """Whether both sides choose unseen."""
        return self.game.facts.simultaneous

    @property
    def seat(self) -> Seat | None:
        """Whose choice this keyboard is to make now; `None` when it is not its turn or the game is over."""
        if self.session.is_over:
            return None
        if self.session.to_move is None:
            free = [seat for seat in self.session.human_seats() if seat not in self.session.pending]
            return free[0] if free else None
        return self.session.to_move if self.session.players[self.session.to_move].is_human else None

    @property
    def near_seat(self) -> Seat:
        """The side that sits below: the person's, or the first player's when two or none play."""
        people = self.session.human_seats()
        return people[0] if len(people) == 1 else 0

    @property
    def is_turned(self) -> bool:
        """Whether the board has to be turned round for the only person to sit below."""
        return self.game.own_side_below and self.near_seat == 1

    def engines_to_choose(self) -> tuple[Seat, ...]:
        """The engines' seats that owe a move."""
        if self.session.is_over:
            return ()
        engines = tuple(seat for seat in (0, 1) if not self.session.players[seat].is_human)
        if self.session.to_move is None:
            return tuple(seat for seat in engines if seat not in self.session.pending)
        return tuple(seat for seat in engines if seat == self.session.to_move)

    def is_persons(self, node: AnyNode) -> bool:
        """Whether the move into `node` was a person's, or partly."""
        assert node.parent is not None
        seat = self.game.rules.to_move(node.parent.position)
        return seat is None or self.session.players[seat].is_human

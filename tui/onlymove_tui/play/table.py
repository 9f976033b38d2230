"""The table at which a game in lines is played: whose move is read, what it is worth, and engines that answer.

Knows no files, no terminal and no clock of its own: lines go to a function, and who keeps the game is told when.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from onlymove_engines.coach.tutor import Tutor
from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.errors import IllegalMove
from onlymove_engines.core.value import Mixed, Seat
from onlymove_engines.play.opponent import Opponent, find_style
from onlymove_engines.play.session import Player

THINKING = 1.0
"""Seconds for an engine's move or a judgement where no table answers."""


@dataclass(frozen=True)
class Room:
    """What a game in lines stands in: where its lines go, a clock for searches, lots for engines, and who keeps the
    game (`save` returns what is wrong, or nothing)."""

    write: Callable[[str], None]
    clock: Callable[[], float]
    lots: Random
    ascii_only: bool = False
    save: Callable[[], str] = str


class PlainTable:
    """Session, tutor and engines; what a player may say is `plain`'s to know."""

    def __init__(self, tutor: Tutor, analyst: Any, room: Room) -> None:
        self.tutor = tutor
        self.session = tutor.session
        self.game = tutor.session.game
        self.analyst = analyst
        self.room = room
        self.write = room.write
        self.trouble = ""
        self._known: tuple[Any, Analysis[Any] | Mixed] | None = None

    def save(self) -> None:
        """Have the game kept as it stands; what is wrong with that is said once."""
        trouble = self.room.save()
        if trouble and trouble != self.trouble:
            self.write(trouble)
        self.trouble = trouble

    def human_to_move(self) -> Seat:
        """The seat whose move is read: in a simultaneous round the first person who has not chosen."""
        seat = self.session.to_move
        if seat is not None:
            return seat
        return next(seat for seat in self.session.human_seats() if seat not in self.session.pending)

    def read_move(self, seat: Seat, text: str) -> Any:
        """The move of `seat` spelled `text`. Raises BadNotation or IllegalMove."""
        position = self.session.position
        if self.session.to_move is not None:
            return self.game.notation.parse_move(position, text)
        choices = {self.game.notation.format_move(position, move): move for move in self.session.moves_of(seat)}
        if text.lower() not in choices:
            raise IllegalMove(f"{self.game.seats[seat]} can play {' '.join(choices)}")
        return choices[text.lower()]

    def budget(self) -> Budget:
        """As long as one look may take."""
        return Budget.seconds(THINKING, self.room.clock)

    def look(self) -> Analysis[Any] | Mixed:
        """What the current position is worth, looked up once."""
        position = self.session.position
        if self._known is None or self._known[0] != position:
            ask = self.analyst.mixed if self.session.to_move is None else self.analyst.analyse
            self._known = position, ask(position, self.budget())
        return self._known[1]

    def reveal(self) -> None:
        """In a simultaneous game, what both have done."""
        node = self.session.node
        if self.game.facts.simultaneous and node.parent is not None and node.move is not None:
            self.write(f"Round {node.ply}: {self.game.notation.format_move(node.parent.position, node.move)}")

    def prepare_hidden(self) -> None:
        """In a simultaneous game the engines fix their choice before a person commits."""
        if self.session.to_move is not None:
            return
        for seat in (0, 1):
            player = self.session.players[seat]
            if not player.is_human and seat not in self.session.pending:
                self.session.commit(seat, self.hidden_choice(seat, player))

    def hidden_choice(self, seat: Seat, player: Player) -> Any:
        """What an engine commits to in a simultaneous round."""
        moves = self.session.moves_of(seat)
        return self.opponent(player).choose_hidden(self.session.position, seat, moves, self.room.lots, self.budget())

    def opponent(self, player: Player) -> Opponent:
        """The engine in a player."""
        return Opponent(self.analyst, find_style(self.game, player.style), player.strength)

    def engines(self) -> None:
        """Engines move until a person has to, or the game is over."""
        while not self.session.is_over:
            seat = self.session.to_move
            if seat is None:
                if self.session.human_seats():
                    return
                self.prepare_hidden()
                self.save()
                self.reveal()
                continue
            player = self.session.players[seat]
            if player.is_human:
                return
            position = self.session.position
            moves = self.session.legal_moves()
            move = self.opponent(player).choose(position, seat, moves, self.room.lots, self.budget())
            self.session.play(move)
            self.save()
            self.write(f"{self.game.seats[seat]} plays {self.game.notation.format_move(position, move)}")

"""Values where positions that stood before are drawn ends, worked out a second time: waves over all that is won for one
side and can come up.

Takes from the table only who wins where nothing has stood before: a past takes wins away and gives none. Shares nothing
with the engine's own search for ways round.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from onlymove_engines.core.analysis import AlternatingAnalyst
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.value import Draw, Loss, Outcome, Value, Win
from onlymove_engines.games.tobito.rules import Position

MOST = 1500
"""Positions that are looked into for one answer."""


class TooFar(Exception):
    """More positions bear on it than are looked into."""


@dataclass
class Haunted:
    """The game in which it is drawn as soon as a position of `closed` comes."""

    game: AnyGame
    analyst: AlternatingAnalyst
    closed: frozenset[Position]
    standing: dict[Position, bool] = field(default_factory=dict)
    known: dict[Position, Value] = field(default_factory=dict)

    def after(self, position: Position) -> Value:
        """What a position that a move leads to is worth: nothing to anybody where it is closed."""
        return Draw() if position in self.closed else self.value(position)

    def value(self, position: Position) -> Value:
        """What a position is worth to its side to move, now that it stands. Raises TooFar."""
        promised = self.promised(position)
        if promised.outcome is Outcome.DRAW or self.stands(position):
            return promised
        if position not in self.known:
            ahead = position.to_move if promised.outcome is Outcome.WIN else 1 - position.to_move
            self.known |= self.settled(self.region(position, ahead), ahead)
        return self.known[position]

    def promised(self, position: Position) -> Value:
        """What a position is worth where nothing has stood before."""
        value = self.analyst.probe(position)
        assert value is not None
        return value

    def children(self, position: Position) -> list[Position]:
        return [self.game.rules.play(position, move) for move in self.game.rules.legal_moves(position)]

    def stands(self, position: Position) -> bool:
        """Whether a win can be had as soon as where nothing has stood before: by its shortest ways alone."""
        if position not in self.standing:
            if len(self.standing) > MOST:
                raise TooFar
            value, children = self.promised(position), self.children(position)
            if value.outcome is Outcome.WIN:
                best = [child for child in children if self.promised(child) == Loss((value.remoteness or 1) - 1)]
                held = any(child not in self.closed and self.stands(child) for child in best)
            else:
                held = all(child not in self.closed and self.stands(child) for child in children)
            self.standing[position] = held
        return self.standing[position]

    def region(self, start: Position, ahead: int) -> Mapping[Position, list[Position]]:
        """What can come up while the side ahead keeps to what is won, with what each position leads to then; the other
        side's with nothing where one of its moves gets away."""
        found, open_ones = dict[Position, list[Position]](), [start]
        while open_ones:
            position = open_ones.pop()
            if position in found:
                continue
            if len(found) == MOST:
                raise TooFar
            children = self.children(position)
            won = [child for child in children if child not in self.closed and self.is_won(child, ahead)]
            found[position] = won if position.to_move == ahead or len(won) == len(children) else []
            open_ones += found[position]
        return found

    def is_won(self, position: Position, ahead: int) -> bool:
        """Whether a position is won for a side where nothing has stood before."""
        return self.promised(position).outcome is (Outcome.WIN if position.to_move == ahead else Outcome.LOSS)

    def settled(self, region: Mapping[Position, list[Position]], ahead: int) -> dict[Position, Value]:
        """Wave by wave what is won and in how many plies; the rest is drawn."""
        plies = {position: 0 for position in region if self.game.rules.result(position) is not None}
        for wave in range(1, len(region) + 1):
            new = [
                position
                for position, children in region.items()
                if position not in plies
                and children
                and (any if position.to_move == ahead else all)(child in plies for child in children)
            ]
            if not new:
                break
            plies |= dict.fromkeys(new, wave)
        won = {position: Win(count) if position.to_move == ahead else Loss(count) for position, count in plies.items()}
        return {position: won.get(position, Draw()) for position in region}

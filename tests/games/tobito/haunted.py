"""Computes values a second time for games in which some earlier positions end the game in a draw. It works in waves
over all positions that are won for one side and can occur.

From the table it takes only who wins if nothing occurred earlier, because earlier positions can take wins away but not
give any. It shares nothing with the engine's own search for detours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from onlymove_engines.core.analysis import AlternatingAnalyst
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.value import Draw, Loss, Outcome, Value, Win
from onlymove_engines.games.tobito.rules import Position

MAX_KEPT = 1500
"""The most positions that are searched for one answer."""


class TooFar(Exception):
    """The answer depends on more positions than may be searched."""


@dataclass
class Haunted:
    """A game that is drawn as soon as a position of `closed` occurs."""

    game: AnyGame
    analyst: AlternatingAnalyst
    closed: frozenset[Position]
    standing: dict[Position, bool] = field(default_factory=dict)
    known: dict[Position, Value] = field(default_factory=dict)

    def value_after(self, position: Position) -> Value:
        """Return the value of a position that a move leads to. It is a draw if the position is closed."""
        return Draw() if position in self.closed else self.value(position)

    def value(self, position: Position) -> Value:
        """Return the value of the current position for its side to move. Raises TooFar."""
        promised = self.probe_table(position)
        if promised.outcome is Outcome.DRAW or self.is_unaffected(position):
            return promised
        if position not in self.known:
            ahead = position.to_move if promised.outcome is Outcome.WIN else 1 - position.to_move
            self.known |= self.solve_region(self.region(position, ahead), ahead)
        return self.known[position]

    def probe_table(self, position: Position) -> Value:
        """Return the value of a position if nothing is closed."""
        value = self.analyst.probe(position)
        assert value is not None
        return value

    def children(self, position: Position) -> list[Position]:
        return [self.game.rules.play(position, move) for move in self.game.rules.legal_moves(position)]

    def is_unaffected(self, position: Position) -> bool:
        """Whether the value stays the same as if nothing were closed, because the shortest wins avoid the closed
        positions."""
        if position not in self.standing:
            if len(self.standing) > MAX_KEPT:
                raise TooFar
            value, children = self.probe_table(position), self.children(position)
            if value.outcome is Outcome.WIN:
                best = [child for child in children if self.probe_table(child) == Loss((value.remoteness or 1) - 1)]
                held = any(child not in self.closed and self.is_unaffected(child) for child in best)
            else:
                held = all(child not in self.closed and self.is_unaffected(child) for child in children)
            self.standing[position] = held
        return self.standing[position]

    def region(self, start: Position, ahead: int) -> Mapping[Position, list[Position]]:
        """Return the positions that can occur while the side ahead plays only winning moves, each with the positions
        that may follow. If one of the other side's moves escapes, nothing follows."""
        found, open_ones = dict[Position, list[Position]](), [start]
        while open_ones:
            position = open_ones.pop()
            if position in found:
                continue
            if len(found) == MAX_KEPT:
                raise TooFar
            children = self.children(position)
            won = [child for child in children if child not in self.closed and self.is_won(child, ahead)]
            found[position] = won if position.to_move == ahead or len(won) == len(children) else []
            open_ones += found[position]
        return found

    def is_won(self, position: Position, ahead: int) -> bool:
        """Whether a position is won for a side if nothing is closed."""
        return self.probe_table(position).outcome is (Outcome.WIN if position.to_move == ahead else Outcome.LOSS)

    def solve_region(self, region: Mapping[Position, list[Position]], ahead: int) -> dict[Position, Value]:
        """Find the wins, and their lengths in plies, wave by wave. The other positions are draws."""
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

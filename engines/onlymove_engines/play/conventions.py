"""The law of a game at the table, once for everybody: what may be played, and how the game has ended.

The rules of the game, the house rule that was agreed on and the repetition of positions, applied to the positions of
a game so far. Nobody else looks at any of the three. Knows no tree, no players and no values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

from onlymove_engines.core.errors import BadNotation, GameOver, IllegalMove, did_you_mean
from onlymove_engines.core.game import Game, HouseRule
from onlymove_engines.core.rules import M, P, Result


@dataclass(frozen=True, slots=True)
class Conventions(Generic[P, M]):
    """What holds in one game. In every method `past` are its positions, oldest first, the current one last."""

    game: Game[P, M]
    house_rule: HouseRule | None = None

    def allowed(self, past: Sequence[P]) -> tuple[M, ...]:
        """The moves that rules and house rule allow; repetition and agreements are not asked."""
        moves = self.game.rules.legal_moves(past[-1])
        if self.house_rule is not None:
            moves = self.house_rule.legal_moves(self.game.rules, past, moves)
        return tuple(moves)

    def result(self, past: Sequence[P]) -> Result | None:
        """How the game has ended: by the rules, by repetition, or for want of a move that the house rule allows."""
        position, rules = past[-1], self.game.rules
        if (result := rules.result(position)) is not None:
            return result
        repetition = self.game.repetition
        if repetition is not None and past.count(position) >= repetition.times:
            return repetition.result(position)
        seat = rules.to_move(position)
        if self.house_rule is not None and seat is not None and not self.allowed(past):
            return self.house_rule.result_when_stuck(seat)
        return None

    def stuck_after(self, past: Sequence[P]) -> Mapping[M, Result]:
        """The moves that end the game because the house rule leaves the other side no reply, and how it ends then."""
        if self.house_rule is None:
            return {}
        rules, found = self.game.rules, dict[M, Result]()
        for move in self.allowed(past):
            child = rules.play(past[-1], move)
            if rules.result(child) is None and (end := self.result([*past, child])) is not None:
                found[move] = end
        return found

    def closing(self, past: Sequence[P]) -> Mapping[P, Result]:
        """The positions that would end the game by repetition if it came there now, and how.

        A house rule that forbids repetitions leaves none.
        """
        repetition = self.game.repetition
        if repetition is None:
            return {}
        often = [seen for seen, count in Counter(past).items() if count >= repetition.times - 1]
        return {seen: repetition.result(seen) for seen in often if repetition.leads_back(past[-1], seen)}

    def may_come_back(self, position: P, closing: Iterable[P]) -> bool:
        """Whether, for all that is known, a line can go from `position` back to one of these."""
        repetition = self.game.repetition
        return repetition is not None and any(repetition.leads_back(position, seen) for seen in closing)

    def after(self, past: Sequence[P], move: M) -> P:
        """The position after `move`. Raises GameOver or IllegalMove, which names the rule that forbids it."""
        if self.result(past) is not None:
            raise GameOver("the game is over")
        position = self.game.rules.play(past[-1], move)
        if self.house_rule is not None and move not in self.allowed(past):
            raise IllegalMove(f"the house rule '{self.house_rule.title}' forbids this move")
        return position


def find_house_rule(game: Game[P, M], rule_id: str) -> HouseRule | None:
    """The house rule of a game with this id, `None` for the empty one. Raises BadNotation for one it does not have."""
    if not rule_id:
        return None
    for rule in game.house_rules:
        if rule.id == rule_id:
            return rule
    known = [rule.id for rule in game.house_rules]
    listed = ", ".join(known) or "none"
    raise BadNotation(f"{game.id} has no house rule '{rule_id}': there are {listed}{did_you_mean(rule_id, known)}")

"""A second opinion on every sentence about a move: each claim worked out again from the values of single positions.

Shares nothing with the coach but the names of the claims. What a drawer adds is checked by the `OWN` of
its `tests/games/<drawer>/claims_law.py`: the name of the claim, and what it takes for it to be true.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from onlymove_engines.coach import claims as said
from onlymove_engines.core.analysis import AlternatingAnalyst
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.value import Outcome, Value

from .law import law_of


@dataclass
class Case:
    """A move of a game, and what single positions are worth."""

    game: AnyGame
    analyst: AlternatingAnalyst
    position: Any
    move: Any

    def worth(self, position: Any) -> Value:
        """What a position is worth to its side to move."""
        known = self.analyst.probe(position) or self.analyst.analyse(position).value
        assert isinstance(known, Value), position
        return known

    def outcomes(self, position: Any) -> Mapping[Any, Outcome]:
        """What each move is worth to the side that plays it."""
        play = self.game.rules.play
        return {
            move: Outcome(-self.worth(play(position, move)).outcome) for move in self.game.rules.legal_moves(position)
        }

    @cached_property
    def own(self) -> Mapping[Any, Outcome]:
        return self.outcomes(self.position)

    @cached_property
    def child(self) -> Any:
        return self.game.rules.play(self.position, self.move)

    @cached_property
    def replies(self) -> Mapping[Any, Outcome]:
        return self.outcomes(self.child)

    @cached_property
    def passed(self) -> Mapping[Any, Outcome]:
        """What the other side's moves would be worth had this one passed."""
        position = self.game.claims.passed(self.position)
        return self.outcomes(position)

    def plies_of(self, position: Any, move: Any) -> int | None:
        """How many plies a winning move takes to win."""
        after = self.worth(self.game.rules.play(position, move))
        return None if after.remoteness is None else after.remoteness + 1

    def is_only_reply(self, reply: Any) -> bool:
        """Whether every other reply would have lost the mover nothing."""
        rest = [worth for move, worth in self.replies.items() if move != reply]
        return bool(rest) and max(rest) <= -max(self.own.values()) < self.replies[reply]


def is_true(case: Case, claim: Any) -> bool:
    """Whether a claim holds, and each word of it."""
    best, got = max(case.own.values()), case.own[case.move]
    match claim:
        case said.Ended(reason=reason):
            end = case.game.rules.result(case.child)
            return end is not None and end.reason == reason
        case said.Punished(reply=reply, plies=plies, is_only=is_only):
            quickest = min(case.plies_of(case.child, move) or 999 for move, w in case.replies.items() if w == 1)
            of_this = case.plies_of(case.child, reply)
            only = case.is_only_reply(reply)
            return case.replies[reply] == 1 and of_this == plies == quickest <= said.SHORT and only == is_only
        case said.OnlyReply(reply=reply, outcome=outcome):
            return case.is_only_reply(reply) and case.replies[reply] == outcome
        case said.Ignored(reply=reply):
            return case.passed[reply] == 1 and case.replies[reply] == 1
        case said.Opened(reply=reply):
            return max(case.passed.values()) < 1 and case.replies[reply] == 1
        case said.Alike(kin=kin, better=better, outcome=outcome):
            worths = {move: case.own[move] for move in kin.moves}
            if better is None:
                return len(worths) > 1 and case.move not in worths and max(worths.values()) == got == outcome
            return worths[better] == max(worths.values()) == outcome > got
        case said.TooLate(plies=plies):
            again = case.game.claims.passed(case.child)
            worth = case.worth(again)
            mine = case.game.rules.to_move(again) == case.game.rules.to_move(case.position)
            return mine and worth.outcome == 1 and worth.remoteness == plies <= said.SHORT
        case said.Missed(better=better, plies=plies):
            return case.own[better] == 1 and case.plies_of(case.position, better) == plies <= said.SHORT
        case said.Holding(better=better):
            return [move for move, worth in case.own.items() if worth == best] == [better]
        case said.Counted(keeping=keeping, moves=moves):
            values = case.analyst.analyse(case.position).moves.values()
            kept = [value.outcome if value.margin is None else value.margin for value in values if value]
            return kept.count(max(kept)) == keeping and len(kept) == moves
        case said.Trapped(losing=losing, replies=replies):
            return sum(worth == -1 for worth in case.replies.values()) == losing and len(case.replies) == replies
    own = law_of(case.game, "claims_law").OWN
    return bool(own[type(claim).__name__](case, claim))

"""How easily the opponent goes wrong, and a style that makes that as likely as it can. Knows no game.

Among moves of the same worth it prefers those after which the most replies give something away. Every reply counts the
same, so that a player can check it on the board. docs/levels.md measures how much this gains.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeAlias

from onlymove_engines.core.analysis import Analysis, Analyst, AnyAnalyst, Tally, Tallying, alternating
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.game import Turn, alike
from onlymove_engines.core.rules import M, P, Rules
from onlymove_engines.core.value import Outcome, Seat, Value
from onlymove_engines.search.lookup import choose_worth_trying, step_back

Deeper: TypeAlias = Callable[[AnyAnalyst, P, Seat], float]
"""How much `seat` likes the position that a move of its leads to, where the replies to its moves are as hard."""


class Chance(NamedTuple):
    """How hard a move makes the other side's task; a greater chance is a harder task.

    `result`: the mean result (win 1, draw 1/2, loss 0) for the side that plays the move if every reply is equally
    likely; in a lost position, the chance that at least one of the replies still to come goes wrong. `deeper`: the
    game's own measure of the position. `slips`: the share of the replies that are not best, which makes a win quicker
    or larger.
    """

    result: float
    deeper: float
    slips: float


def count_moves(moves: Analysis[M]) -> Tally | None:
    """Count the moves of a position by their values; `None` if one is not known."""
    if not moves.is_complete:
        return None
    outcomes = [value.outcome for value in moves.moves.values() if value is not None]
    wins, draws, losses = (outcomes.count(outcome) for outcome in (Outcome.WIN, Outcome.DRAW, Outcome.LOSS))
    return Tally(wins, draws, losses, len(moves.best()))


def tally_moves(rules: Rules[P, M], position: P, analyst: Analyst[P, M]) -> Tally | None:
    """Count the moves of a position by look-ups; `None` if one is not known without search."""
    children = ((move, rules.play(position, move)) for move in rules.legal_moves(position))
    return count_moves(Analysis(None, {move: step_back(analyst.probe(child)) for move, child in children}))


def tally_positions(
    rules: Rules[P, M], positions: Sequence[P], analyst: AnyAnalyst, budget: Budget = UNLIMITED
) -> Sequence[Tally | None]:
    """Count the moves of each position, in order; `None` if one is not known."""
    if isinstance(analyst, Tallying):
        return analyst.tallies(positions, budget)
    return [tally_moves(rules, position, alternating(analyst)) for position in positions]


@dataclass(frozen=True)
class ProblemSetter(Generic[P, M]):
    """A way of playing: it keeps the result and sets the other side the hardest task.

    A won game is won as fast as it can be. In a drawn game the style counts the replies to every drawing move. In a
    lost game it counts a long defence as well, because each reply that the winner still has to find may go wrong.
    """

    rules: Rules[P, M]
    deeper: Deeper[P] | None = None
    candidates: Callable[[Turn[P, M]], Sequence[M]] = lambda turn: choose_worth_trying(turn.analysis)
    """The moves that are equally good, and those to try where not everything is proven."""

    def choose(self, turn: Turn[P, M]) -> Mapping[M, float]:
        """Return the moves that leave the hardest task, with equal probability."""
        chances = self.chances(turn)
        top = max(chances.values(), default=None)
        return alike(move for move, chance in chances.items() if chance == top) or alike(self.candidates(turn))

    def chances(self, turn: Turn[P, M]) -> dict[M, Chance]:
        """Return the task that each candidate move leaves, the hardest first; empty if that is not known."""
        top = turn.analysis.best_value()
        if top is None:
            return {}
        moves = turn.analysis.keeping() if is_lost_by_plies(top) else self.candidates(turn)
        after = {move: self.rules.play(turn.position, move) for move in moves}
        found: dict[M, Chance] = {}
        replies = tally_positions(self.rules, list(after.values()), turn.analyst, turn.budget)
        for (move, child), replies_to_it in zip(after.items(), replies, strict=True):
            value = turn.analysis.moves[move]
            if value is None or replies_to_it is None:
                return {}
            deeper = 0.0 if self.deeper is None else self.deeper(turn.analyst, child, turn.seat)
            found[move] = chance(value, replies_to_it, deeper)
        return dict(sorted(found.items(), key=lambda item: item[1], reverse=True))


def play_fastest(turn: Turn[P, M]) -> Mapping[M, float]:
    """Play the shortest win, any draw, or the longest defence; without a table, what looks most promising."""
    return alike(choose_worth_trying(turn.analysis))


def is_lost_by_plies(value: Value) -> bool:
    """Return whether the position is lost in a known number of plies, so that only a long defence or a mistake can
    help.
    """
    return value.outcome is Outcome.LOSS and value.remoteness is not None


def chance(value: Value, replies: Tally, deeper: float = 0.0) -> Chance:
    """Measure how hard a move of this worth makes the other side's task, by the replies to it.

    In a position lost in n plies the winner has n // 2 replies to find. The chance that none of them goes wrong is
    taken as (1 - result) ^ (n // 2), as if each were as hard as the next one.
    """
    if not replies.moves:
        return Chance((1 + value.outcome) / 2, deeper, 0.0)
    result = (replies.losses + replies.draws / 2) / replies.moves
    if is_lost_by_plies(value):
        result = 1 - (1 - result) ** ((value.remoteness or 0) // 2)
    return Chance(result, deeper, 1 - replies.best / replies.moves)

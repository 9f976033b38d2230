"""How Orbito's engine likes to play."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from onlymove_engines.core.analysis import Analysis, AnyAnalyst
from onlymove_engines.core.game import Style, Turn, alike
from onlymove_engines.core.value import Outcome, Value

from .analyst import OrbitoAnalyst
from .rules import RULES, Move, Position


def fastest(turn: Turn[Position, Move]) -> Mapping[Move, float]:
    """The shortest win, any drawing move, the longest defence; without a table what promises most."""
    return alike(turn.analysis.best() or _most_promising(turn.analysis))


def _most_promising(analysis: Analysis[Move]) -> tuple[Move, ...]:
    """The best of proven wins, of estimates, of all: the moves to try where not everything is proven."""
    hopes = {
        move: float(value.outcome) * 2 - (value.remoteness or 0) * int(value.outcome) / 100
        if value is not None
        else analysis.estimates[move].expected
        if move in analysis.estimates
        else 0.0
        for move, value in analysis.moves.items()
    }
    top = max(hopes.values())
    return tuple(move for move, hope in hopes.items() if hope == top)


def reply_results(position: Position, moves: tuple[Move, ...], analyst: OrbitoAnalyst) -> dict[Move, float]:
    """For each move the mean result (win 1, draw 1/2, loss 0) for the side that plays it when the opponent answers
    with any legal move alike; where the move ends the game, its result."""
    after = [RULES.play(position, move) for move in moves]
    replies = analyst.children(after)
    results = (1 - np.sign(replies.score)) / 2
    counts = np.bincount(replies.row, minlength=len(after))
    sums = np.bincount(replies.row, weights=results, minlength=len(after))
    return {
        move: float(sums[k] / counts[k]) if counts[k] else (1 - int(analyst.probe(after[k]).outcome)) / 2
        for k, move in enumerate(moves)
    }


def chance(result: float, value: Value) -> float:
    """The practical chance of a keeping move with this mean result of the replies.

    In a draw the mean result itself. In a lost position the chance that one of the opponent's remaining replies
    goes wrong, 1 - (1 - result)^n, n of them being left at this distance: a long defence counts, too.
    """
    if value.remoteness is None or value.outcome is Outcome.DRAW:
        return result
    return float(1 - (1 - result) ** (value.remoteness // 2))


def by_chances(position: Position, analysis: Analysis[Move], analyst: AnyAnalyst) -> Mapping[Move, float]:
    """The chances of the keeping moves of a position that is not won, highest first; empty without a table."""
    top = analysis.best_value()
    if top is None or top.outcome is Outcome.WIN or not isinstance(analyst, OrbitoAnalyst):
        return {}
    results = reply_results(position, analysis.keeping(), analyst)
    found = {move: chance(result, analysis.moves[move] or top) for move, result in results.items()}
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def practical(turn: Turn[Position, Move]) -> Mapping[Move, float]:
    """Among the keeping moves those after which the opponent most easily goes wrong. A win is simply hurried."""
    ranked = by_chances(turn.position, turn.analysis, turn.analyst)
    if not ranked:
        return fastest(turn)
    top = max(ranked.values())
    return alike(move for move, chance in ranked.items() if chance == top)


STYLES: tuple[Style[Position, Move], ...] = (
    Style("fastest", "Fastest", "Wins as soon as it can and defends as long as it can.", fastest),
    Style("practical", "Practical", "Keeps the result and sets the opponent the hardest task.", practical),
)

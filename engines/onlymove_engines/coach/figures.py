"""What a game's judgements add up to: counts first, one percentage second.

One stored judgement feeds the list, the keys, the summary and the drill, so they can never disagree.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from onlymove_engines.coach.made import Made
from onlymove_engines.core.judgement import Grade, Judgement


@dataclass(frozen=True)
class Figures:
    """Somebody's game: `counts` by class over the moves that stand; `kept` of `decisions` first attempts kept the
    value (forced, unknown and fully hinted ones left out); `only_moves` found; `accuracy` in percent or `None`
    without a graded decision; `turning_point` the ply of the first move that changed the result."""

    counts: dict[Grade, int]
    kept: int
    decisions: int
    only_moves: int
    accuracy: float | None
    turning_point: int | None

    def headline(self) -> str:
        """`Kept the value in 9 of 11 decisions.`"""
        if self.decisions == 0:
            return "No decisions to judge."
        return f"Kept the value in {self.kept} of {self.decisions} decision{'s' if self.decisions > 1 else ''}."


def move_accuracy(score_lost: float) -> float:
    """Percent for one move by the expected score (0..1) it gave away: 0 -> 100, 0.5 -> 9.5, 1 -> 0.

    The curve is the one lichess publishes for the drop in winning percentage.
    """
    percent = 103.1668100711649 * math.exp(-0.04354415386753951 * 100 * score_lost) - 2.166924740191411
    return min(100.0, max(0.0, percent))


def figures(made: Sequence[Made]) -> Figures:
    """The figures of choices along a path of nodes, the first one first."""
    counts: Counter[Grade] = Counter()
    only_moves, turning_point = 0, None
    for node, seat in made:
        judgement = node.judgements.get(seat)
        if judgement is None:
            continue
        counts[judgement.grade] += 1
        only_moves += judgement.only
        if turning_point is None and not judgement.keeps_result and judgement.grade.is_graded:
            turning_point = node.ply
    decided = decisions(made)
    kept = sum(judgement.keeps_value for judgement in decided)
    accuracies = [move_accuracy(judgement.score_lost) for judgement in decided]
    accuracy = sum(accuracies) / len(accuracies) if accuracies else None
    return Figures(dict(counts), kept, len(decided), only_moves, accuracy, turning_point)


def decisions(made: Sequence[Made]) -> list[Judgement]:
    """The first attempts at choices that count: forced, unknown and fully hinted ones left out."""
    found = []
    for node, seat in made:
        judgement, parent = node.judgements.get(seat), node.parent
        if judgement is not None and parent is not None and seat not in parent.hinted:
            first = parent.attempts.get(seat, judgement)
            if first.grade.is_graded:
                found.append(first)
    return found

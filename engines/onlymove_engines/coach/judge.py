"""From the value of every move to a judgement of one: a pure table, with its thresholds as data.

The classes and bands are those of the best trainers, fitted to exact values (docs/judging.md).
"""

from __future__ import annotations

from dataclasses import dataclass

from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.judgement import UNKNOWN, Grade, Judgement, Objective
from onlymove_engines.core.rules import M
from onlymove_engines.core.value import Mixed, Move, Outcome, Seat, Value


@dataclass(frozen=True, slots=True)
class Bands:
    """The thresholds: own moves slower, points lost, regret on a scale of 0..1 (wider for estimates)."""

    slow_moves: int = 3
    mistake_points: int = 8
    inaccuracy_regret: float = 0.05
    mistake_regret: float = 0.20
    estimate_tolerance: float = 0.04
    estimate_inaccuracy: float = 0.12
    estimate_mistake: float = 0.30


DEFAULT_BANDS = Bands()


def judge(
    before: Analysis[M], move: M, objective: Objective = Objective.RESULT, bands: Bands = DEFAULT_BANDS
) -> Judgement:
    """Judge `move` by the exact value of every legal move of the position it was played from.

    Raises KeyError when the move is not among them. Unknown values are never flagged. Points are what is judged
    where they are played for, and where no move changes the result.
    """
    after, best = before.moves[move], before.best_value()
    if after is None or best is None:
        return UNKNOWN
    others = [before.limits[m] if value is None else value for m, value in before.moves.items() if m != move]
    if before.is_complete and all(value.preference == after.preference for value in others):
        return Judgement(Grade.FORCED, best, after)
    is_decided = before.is_complete and all(value.outcome == after.outcome for value in others)
    counts_points = is_decided or objective is Objective.MARGIN
    points = 0 if move in before.ends_won else (best.margin or 0) - (after.margin or 0)
    slower = _own_moves_slower(best, after)
    grade = _grade(best, after, points, slower, counts_points, bands)
    only = grade is Grade.BEST and all(value.outcome < best.outcome for value in others)
    flagged = after.outcome < best.outcome or (counts_points and points > 0)
    return Judgement(grade, best, after, only, flagged, slower, points)


def _own_moves_slower(best: Value, after: Value) -> int:
    """How many own moves longer a win takes, or sooner a loss comes, than with best play."""
    if best.outcome is not after.outcome or best.remoteness is None or after.remoteness is None:
        return 0
    return (abs(best.remoteness - after.remoteness) + 1) // 2 if best.outcome is not Outcome.DRAW else 0


def _grade(best: Value, after: Value, points: int, slower: int, counts_points: bool, bands: Bands) -> Grade:
    """The class of a move that is not forced. One that keeps the result is an inaccuracy at worst, unless points
    are what is judged."""
    if after.outcome < best.outcome:
        missed = best.outcome is Outcome.WIN and after.outcome is Outcome.DRAW
        return Grade.MISSED_WIN if missed else Grade.BLUNDER
    if points:
        return Grade.MISTAKE if counts_points and points >= bands.mistake_points else Grade.INACCURACY
    if slower == 0:
        return Grade.BEST
    return Grade.INACCURACY if slower >= bands.slow_moves else Grade.GOOD


def judge_mixed(before: Mixed, seat: Seat, move: Move, bands: Bands = DEFAULT_BANDS) -> Judgement:
    """Judge a simultaneous move by its regret against the other side's equilibrium mix.

    Never by the outcome of the round, nor by whether the move is in the support of one equilibrium: a move of
    any equilibrium has no regret. Raises KeyError for a move that is not in the matrix.
    """
    # Rounded, so that a regret that is .05 on paper is not .04999 here.
    regret = max(0.0, round(before.regret(seat, move), 9))
    share = before.strategies[seat][move]
    expected = before.value_for(seat)
    if len(before.strategies[seat]) == 1:
        return Judgement(Grade.FORCED, expected=expected, estimate=not before.exact)
    if before.exact:
        tolerance, inaccuracy, mistake = before.tolerance(), bands.inaccuracy_regret, bands.mistake_regret
    else:
        tolerance, inaccuracy, mistake = bands.estimate_tolerance, bands.estimate_inaccuracy, bands.estimate_mistake
    if regret <= tolerance:
        main = share >= max(before.strategies[seat].values())
        grade = Grade.BEST if main else Grade.SOUND
    elif regret < inaccuracy:
        grade = Grade.INACCURACY
    else:
        grade = Grade.MISTAKE if regret < mistake else Grade.BLUNDER
    sound_moves = [other for other in before.strategies[seat] if before.regret(seat, other) <= tolerance]
    only = before.exact and regret <= tolerance and len(sound_moves) == 1
    flagged = grade in (Grade.MISTAKE, Grade.BLUNDER)
    return Judgement(grade, None, None, only, flagged, 0, 0, regret, expected, not before.exact)


def luck(before: Mixed, seat: Seat, own: Move, theirs: Move) -> float:
    """What chance gave `seat` in one round, on a scale of -1..1 of expected score: the payoff of the moves made
    minus what the own move expects against the other side's mix."""
    other_mix = before.strategies[1 - seat]
    expected = sum(share * before.payoff(seat, own, reply) for reply, share in other_mix.items())
    return (before.payoff(seat, own, theirs) - expected) / 2

"""Judges moves by the values of all moves. docs/judging.md explains the grades and thresholds."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from onlymove_engines.core.analysis import AnyAnalysis
from onlymove_engines.core.judgement import SHORT_WIN, UNKNOWN, Grade, Judgement, Objective
from onlymove_engines.core.value import Mixed, Move, Outcome, Seat, other
from onlymove_engines.search.matrix_game import bound_row

SLOW_BY = 5
"""A win that takes this many moves longer is an inaccuracy, unless the player chooses another number. The moves of both
sides are counted."""
MISTAKE_POINTS = 8
INACCURACY, MISTAKE = 0.05, 0.20
"""From these regrets on, a move is an inaccuracy or a mistake. Regrets go from 0 to 1."""
TOLERATED_ESTIMATE, INACCURATE_ESTIMATE, MISTAKEN_ESTIMATE = 0.04, 0.12, 0.30
"""The thresholds for estimates, which are wider. A move up to the first of them gives nothing away."""
FIRM_ESTIMATE = 0.20
"""An estimate counts as a certain mistake only if its regret is this large at two depths. docs/judging.md says more."""
AS_GOOD_AS_OVER = 0.9
"""If every move of one side expects at least this much, or at most its negative, nothing is left to decide. Expected
results go from -1 to 1."""
NEARLY_EQUAL = 0.05
"""Mixes of estimated payoffs count as equally good if their regret differs by no more than this."""


class OnBad(enum.Enum):
    """What training does with a bad move: ask first, take it back, mark it, or say nothing until the game is over."""

    ASK = "ask"
    UNDO = "undo"
    MARK = "flag"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Coaching:
    """The settings of training: what happens after a bad move, what the player plays for, and how many moves longer a
    win must take to be an inaccuracy. `for_newcomer` means that the player has not finished a game yet. Then only moves
    that change the result count as bad."""

    on_bad: OnBad = OnBad.ASK
    objective: Objective = Objective.RESULT
    slow_by: int = SLOW_BY
    undo_limit: int = 1
    hint_straight: bool = False
    for_newcomer: bool = False

    def tells(self, judgement: Judgement) -> bool:
        """Whether to tell the player about a move. Newcomers are not told of a slower win, unless they missed a short
        one, or of lost points."""
        is_small = judgement.keeps_result and not judgement.misses_short_win
        is_praise = judgement.grade in (Grade.BEST, Grade.SOUND, Grade.FORCED) and not judgement.slower
        return not (self.for_newcomer and is_small) or is_praise


USUAL = Coaching()


def judge(before: AnyAnalysis | Mixed, move: Move, coaching: Coaching = USUAL, seat: Seat = 0) -> Judgement:
    """Judge a move by the exact values of all legal moves in the position before it, as `coaching` asks. If both sides
    move at once, judge the choice of `seat` as `judge_mixed` does. Moves with unknown values are never flagged. Points
    count if the player plays for points, or if no move changes the result. If no move changes either, there is nothing
    to decide, and a move may only be slow. A win that takes `slow_by` moves longer is an inaccuracy, and so is one that
    passes over a short win. Raises KeyError for an unknown move."""
    if isinstance(before, Mixed):
        return judge_mixed(before, seat, move)
    after, best = before.moves[move], before.best_value()
    if after is None or best is None:
        return UNKNOWN
    others = [before.limits[m] if value is None else value for m, value in before.moves.items() if m != move]
    is_decided = before.is_complete and all(value.outcome == after.outcome for value in others)
    counts_points = is_decided or coaching.objective is Objective.MARGIN
    points = 0 if move in before.ends_won else (best.margin or 0) - (after.margin or 0)
    delay = 0
    if best.outcome is after.outcome and best.remoteness is not None and after.remoteness is not None:
        delay = abs(best.remoteness - after.remoteness)
    slower = (delay + 1) // 2
    had_short_win = best.outcome is Outcome.WIN and best.remoteness is not None and best.remoteness <= SHORT_WIN
    is_slow = delay >= coaching.slow_by or (delay > 0 and had_short_win)
    if is_decided and all(value.margin == after.margin for value in others):
        grade = Grade.INACCURACY if is_slow else Grade.FORCED
        return Judgement(grade, best, after, slower=slower, changes_nothing=bool(others))
    if after.outcome < best.outcome:
        missed = best.outcome is Outcome.WIN and after.outcome is Outcome.DRAW
        grade = Grade.MISSED_WIN if missed else Grade.BLUNDER
    elif points:
        grade = Grade.MISTAKE if counts_points and points >= MISTAKE_POINTS else Grade.INACCURACY
    elif is_slow:
        grade = Grade.INACCURACY
    else:
        grade = Grade.GOOD if slower else Grade.BEST
    only = grade is Grade.BEST and all(value.outcome < best.outcome for value in others)
    flagged = after.outcome < best.outcome or (counts_points and points > 0)
    return Judgement(grade, best, after, only, flagged, slower, points)


def find_regret(before: Mixed, seat: Seat, move: Move) -> float:
    """Return the expected score, from 0 to 1, that a simultaneous move gives away. Proven values are measured against
    the other side's equilibrium mix. Estimates are measured against the mix that favours the move most, among all mixes
    that are nearly as good as the equilibrium, so that it does not matter which of them the search found. Raises
    KeyError for a move that is not in the matrix."""
    if before.exact:
        regret = before.regret(seat, move)
    else:
        mine, theirs = before.strategies[seat], before.strategies[other(seat)]
        matrix = [[before.payoff(seat, own, reply) for reply in theirs] for own in mine]
        most = bound_row(matrix, list(mine).index(move), 2 * NEARLY_EQUAL)
        regret = (before.value_for(seat) - most) / 2
    # Rounding keeps a regret of exactly .05 from becoming .04999.
    return max(0.0, round(regret, 9))


def grade_mixed(before: Mixed, seat: Seat, move: Move) -> Grade:
    """Return the grade of a simultaneous move by its regret alone, no matter how certain that is. Where the value is
    proven, a move that may keep it or lose it is `UNKNOWN`, unless the search expects that it gives away a lot."""
    if len(before.strategies[seat]) == 1:
        return Grade.FORCED
    regret = find_regret(before, seat, move)
    if is_proven(before, seat, move):
        tolerance, inaccuracy, mistake = before.tolerance(), INACCURACY, MISTAKE
    elif before.exact and before.bound_regret(seat, move)[0] < MISTAKE and regret < FIRM_ESTIMATE:
        return Grade.UNKNOWN
    else:
        tolerance, inaccuracy, mistake = TOLERATED_ESTIMATE, INACCURATE_ESTIMATE, MISTAKEN_ESTIMATE
    if regret <= tolerance:
        is_main = before.strategies[seat][move] >= max(before.strategies[seat].values())
        return Grade.BEST if is_main else Grade.SOUND
    if regret < inaccuracy:
        return Grade.INACCURACY
    return Grade.MISTAKE if regret < mistake else Grade.BLUNDER


def is_proven(before: Mixed, seat: Seat, move: Move) -> bool:
    """Whether it is proven what a simultaneous move gives away. Estimated payoffs do not matter if the value is proven
    without them and `move` meets none that could change its own regret."""
    least, most = before.bound_regret(seat, move)
    return most - least <= before.tolerance()


def is_unknown(before: Mixed, seat: Seat, move: Move) -> bool:
    """Whether the value is proven, but not what `move` gives away of it."""
    return before.exact and not is_proven(before, seat, move)


def are_settled(before: Mixed, seat: Seat) -> bool:
    """Whether it is proven of every move of `seat` if it is sound. True as well if the value itself is an estimate: all
    moves are then judged by estimates alike."""
    return not any(is_unknown(before, seat, move) for move in before.strategies[seat])


def find_sound_moves(before: Mixed, seat: Seat) -> tuple[Move, ...]:
    """Return the moves of `seat` that give nothing away: proven ones only, if the value is proven. With estimates, a
    move may give away a little."""
    unblamed = (Grade.FORCED, Grade.BEST, Grade.SOUND)
    return tuple(move for move in before.strategies[seat] if grade_mixed(before, seat, move) in unblamed)


def is_certain(before: Mixed, seat: Seat, move: Move) -> bool:
    """Whether it is certain that a simultaneous move is, or is not, a mistake. That is so if its regret is proven to be
    large or small enough, or if two search depths clearly agree."""
    least, most = before.bound_regret(seat, move)
    if is_proven(before, seat, move) or least >= MISTAKE or most < INACCURACY:
        return True
    if before.earlier is None:
        return False
    regrets = [find_regret(look, seat, move) for look in (before, before.earlier)]
    return min(regrets) >= FIRM_ESTIMATE or max(regrets) < INACCURATE_ESTIMATE


def judge_mixed(before: Mixed, seat: Seat, move: Move) -> Judgement:
    """Judge a simultaneous move by its regret, which is 0 if any equilibrium has the move, and not by the reply played.
    A likely mistake that is not certain is an inaccuracy. If every move is as good as won or lost, there is nothing to
    decide. Raises KeyError for a move that is not in the matrix."""
    grade, regret = grade_mixed(before, seat, move), find_regret(before, seat, move)
    expected = before.value_for(seat)
    if is_as_good_as_over(before, seat):
        return Judgement(Grade.FORCED, expected=expected, estimate=not before.exact, changes_nothing=True)
    if not grade.is_graded:
        return Judgement(grade, expected=expected, estimate=not before.exact)
    flagged, estimate = grade.gravity >= Grade.MISTAKE.gravity, not is_proven(before, seat, move)
    uncertain = flagged and not is_certain(before, seat, move)
    if uncertain:
        grade, flagged = Grade.UNKNOWN if before.exact else Grade.INACCURACY, False
    others = [before.bound_regret(seat, each)[0] for each in before.strategies[seat] if each != move]
    only = not estimate and regret <= before.tolerance() < min(others)
    return Judgement(grade, None, None, only, flagged, 0, 0, regret, expected, estimate, uncertain)


def is_as_good_as_over(before: Mixed, seat: Seat) -> bool:
    """Whether `seat` is as good as won or lost whatever it plays, and has several moves. Where the value is proven, it
    must also be proven that no move gives anything away."""
    value, mix = before.value_for(seat), before.strategies[seat]
    if len(mix) == 1 or abs(value) < AS_GOOD_AS_OVER:
        return False
    if before.exact:
        return all(before.bound_regret(seat, move)[1] <= before.tolerance() for move in mix)
    return value < 0 or min(value - 2 * before.regret(seat, move) for move in mix) >= AS_GOOD_AS_OVER


def measure_luck(before: Mixed, seat: Seat, own: Move, theirs: Move) -> float:
    """Return how lucky `seat` was in one round, from -1 to 1: the payoff of the two moves minus the expected payoff of
    its own move against the other side's mix."""
    other_mix = before.strategies[1 - seat]
    expected = sum(share * before.payoff(seat, own, reply) for reply, share in other_mix.items())
    return (before.payoff(seat, own, theirs) - expected) / 2

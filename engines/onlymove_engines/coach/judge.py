"""Judges moves by the values of all moves, and sums up a game. docs/judging.md explains the grades and thresholds."""

from __future__ import annotations

import enum
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from onlymove_engines.core.analysis import AnyAnalysis
from onlymove_engines.core.judgement import TWO_MOVES, UNKNOWN, Grade, Judgement, Objective
from onlymove_engines.core.value import Mixed, Move, Outcome, Seat, other
from onlymove_engines.play.line import AnyNode
from onlymove_engines.play.players import Players
from onlymove_engines.search.matrix_game import bound_row

SLOW_MOVES = 3
"""A win that takes this many own moves longer is an inaccuracy, unless the player chooses another number."""
MISTAKE_POINTS = 8
INACCURACY, MISTAKE = 0.05, 0.20
"""From these regrets on, a move is an inaccuracy or a mistake. Regrets go from 0 to 1."""
TOLERATED_ESTIMATE, INACCURATE_ESTIMATE, MISTAKEN_ESTIMATE = 0.04, 0.12, 0.30
"""The thresholds for estimates, which are wider. A move up to the first of them gives nothing away."""
FIRM_ESTIMATE = 0.20
"""An estimate counts as a certain mistake only if its regret is this large at two depths. docs/judging.md says more."""
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
    """The settings of training: what happens after a bad move, what the player plays for, and how much slower a win
    must be to be an inaccuracy. `for_newcomer` means that the player has not finished a game yet. Then only moves that
    change the result count as bad. `awaits_rules` means that training would stop bad moves if the player had seen the
    rules."""

    on_bad: OnBad = OnBad.ASK
    objective: Objective = Objective.RESULT
    slow_moves: int = SLOW_MOVES
    undo_limit: int = 1
    hint_straight: bool = False
    for_newcomer: bool = False
    awaits_rules: bool = False

    def tells(self, judgement: Judgement) -> bool:
        """Whether to tell the player about a move. Newcomers are not told of a slower win, unless they missed a short
        one, or of lost points."""
        is_small = judgement.keeps_result and not judgement.misses_short_win
        return not (self.for_newcomer and is_small) or judgement.grade in (Grade.BEST, Grade.SOUND, Grade.FORCED)


USUAL = Coaching()


def judge(before: AnyAnalysis | Mixed, move: Move, coaching: Coaching = USUAL, seat: Seat = 0) -> Judgement:
    """Judge a move by the exact values of all legal moves in the position before it, as `coaching` asks. If both sides
    move at once, judge the choice of `seat` as `judge_mixed` does. Moves with unknown values are never flagged. Points
    count if the player plays for points, or if no move changes the result. A win that takes `slow_moves` own moves
    longer is an inaccuracy, and so is one that passes over a win in at most two moves. Raises KeyError for an unknown
    move."""
    if isinstance(before, Mixed):
        return judge_mixed(before, seat, move)
    after, best = before.moves[move], before.best_value()
    if after is None or best is None:
        return UNKNOWN
    others = [before.limits[m] if value is None else value for m, value in before.moves.items() if m != move]
    if before.is_complete and all(value.preference == after.preference for value in others):
        return Judgement(Grade.FORCED, best, after)
    is_decided = before.is_complete and all(value.outcome == after.outcome for value in others)
    counts_points = is_decided or coaching.objective is Objective.MARGIN
    points = 0 if move in before.ends_won else (best.margin or 0) - (after.margin or 0)
    slower = 0
    if best.outcome is after.outcome and best.remoteness is not None and after.remoteness is not None:
        slower = (abs(best.remoteness - after.remoteness) + 1) // 2  # in own moves
    had_short_win = best.outcome is Outcome.WIN and best.remoteness is not None and best.remoteness <= TWO_MOVES
    if after.outcome < best.outcome:
        missed = best.outcome is Outcome.WIN and after.outcome is Outcome.DRAW
        grade = Grade.MISSED_WIN if missed else Grade.BLUNDER
    elif points:
        grade = Grade.MISTAKE if counts_points and points >= MISTAKE_POINTS else Grade.INACCURACY
    elif slower >= coaching.slow_moves or (slower and had_short_win):
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
    A likely mistake that is not certain is an inaccuracy. Raises KeyError for a move that is not in the matrix."""
    grade, regret = grade_mixed(before, seat, move), find_regret(before, seat, move)
    expected = before.value_for(seat)
    if not grade.is_graded:
        return Judgement(grade, expected=expected, estimate=not before.exact)
    flagged, estimate = grade.gravity >= Grade.MISTAKE.gravity, not is_proven(before, seat, move)
    uncertain = flagged and not is_certain(before, seat, move)
    if uncertain:
        grade, flagged = Grade.UNKNOWN if before.exact else Grade.INACCURACY, False
    others = [before.bound_regret(seat, each)[0] for each in before.strategies[seat] if each != move]
    only = not estimate and regret <= before.tolerance() < min(others)
    return Judgement(grade, None, None, only, flagged, 0, 0, regret, expected, estimate, uncertain)


def measure_luck(before: Mixed, seat: Seat, own: Move, theirs: Move) -> float:
    """Return how lucky `seat` was in one round, from -1 to 1: the payoff of the two moves minus the expected payoff of
    its own move against the other side's mix."""
    other_mix = before.strategies[1 - seat]
    expected = sum(share * before.payoff(seat, own, reply) for reply, share in other_mix.items())
    return (before.payoff(seat, own, theirs) - expected) / 2


SeatChoice: TypeAlias = tuple[AnyNode, Seat]
"""A choice in a game: the node after the move, and the side that moved."""
SeatMove: TypeAlias = tuple[AnyNode, Seat, Move]
"""A node, a seat and the seat's move there."""


def find_flagged_choices(node: AnyNode) -> list[SeatMove]:
    return [choice for choice, found in list_judged_choices(node) if found.flagged]


def find_bad_choices(node: AnyNode) -> list[SeatMove]:
    """Return the choices that led to `node` and are flagged or at least inaccuracies, in the order of the seats."""
    return [choice for choice, found in list_judged_choices(node) if is_bad(found)]


def list_judged_choices(node: AnyNode) -> list[tuple[SeatMove, Judgement]]:
    if node.parent is None:
        return []
    judged = [(seat, move) for seat, move in node.choices.items() if seat in node.judgements]
    return [((node.parent, seat, move), node.judgements[seat]) for seat, move in judged]


def is_bad(judgement: Judgement) -> bool:
    return judgement.flagged or judgement.grade.gravity >= Grade.INACCURACY.gravity


def list_choices_at(path: Sequence[AnyNode], seat: Seat) -> list[SeatChoice]:
    return [(node, seat) for node in path[1:]]


def list_solo_choices(path: Sequence[AnyNode]) -> list[SeatChoice]:
    """Return the choices that a person made, on either side, while an engine played the other one."""
    made = [(node, seat) for node in path[1:] for seat in (0, 1)]
    return [(node, seat) for node, seat in made if node.is_by_person(seat) and not node.is_by_person(other(seat))]


def choices_by_side(players: Players, path: Sequence[AnyNode]) -> dict[Seat, list[SeatChoice]]:
    """Return the choices to count for each seat. If there is only one human player, these are that player's choices,
    including those made for the other side. Otherwise they are the choices of both sides. If people have replaced
    engines, the engines' moves are left out."""
    people = [seat for seat in (0, 1) if players[seat].is_human]
    if len(people) == 1:
        return {people[0]: list_solo_choices(path)}
    return {
        seat: [made for made in list_choices_at(path, seat) if not people or made[0].is_by_person(seat) is not False]
        for seat in (0, 1)
    }


def has_changed_hands(players: Players, path: Sequence[AnyNode]) -> bool:
    """Whether a person and an engine replaced each other, so that the final players do not own the result."""
    people = [player.is_human for player in players]
    return any(
        node.players_at_move is not None and [player.is_human for player in node.players_at_move] != people
        for node in path[1:]
    )


@dataclass(frozen=True)
class Figures:
    """One side's figures in a game. `counts` has the number of moves by grade, without the `hinted` moves, which were
    found with all hints. `decisions` also leaves out unknown moves and moves with nothing to decide. `kept` of them
    kept the value at the first try. `rethought` counts the turns on which the player took back a bad first try.
    `only_moves` counts only-moves found without all hints. `accuracy` is in percent, or `None` without decisions.
    `turning_point` is the ply of the first move that made the result worse."""

    counts: dict[Grade, int]
    kept: int
    decisions: int
    only_moves: int
    accuracy: float | None
    turning_point: int | None
    hinted: int = 0
    rethought: int = 0
    unjudged: int = 0

    def format_headline(self) -> str:
        if self.decisions == 0:
            return "No decisions to judge."
        moves = "move was" if self.decisions == 1 else "moves were"
        return f"{self.kept} of {self.decisions} {moves} good{' at the first try' if self.rethought else ''}."

    def describe_accuracy(self) -> list[str]:
        """Return `Accuracy 93 %.`, or `First-try accuracy 93 %.` if bad tries were taken back. It is `100 %` only if
        every first try kept the value. Empty without decisions."""
        if self.accuracy is None:
            return []
        percent = self.accuracy if self.kept == self.decisions else min(99.0, self.accuracy)
        return [f"{'First-try accuracy' if self.rethought else 'Accuracy'} {percent:.0f} %."]

    def describe_left_out(self) -> list[str]:
        """Say how many moves were not decisions and how many bad first tries were undone, if there are any."""
        kinds = {
            "with nothing to decide": self.counts.get(Grade.FORCED, 0),
            "with a full hint": self.hinted,
            "not judged": self.unjudged + self.counts.get(Grade.UNKNOWN, 0),
        }
        found = [f"{count} {kind}" for kind, count in kinds.items() if count]
        lines = [f"Not counted: {', '.join(found)}."] if found else []
        tries = "try" if self.rethought == 1 else "tries"
        return [*lines, f"{self.rethought} bad first {tries} undone."] if self.rethought else lines


def compute_accuracy(score_lost: float) -> float:
    """Return the accuracy in percent of a move that gave away this expected score: 0 -> 100, 0.5 -> 9.5, 1 -> 0. The
    curve is the one that lichess publishes for the drop in winning percentage."""
    percent = 103.1668100711649 * math.exp(-0.04354415386753951 * 100 * score_lost) - 2.166924740191411
    return min(100.0, max(0.0, percent))


def count_figures(made: Sequence[SeatChoice]) -> Figures:
    counts: Counter[Grade] = Counter()
    only_moves, hinted, rethought, unjudged, turning_point = 0, 0, 0, 0, None
    for node, seat in made:
        judgement, counted = node.judgements.get(seat), find_decision(node, seat)
        if judgement is None:
            unjudged += node.parent is not None and node.parent.to_move in (None, seat)
            continue
        is_hinted = counted is None and judgement.grade.is_graded
        hinted += is_hinted
        counts[judgement.grade] += not is_hinted
        only_moves += judgement.only and counted is not None
        rethought += counted is not None and counted.keeps_value is not judgement.keeps_value
        if turning_point is None and not judgement.keeps_result and judgement.grade.is_graded:
            turning_point = node.ply
    decided = list_decisions(made)
    kept = sum(judgement.keeps_value for judgement in decided)
    accuracies = [compute_accuracy(judgement.score_lost) for judgement in decided]
    accuracy = sum(accuracies) / len(accuracies) if accuracies else None
    return Figures(dict(+counts), kept, len(decided), only_moves, accuracy, turning_point, hinted, rethought, unjudged)


def list_decisions(made: Sequence[SeatChoice]) -> list[Judgement]:
    return [counted for node, seat in made if (counted := find_decision(node, seat)) is not None]


def find_decision(node: AnyNode, seat: Seat) -> Judgement | None:
    """Return the judgement that counts for a choice: that of the first try or, if it did not keep the value, that of
    the move played. Return `None` if the move was forced, unknown, or good after all hints."""
    judgement, before = node.judgements.get(seat, UNKNOWN), node.parent
    if before is None or not judgement.grade.is_graded:
        return None
    if not judgement.keeps_value:
        return judgement
    first = before.attempts.get(seat, judgement)
    return None if seat in before.hinted else first if first.grade.is_graded else judgement

"""From the value of every move to a judgement of one: a pure table, with its thresholds as data.

The classes and bands are those of the best trainers, fitted to exact values (docs/judging.md).
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from .oracle import Analysis
from .rules import M
from .value import Mixed, Move, Outcome, Seat, Value


class Grade(enum.Enum):
    """How good a move was: (word in files, glyph, gravity 0..5)."""

    FORCED = ("forced", "", 0)
    UNKNOWN = ("unknown", "", 0)
    BEST = ("best", "", 1)
    SOUND = ("sound", "", 1)
    GOOD = ("good", ".", 2)
    INACCURACY = ("inaccuracy", "?!", 3)
    MISTAKE = ("mistake", "?", 4)
    MISSED_WIN = ("missed-win", "?", 4)
    BLUNDER = ("blunder", "??", 5)

    def __init__(self, word: str, glyph: str, gravity: int) -> None:
        self.word = word
        self.glyph = glyph
        self.gravity = gravity

    @property
    def title(self) -> str:
        """The class as a player reads it."""
        return self.word.replace("-", " ").capitalize()

    @property
    def is_graded(self) -> bool:
        """Whether the move counts as a decision."""
        return self not in (Grade.FORCED, Grade.UNKNOWN)


class Objective(enum.Enum):
    """What training asks of a player in games with a margin."""

    RESULT = "result"
    MARGIN = "margin"


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


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one move did to the value of the game, seen by the side that played it.

    `before` is what the position was worth, `after` what it is worth after the move, counted from the position
    before it; both `None` in simultaneous games, where `expected` and `regret` (0..1) speak. `slower` is in own
    moves, `points_lost` in points. `flagged` is what training holds. `only`: every other legal move lowers the
    value. `estimate`: judged by a search that was not exact.
    """

    grade: Grade
    before: Value | None = None
    after: Value | None = None
    only: bool = False
    flagged: bool = False
    slower: int = 0
    points_lost: int = 0
    regret: float = 0.0
    expected: float | None = None
    estimate: bool = False

    @property
    def glyph(self) -> str:
        """`!` for the only move that holds, else the glyph of the class."""
        return "!" if self.only else self.grade.glyph

    @property
    def score_lost(self) -> float:
        """Expected score given away, 0..1: half a point for a step from win to draw or from draw to loss."""
        if self.before is None or self.after is None:
            return max(0.0, self.regret)
        return max(0, self.before.outcome - self.after.outcome) / 2

    @property
    def keeps_result(self) -> bool:
        """Whether the result stays what it was, or the move has no more regret than an equilibrium move's."""
        if self.before is None or self.after is None:
            return self.grade in (Grade.BEST, Grade.SOUND)
        return self.after.outcome >= self.before.outcome

    @property
    def keeps_value(self) -> bool:
        """Whether the decision counts as kept: the result, and where points are what is played for every point."""
        return self.keeps_result and not self.flagged

    def lost(self) -> str:
        """`Win in 5 -> Loss in 8`, `4 points given away`, `12 % of a win given away`. Names no move."""
        if self.before is None or self.after is None:
            about = "About " if self.estimate else ""
            return f"{about}{self.regret:.0%} of a win given away".replace("%", " %")
        if self.points_lost and self.before.outcome == self.after.outcome:
            return f"{self.points_lost} points given away"
        return f"{self.before.sentence()} -> {self.after.sentence()}"

    def verdict(self) -> str:
        """One short sentence about the move, without naming another."""
        if self.only:
            return "The only move that holds." if not self.is_win else "The only move that wins."
        distance = None if self.before is None else self.before.remoteness
        if self.grade is Grade.MISSED_WIN:
            return "You had a win." if distance is None else f"You had a win in {distance}."
        if self.grade is Grade.BLUNDER and self.before is not None:
            a_win = "a win" if distance is None else f"a win in {distance}"
            return f"You just threw away {a_win if self.is_win else 'the draw'}."
        if self.slower:
            side = "slower" if self.is_win else "sooner lost"
            return f"{self.grade.title}: {self.slower} move{'s' if self.slower > 1 else ''} {side}."
        if self.grade is Grade.FORCED:
            return "Nothing to decide."
        return f"{self.grade.title}."

    @property
    def is_win(self) -> bool:
        """Whether the position was won before the move."""
        return self.before is not None and self.before.outcome is Outcome.WIN


UNKNOWN = Judgement(Grade.UNKNOWN)


def judge(
    before: Analysis[M], move: M, objective: Objective = Objective.RESULT, bands: Bands = DEFAULT_BANDS
) -> Judgement:
    """Judge `move` by the exact value of every legal move of the position it was played from.

    Raises KeyError when the move is not among them. Unknown values are never flagged.
    """
    after = before.moves[move]
    best = before.best_value()
    if after is None or best is None:
        return UNKNOWN
    values = [value for value in before.moves.values() if value is not None]
    if len({value.preference for value in values}) == 1:
        return Judgement(Grade.FORCED, best, after)
    points = (best.margin or 0) - (after.margin or 0)
    slower = _own_moves_slower(best, after)
    heavy = objective is Objective.MARGIN and points >= bands.mistake_points
    grade = _grade(best, after, slower >= bands.slow_moves, heavy)
    others = [value for key, value in before.moves.items() if key != move and value is not None]
    only = grade is Grade.BEST and all(value.outcome < best.outcome for value in others)
    dropped = after.outcome < best.outcome or (objective is Objective.MARGIN and points > 0)
    return Judgement(grade, best, after, only, dropped, slower, points)


def _own_moves_slower(best: Value, after: Value) -> int:
    """How many own moves longer a win takes, or sooner a loss comes, than with best play."""
    if best.outcome is not after.outcome or best.remoteness is None or after.remoteness is None:
        return 0
    return (abs(best.remoteness - after.remoteness) + 1) // 2 if best.outcome is not Outcome.DRAW else 0


def _grade(best: Value, after: Value, is_slow: bool, is_heavy: bool) -> Grade:
    """The class of a move that is not forced. One that keeps the result is an inaccuracy at worst, unless points
    are what is played for."""
    if after.outcome < best.outcome:
        missed = best.outcome is Outcome.WIN and after.outcome is Outcome.DRAW
        return Grade.MISSED_WIN if missed else Grade.BLUNDER
    if after.margin != best.margin:
        return Grade.MISTAKE if is_heavy else Grade.INACCURACY
    if after.preference == best.preference:
        return Grade.BEST
    return Grade.INACCURACY if is_slow else Grade.GOOD


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

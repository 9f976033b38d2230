"""The judgement of a move: its grade, and how it changed the value of the game."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from onlymove_engines.core.words import format_count, format_delay, format_distance, format_soon

from .value import Outcome, Value

POINT_COST = 1 / 48
"""The share of a game that one point is worth. Losing half of the 48 points costs as much as losing the game."""


NEARLY_LOST = -0.5
"""Up to this expected result, which goes from -1 to 1, moves are called bad even if no other move is better."""
SHORT_WIN = 3
"""A win in at most this many moves, both sides' counted, is short."""


class Grade(enum.Enum):
    """How good a move was, as a word for files, a glyph, and a severity from 0 to 5. A move counts as a decision if its
    grade `is_graded`."""

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
        self.is_graded = gravity > 0

    @property
    def title(self) -> str:
        """Return the grade for players, to whom a move is not forced because all moves are equally good."""
        return "Nothing to decide" if self is Grade.FORCED else self.word.replace("-", " ").capitalize()

    def format_count(self, count: int) -> str:
        """Write a number of moves with this grade: `1 blunder`, `4 inaccuracies`, `3 best`."""
        words = self.title.lower()
        if count != 1 and self.gravity > Grade.GOOD.gravity:
            words = f"{words[:-1]}ies" if words.endswith("y") else f"{words}s"
        return f"{count} {words}"


class Objective(enum.Enum):
    """What training asks of a player in games with points: to keep the result, or to keep every point."""

    RESULT = "result"
    MARGIN = "margin"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one move did to the value of the game, seen by the side that played it.

    `before` is what the position was worth, and `after` what the move left of it, counted from the same position. Both
    are `None` in simultaneous games, which use `expected` and `regret` (0 to 1) instead. `slower` says how much longer
    a win takes or how much sooner a loss comes. Players never read it, because it is kept as records have it: half of
    the plies, rounded up. `points_lost` counts points. Training stops moves that are `flagged`. `only` means that every
    other legal move lowers the value. `estimate` means that the judging search was not exact. `uncertain` means that
    this search suspects a mistake but is not sure.

    `changes_nothing` means that the move was no decision: there were others, and all of them led to the same result and
    the same points. Such a move is in no figure. It is an inaccuracy if it is slow, and `FORCED` otherwise.
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
    uncertain: bool = False
    changes_nothing: bool = False

    @property
    def glyph(self) -> str:
        """Return `!` for the only move that keeps the value, and the grade's own glyph for other moves."""
        return "!" if self.only else self.grade.glyph

    @property
    def score_lost(self) -> float:
        """Return the expected score that was given away, from 0 to 1. A step from win to draw or from draw to loss
        costs one half. If training asks for points, each lost point costs a share as well."""
        if self.before is None or self.after is None:
            return max(0.0, self.regret)
        if self.flagged and self.keeps_result:
            return min(1.0, self.points_lost * POINT_COST)
        return max(0, self.before.outcome - self.after.outcome) / 2

    @property
    def is_best(self) -> bool:
        """Whether no other move was better, also where all moves lead to the same result."""
        return self.grade is Grade.BEST or (self.grade is Grade.FORCED and not self.slower)

    @property
    def has_verdict(self) -> bool:
        """Whether there is more to say about the move than that it was forced or is unknown."""
        return self.grade.is_graded or self.changes_nothing

    @property
    def keeps_result(self) -> bool:
        """Whether the result is unchanged. In simultaneous games, whether the move is part of an equilibrium."""
        if self.before is None or self.after is None:
            return self.grade in (Grade.BEST, Grade.SOUND)
        return self.after.outcome >= self.before.outcome

    @property
    def misses_short_win(self) -> bool:
        """Whether the player could have won in at most three moves and chose a slower win."""
        distance = None if self.before is None else self.before.remoteness
        return bool(self.slower) and self.is_win and distance is not None and distance <= SHORT_WIN

    @property
    def keeps_value(self) -> bool:
        """Whether the move was good enough: it kept the result and, if training asks for it, every point."""
        return self.keeps_result and not self.flagged

    def lost(self) -> str:
        """Describe the loss, such as `Win in 5 moves -> Loss`, `This costs 4 points`, `Average cost: 12 %` or `This
        gives up a certain win`. The text names no move. A new result has no distance. It would count from before the
        move, and a reader counts from after it."""
        if self.before is None or self.after is None:
            if self.expected == 1 and not self.estimate:
                return "This gives up a certain win"
            about = "about " if self.estimate else ""
            return f"Average cost: {about}{self.regret:.0%}".replace("%", " %")
        if self.points_lost and self.before.outcome == self.after.outcome:
            return f"This costs {format_count(self.points_lost, 'point')}"
        is_same = self.before.outcome == self.after.outcome or self.after.margin is not None
        return (
            f"{self.before.sentence()} -> {self.after.sentence() if is_same else self.after.outcome.word.capitalize()}"
        )

    def verdict(self, who: str = "You", line: str = "") -> str:
        """Return a sentence about the move of `who` that names no other. `line` is what a missed win completes."""
        if self.only:
            if self.before is None or self.before.outcome is Outcome.LOSS:
                return "The only move that gives nothing away."
            return "The only move that wins." if self.is_win else "The only move that holds the draw."
        distance = None if self.before is None else self.before.remoteness
        if self.grade is Grade.MISSED_WIN:
            return f"{who} had {self._name_win()}."
        if self.grade is Grade.BLUNDER and self.before is not None:
            return f"{who} threw away {self._name_win() if self.is_win else 'the draw'}."
        if self.misses_short_win:
            how = f" with {line}" if line else ""
            return f"{who} could have won {format_soon(distance or 1)}{how if distance == 1 else ''}."
        if self.changes_nothing and self.grade is Grade.FORCED:
            return self._describe_no_change()
        if self.slower:
            how = self._describe_delay()
            if self.grade is not Grade.GOOD:
                return f"{self.grade.title}: {how}."
            return f"A good move, but {how}." if self.is_win else f"{how.capitalize()}."
        if self.grade is Grade.UNKNOWN and self.expected is not None:
            if self.expected == 1:
                return "Another move was sure to win. Whether this one does is not known."
            return "Whether this move gives anything away is not known."
        if self.uncertain:
            return "Inaccuracy, possibly a mistake: the search is not certain."
        if self.grade is Grade.SOUND:
            is_lost = self.expected is not None and self.expected <= NEARLY_LOST
            return "No other move was better." if is_lost else "A good choice: it gives nothing away."
        if self.grade.gravity > Grade.GOOD.gravity:
            return f"That was {self._name_grade()}."
        praise = {Grade.FORCED: "There was nothing to decide.", Grade.BEST: "Best move.", Grade.GOOD: "A good move."}
        return praise.get(self.grade, f"{self.grade.title}.")

    def _describe_no_change(self) -> str:
        """Return a sentence about a move that was no decision: what is certain, and whether the end comes sooner."""
        if self.before is None:
            how = "won" if (self.expected or 0) > 0 else "lost"
            certainty = "As good as" if self.estimate else "Already"
            return f"{certainty} {how}, whatever is played."
        if self.before.outcome is Outcome.DRAW:
            return "Every move held the draw."
        so_far = "Every move kept the win" if self.is_win else "Already lost"
        if self.slower:
            return f"{so_far}. {self._describe_delay().capitalize()}."
        if self.before.remoteness is not None and self.before == self.after:
            return f"{so_far}. No other move {'was faster' if self.is_win else 'held out longer'}."
        return f"{so_far}." if self.before.margin is None else f"{so_far}. No move changed the points."

    def _describe_delay(self) -> str:
        best, now = ((value.remoteness or 0) if value is not None else 0 for value in (self.before, self.after))
        return f"the {'win takes' if self.is_win else 'loss comes'} {format_delay(best, now)}"

    def warning(self) -> str:
        """Return one short sentence about a flagged move that has not been played. It names no other move."""
        if self.grade in (Grade.MISSED_WIN, Grade.BLUNDER) and self.before is not None:
            verb = "miss" if self.grade is Grade.MISSED_WIN else "throw away"
            return f"This move would {verb} {self._name_win() if self.is_win else 'the draw'}."
        return f"This move would be {self._name_grade()}."

    def _name_win(self) -> str:
        return f"a win{format_distance(None if self.before is None else self.before.remoteness)}"

    def _name_grade(self) -> str:
        title = self.grade.title.lower()
        return f"{'an' if title[0] in 'aeiou' else 'a'} {title}"

    @property
    def is_win(self) -> bool:
        """Whether the position was won before the move."""
        return self.before is not None and self.before.outcome is Outcome.WIN


UNKNOWN = Judgement(Grade.UNKNOWN)

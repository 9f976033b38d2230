"""What is said of a drill on the board and in lines alike: the task, where it comes from, what an answer was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from onlymove_engines.coach.drill import Drill, Origin
from onlymove_engines.coach.misleading import misled_by
from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.judgement import Judgement
from onlymove_engines.core.value import Mixed, Move
from onlymove_engines.match.match import Match

from onlymove_tui.play.drill_round import Practice

THEME_TITLES = {
    Origin.ONLY_MOVE: "Only one move holds.",
    Origin.CONVERT: "A win that few moves keep.",
    Origin.HOLD: "Few moves hold out here.",
}
"""What a fresh position is about."""


def task(match: Match) -> str:
    """`keep the draw`: the value itself is known to the player, as in any puzzle."""
    values = match.values()
    if isinstance(values, Analysis) and (top := values.best_value()) is not None:
        if match.game.facts.has_margin and is_decided(values):
            return "give no points away"
        return {1: "keep the win", 0: "keep the draw", -1: "hold out longest"}[int(top.outcome)]
    return "find a sound move" if isinstance(values, Mixed) else "find a move that keeps the value"


def is_decided(values: Analysis[Move]) -> bool:
    """Whether every move leads to the same result."""
    return values.is_complete and len({value.outcome for value in values.moves.values() if value is not None}) == 1


def origin(match: Match, drill: Drill, names_goal: bool = True) -> str:
    """Where the drill at the board comes from; without the goal not whether there is a win in it."""
    if drill.origin is Origin.PROVERB:
        return f"Not here: {misled_by(match.game, drill.position) or 'what is usually right.'}"
    if drill.origin is not Origin.MISTAKE:
        return THEME_TITLES[drill.origin] if names_goal or drill.origin is Origin.ONLY_MOVE else ""
    return f"You played {_as_read(match, drill.played)} here." if drill.played else "You went wrong here first."


def _as_read(match: Match, written: str) -> str:
    """A move as a player reads it; half of a round is written as it is read."""
    game, position = match.game, match.node.position
    if game.facts.simultaneous:
        return written
    try:
        return game.said(position, game.notation.parse_move(position, written))
    except OnlymoveError:
        return written


def praise(judgement: Judgement) -> str:
    """What a right answer was, in a few words."""
    if judgement.only:
        return judgement.verdict()
    after = judgement.after
    if after is None:
        return f"{judgement.grade.title}."
    if after.margin is not None:
        return "The result is kept." if judgement.points_lost else "No points given away."
    ahead = "" if after.remoteness is None else f" in {after.remoteness}"
    return f"{('Lost all the same', 'Still a draw', 'Still a win')[after.outcome + 1]}{ahead}."


def mistaken(lost: str, reply: str = "", why: str = "") -> str:
    """What a wrong answer gives away, and why or the `reply` that shows it: `Draw -> Loss in 8. b2b4 punishes it.`"""
    shown = why or (f"{reply} punishes it." if reply else "")
    return f"{lost}. {shown}".strip()


# When drills come back.


def comes_back(days: int | None) -> str:
    """`Comes back in 4 days.`; nothing where that is not known."""
    return "" if days is None else "Again today." if days < 1 else f"Comes back {_when(days)}."


def returning(days: Iterable[int]) -> str:
    """`1 comes back today, 2 in 4 days.`: how many come back when; nothing of none."""
    counts = sorted(Counter(max(0, day) for day in days).items())
    parts = [f"{count} {_when(day)}" for day, count in counts]
    if parts:
        parts[0] = f"{counts[0][1]} {'comes' if counts[0][1] == 1 else 'come'} back {_when(counts[0][0])}"
    return f"{', '.join(parts)}." if parts else ""


def _when(days: int) -> str:
    return f"in {days} days" if days > 1 else ("today", "tomorrow")[max(0, days)]


def in_a_row(streak: int) -> str:
    """`3 in a row`; nothing of one."""
    return f"{streak} in a row" if streak > 1 else ""


def round_over(practice: Practice) -> list[str]:
    """What came of a round, a sentence each."""
    streak = f"Longest streak: {practice.longest_streak}." if practice.longest_streak > 1 else ""
    return [line for line in (practice.headline(), streak, returning(practice.days.values())) if line]

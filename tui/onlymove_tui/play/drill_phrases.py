"""What is said of a drill on the board and in lines alike: the task, where it comes from, what an answer was."""

from __future__ import annotations

from onlymove_engines.coach.drill import Drill, Origin
from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.judgement import Judgement
from onlymove_engines.core.value import Mixed, Move

from onlymove_tui.play.match import Match

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
    return "choose a sound move" if isinstance(values, Mixed) else "find a move that keeps the value"


def is_decided(values: Analysis[Move]) -> bool:
    """Whether every move leads to the same result."""
    return values.is_complete and len({value.outcome for value in values.moves.values() if value is not None}) == 1


def origin(drill: Drill) -> str:
    """Where the drill comes from, without saying what to do."""
    if drill.origin is not Origin.MISTAKE:
        return THEME_TITLES[drill.origin]
    return f"You played {drill.played} here." if drill.played else "You went wrong here first."


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

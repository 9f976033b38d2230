"""A drill in words: what is asked, what an answer was, what can be done. State in, rows out."""

from __future__ import annotations

from collections.abc import Sequence

from onlymove_engines.coach.drill import Drill, Origin
from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.judgement import Judgement
from onlymove_engines.core.rules import Target
from onlymove_engines.core.value import Mixed, Move

from onlymove_tui.app.panels import telling
from onlymove_tui.app.panels.docked import key_row
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.tones import Tone
from onlymove_tui.play.match import Match

TRY_KEYS = key_row(("h", "hint"), ("s", "solution"), ("n", "skip"))
SOLVED_KEYS = key_row(("n", "next"), ("v", "values"))
SOLVED_WITH_WHY_KEYS = key_row(("n", "next"), ("v", "values"), ("w", "why"))
REFUTATION_KEYS = key_row(("w", "next"), ("[", "back"), ("Backspace", "to the drill"))


def question(match: Match, drill: Drill, prefix: Sequence[Target]) -> Row:
    """`Top to move: keep the draw.` The value itself is known to the player, as in any puzzle."""
    values, task = match.values(), "find a move that keeps the value"
    if isinstance(values, Analysis) and (top := values.best_value()) is not None:
        task = {1: "keep the win", 0: "keep the draw", -1: "hold out longest"}[int(top.outcome)]
        if match.game.facts.has_margin and is_decided(values):
            task = "give no points away"
    elif isinstance(values, Mixed):
        task = "choose a sound move"
    name = telling.seat_name(match, drill.seat)
    row: Row = [(name, telling.SEAT_TONES[drill.seat]), (f" to move: {task}.", Tone.STRONG)]
    return [*row, (f"   {' - '.join(prefix)} - ?", Tone.CURSOR)] if prefix else row


def is_decided(values: Analysis[Move]) -> bool:
    """Whether every move leads to the same result."""
    return values.is_complete and len({value.outcome for value in values.moves.values() if value is not None}) == 1


def origin(drill: Drill) -> Row:
    """Where the drill comes from, without saying what to do."""
    if drill.origin is Origin.ONLY_MOVE:
        return [("Only one move holds.", Tone.DIM)]
    return [(f"You played {drill.played} here." if drill.played else "You went wrong here first.", Tone.DIM)]


def verdict(match: Match, move: Move, judgement: Judgement, is_solved: bool) -> Row:
    """What came of an answer."""
    text = match.game.notation.format_move(match.node.position, move)
    if is_solved:
        return [(f"{text}: right. ", Tone.BEST), (praise(judgement), Tone.TEXT)]
    return [(f"{text}: {judgement.lost()}. ", Tone.LOSS), ("Try again.", Tone.TEXT)]


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

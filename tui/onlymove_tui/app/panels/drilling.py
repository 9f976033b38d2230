"""A drill in words: what is asked, what an answer was, what can be done. State in, rows out."""

from __future__ import annotations

from collections.abc import Sequence

from onlymove_engines.coach.drill import Drill
from onlymove_engines.core.judgement import Judgement
from onlymove_engines.core.rules import Target
from onlymove_engines.core.value import Move

from onlymove_tui.app.panels import telling
from onlymove_tui.app.panels.docked import key_row
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.tones import Tone
from onlymove_tui.play import drill_phrases
from onlymove_tui.play.match import Match

TRY_KEYS = key_row(("h", "hint"), ("s", "solution"), ("n", "skip"))
SOLVED_KEYS = key_row(("n", "next"), ("v", "values"))
SOLVED_WITH_WHY_KEYS = key_row(("n", "next"), ("v", "values"), ("w", "why"))
REFUTATION_KEYS = key_row(("w", "next"), ("[", "back"), ("Backspace", "to the drill"))


def question(match: Match, drill: Drill, prefix: Sequence[Target]) -> Row:
    """`Top to move: keep the draw.`"""
    row: Row = [
        (telling.seat_name(match, drill.seat), telling.seat_tone(match.game, drill.seat)),
        (f" to move: {drill_phrases.task(match)}.", Tone.STRONG),
    ]
    return [*row, (f"   {' - '.join(prefix)} - ?", Tone.CURSOR)] if prefix else row


def origin(drill: Drill) -> Row:
    """Where the drill comes from."""
    return [(drill_phrases.origin(drill), Tone.DIM)]


def verdict(match: Match, move: Move, judgement: Judgement, is_solved: bool) -> Row:
    """What came of an answer."""
    text = match.game.said(match.node.position, move)
    if is_solved:
        return [(f"{text}: right. ", Tone.BEST), (drill_phrases.praise(judgement), Tone.TEXT)]
    return [(f"{text}: {judgement.lost()}. ", Tone.LOSS), ("Try again.", Tone.TEXT)]

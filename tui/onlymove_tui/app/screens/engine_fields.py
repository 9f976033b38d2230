"""The lines of a form that say what an engine is like."""

from __future__ import annotations

from onlymove_engines.core.game import AnyGame
from onlymove_engines.play.players import Player, PlayerKind

from onlymove_tui.app.widgets.form import Field

STRENGTHS = (0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100)
WORDS = {0: "any move alike", 100: "never errs"}
STRENGTH_HELP = "100 never errs; below, its mistakes are plausible ones. Hints and grades stay exact."


def style_field(field_id: str, game: AnyGame, style: str, title: str = "Engine's style") -> Field:
    """How it likes to play; the game's first style where it does not know this one."""
    styles = tuple((known.id, known.title) for known in game.styles)
    known = [known for known, _ in styles]
    value = style if style in known else known[0] if known else ""
    meanings = tuple((known.id, known.help) for known in game.styles)
    return Field(field_id, title, styles, value, "How the engine likes to play.", meanings=meanings)


def strength_field(field_id: str, strength: int, title: str = "Engine's strength") -> Field:
    """How strong it is."""
    choices = tuple((str(number), f"{number} {WORDS.get(number, '')}".rstrip()) for number in STRENGTHS)
    return Field(field_id, title, choices, str(strength), STRENGTH_HELP, True)


def strength_refusal(text: str) -> str:
    """Why a text is no strength; empty for one that is."""
    is_one = text.isdecimal() and int(text) <= STRENGTHS[-1]
    return "" if is_one else "A strength is a whole number from 0 to 100."


def engine_of(style: str, strength: str) -> Player:
    """The engine that was chosen."""
    return Player(PlayerKind.ENGINE, style, int(strength))

"""What is said of a game on the board and in lines alike: endings, verdicts, refusals."""

from __future__ import annotations

from collections.abc import Sequence

from onlymove_engines.core.game import AnyGame, Level
from onlymove_engines.core.judgement import Grade, Judgement
from onlymove_engines.core.rules import Result
from onlymove_engines.core.value import Seat
from onlymove_engines.play.players import RANDOM, Player, Players, get_level, style_ids

PLAYS_ON = "The engine plays on."
NO_REFUTATION = "There is nothing to explain about the last move."
NO_LINE = "Both move at once, so no one line follows from it; values tell what it risks."
"""Why a move is bad where both sides move at once."""


ENGINE = "engine"


def ending(game: AnyGame, result: Result) -> str:
    """`Top wins 24-20: three in a row.` The winner's points come first, whichever side won."""
    who = "Drawn" if result.winner is None else f"{game.seats[result.winner]} wins"
    first = result.winner or 0
    score = "" if result.score is None else f" {result.score[first]}-{result.score[1 - first]}"
    reason = f": {result.reason}" if result.reason else ""
    return f"{who}{score}{reason}."


def engine_name(game: AnyGame, engine: Player) -> str:
    """`Novice`, or `Prudent 80`: an engine by its level, else by style and strength; without any strength `Random`."""
    level = get_level(game, engine)
    if level is not None:
        return level.title
    if engine.strength <= 0:
        return RANDOM.capitalize()
    style = next((style.title for style in game.styles if style.id == (engine.style or style_ids(game)[0])), ENGINE)
    return f"{style} {engine.strength}"


def opponent_name(engine: Player, levels: Sequence[Level]) -> str:
    """`Novice`, `prudent 80`, `random`: an engine of a game of these levels, where its drawer is not open; a person
    elsewhere by name."""
    if engine.is_elsewhere:
        return engine.name
    for level in levels:
        # All levels play the game's first style, which the empty one is; without strength there is no style.
        if level.strength == engine.strength and (engine.style in ("", level.style) or engine.strength <= 0):
            return level.title
    return f"{engine.style or ENGINE} {engine.strength}" if engine.strength > 0 else RANDOM


def seating(game: AnyGame, players: Players) -> str:
    """`Top: you. Bottom: engine, Prudent 80.`; `Engine 80` where the only style is called that; a person elsewhere by
    name."""
    people = sum(player.is_human for player in players)
    person = "you" if people == 1 else "a person"
    said = []
    for name, player in zip(game.seats, players, strict=True):
        engine = player.name if player.is_elsewhere else engine_name(game, player)
        named = engine if player.is_elsewhere or engine.startswith(ENGINE.title()) else f"{ENGINE}, {engine}"
        said.append(f"{name}: {person if player.is_human else named}.")
    return " ".join(said)


def has_chosen(game: AnyGame, seat: Seat) -> str:
    """`Top has chosen.`: of a choice that stays hidden."""
    return f"{game.seats[seat]} has chosen."


def judged(judgement: Judgement) -> str:
    """The sign and verdict of a move, and what a bad one lost: `?? You just threw away the draw. Draw -> Loss in 8`."""
    if judgement.grade is Grade.UNKNOWN:
        return "(not judged: no exact value is known here)"
    words = [judgement.glyph, judgement.verdict(), judgement.lost() if judgement.flagged else ""]
    return " ".join(word for word in words if word)

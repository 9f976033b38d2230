"""The position of a day: one a game, found from the date alone, so that it is the same for everybody. No clock here."""

from __future__ import annotations

from random import Random

from onlymove_engines.coach.drill import THEMES, Drill, fresh_positions
from onlymove_engines.core.analysis import AnyAnalyst, Remembering
from onlymove_engines.core.game import AnyGame


def daily_drill(game: AnyGame, analyst: AnyAnalyst, day: int) -> Drill | None:
    """The drill of a day, counted from 1 January of the year 1 (`date.toordinal`); the themes take turns. `None` for a
    game in which none is found.

    It depends on the day, the game, its values and this version's way of looking, on nothing else.
    """
    analyst = analyst.afresh() if isinstance(analyst, Remembering) else analyst
    turn = day % len(THEMES)
    for theme in (*THEMES[turn:], *THEMES[:turn]):
        random = Random(f"{game.id} {day} {theme.value}")
        for drill in fresh_positions(game, analyst, random, theme, 1):
            return drill
    return None

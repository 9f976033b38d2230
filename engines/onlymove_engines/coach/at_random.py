"""Positions drawn by lot, until one is as wanted: turn about from a table by its numbers, each alike, and from random
games, where what is rare in the table may be common; only from a table where others are searched for long."""

from __future__ import annotations

import enum
from random import Random

from onlymove_engines.coach.drill import has_only_move, is_hard_to_hold, is_hard_win
from onlymove_engines.core.analysis import AlternatingAnalyst, AnyAnalyst, SimultaneousAnalyst
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.value import Outcome, Value

LONGEST_WALK = 24
"""Plies; half of the walks are shorter than half of it."""
TRIES = 40_000
"""Lots that are drawn at most."""


class Wanted(enum.Enum):
    """What a position is to be like for the side to move."""

    ANY = "any position"
    WON = "a won position"
    DRAWN = "a drawn position"
    LOST = "a lost position"
    ONLY_MOVE = "only one move holds"
    HARD_WIN = "a win that few moves keep"
    HARD_TO_HOLD = "hard to hold, or to hold out"


OUTCOMES = {Wanted.WON: Outcome.WIN, Wanted.DRAWN: Outcome.DRAW, Wanted.LOST: Outcome.LOSS}
THEMES = {Wanted.ONLY_MOVE: has_only_move, Wanted.HARD_WIN: is_hard_win, Wanted.HARD_TO_HOLD: is_hard_to_hold}


def kinds_of(game: AnyGame) -> tuple[Wanted, ...]:
    """What can be asked for: where both move at once nothing is won or lost of itself."""
    return (Wanted.ANY,) if game.facts.simultaneous else (*OUTCOMES, *THEMES)


def drawn_by_lot(
    game: AnyGame, analyst: AnyAnalyst, random: Random, wanted: Wanted, budget: Budget
) -> AnyPosition | None:
    """A position like that, in which the game goes on; `None` where none came up in time."""
    for turn in range(TRIES):
        if budget.should_stop():
            return None
        position = _number(game, random) if turn % 2 else _walked(game, random)
        if position is None or not analyst.is_reachable(position) or not game.rules.legal_moves(position):
            continue
        if isinstance(analyst, SimultaneousAnalyst) or _fits(wanted, analyst, position, budget):
            return position
    return None


def _number(game: AnyGame, random: Random) -> AnyPosition | None:
    """Any position of the table; `None` for a number that is not in use, or without a table."""
    if game.index is None:
        return None
    try:
        found: AnyPosition = game.index.position(random.randrange(game.index.size))
    except ValueError:
        return None
    return found


def _walked(game: AnyGame, random: Random) -> AnyPosition | None:
    """A position of a random game; `None` where it would have to be searched for long."""
    if game.index is not None and game.facts.plays_by_search:
        return None
    position: AnyPosition = game.default_start()
    for _ in range(random.randrange(LONGEST_WALK)):
        moves = game.rules.legal_moves(position)
        if not moves:
            break
        position = game.rules.play(position, random.choice(list(moves)))
    return position


def _fits(wanted: Wanted, analyst: AlternatingAnalyst, position: AnyPosition, budget: Budget) -> bool:
    if wanted in OUTCOMES:
        value = analyst.probe(position)
        known = analyst.analyse(position, budget).value if value is None else value
        return isinstance(known, Value) and known.outcome is OUTCOMES[wanted]
    return wanted not in THEMES or THEMES[wanted](analyst.analyse(position, budget))

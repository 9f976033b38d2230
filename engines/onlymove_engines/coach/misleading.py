"""Positions to practise in which the game's advice misleads: whoever follows a proverb there gives the value away."""

from __future__ import annotations

from random import Random

from onlymove_engines.coach.drill import Drill, Origin
from onlymove_engines.core.errors import OnlymoveError, did_you_mean
from onlymove_engines.core.game import AnyGame, find_solution
from onlymove_engines.core.solution import Tested


class UnknownProverb(OnlymoveError):
    """The game has no such proverb, or none at all."""


def proverbs_of(game: AnyGame) -> tuple[Tested, ...]:
    """The game's proverbs with what came of their test; none where nothing was counted."""
    solution = find_solution(game)
    return () if solution is None else solution.proverbs


def misleading(game: AnyGame, proverb: str = "") -> list[Drill]:
    """The positions kept in which every move that follows this proverb is a mistake, though another move holds; without
    one those of all. Raises UnknownProverb."""
    known = proverbs_of(game)
    if proverb and proverb not in [tested.id for tested in known]:
        ids = [tested.id for tested in known if tested.examples]
        listed = ", ".join(ids) or "none"
        raise UnknownProverb(f"{game.id} has no proverb '{proverb}': there are {listed}{did_you_mean(proverb, ids)}")
    texts = dict.fromkeys(text for tested in known if proverb in ("", tested.id) for text in tested.examples)
    to_move, parse = game.rules.to_move, game.notation.parse_position
    return [Drill(game.id, text, to_move(parse(text)) or 0, Origin.PROVERB) for text in texts]


def some_misleading(game: AnyGame, random: Random, count: int, proverb: str = "") -> list[Drill]:
    """At most so many of them, drawn by lot. Raises UnknownProverb."""
    drills = misleading(game, proverb)
    return random.sample(drills, min(count, len(drills)))


def misled_by(game: AnyGame, position: str) -> str:
    """The advice that misleads in a kept position; empty for others."""
    return next((tested.sentence for tested in proverbs_of(game) if position in tested.examples), "")

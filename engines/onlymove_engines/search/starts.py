"""Lists the start positions that the options of a game offer, for solving all of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Any, Final

from onlymove_engines.core.errors import Unsolvable
from onlymove_engines.core.game import AnyGame

MAX_STARTS: Final = 4096
"""The most combinations of options."""
SEEDS: Final = 4
"""How many random seeds are tried to find out whether a game begins at random."""


def list_starts(game: AnyGame) -> list[Any]:
    """Return the start positions of all combinations of options with seed 0, each once and the default one first.
    Raises Unsolvable if there are more than `MAX_STARTS` combinations."""
    choices = [[(option.id, choice) for choice in option.choices] for option in game.play.options if option.choices]
    if (count := prod(map(len, choices))) > MAX_STARTS:
        raise Unsolvable(f"{game.id}: its options give {count:,} starts. At most {MAX_STARTS:,} can be solved")
    starts = [game.default_start(), *(game.start(dict(chosen), 0) for chosen in product(*choices))]
    return list(dict.fromkeys(starts))


def list_other_starts(game: AnyGame) -> Iterator[Any]:
    """Yield starts that `list_starts` may lack, because a game with these options begins at random."""
    chosen = [{option.id: choice} for option in game.play.options for choice in option.choices]
    return (game.start(one, seed) for one in ({}, *chosen) for seed in range(1, SEEDS))

"""The objects of `analyse --format json` for many positions at once, put together from text: a dictionary for every
move takes twice as long, with the standard library's encoder ten times."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import repeat

from msgspec import json
from onlymove_engines.core.analysis import Expanded
from onlymove_engines.core.game import AnyGame, AnyPosition

from .objects import value_facts


def write_expanded(game: AnyGame, expanded: Iterable[tuple[AnyPosition, Expanded]]) -> None:
    """A line for each position, as `facts` has it."""
    sys.stdout.write("".join([f"{expanded_line(game, *pair)}\n" for pair in expanded]))
    sys.stdout.flush()


def expanded_line(game: AnyGame, position: AnyPosition, expanded: Expanded) -> str:
    """The object of one position. In no game do moves and positions have letters that JSON escapes."""
    # Known by identity: to compare values takes longer than to tell one twice.
    keys = list(zip(map(id, expanded.values), expanded.ends, strict=True))
    different = dict(zip(keys, expanded.values, strict=True))
    worth = {
        key: known(*value_facts(game, position, value, 1 if key[1] else None).items())
        for key, value in different.items()
    }
    measures = map(more, expanded.measures) if expanded.measures else repeat("", len(keys))
    moves = [
        f'{{"move": "{move}", "position": "{child}"{worth[key]}{measured}}}'
        for move, child, key, measured in zip(expanded.moves, expanded.positions, keys, measures, strict=True)
    ]
    is_over = "false" if moves else "true"
    head = f'"game": "{game.id}", "position": "{game.notation.format_position(position)}", "over": {is_over}'
    own = known(*value_facts(game, position, expanded.value, None if moves else 0).items())
    return f'{{{head}{own}, "moves": [{", ".join(moves)}]{more(expanded.own_measures)}}}'


@lru_cache(maxsize=1 << 12)
def known(*facts: tuple[str, object]) -> str:
    """`more` of facts that come again and again."""
    return more(dict(facts))


def more(facts: Mapping[str, object]) -> str:
    """What these facts add to an object that has some."""
    return f", {json.format(json.encode(facts), indent=0)[1:-1].decode()}" if facts else ""

"""The objects of `analyse --format json` for many positions at once, put together from text: a dictionary for every
move takes twice as long, with the standard library's encoder ten times."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import islice, repeat
from typing import Any

from msgspec import json
from onlymove_engines.core.analysis import Expanded
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.value import Value

from .objects import worth_facts
from .worth import remoteness_of, score_of

AT_ONCE = 64
"""Lines that are written together: all of a batch were megabytes."""
MOST_TEXTS = 1 << 17
"""Texts that are kept at most, some twenty megabytes."""


def write_expanded(game: AnyGame, expanded: Iterable[tuple[AnyPosition, Expanded]]) -> None:
    """A line for each position, as `facts` has it."""
    lines = (f"{expanded_line(game, *pair)}\n" for pair in expanded)
    while text := "".join(islice(lines, AT_ONCE)):
        sys.stdout.write(text)
    sys.stdout.flush()


def expanded_line(game: AnyGame, position: AnyPosition, expanded: Expanded) -> str:
    """The object of one position. In no game do moves and positions have letters that JSON escapes."""
    codes, worth = expanded.codes, {}
    for code in set(codes):
        value, is_end = expanded.worth[code]
        worth[code] = value_text(game, position, value, 1 if is_end else None)
    told = texts_of(expanded.measured)
    measures = map(told.__getitem__, expanded.measures) if expanded.measures else repeat("", len(codes))
    moves = [
        f'{{"move": "{move}", "position": "{child}"{worth[code]}{measured}}}'
        for move, child, code, measured in zip(expanded.moves, expanded.positions, codes, measures, strict=True)
    ]
    is_over = "false" if moves else "true"
    head = f'"game": "{game.id}", "position": "{game.notation.format_position(position)}", "over": {is_over}'
    own = value_text(game, position, expanded.value, None if moves else 0)
    own_measured = "" if expanded.own_measures is None else told[expanded.own_measures]
    return f'{{{head}{own}, "moves": [{", ".join(moves)}]{own_measured}}}'


def value_text(game: AnyGame, position: AnyPosition, value: Value, drawn_in: int | None) -> str:
    """`value_facts` as text."""
    return worth_text(value.outcome, remoteness_of(game, value, drawn_in), score_of(game, position, value))


@lru_cache(maxsize=1 << 12)
def worth_text(*facts: Any) -> str:
    """`worth_facts` as text: the same ones come again and again."""
    return more(worth_facts(*facts))


class Texts(dict[int, str]):
    """What codes of measures stand for as text: among some thousand positions most come again."""

    def __init__(self, measured: Callable[[int], Mapping[str, Any]]) -> None:
        super().__init__()
        self.measured = measured

    def __missing__(self, code: int) -> str:
        if len(self) >= MOST_TEXTS:
            self.clear()
        text = self[code] = more(self.measured(code))
        return text


texts_of = lru_cache(maxsize=1)(Texts)


def more(facts: Mapping[str, object]) -> str:
    """What these facts add to an object that has some."""
    return f", {json.format(json.encode(facts), indent=0)[1:-1].decode()}" if facts else ""

"""Random fields for the tests of Light Riders, and the searches on them."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from onlymove_engines.games.lightriders.analyst import solve_round
from onlymove_engines.games.lightriders.live import ExactSearch, Lookahead
from onlymove_engines.games.lightriders.rules import Position
from onlymove_engines.search.stop import ENDLESS

MakeField = Callable[..., Position]


def random_field(
    dice: random.Random, smallest: int = 3, largest: int = 8, walls: float = 0.2, odd: bool | None = None
) -> Position:
    """Return a random field with two heads and walls. `odd` says whether the heads are on different colours of a
    chessboard."""
    while True:
        width, height = dice.randint(smallest, largest), dice.randint(smallest, largest)
        cells = ["x" if dice.random() < walls else "." for _ in range(width * height)]
        first, second = dice.sample(range(width * height), 2)
        colours = [sum(divmod(cell, width)) % 2 for cell in (first, second)]
        if odd is None or (colours[0] != colours[1]) == odd:
            cells[first], cells[second] = "0", "1"
            return Position(width, height, "".join(cells))


def reset(searches: Lookahead) -> None:
    """Reset the counters, and let the searches visit any number of nodes."""
    with searches.limit(ENDLESS):
        pass


def find_exact_value(search: ExactSearch, position: Position) -> float:
    """Return the exact value for rider 0 of a position with both riders on the field."""
    matrix = search.matrix(position)
    assert matrix is not None
    return solve_round(position, matrix).expected


@pytest.fixture
def make_field() -> MakeField:
    return random_field


@pytest.fixture(scope="session")
def lookahead() -> Callable[[Position], Lookahead]:
    """Return a function that gives searches without memory for the size of a position."""
    known: dict[tuple[int, int], Lookahead] = {}

    def prepare(position: Position) -> Lookahead:
        size = (position.width, position.height)
        if size not in known:
            known[size] = Lookahead(*size, entries=1 << 10)
        known[size].forget()
        reset(known[size])
        return known[size]

    return prepare


@pytest.fixture(scope="session")
def riders_facts() -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads(Path(__file__).with_name("facts.toml").read_text("utf-8"))
    return found

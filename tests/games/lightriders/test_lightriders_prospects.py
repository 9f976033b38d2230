"""The numbers that describe territories."""

from __future__ import annotations

import random
from collections.abc import Callable

from onlymove_engines.games.lightriders.coach import bound_rounds, describe_territories, find_contested
from onlymove_engines.games.lightriders.rules import EMPTY, Cell, Position
from onlymove_engines.games.lightriders.territory import find_regions, measure_distances


def longest(position: Position, at: Cell, free: frozenset[Cell]) -> int:
    """Return the longest path over free cells, by trying every path."""
    ways = [cell for cell in position.around(at) if cell in free]
    return max((1 + longest(position, cell, free - {cell}) for cell in ways), default=0)


def test_no_path_through_the_territory_is_longer_than_is_told(make_field: Callable[..., Position]) -> None:
    dice = random.Random(5)
    for _ in range(60):
        position = make_field(dice, 4, 6, 0.3)
        held = find_regions(position)
        for seat in (0, 1):
            head = position.head(seat)
            assert head is not None
            least = longest(position, head, frozenset(held[seat]))
            assert bound_rounds(position, seat, held[seat]) >= least, (position, seat)


def test_every_cell_in_reach_is_somebodys_or_contested(make_field: Callable[..., Position]) -> None:
    dice = random.Random(6)
    for _ in range(20):
        position = make_field(dice, 4, 6, 0.3)
        reached = set(measure_distances(position, 0)) | set(measure_distances(position, 1))
        parts = [*find_regions(position), find_contested(position)]
        assert set[Cell]().union(*parts) == reached, position
        assert sum(map(len, parts)) == len(reached), position
        assert all(position.cells[cell] == EMPTY for cell in reached), position


def test_a_fork_is_told_by_its_better_arm() -> None:
    assert describe_territories(Position(5, 3, "0....x.xxx...1x")) == (
        "Rider 1: 5 cells (lasts at most 4 rounds)",
        "Rider 2: 3 cells (lasts at most 3 rounds)",
        "Contested: 0 cells",
    )


def test_nothing_is_told_of_a_game_that_is_over() -> None:
    assert describe_territories(Position(3, 3, "0........")) == ()

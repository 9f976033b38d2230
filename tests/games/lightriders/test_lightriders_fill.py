"""The endgame of separated riders: exact lengths compared with brute force, and valid bounds."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from onlymove_engines.core.budget import Budget
from onlymove_engines.games.lightriders.analyst import LightRidersAnalyst
from onlymove_engines.games.lightriders.live import FILL_NODES, Lookahead, find_longest_path, measure_fills
from onlymove_engines.games.lightriders.rules import Position
from onlymove_engines.games.lightriders.styles import allow_fill_nodes
from onlymove_engines.search.stop import ENDLESS

from tests.games.lightriders.separation import make_separated_fields


def brute_force(position: Position, at: int, free: frozenset[int]) -> int:
    """Return the longest path from `at` through `free`, by trying every path."""
    beside = [cell for cell in position.list_neighbours(at) if cell in free]
    return max((1 + brute_force(position, cell, free - {cell}) for cell in beside), default=0)


def test_the_longest_fill_is_brute_force_and_no_bound_is_broken(
    make_field: Callable[..., Position], lookahead: Callable[[Position], Lookahead]
) -> None:
    for position in make_separated_fields(random.Random(11), make_field, 500):
        free = frozenset(cell for cell, sign in enumerate(position.cells) if sign == ".")
        for seat in (0, 1):
            head = position.head(seat)
            assert head is not None
            longest = brute_force(position, head, free)
            found = find_longest_path(lookahead(position), position, head)
            assert found.least == found.most == longest, (position, seat)
            bound = find_longest_path(lookahead(position), position, head, nodes=0)
            assert bound.least <= longest <= bound.most, (position, seat)
            steps = measure_fills(lookahead(position), position, seat)
            assert max(length.least for length in steps.values()) == longest, (position, seat)


def test_a_path_that_was_found_can_be_ridden(
    make_field: Callable[..., Position], lookahead: Callable[[Position], Lookahead]
) -> None:
    for position in make_separated_fields(random.Random(12), make_field, 50):
        head = position.head(0)
        assert head is not None
        at, used = head, set()
        for cell in find_longest_path(lookahead(position), position, head).path:
            assert cell in position.list_neighbours(at)
            assert position.cells[cell] == "."
            assert cell not in used
            used.add(cell)
            at = cell


def test_separated_riders_are_proven_on_the_full_field() -> None:
    rows = ["................"] * 16
    left = [row[:2] + "x" * 12 + row[14:] for row in rows]
    cells = list("".join(left))
    cells[0], cells[15] = "0", "1"
    found = LightRidersAnalyst().mixed(Position(16, 16, "".join(cells)))
    assert found.exact
    assert found.expected == pytest.approx(0)


@pytest.mark.parametrize(
    ("budget", "nodes"), [(Budget(nodes=7), 7), (Budget(depth=3), FILL_NODES), (Budget(deadline=1.0), ENDLESS)]
)
def test_a_fill_ends_for_every_kind_of_budget(budget: Budget, nodes: int) -> None:
    assert allow_fill_nodes(budget) == nodes


def test_judging_separated_riders_stays_within_the_node_limit() -> None:
    position = Position(10, 8, "0...xx...1" + "....xx...." * 7)
    assert LightRidersAnalyst().mixed(position).exact
    assert not LightRidersAnalyst().mixed(position, Budget(nodes=3)).exact

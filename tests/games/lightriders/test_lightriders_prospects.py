"""The numbers that describe territories."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from onlymove_engines.games.lightriders.coach import bound_rounds, describe_territories
from onlymove_engines.games.lightriders.rules import EMPTY, RULES, Cell, Position
from onlymove_engines.games.lightriders.territory import find_regions, measure_distances


def find_longest_path(position: Position, at: Cell, free: frozenset[Cell]) -> int:
    """Return the longest path over free cells, by trying every path."""
    ways = [cell for cell in position.list_neighbours(at) if cell in free]
    return max((1 + find_longest_path(position, cell, free - {cell}) for cell in ways), default=0)


def test_the_bound_on_paths_through_a_territory_holds(make_field: Callable[..., Position]) -> None:
    dice = random.Random(5)
    for _ in range(60):
        position = make_field(dice, 4, 6, 0.3)
        held = find_regions(position)
        for seat in (0, 1):
            head = position.head(seat)
            assert head is not None
            least = find_longest_path(position, head, frozenset(held[seat]))
            assert bound_rounds(position, seat, held[seat]) >= least, (position, seat)


def test_every_cell_in_reach_is_somebodys_or_contested(make_field: Callable[..., Position]) -> None:
    dice = random.Random(6)
    for _ in range(20):
        position = make_field(dice, 4, 6, 0.3)
        reached = set(measure_distances(position, 0)) | set(measure_distances(position, 1))
        first, second = find_regions(position)
        assert first | second <= reached, position
        assert first.isdisjoint(second), position
        contested = len(reached - first - second)
        assert describe_territories(position)[-1].startswith(f"Contested: {contested} cell"), position
        assert all(position.cells[cell] == EMPTY for cell in reached), position


def test_a_fork_counts_only_its_better_arm() -> None:
    assert describe_territories(Position(5, 3, "0....x.xxxxx.1.")) == (
        "Rider 1: 5 cells (lasts at most 4 moves)",
        "Rider 2: 2 cells (lasts at most 1 move)",
        "Contested: 0 cells",
    )


def last_longest(position: Position, seat: int) -> int:
    """Return the most rounds that a rider survives, by trying every pair of moves."""
    if RULES.result(position) is not None:
        return 0
    pairs = ((own, reply) for own in RULES.moves_of(position, 0) for reply in RULES.moves_of(position, 1))
    after = (RULES.play(position, pair) for pair in pairs)
    return max((1 + last_longest(each, seat) for each in after if each.head(seat) is not None), default=0)


def test_no_rider_outlasts_the_bound_and_riders_who_can_meet_get_none(make_field: Callable[..., Position]) -> None:
    dice, bounds = random.Random(7), 0
    for _ in range(150):
        position = make_field(dice, 3, 4, 0.2)
        while RULES.result(position) is None:
            found = [re.search(r"at most (\d+) move", line) for line in describe_territories(position)[:2]]
            can_meet = bool(set(measure_distances(position, 0)) & set(measure_distances(position, 1)))
            for seat, bound in enumerate(found):
                assert (bound is None) == can_meet, position
                if bound is not None:
                    bounds += 1
                    assert last_longest(position, seat) <= int(bound[1]), (position, seat)
            moves = [dice.choice(RULES.moves_of(position, seat)) for seat in (0, 1)]
            position = RULES.play(position, (moves[0], moves[1]))
    assert bounds > 100


def test_riders_who_can_meet_get_only_the_cells_they_reach_first() -> None:
    assert describe_territories(Position(5, 1, "0...1")) == (
        "Rider 1: reaches 1 cell first",
        "Rider 2: reaches 1 cell first",
        "Contested: 1 cell",
    )


def test_a_finished_game_has_no_prospects() -> None:
    assert describe_territories(Position(3, 3, "0........")) == ()

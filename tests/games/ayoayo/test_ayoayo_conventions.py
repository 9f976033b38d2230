"""What the convention on repetition decides: the value of the start under other rules for endless play."""

from random import Random
from typing import Any

import numpy as np
import pytest
from onlymove_engines.core.analysis import Sections
from onlymove_engines.games.ayoayo._kernel import table
from onlymove_engines.games.ayoayo.index import BOARDS
from onlymove_engines.games.ayoayo.rules import START

from tests.games.ayoayo import _kernel
from tests.games.ayoayo.first_return import FirstReturn, first_return
from tests.games.ayoayo.infinite import Above, Bounds, Nodes, row_minus_row, solve_bounds, solve_with_limit, start_value

pytestmark = pytest.mark.slow

WAYS = 100
"""The most lines that are searched for a board with four seeds."""


def give_nothing(rows: Any, seeds: int) -> Any:
    """Endless play brings nothing more. This is the shipped convention."""
    return 0 * rows


def own_row(rows: Any, seeds: int) -> Any:
    """Each side takes its own row at some position of the cycle."""
    return rows


def give_everything(rows: Any, seeds: int) -> Any:
    """The favoured side takes all seeds on the board."""
    return np.full_like(rows, seeds)


@pytest.mark.parametrize(
    ("worth", "value"),
    [
        # The favoured side may take 2 on board A or go round by board B. The other side may take 2 on A.
        ([0, 0, 0, 0], [2, -2, -2, 2]),
        ([4, 4, -4, -4], [4, -2, -2, 4]),
        ([-4, -4, 4, 4], [4, -2, -2, 4]),
        ([-4, -4, -4, -4], [2, -4, -4, 2]),
    ],
)
def test_a_cycle_is_worth_its_best_node_to_the_side_that_can_stay_in_it(worth: list[int], value: list[int]) -> None:
    quiet = np.full((4, 6), -1, np.int32)
    quiet[:, 0] = [3, 2, 1, 0]
    exits = np.array([2, -_kernel.NO_EXIT, -2, _kernel.NO_EXIT], np.int16)
    found = np.zeros(4, np.int16)
    assert _kernel.settle(4, np.array(worth, np.int16), quiet, *table.list_parents(quiet), exits, found)
    assert found.tolist() == value


def small_game(random: Random, boards: int) -> Nodes:
    """Return some boards with one or two moves each, some of them with captures, and random rows."""
    quiet = np.full((2 * boards, 6), -1, np.int32)
    exits, rows = np.zeros(2 * boards, np.int16), np.zeros(2 * boards, np.int16)
    for i in range(boards):
        children = [random.randrange(boards) for _ in range(random.randint(1, 2))]
        quiet[i, : len(children)] = [boards + child for child in children]
        quiet[boards + i, : len(children)] = children
        exits[i] = random.choice([-4, -2, 0, 2, 4, *[-_kernel.NO_EXIT] * 10])
        rows[i] = random.choice([-4, -2, 0, 2, 4])
    exits[boards:], rows[boards:] = -exits[:boards], -rows[:boards]
    return Nodes(quiet, *table.list_parents(quiet), exits, rows)


def follow_every_line(game: Nodes, way: list[int]) -> int:
    """Return what the favoured side gets after this line, by following it to every first repetition."""
    node = way[-1]
    if node in way[:-1]:
        return int(game.rows[node])
    worths = [follow_every_line(game, [*way, int(child)]) for child in game.quiet[node] if child >= 0]
    if abs(game.exits[node]) != _kernel.NO_EXIT:
        worths.append(int(game.exits[node]))
    return max(worths) if node < len(game.rows) // 2 else min(worths)


def test_first_returns_in_small_games_by_following_every_way() -> None:
    random, searched = Random(1), 0
    for _ in range(200):
        game = small_game(random, 7)
        play = FirstReturn(game)
        for node in range(14):
            worth = follow_every_line(game, [node])
            for t in (-2, 0, 2, 4):
                searched += play.can_get(node, t, 1) is None
                assert play.can_get(node, t, 10_000) == (worth >= t), (game, node, t)
    assert searched > 100


def test_endless_play_worth_nothing_gives_the_shipped_table(facts: dict[str, Any], sections: Sections) -> None:
    closed = solve_bounds(give_nothing)
    assert np.array_equal(closed.low, sections["margin"])
    assert np.array_equal(closed.high, sections["margin"])
    above = Above(closed)
    for favoured in (False, True):
        assert above.is_start(favoured, facts["values"]["start"])


def test_if_endless_play_is_a_draw_the_start_is_a_draw(facts: dict[str, Any]) -> None:
    """A side can draw by endless play while the other has no majority, as if it got all the seeds left."""
    fact, above = facts["conventions"], Above(solve_bounds(give_everything))
    wins, holds = above.has_margin(START.pits, False, 1), above.has_margin(START.pits, True, 0)
    assert wins - (not holds) == fact["infinite_is_draw"]
    low, high = fact["all_to_one_side"]
    assert above.is_start(False, low)
    assert above.is_start(True, high)


def test_own_rows_counted_somewhere_on_the_cycle(facts: dict[str, Any]) -> None:
    above = Above(solve_bounds(own_row))
    low, high = facts["conventions"]["own_row_on_the_cycle"]
    assert above.is_start(False, low)
    assert above.is_start(True, high)


def test_each_side_takes_its_own_row_when_a_position_recurs(facts: dict[str, Any]) -> None:
    """So few lines do not settle all boards with four seeds, but they settle those that decide the start."""
    four_seeds, settled = first_return(solve_bounds(own_row), WAYS)
    assert settled > 0
    above = Above(solve_bounds(own_row, four_seeds=four_seeds))
    for favoured in (False, True):
        assert above.is_start(favoured, facts["conventions"]["each_takes_own_row"]), settled


def test_own_rows_decide_only_with_four_seeds_left(facts: dict[str, Any], sections: Sections) -> None:
    """With the margins of boards with four seeds given, endless play with more seeds helps neither side."""
    for margins in (sections["margin"], solve_with_limit(facts["play_stops"]["settled"])[0]):
        for worth in (own_row, give_nothing):
            closed = solve_bounds(worth, four_seeds=Bounds(margins, margins))
            assert np.array_equal(closed.low, margins)
            assert np.array_equal(closed.high, margins)


def test_own_rows_when_play_stops_after_moves_without_a_capture(facts: dict[str, Any]) -> None:
    """From `settled` moves on, the tables repeat with the period, so that these are all tables."""
    fact, whole = facts["conventions"], facts["play_stops"]
    tables = []
    for moves in range(whole["settled"], whole["settled"] + whole["period"] + 1):
        margins, last = solve_with_limit(moves)
        assert max(last[2:]) < whole["settled"], moves
        assert start_value(margins) == fact["each_takes_own_row"], moves
        tables.append(margins)
    assert np.array_equal(tables[0], tables[-1])
    mixed = Above(Bounds(np.min(tables, axis=0), np.max(tables, axis=0)))
    for favoured in (False, True):
        assert mixed.is_start(favoured, fact["each_takes_own_row"])
    for moves, start in whole["early"]:
        assert start_value(solve_with_limit(moves)[0]) == start, moves


def test_own_rows_at_undecided_boards_themselves(facts: dict[str, Any], sections: Sections) -> None:
    """This is not the value of any game, because a board's margin no longer follows from those after its moves."""
    rows = row_minus_row(np.arange(BOARDS, dtype=np.int32))
    margins = np.where(sections["rank"] == 0, rows, sections["margin"]).astype(np.int8)
    assert start_value(margins) == facts["conventions"]["own_row_where_undecided"]

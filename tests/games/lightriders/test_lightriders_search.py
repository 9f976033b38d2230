"""The compiled searches agree with each other and with their plain forms."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.game import Turn
from onlymove_engines.games import load
from onlymove_engines.games.lightriders._kernel import field
from onlymove_engines.games.lightriders._kernel.evaluation import CHAMBERS
from onlymove_engines.games.lightriders._kernel.field import FILLS, LEAVES
from onlymove_engines.games.lightriders._kernel.induction import smab_at_root
from onlymove_engines.games.lightriders._kernel.matrix import WORK_ROWS, solve_matrix
from onlymove_engines.games.lightriders._kernel.search import (
    NARROW,
    pack_note,
    read_note,
    saddle_at_root,
    serial_at_root,
)
from onlymove_engines.games.lightriders.analyst import LightRidersAnalyst
from onlymove_engines.games.lightriders.live import Lookahead, find_heads
from onlymove_engines.games.lightriders.rules import LightRidersRules, Position
from onlymove_engines.games.lightriders.territory import are_separated, find_regions
from onlymove_engines.play.players import AnyStyle, find_style
from onlymove_engines.search.matrix_game import find_guarantees, solve
from onlymove_laws.law import parametrize_amount

from tests.reference.simultaneous import Tree

from . import kernel_law
from ._kernel import find_nash_value
from .conftest import reset

RULES = LightRidersRules()


@parametrize_amount("count", 150, 5_000)
def test_the_compiled_matrix_solver_is_the_plain_one(count: int) -> None:
    dice = random.Random(1)
    x, y, work = np.zeros(4), np.zeros(4), np.zeros((WORK_ROWS, 4))
    for _ in range(count):
        rows, columns = dice.randint(1, 4), dice.randint(1, 4)
        few = dice.random() < 0.5
        matrix = [
            [dice.choice([-1.0, -0.5, 0.0, 1 / 3, 1.0]) if few else dice.uniform(-1, 1) for _ in range(columns)]
            for _ in range(rows)
        ]
        padded = np.zeros((4, 4))
        padded[:rows, :columns] = matrix
        value = solve_matrix(padded, rows, columns, x, y, work)
        low, high = find_guarantees(matrix, tuple(x[:rows]), tuple(y[:columns]))
        assert value == pytest.approx(solve(matrix).value, abs=1e-9), matrix
        assert low >= value - 1e-9, matrix
        assert high <= value + 1e-9, matrix


def test_what_is_noted_of_a_node_is_read_again() -> None:
    for depth, bound, reply, cell in product((0, 1, 60), (1, 2, 3), (0, 17, 575), (0, 17, 575)):
        note = np.int32(pack_note(depth, bound, reply, cell))
        assert read_note(np.int64(note)) == (depth, bound, reply, cell)


def test_the_compiled_round_is_the_law(make_field: Callable[..., Position]) -> None:
    dice = random.Random(2)
    for largest, count in ((9, 400), (24, 60)):
        for _ in range(count):
            position = make_field(dice, 3, largest, dice.choice([0.2, 0.6]))
            expected = [(move, RULES.play(position, move)) for move in RULES.legal_moves(position)]
            assert kernel_law.children(position) == expected, position


@parametrize_amount("count", 100, 400)
def test_the_compiled_flood_draws_the_same_territory(
    make_field: Callable[..., Position], lookahead: Callable[[Position], Lookahead], count: int
) -> None:
    dice = random.Random(3)
    for _ in range(count):
        position = make_field(dice, 3, 24, 0.3)
        tools = lookahead(position)
        tools.load(position)
        first, second = find_heads(position, 0)
        field.flood(tools.tools.boards[0], first, second, tools.tools)
        for seat, expected in enumerate(find_regions(position)):
            cells = {cell for cell in range(len(position.cells)) if field.is_set(tools.tools.own[seat], cell)}
            assert cells == expected, (position, seat)


SADDLE_ERROR = {1: 1e-9, 2: 1e-9, 3: 0.01, 5: 0.01}
"""The largest error by rounds, because null windows leave something unknown about a deeper matrix without a saddle
point."""


def check_searches(tools: Lookahead, position: Position, rounds: int) -> tuple[int, int]:
    """Check the searches on one position. Return the leaves of backward induction and of SMAB."""
    reset(tools)
    nash = tools.value(find_nash_value, position, 0, rounds)
    leaves = int(tools.tools.stat[LEAVES])
    reset(tools)
    smab = tools.value(smab_at_root, position, 0, rounds)
    fewer = int(tools.tools.stat[LEAVES])
    tools.forget()
    saddle = tools.value(saddle_at_root, position, 0, rounds)
    assert saddle == pytest.approx(nash, abs=SADDLE_ERROR[rounds]), (position, rounds)
    tools.forget()
    low, high = (sign * tools.value(serial_at_root, position, seat, rounds) for seat, sign in ((0, 1), (1, -1)))
    assert smab == pytest.approx(nash, abs=1e-9), (position, rounds)
    assert low - 1e-9 <= nash <= high + 1e-9, (position, rounds, low, nash, high)
    return leaves, fewer


@parametrize_amount("count", 150, 10_000)
def test_smab_is_backward_induction_and_the_serial_bounds_enclose_it(
    make_field: Callable[..., Position], lookahead: Callable[[Position], Lookahead], count: int
) -> None:
    dice = random.Random(4)
    for number in range(count):
        position = make_field(dice)
        check_searches(lookahead(position), position, 1 + number % 3)


@parametrize_amount("count", 10, 200)
def test_so_they_do_five_rounds_deep_and_smab_looks_at_fewer_leaves(
    make_field: Callable[..., Position], lookahead: Callable[[Position], Lookahead], count: int
) -> None:
    dice = random.Random(5)
    leaves = fewer = 0
    for _ in range(count):
        position = make_field(dice, 5, 8, 0.15)
        all_leaves, some = check_searches(lookahead(position), position, 5)
        leaves, fewer = leaves + all_leaves, fewer + some
    assert fewer < leaves


@pytest.fixture(scope="module")
def smab() -> AnyStyle:
    """Return the style that plays what SMAB finds."""
    return find_style(load("lightriders"), "smab")


def test_what_smab_plays_guarantees_the_value_of_backward_induction_as_deep(
    make_field: Callable[..., Position], lookahead: Callable[[Position], Lookahead], smab: AnyStyle
) -> None:
    """This follows games, so that it remembers earlier and deeper searches. They contain won, lost and separated
    positions."""
    dice, compared, apart = random.Random(9), 0, 0
    for _ in range(35):
        position, analyst = make_field(dice, 5, 8, 0.1), LightRidersAnalyst()
        while RULES.result(position) is None:
            moves, replies = (RULES.moves_of(position, seat) for seat in (0, 1))
            rounds = dice.randint(1, 4)
            mix = smab.choose(Turn(position, 0, Analysis(None, {}), analyst, Budget(depth=rounds)))
            searches = analyst.lookahead(position)
            if len(moves) > 1 and searches.latest and not searches.tools.stat[FILLS]:
                compared, apart = compared + 1, apart + are_separated(position)
                reference = lookahead(position)
                list(reference.nash(position, 0, Budget(depth=searches.latest.rounds), CHAMBERS))
                matrix = reference.tools.low[0, : len(moves), : len(replies)]
                value = solve(matrix.tolist()).value
                least = min(np.array([mix.get(move, 0.0) for move in moves]) @ matrix)
                assert searches.latest.value == pytest.approx(value, abs=1e-9), (position, rounds)
                assert least >= value - 1e-9, (position, rounds, mix, matrix)
            position = RULES.play(position, (dice.choice(moves), dice.choice(replies)))
    assert compared > 120
    assert apart > 15


def test_trading_the_riders_negates_the_search(
    make_field: Callable[..., Position], lookahead: Callable[[Position], Lookahead]
) -> None:
    dice = random.Random(6)
    for _ in range(500):
        position = make_field(dice)
        tools = lookahead(position)
        assert tools.value(find_nash_value, position, 0, 2) == pytest.approx(
            -tools.value(find_nash_value, position, 1, 2), abs=1e-12
        )


def test_the_compiled_searches_are_the_plain_ones(
    make_field: Callable[..., Position], lookahead: Callable[[Position], Lookahead]
) -> None:
    dice = random.Random(7)
    for _ in range(60):
        position = make_field(dice, 3, 6)
        tools = lookahead(position)

        def guess(at: Position, tools: Lookahead = tools) -> float:
            return tools.value(find_nash_value, at, 0, 0)

        tree: Tree[Position] = Tree(RULES, guess, are_separated, NARROW)
        tools.forget()
        for search, seat, value in (
            (find_nash_value, 0, tree.nash(position, 2)),
            (serial_at_root, 0, tree.solve_with_leader(position, 2, 0)),
            (serial_at_root, 1, -tree.solve_with_leader(position, 2, 1)),
        ):
            assert tools.value(search, position, seat, 2) == pytest.approx(value, abs=1e-9), position


def test_the_last_rounds_before_a_draw_are_searched_to_it(
    make_field: Callable[..., Position], lookahead: Callable[[Position], Lookahead]
) -> None:
    def plain(position: Position, rounds: int) -> float:
        result = RULES.result(position)
        if result is not None or rounds == 0:
            return 0.0 if result is None else float(result.outcome_for(0))
        rows, columns = RULES.moves_of(position, 0), RULES.moves_of(position, 1)
        return solve([[plain(RULES.play(position, (a, b)), rounds - 1) for b in columns] for a in rows]).value

    dice = random.Random(8)
    decided = 0
    for number in range(300):
        position = make_field(dice, 3, 6, 0.3)
        rounds = 1 + number % 3
        if any(RULES.moves_of(position, seat) == ("x",) for seat in (0, 1)):
            continue
        found = lookahead(position).search_last_rounds(position, 0, rounds)
        assert found is not None
        assert found.value == pytest.approx(plain(position, rounds), abs=1e-6), (position, rounds)
        assert sum(found.mix.values()) == pytest.approx(1.0)
        decided += abs(found.value) == 1.0
    assert decided > 20

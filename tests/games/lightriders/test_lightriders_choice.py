"""How the engine uses what its search knows: when it mixes, what it solves, and when it fills."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from threading import Thread

import numpy as np
import pytest
from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.game import Style, Turn
from onlymove_engines.core.value import Seat
from onlymove_engines.games.lightriders import official_start
from onlymove_engines.games.lightriders._kernel.evaluation import CHAMBERS, FLOOD
from onlymove_engines.games.lightriders._kernel.field import NODES
from onlymove_engines.games.lightriders._kernel.search import saddle_at_root
from onlymove_engines.games.lightriders.analyst import LightRidersAnalyst
from onlymove_engines.games.lightriders.live import Depth, ExactSearch, Lookahead
from onlymove_engines.games.lightriders.rules import LightRidersRules, Position, Step
from onlymove_engines.games.lightriders.styles import (
    MARGIN,
    STYLES,
    choose_by_search,
    deep_mix,
    drop_weak_steps,
    engine,
    solve_few_cells,
)
from onlymove_engines.games.lightriders.territory import are_separated, find_reachable

from .conftest import find_exact_value

RULES = LightRidersRules()


def test_a_mix_is_played_only_where_it_gains_and_without_its_unlikely_steps() -> None:
    mix = {"u": 0.19, "d": 0.41, "l": 0.4}
    assert drop_weak_steps(Depth(5, 0.10, mix, {"u": -0.5, "d": 0.07, "l": 0.06})) == {"d": 1.0}
    assert drop_weak_steps(Depth(5, 0.10, mix, {"u": -0.5, "d": 0.0, "l": 0.02})) == pytest.approx(
        {"d": 41 / 81, "l": 40 / 81}
    )
    assert drop_weak_steps(Depth(5, 0.10, {"r": 1.0})) == {"r": 1.0}


def test_the_search_returns_the_guaranteed_value_of_each_step(
    make_field: Callable[..., Position], lookahead: Callable[[Position], Lookahead]
) -> None:
    dice = random.Random(41)
    mixed = 0
    for _ in range(200):
        position = make_field(dice, 4, 6)
        if are_separated(position) or any(RULES.moves_of(position, seat) == ("x",) for seat in (0, 1)):
            continue
        for found in lookahead(position).saddle(position, 0, Budget(depth=3)):
            if found.alone:
                mixed += 1
                assert set(found.alone) == set(RULES.moves_of(position, 0)), position
                assert max(found.alone.values()) <= found.value + 1e-6, position
    assert mixed > 5


def test_a_search_that_has_seen_the_end_of_every_line_fills_until_it_knows_the_result(
    make_field: Callable[..., Position], lookahead: Callable[[Position], Lookahead]
) -> None:
    dice, exact = random.Random(42), ExactSearch()
    seen = 0
    while seen < 40:
        position = make_field(dice, 4, 6, 0.25)
        if are_separated(position) or any(RULES.moves_of(position, seat) == ("x",) for seat in (0, 1)):
            continue
        seen += 1
        tools = lookahead(position)
        *_, last = tools.saddle(position, 0, Budget(nodes=200_000))
        assert last.value == pytest.approx(find_exact_value(exact, position), abs=0.01), position


def test_a_draw_is_worth_the_contempt_less_to_the_rider_that_searches() -> None:
    start, both_crash = official_start(16, 16, 1), Position(4, 4, "1x..x......x..x0")
    apart = Position(7, 3, "0..x..1...x......x...")
    for position, tools in ((start, Lookahead(16, 16)), (both_crash, Lookahead(4, 4)), (apart, Lookahead(7, 3))):
        for seat in (0, 1):
            with tools.play_to_win(0.1, np.inf):
                assert tools.value(saddle_at_root, position, seat, 0) == -0.1
            assert tools.value(saddle_at_root, position, seat, 0) == 0.0


def test_a_selective_search_finds_nearly_the_same_values_with_fewer_nodes() -> None:
    full, selective = Lookahead(16, 16), Lookahead(16, 16)
    nodes, fewer, errors = 0, 0, list[float]()
    for seed in range(12):
        dice, position = random.Random(seed), official_start(16, 16, seed)
        for _ in range(dice.randrange(4, 30)):
            after = RULES.play(position, (pick_step(dice, position, 0), pick_step(dice, position, 1)))
            position = position if RULES.result(after) or are_separated(after) else after
        *_, last = full.saddle(position, 0, Budget(depth=8))
        with selective.play_to_win(0.0, MARGIN):
            *_, found = selective.saddle(position, 0, Budget(depth=8))
        nodes, fewer = nodes + int(full.tools.stat[NODES]), fewer + int(selective.tools.stat[NODES])
        errors.append(found.value - last.value)
    assert fewer < 0.95 * nodes
    assert np.sqrt(np.mean(np.square(errors))) < 0.1


def pick_step(dice: random.Random, position: Position, seat: Seat) -> Step:
    return dice.choice(RULES.moves_of(position, seat))


def test_the_search_reuses_what_it_learned_at_the_last_move() -> None:
    tools, position = Lookahead(16, 16), official_start(16, 16, 1)
    for _ in range(3):
        before = np.count_nonzero(tools.tools.keys)
        assert list(tools.saddle(position, 0, Budget(nodes=1_000)))
        assert np.count_nonzero(tools.tools.keys) > before
        position = RULES.play(position, ("r", "l"))


def test_cells_that_nobody_can_reach_do_not_keep_the_engine_from_solving() -> None:
    rows = ["0.....", "......", "......", "......", ".....1"]
    cells = "".join(row + "x" + "." * 9 for row in rows) + "x" * 16 * 11
    position = Position(16, 16, cells)
    assert len(find_reachable(position)) == 28
    assert position.cells.count(".") > 44
    clock = iter(range(1_000_000))
    budget = Budget(clock=lambda: float(next(clock)), deadline=1e9)
    assert solve_few_cells(LightRidersAnalyst(), position, budget) is not None
    assert solve_few_cells(LightRidersAnalyst(), official_start(16, 16, 1), budget) is None


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.id)
def test_separated_riders_take_the_longer_way(style: Style[Position, Step]) -> None:
    rows = ["x.xxxxx", "x0....x", "xxxxxxx", "x1..xxx"]
    position = Position(7, 4, "".join(rows))
    mix = style.choose(Turn(position, 0, Analysis(None, {}), LightRidersAnalyst(), Budget(depth=3)))
    assert mix == {"r": 1.0}, "one cell up, four to the right"


STUCK = (("1x..xx....0.....", "udlr"), ("....0...x...1xx.", "ur"))
"""Fields of 4 x 4 on which rider 1 has no step left, with rider 0's steps."""


@pytest.mark.parametrize("rounds", [None, 1, 2, 7])
@pytest.mark.parametrize(("cells", "steps"), STUCK)
def test_against_a_stuck_rider_the_engine_steps_on_to_the_last_round(
    cells: str, steps: str, rounds: int | None
) -> None:
    analyst, position = LightRidersAnalyst(), Position(4, 4, cells)
    for earlier in (None, Position(4, 4, "0..............1")):
        if earlier is not None:
            assert analyst.lookahead(earlier).search_last_rounds(earlier, 0, 3), (
                "what it found does not answer the next question"
            )
        mix = engine(Turn(position, 0, Analysis(None, {}), analyst, Budget()), rounds)
        assert set(mix) <= set(steps), mix
        assert sum(mix.values()) == pytest.approx(1.0)


@pytest.mark.parametrize(("cells", "steps"), STUCK)
def test_a_search_that_ends_at_its_root_finds_no_mix_and_repeats_none(cells: str, steps: str) -> None:
    position, open_field = Position(4, 4, cells), Position(4, 4, "0..............1")
    tools = Lookahead(4, 4)
    assert tools.search_last_rounds(open_field, 0, 3)
    assert tools.search_last_rounds(position, 0, 3) is None
    assert [found.mix for found in tools.saddle(position, 0, Budget(depth=2))] == [{}]
    assert set(deep_mix(tools, position, 0, Budget(depth=2))) <= set(steps)


@pytest.mark.parametrize(("cells", "steps"), STUCK)
def test_backward_induction_knows_that_a_stuck_rider_has_lost(cells: str, steps: str) -> None:
    tools, position = Lookahead(4, 4), Position(4, 4, cells)
    for mode in (CHAMBERS, FLOOD):
        (won,), (lost,) = (list(tools.nash(position, seat, Budget(depth=3), mode)) for seat in (0, 1))
        assert (won.value, lost.value, lost.mix) == (1.0, -1.0, {"x": 1.0})
        assert set(won.mix) <= set(steps)
    (drawn,) = tools.nash(Position(4, 4, "1x..x......x..x0"), 0, Budget(depth=3))
    assert drawn.value == 0.0, "both crash"


def test_no_other_thread_searches_while_a_style_does() -> None:
    analyst, seen = LightRidersAnalyst(), []

    def look(searches: Lookahead, position: Position, seat: Seat, budget: Budget, mode: int) -> Iterator[Depth]:
        other = Thread(target=lambda: seen.append(analyst.lock.acquire(blocking=False)))
        other.start()
        other.join()
        yield from ()

    choose_by_search(look)(Turn(official_start(16, 16, 1), 0, Analysis(None, {}), analyst, Budget(depth=1)))
    assert seen == [False]

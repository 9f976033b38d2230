"""How moves are judged if values are estimates, and what `analyse` says about it."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager

import numpy as np
import pytest
from onlymove_engines.coach.hint import LAST_STAGE, make_mixed_hint
from onlymove_engines.coach.judge import find_regret, judge_mixed
from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.game import Turn
from onlymove_engines.games.lightriders import official_start, styles
from onlymove_engines.games.lightriders.analyst import LightRidersAnalyst
from onlymove_engines.games.lightriders.live import Lookahead
from onlymove_engines.games.lightriders.notation import LightRidersNotation
from onlymove_engines.games.lightriders.rules import Position
from onlymove_tui.cli import run

NODES = Budget(nodes=600)
FIRST, SECOND = (official_start(16, 16, seed) for seed in (1, 2))
SMALL = Position(6, 6, "0" + "." * 34 + "1")
DRAWN = Position(16, 16, "0......xx......1" + 3 * ".......xx......." + 12 * 16 * "x")
SPELLED = LightRidersNotation().format_position(FIRST)


def test_no_answer_depends_on_what_was_asked_before() -> None:
    asked, fresh = LightRidersAnalyst(), LightRidersAnalyst()
    asked.mixed(SECOND, NODES)
    list(asked.lookahead(FIRST).saddle(FIRST, 0, Budget(depth=3)))
    assert asked.mixed(FIRST, NODES) == fresh.mixed(FIRST, NODES)


@pytest.mark.parametrize("position", [FIRST, SECOND, SMALL, DRAWN])
def test_contempt_and_selective_search_never_reach_hints_judgements_or_exact_values(
    position: Position, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The engine chooses first, with more contempt than usual. Then the same analyst values the position for a hint and
    a judgement. All its searches must value a draw as even, and must be full searches."""
    used: list[tuple[float, float]] = []
    limit = Lookahead.limit

    def note_draw_and_margin(searches: Lookahead, nodes: int, budget: Budget) -> AbstractContextManager[None]:
        used.append((float(searches.tools.draw[0]), float(searches.tools.margin[0])))
        return limit(searches, nodes, budget)

    monkeypatch.setattr(Lookahead, "limit", note_draw_and_margin)
    monkeypatch.setattr(styles, "CONTEMPT", 0.5)
    asked, fresh = LightRidersAnalyst(), LightRidersAnalyst()
    for chosen in {FIRST, position}:
        for seat in (0, 1):
            styles.engine(Turn(chosen, seat, Analysis(None, {}), asked, Budget(nodes=300)))
    assert (-0.5, styles.MARGIN) in used
    used.clear()
    found, expected = asked.mixed(position, NODES), fresh.mixed(position, NODES)
    assert found == expected
    assert set(used) <= {(0.0, np.inf)}
    assert found.exact == (position in (SMALL, DRAWN))
    assert found.expected == pytest.approx(0.0, abs=1e-9), "the position is symmetric, or drawn"
    for seat in (0, 1):
        for stage in range(1, 1 + LAST_STAGE):
            assert make_mixed_hint(found, seat, stage) == make_mixed_hint(expected, seat, stage)
        for move in found.strategies[seat]:
            assert judge_mixed(found, seat, move) == judge_mixed(expected, seat, move)


def test_whether_a_late_position_is_proven_does_not_depend_on_what_was_asked_before() -> None:
    """Five rows of six cells are left of a large field. This limit on states is too small to prove it in one search."""
    cells = [["x"] * 16 for _ in range(16)]
    for row in cells[3:8]:
        row[4:10] = "......"
    cells[3][4], cells[7][8] = "0", "1"
    position = Position(16, 16, "".join(cell for row in cells for cell in row))
    asked, fresh = LightRidersAnalyst(4_000), LightRidersAnalyst(4_000)
    assert not fresh.mixed(position, NODES).exact
    for _ in range(100):
        if asked.solve_exactly(position, UNLIMITED):
            break
    assert asked.solve_exactly(position, UNLIMITED), "an engine that looks again and again remembers, and proves it"
    assert asked.mixed(position, NODES) == fresh.mixed(position, NODES)
    assert asked.mixed(position, NODES) == fresh.mixed(position, NODES), "nor on judging"


def test_an_estimate_is_compared_with_the_one_two_rounds_before() -> None:
    analyst = LightRidersAnalyst()
    deep, shallow = (analyst.mixed(FIRST, Budget(depth=depth)) for depth in (4, 2))
    assert deep.earlier is not None
    assert (deep.depth, deep.earlier.depth) == (4, 2)
    assert deep.earlier.matrix == shallow.matrix
    assert shallow.earlier is None


def test_steering_back_on_the_first_round_is_never_flagged_by_one_depth_alone() -> None:
    found = LightRidersAnalyst().mixed(FIRST, Budget(depth=2))
    judged = [judge_mixed(found, seat, move) for seat in (0, 1) for move in found.strategies[seat]]
    assert any(judgement.uncertain for judgement in judged), "something looks bad two rounds ahead"
    assert not any(judgement.flagged for judgement in judged)


def test_json_tells_every_step_of_both_riders(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["analyse", "lightriders", SPELLED, "--depth", "3", "--json"]) == 0
    output = json.loads(capsys.readouterr().out)
    found = LightRidersAnalyst().mixed(FIRST, Budget(depth=3))
    assert (output["depth"], output["note"]) == (3, "estimate: searched to depth 3")
    assert sum(output["territory"]) <= 16 * 16
    assert [(move["seat"], move["move"]) for move in output["moves"]] == [
        (seat, step) for seat in (0, 1) for step in "udlr"
    ]
    for move in output["moves"]:
        seat, step = move["seat"], move["move"]
        assert move["share"] == output["strategies"][seat][step]
        assert move["regret"] == find_regret(found, seat, step)
        assert move["worst"] == min(found.payoff(seat, step, reply) for reply in "udlr")
        assert isinstance(move["certain"], bool)


def test_a_row_is_searched_as_deep_as_was_asked(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["analyse", "lightriders", SPELLED, "--depth", "3", "--format", "tsv"]) == 0
    value = capsys.readouterr().out.splitlines()[1].split("\t")[1]
    found = LightRidersAnalyst().mixed(FIRST, Budget(depth=3))
    assert value == f"{found.expected + 0.0:.9f} estimate"

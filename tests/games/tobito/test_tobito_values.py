"""The solved game: every fact about its values, the checks of the table, and what the analysts say."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Mapping
from typing import Any, cast

import numpy as np
import pytest
from onlymove_engines.core.analysis import AlternatingAnalyst, Measuring, alternating
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.errors import BadPosition
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.value import Draw, Loss, Outcome, Win
from onlymove_engines.games import load
from onlymove_engines.games.tobito import codes
from onlymove_engines.games.tobito._kernel.moves import number_positions
from onlymove_engines.games.tobito.analyst import make_masks
from onlymove_engines.games.tobito.index import TobitoIndex
from onlymove_engines.games.tobito.rules import HANETO, TOBITO, Position, Variant
from onlymove_engines.games.tobito.table import count_images, list_graph, list_positions
from onlymove_engines.search.deepening import describe_depth
from onlymove_engines.search.retrograde import Graph, distances
from onlymove_laws.law import parametrize_amount
from onlymove_tables.build import solver_of
from onlymove_tables.open import load_first, open_analyst, open_game, open_table, sections_of
from onlymove_tui.cli import run

from tests.amounts import limit_values
from tests.reference.retrograde import solve_plainly

from . import kernel_law
from .conftest import VARIANTS

Sections = dict[str, Any]

one_now_both_in_the_slow_suite = pytest.mark.parametrize("game", limit_values(VARIANTS), indirect=True)


def find_variant(game: AnyGame) -> Variant:
    return {"tobito": TOBITO, "haneto": HANETO}[game.id]


@pytest.fixture(scope="module")
def sections(game: AnyGame) -> Sections:
    """Return the shipped table. Another test checks that the solver produces it."""
    return dict(sections_of(*load_first(game)))


@pytest.fixture(scope="module")
def whole(game: AnyGame) -> Graph:
    """Return all positions and moves of a variant."""
    steps = list_graph(list_positions(find_variant(game)), False, "", 0, 0)
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return cast(Graph, done.value)


def count_all_images(variant: Variant) -> Any:
    return count_images(list_positions(variant))


@pytest.fixture(scope="module")
def analyst(game: AnyGame, sections: Sections) -> AlternatingAnalyst:
    return alternating(open_analyst(game, sections))


@pytest.fixture(scope="module")
def random_positions(game: AnyGame) -> list[Position]:
    """Return random positions by number, reachable or not, with either side to move."""
    rng = random.Random(23)
    found: list[Position] = []
    assert game.solved.index is not None
    while len(found) < 300:
        try:
            position = game.solved.index.position(rng.randrange(game.solved.index.size))
        except ValueError:
            continue
        for symmetry in game.solved.symmetries:
            if rng.random() < 0.5:
                position = symmetry.position(position)
        found.append(position)
    return found


def histogram(sections: Sections, variant: Variant, parity: int) -> list[int]:
    """Reachable positions by remoteness: parity 0 the losses in 0, 2, ... plies, 1 the wins in 1, 3, ..."""
    stored = sections["codes"]
    weights = count_all_images(variant) * (stored & codes.REACHABLE > 0)
    plies = (stored & codes.VALUE).astype(int) - codes.SETTLED
    counts = np.bincount(plies[plies >= 0], weights[plies >= 0])[parity::2].astype(int).tolist()
    return list(itertools.dropwhile(lambda count: count == 0, counts[::-1]))[::-1]


def test_counts_equal_the_facts(game: AnyGame, facts: dict[str, Any], sections: Sections) -> None:
    counts = solver_of(game).counts(sections)
    names = {"positions": "reachable"}
    assert counts == {name: facts[names.get(name, name)] for name in counts}
    assert set(counts) >= {"positions", "classes", "finished", "wins", "draws", "losses", "longest_win"}


def test_histograms_equal_the_facts(game: AnyGame, facts: dict[str, Any], sections: Sections) -> None:
    wins, losses = (histogram(sections, find_variant(game), parity) for parity in (1, 0))
    assert wins == facts["wins_by_depth"]
    assert losses == facts["losses_by_depth"]
    given = facts.get("given", {})
    for name, found in (("wins", wins), ("losses", losses)):
        if name in given:
            assert found[: len(given[name])] == given[name]
            assert found[-1] == given[f"longest_{name}"]


@one_now_both_in_the_slow_suite
def test_well_formed_positions_and_moves_equal_the_facts(
    game: AnyGame, facts: dict[str, Any], sections: Sections, whole: Graph
) -> None:
    variant = find_variant(game)
    assert int(count_all_images(variant).sum()) == facts["well_formed"]
    reachable = distances(whole, [TobitoIndex(variant).number(variant.start_for(0))]) >= 0
    in_use = sections["codes"] & codes.VALUE > 0
    assert ((sections["codes"] & codes.REACHABLE > 0) == (in_use & reachable)).all()
    degrees = np.diff(whole.first)
    assert 2 * int(degrees[reachable].sum()) == facts["moves"]
    assert int(degrees[reachable].max()) == facts["max_moves"]
    edges = np.sort(whole.children + np.int64(whole.size) * np.repeat(np.arange(whole.size), degrees))
    assert np.diff(edges).all(), "two moves lead to the same state"


@one_now_both_in_the_slow_suite
def test_perft_on_the_whole_graph(game: AnyGame, facts: dict[str, Any], whole: Graph) -> None:
    assert game.solved.index is not None
    root = game.solved.index.number(game.default_start())
    degrees = np.diff(whole.first)
    paths, counts = degrees.astype(np.int64), []
    for _ in facts["perft"]:
        counts.append(int(paths[root]))
        sums = np.concatenate((np.zeros(1, np.int64), np.cumsum(paths[whole.children])))
        paths = sums[whole.first[1:]] - sums[whole.first[:-1]]
    assert counts == facts["perft"]


def test_both_starts_are_drawn(game: AnyGame, facts: dict[str, Any], analyst: Any) -> None:
    for side in ("Top", "Bottom"):
        assert str(analyst.probe(game.start({"begins": side}, 0)).outcome.word) == facts["start_value"]


@pytest.mark.parametrize("game_id", limit_values(VARIANTS))
def test_shipped_table_is_what_the_program_solves(game_id: str) -> None:
    game = load(game_id)
    shipped, solved = sections_of(*load_first(game)), solver_of(game).build()
    assert sorted(shipped) == sorted(solved)
    for name, array in solved.items():
        assert (shipped[name] == array).all(), name


@pytest.mark.slow
def test_plain_rules_and_the_definition_give_the_table(tobito: AnyGame) -> None:
    assert tobito.solved.index is not None
    index, rules = tobito.solved.index, tobito.rules
    children: dict[int, list[int]] = {}
    ended: dict[int, Outcome] = {}
    for number in np.flatnonzero(count_all_images(TOBITO)).tolist():
        position = index.position(number)
        result = rules.result(position)
        if result is not None:
            ended[number] = result.outcome_for(position.to_move)
        children[number] = [index.number(rules.play(position, move)) for move in rules.legal_moves(position)]
    opened = open_game(tobito)
    found, note = opened.analyst, opened.note
    assert not note
    analyst = alternating(found)
    for number, value in solve_plainly(children, ended).items():
        assert analyst.probe(index.position(number)) == value, tobito.notation.format_position(index.position(number))


@pytest.mark.parametrize("game_id", ["tobito", "haneto"])
def test_json_has_the_heats_after_every_move(game_id: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["analyse", game_id, "--json"]) == 0
    output = json.loads(capsys.readouterr().out)
    game = load(game_id)
    analyst = alternating(open_analyst(game, open_table(game)))
    for move in output["moves"]:
        assert move["heat"] == heats_of(analyst, game.notation.parse_position(move["position"]))
    assert output["heat"] == heats_of(analyst, game.default_start())


def heats_of(analyst: AlternatingAnalyst, position: Position) -> Mapping[str, float]:
    """What JSON says of the heat of a position."""
    assert isinstance(analyst, Measuring)
    heat: Mapping[str, float] = analyst.measures(position)["heat"]
    return heat


def test_heats_of_the_starts(tobito: AnyGame, all_facts: dict[str, Any]) -> None:
    analyst = alternating(open_analyst(tobito, open_table(tobito)))
    facts = all_facts["tobito"]["heat"]
    for side, first, second in (("Top", "top", "bottom"), ("Bottom", "bottom", "top")):
        heat = heats_of(analyst, tobito.start({"begins": side}, 0))
        assert heat[first] == pytest.approx(facts["top_when_top_begins"], abs=1e-9)
        assert heat[second] == pytest.approx(facts["bottom_when_top_begins"], abs=1e-9)
    finished = tobito.notation.parse_position(".B./B../B../.../TTT B")
    assert heats_of(analyst, finished) == {"top": facts["at_the_end"], "bottom": 0}


@parametrize_amount("starts", 25, 300)
def test_kernel_and_rules_agree(game: AnyGame, random_positions: list[Position], starts: int) -> None:
    rng = random.Random(1)
    for start in random_positions[:starts]:
        position = start
        for _ in range(4):
            moves = game.rules.legal_moves(position)
            expected = [] if not moves else [(move, game.rules.play(position, move)) for move in moves]
            assert kernel_law.children(position) == expected, game.notation.format_position(position)
            if not moves:
                break
            position = game.rules.play(position, rng.choice(moves))


def test_kernel_and_index_number_alike(game: AnyGame, random_positions: list[Position]) -> None:
    assert game.solved.index is not None
    for position, by_kernel in zip(
        random_positions, number_positions(*make_masks(random_positions)).tolist(), strict=True
    ):
        number = game.solved.index.number(position)
        assert by_kernel == number
        assert game.solved.index.number(game.solved.index.position(number)) == number
        assert len({game.solved.index.number(s.position(position)) for s in game.solved.symmetries} | {number}) == 1


def test_batch_rows_equal_single_analyses(game: AnyGame, analyst: Any, random_positions: list[Position]) -> None:
    for position, row in zip(random_positions, analyst.summarise(random_positions), strict=True):
        analysis = analyst.analyse(position)
        spelled = sorted(game.notation.format_move(position, move) for move in analysis.list_best_moves())
        assert row.value == analysis.value == analyst.probe(position)
        assert (row.moves, row.keeping) == (str(len(analysis.moves)), str(len(analysis.list_good_moves())))
        assert row.best == (" ".join(spelled) or "-")
        if analysis.moves:
            best = analysis.best_value()
            assert (best.outcome, best.remoteness) == (row.value.outcome, row.value.remoteness)


def test_positions_that_no_game_leads_to(tobito: AnyGame, haneto: AnyGame) -> None:
    analyst = alternating(open_analyst(tobito, open_table(tobito)))
    expected = {
        "TTT/.../.../.../BBB T": True,
        "TTT/.../.../.../BBB B": True,
        "TT./.../..T/B../.BB T": True,
        "TT./.../..T/.../BBB T": False,
        ".../.B./BB./.../TTT B": True,
        ".../.B./BB./.../TTT T": False,
        "BBB/.../TTT/.../... B": False,
    }
    found = {text: analyst.is_reachable(tobito.notation.parse_position(text)) for text in expected}
    assert found == expected
    assert analyst.probe(tobito.notation.parse_position(".../.B./BB./.../TTT T")) == Win(0)
    with pytest.raises(BadPosition, match="unreachable"):
        haneto.notation.parse_position("TTT/.../.../.../BBN B".replace("...", "B..", 1))


def test_finished_positions_have_no_moves(tobito: AnyGame) -> None:
    analyst = alternating(open_analyst(tobito, open_table(tobito)))
    position = tobito.notation.parse_position(".B./B../B../.../TTT B")
    assert analyst.is_reachable(position)
    assert analyst.analyse(position).value == Loss(0)
    (row,) = analyst.summarise([position])
    assert (row.value, row.moves, row.keeping, row.best) == (Loss(0), "0", "0", "-")


def test_without_a_table_the_search_reports_its_depth(tobito: AnyGame) -> None:
    position = tobito.default_start()
    live = alternating(open_analyst(tobito, None))
    assert live.is_reachable(position), "commands ask this first, and it must not solve the game"
    assert live.probe(position) is None
    shallow = live.analyse(position, Budget(depth=3))
    assert shallow.note == describe_depth(3)
    assert shallow.value is None
    full = live.analyse(position)
    assert full.note == "there is no table, so this was solved in memory"
    assert full.value == Draw()
    assert heats_of(live, position)["bottom"] == pytest.approx(3.389375)


@one_now_both_in_the_slow_suite
@parametrize_amount("count", 5, 40)
def test_without_a_table_every_answer_is_right(
    game: AnyGame, analyst: Any, random_positions: list[Position], count: int
) -> None:
    live = alternating(open_analyst(game, None))
    for position in random_positions[:count]:
        for depth in (0, 2, 6):
            partial = live.analyse(position, Budget(depth=depth))
            proven = {move: value for move, value in partial.moves.items() if value is not None}
            exact = analyst.analyse(position)
            assert proven.items() <= exact.moves.items()
            deep = {m for m, v in exact.moves.items() if v.outcome is not Outcome.DRAW and v.remoteness <= depth}
            assert deep <= proven.keys()
    assert live.is_reachable(random_positions[0]) == analyst.is_reachable(random_positions[0])
    assert list(live.summarise(random_positions[:50])) == list(analyst.summarise(random_positions[:50]))

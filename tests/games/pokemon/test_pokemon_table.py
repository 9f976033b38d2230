"""The table: every figure of its page, every value by those after its moves, and every kind of damage."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pytest
from onlymove_engines.core.analysis import Sections
from onlymove_engines.core.errors import BadNotation, Unreachable
from onlymove_engines.core.value import Draw, Loss, Value, Win
from onlymove_engines.games.pokemon import POKEMON, codes, index, rules
from onlymove_engines.games.pokemon._kernel import moves, table
from onlymove_engines.games.pokemon.analyst import PokemonAnalyst, make_table
from onlymove_engines.games.pokemon.live import PokemonLiveAnalyst
from onlymove_engines.games.pokemon.notation import NOTATION, format_for_seed
from onlymove_engines.games.pokemon.protocol import score_value
from onlymove_engines.games.pokemon.rules import EACH, KINDS, RULES, START, Placement, Position
from onlymove_engines.games.pokemon.table import PokemonSolver, count_classes
from onlymove_laws.law import parametrize_amount

from . import _kernel, kernel_law

Facts = dict[str, Any]
SOLVER = PokemonSolver()


@pytest.fixture(scope="module")
def counts(sections: Sections) -> Mapping[str, int]:
    """Return the counts of the shipped table."""
    return SOLVER.counts(sections)


def test_reachable_positions_by_ply(facts: Facts, sections: Sections, counts: Mapping[str, int]) -> None:
    classes, raw, _ = count_classes(sections)
    assert classes.tolist() == facts["reachable"]["classes_by_ply"]
    assert raw.tolist() == facts["reachable"]["raw_by_ply"]
    assert (counts["classes"], counts["positions"]) == (facts["reachable"]["classes"], facts["reachable"]["raw"])


def test_unfinished_positions_by_value_and_distance(facts: Facts, counts: Mapping[str, int]) -> None:
    unfinished = facts["unfinished"]
    assert counts["drawn"] == unfinished["draw"]
    for word in ("win", "loss"):
        found = {name[len(word) + 1 :]: n for name, n in counts.items() if name.startswith(word)}
        assert found == unfinished[word]
    finished = counts["lost_finished"] + counts["drawn_finished"]
    assert counts["classes"] - finished == sum([unfinished["draw"], *unfinished["win"].values()]) + sum(
        unfinished["loss"].values()
    )


def test_share_of_moves_that_keep_the_draw(facts: Facts, sections: Sections) -> None:
    figures = np.zeros(2, np.int64)
    _kernel.choices(make_table(sections), figures)
    moves, keeping = figures.tolist()
    assert round(100 * keeping / moves) == facts["unfinished"]["keeping_percent_in_draws"]


def test_a_position_is_looked_up_by_its_place_in_the_list_of_all(sections: Sections, table: PokemonAnalyst) -> None:
    book, rng = make_table(sections), random.Random(4)
    found = {rng.randrange(len(book.numbers)) for _ in range(300)} | {1, len(book.numbers) - 1}
    near = np.array(sorted({int(book.numbers[place]) + step for place in found for step in (-1, 0, 1)}), np.uint32)
    places = np.searchsorted(book.numbers[:-1], near)
    for number, there, code in zip(
        near.tolist(), book.numbers[places].tolist(), book.codes[places].tolist(), strict=True
    ):
        assert codes.code_at(table.columns, number) == (code if there == number else None), number


def test_openings(facts: Facts, table: PokemonAnalyst) -> None:
    analysis = table.analyse(START)
    assert analysis.value == Draw()
    assert len(analysis.list_good_moves()) == 10
    for move, value in analysis.moves.items():
        expected = facts["openings"][move.piece]["centre" if move.cell == 4 else "others"]
        assert value is not None
        assert score_value(value) == expected, move


def test_seed_examples(facts: Facts, table: PokemonAnalyst) -> None:
    for example in facts["seed_example"]:
        analysis = table.analyse(NOTATION.parse_position(example["position"]))
        assert isinstance(analysis.value, Value)
        assert score_value(analysis.value) == example["score"], example
        assert format_for_seed(analysis.list_best_moves()[0]) == example["best"], example


@parametrize_amount("depths", 4, 5)
def test_perft_by_the_plain_rules(facts: Facts, depths: int) -> None:
    def perft(position: Position, depth: int) -> int:
        moves = RULES.legal_moves(position)
        return len(moves) if depth == 1 else sum(perft(RULES.play(position, move), depth - 1) for move in moves)

    known = facts["perft"]["xxx/xxx/xxx 222222 1"][:depths]
    assert [perft(START, depth) for depth in range(1, depths + 1)] == known


@parametrize_amount("games", 30, 1000)
def test_the_kernel_agrees_with_the_rules(random_games: Callable[[int, int], Any], games: int) -> None:
    for positions, _ in random_games(games, 3):
        for position in positions:
            expected = [(move, RULES.play(position, move)) for move in RULES.legal_moves(position)]
            assert kernel_law.children(position) == expected, NOTATION.format_position(position)


def test_kernels_repeat_the_constants_of_the_plain_modules(facts: Facts) -> None:
    assert moves.IMAGES == index.IMAGES
    assert moves.LINES.tolist() == [list(line) for line in rules.LINES]
    assert (index.COVERED_STATES, facts["laws"]["pokemon"]["max_moves"]) == (moves.COVERED_STATES, moves.MAX_MOVES)
    for name in ("DRAWN", "OPEN_DRAW", "TRAP_SCALE", "KEEPING_WEIGHT", "NO_CODE"):
        assert getattr(table, name) == getattr(codes, name), name


@pytest.mark.slow
def test_a_rebuild_gives_the_shipped_table(sections: Sections) -> None:
    built = SOLVER.build(jobs=2)
    assert set(built) == set(sections)
    for name, section in built.items():
        assert section.dtype == sections[name].dtype, name
        assert np.array_equal(section, sections[name]), name


def draw_well_formed(count: int, seed: int) -> Iterator[Position]:
    """Yield random positions that pass every check of the notation, reachable or not."""
    rng = random.Random(seed)
    while count:
        cells = "".join(rng.choice("xxx" + KINDS) for _ in range(9))
        hands = tuple(rng.randrange(EACH + 1 - min(EACH, cells.count(kind))) for kind in KINDS)
        position = Position(cells, hands, sum(hands[1::2]) - sum(hands[::2]))
        try:
            yield NOTATION.parse_position(NOTATION.format_position(position))
        except BadNotation:
            continue
        count -= 1


@parametrize_amount("count", 300, 4000)
def test_reachable_by_the_table_and_by_taking_moves_back(table: PokemonAnalyst, count: int) -> None:
    reached = 0
    for position in draw_well_formed(count, 4):
        expected = PokemonLiveAnalyst(POKEMON).is_reachable(position)
        assert table.is_reachable(position) == expected, NOTATION.format_position(position)
        reached += expected
    assert 0 < reached < count


def test_unreachable_positions_are_refused(table: PokemonAnalyst) -> None:
    for text in ("xxx/xxx/xxx 222211 1", "axx/xxx/xxx 111222 2", "xxx/xxx/xxx 122222 2"):
        position = NOTATION.parse_position(text)
        assert not table.is_reachable(position), text
        with pytest.raises(Unreachable):
            list(table.summarise([position]))


def test_scores_of_the_definition(table: PokemonAnalyst) -> None:
    assert POKEMON.solved.score is not None
    assert [POKEMON.solved.score(START, value) for value in (Win(9), Loss(8), Loss(0), Draw())] == [
        991,
        -992,
        -1000,
        0,
    ]


def test_a_won_board_is_minus_1000(table: PokemonAnalyst) -> None:
    won = RULES.play(NOTATION.parse_position("abx/ABx/xxx 111122 1"), Placement("c", 2))
    value = table.probe(won)
    assert value is not None
    assert score_value(value) == -1000
    assert table.analyse(won).moves == {}

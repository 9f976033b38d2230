"""A table as arrays: what it says of each position is what the analyst says of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import onlymove
import pytest
from onlymove.game import Game
from onlymove_engines.core.analysis import UNKNOWN
from onlymove_engines.core.game import AnyGame, Play
from onlymove_tables.build import build_into
from onlymove_tables.open import user_folder

from tests.heap_game import settle
from tests.literal_game import Over, Tree, literal_game
from tests.small_games import centre_again, mu_torere, tic_tac_toe

ROWS = {"tobito": 48_097, "haneto": 255_653, "orbito": 2_541_731, "pokemon": 5_211_855, "ayoayo": 4**11}
"""How many positions each table has, mirror images counted once (docs/solutions, docs/engines)."""


@pytest.fixture(scope="module", params=ROWS)
def game(request: pytest.FixtureRequest) -> Game:
    return onlymove.load(request.param)


def shares_of_points() -> AnyGame:
    """Return a game of one move with points from its rules."""
    tree: Tree = {"start": (0, {"a": "rich", "b": "poor"}), "rich": Over(0, 0), "poor": Over(1, 1)}
    points = {"start": (0, 0), "rich": (5, 1), "poor": (0, 1)}
    return replace(literal_game(tree), play=Play(points=points.__getitem__))


def compare_with_analysis(game: Game, count: int) -> None:
    """Compare random rows of the table with what `analyse_many` says of their positions."""
    table = game.table()
    rows = np.random.default_rng(7).permutation(len(table))[:count]
    positions = [game.position(number) for number in table.number[rows]]
    known = game.analyse_many(positions)
    assert known.value.tolist() == table.value[rows].tolist()
    assert game.number_many(positions).tolist() == table.number[rows].tolist()
    if table.margin is not None:
        assert known.score.tolist() == table.margin[rows].tolist()
        assert table.remoteness is None
    else:
        assert table.remoteness is not None
        assert known.remoteness.tolist() == table.remoteness[rows].tolist()
    found = game.values(table.number[rows])
    for whole, some in zip((table.value, table.remoteness, table.margin), found, strict=True):
        assert (whole is None) == (some is None)
        assert whole is None or some is None or whole[rows].tolist() == some.tolist()


def test_a_table_says_of_each_position_what_the_analyst_says(game: Game) -> None:
    compare_with_analysis(game, 300)


@pytest.mark.slow
def test_a_hundred_thousand_rows_are_what_the_analyst_says(game: Game) -> None:
    compare_with_analysis(game, 100_000)


def test_a_table_has_every_position_once(game: Game) -> None:
    table = game.table()
    assert len(table) == ROWS[game.id]
    assert (np.diff(table.number) > 0).all()
    assert not (table.value == UNKNOWN).any()


def test_a_number_that_is_not_in_the_table_has_no_value(game: Game) -> None:
    some = game.table().number[:1]
    value, remoteness, margin = game.values(np.concatenate(([-1, 2**62], some)))
    assert value[:2].tolist() == [UNKNOWN, UNKNOWN]
    assert value[2] != UNKNOWN
    assert remoteness is None or remoteness[:2].tolist() == [-1, -1]
    assert margin is None or margin[:2].tolist() == [0, 0]


def test_types_of_a_table_are_as_promised(game: Game) -> None:
    table = game.table()
    assert [table.number.dtype, table.value.dtype] == [np.int64, np.int8]
    assert table.remoteness is None or table.remoteness.dtype == np.int32
    assert table.margin is None or table.margin.dtype == np.int64


@pytest.mark.parametrize("build", [tic_tac_toe, centre_again, mu_torere, shares_of_points])
def test_a_game_solved_from_its_rules_has_numbers_and_a_table(
    build: Callable[[], AnyGame], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(tmp_path, monkeypatch)
    definition = build()
    build_into(definition, user_folder())
    game = Game(definition)
    compare_with_analysis(game, 500)
    assert game.position(game.number(game.start())) == game.start()
    with pytest.raises(ValueError, match="no position"):
        game.position(len(game.table()))


def test_what_is_no_list_of_numbers_and_a_game_without_a_table_are_refused() -> None:
    for wrong in (3, [[1]], [0.5], ["a"]):
        with pytest.raises(ValueError, match="a list of whole numbers"):
            onlymove.load("tobito").values(wrong)
    assert len(onlymove.load("tobito").values([]).value) == 0
    riders = onlymove.load("lightriders")
    for ask in (riders.table, lambda: riders.values([1]), lambda: riders.number_many([riders.start()])):
        with pytest.raises(TypeError, match="Light Riders has no table, and so its positions have no numbers"):
            ask()

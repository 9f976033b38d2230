"""The library's batches of positions, walks through tables, records and matches."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
import onlymove
import pytest
from onlymove.dataset import NO_PLIES, NO_SCORE
from onlymove_engines.core.analysis import UNKNOWN, Enumerating
from onlymove_tables.file_format import read_manifest
from onlymove_tables.open import package_folder

TABLES = ("tobito", "haneto", "orbito", "pokemon", "ayoayo")


@pytest.fixture(scope="module", params=TABLES)
def game(request: pytest.FixtureRequest) -> onlymove.Game:
    return onlymove.load(request.param)


def test_many_are_what_each_is(game: onlymove.Game) -> None:
    compare_with_one_by_one(game, game.sample(40, seed=3))


@pytest.mark.slow
def test_ten_thousand_are_what_each_is(game: onlymove.Game) -> None:
    compare_with_one_by_one(game, game.sample(10_000, seed=3))


def compare_with_one_by_one(game: onlymove.Game, positions: list[onlymove.Position]) -> None:
    known = game.analyse_many(positions)
    assert len(known) == len(positions)
    for at, position in enumerate(positions):
        one = game.analyse(position)
        assert isinstance(one.value, onlymove.Value)
        assert known.exact[at]
        assert known.value[at] == one.value.outcome
        assert (known.moves[at], known.keeping[at]) == (len(one.moves), len(one.keeping))
        assert known.best[at] == tuple(sorted(one.best))
        plies = one.value.remoteness if one.moves else 0
        assert known.remoteness[at] == (NO_PLIES if plies is None else plies)


def test_types_are_as_promised(game: onlymove.Game) -> None:
    known = game.analyse_many([str(game.start())], nodes=1, errors="mark")
    assert [known.value.dtype, known.exact.dtype] == [np.int8, np.bool_]
    assert [known.remoteness.dtype, known.score.dtype, known.has_score.dtype] == [np.int64, np.int64, np.bool_]
    assert [known.moves.dtype, known.keeping.dtype] == [np.int16, np.int16]


def test_texts_will_do(game: onlymove.Game) -> None:
    positions = list(islice(game.positions(), 8))
    by_text, whole = game.analyse_many(map(str, positions)), game.analyse_many(positions)
    assert by_text.best == whole.best
    assert by_text.value.tolist() == whole.value.tolist()


def test_a_bad_one_is_named_or_marked(game: onlymove.Game) -> None:
    good = str(game.start())
    with pytest.raises(onlymove.BadNotation, match=r"^position 1: "):
        game.analyse_many([good, "nonsense"])
    known = game.analyse_many(["nonsense", good], errors="mark")
    assert (known.value[0], known.remoteness[0], known.score[0], known.best[0]) == (UNKNOWN, NO_PLIES, NO_SCORE, ())
    assert known.value[1] != UNKNOWN
    with pytest.raises(ValueError, match="'errors' must be 'raise' or 'mark'"):
        game.analyse_many([], errors="skip")  # type: ignore[arg-type]


def test_a_position_of_another_game_is_refused() -> None:
    with pytest.raises(ValueError, match=r"position 0: .*orbito"):
        onlymove.load("tobito").analyse_many([onlymove.load("orbito").start()])


def test_a_sample_is_the_same_for_a_seed_and_has_no_position_twice() -> None:
    game = onlymove.load("tobito")
    first, again = game.sample(20, seed=8), game.sample(20, seed=8)
    assert first == again
    assert first != game.sample(20, seed=9)
    assert len(set(first)) == 20


@pytest.mark.parametrize("where", ["win", "draw", "loss", "only"])
def test_a_sample_of_some_kind(where: str) -> None:
    game = onlymove.load("tobito")
    for position in game.sample(40, where, seed=1):
        known = game.analyse(position)
        assert isinstance(known.value, onlymove.Value)
        if where == "only":
            assert len(known.keeping) == 1 < len(known.moves)
        else:
            assert known.value.outcome.word == where


def test_a_sample_by_a_function_and_too_large_a_one() -> None:
    game = onlymove.load("tobito")
    assert all(position.to_move == "Top" for position in game.sample(10, lambda one: one.to_move == "Top", seed=1))
    with pytest.raises(ValueError, match="there are only 0 such positions"):
        game.sample(1, lambda _: False)
    with pytest.raises(ValueError, match="'where' must be one of win, draw, loss, only"):
        game.sample(1, "won")


def test_positions_come_in_the_order_of_the_table(game: onlymove.Game) -> None:
    some = list(islice(game.positions(), 300))
    assert len(set(some)) == 300
    if game.id not in ("pokemon", "ayoayo"):
        numbers = [game.number(position) for position in some]
        assert numbers == sorted(numbers)
        assert [game.position(number) for number in numbers] == some


def test_a_few_entries_and_many_are_the_same_positions(game: onlymove.Game) -> None:
    table = game.analyst
    assert isinstance(table, Enumerating)
    numbers = np.random.default_rng(1).integers(table.entries, size=2000).tolist()
    assert [*table.positions_at(numbers)[:60]] == [*table.positions_at(numbers[:60])]


def test_nobody_has_won_a_closed_board_of_ayoayo_yet() -> None:
    game = onlymove.load("ayoayo")
    for position in game.sample(300, seed=4):
        first, second = map(int, str(position).split()[1].split("-"))
        assert second - first in (0, 4)


@pytest.mark.parametrize(
    ("symmetries", "counted"), [(False, "classes"), pytest.param(True, "positions", marks=pytest.mark.slow)]
)
def test_every_position_of_a_table_is_walked_once(symmetries: bool, counted: str) -> None:
    """The counts of the table say how many positions there are."""
    counts = read_manifest(package_folder())["tobito"].counts
    assert sum(1 for _ in onlymove.load("tobito").positions(symmetries=symmetries)) == counts[counted]


def test_mirror_images_are_positions_of_the_same_number() -> None:
    game = onlymove.load("orbito")
    images = list(islice(game.positions(symmetries=True), 500))
    assert len(set(images)) == 500
    assert len(set(map(game.number, images))) < 200, "most positions have several images"
    for position in images:
        assert game.parse(str(position)) == position
        assert game.number(position) == game.number(game.position(game.number(position)))
    numbers = dict.fromkeys(map(game.number, images))
    assert [*numbers] == [game.number(position) for position in islice(game.positions(), len(numbers))]


def test_light_riders_has_values_but_no_table() -> None:
    game = onlymove.load("lightriders")
    with pytest.raises(TypeError, match="has no table"):
        game.sample(1)
    with pytest.raises(TypeError, match="has no table"):
        next(game.positions())
    with pytest.raises(TypeError, match="have no numbers"):
        game.number(game.start())
    known: Any = game.analyse_many([game.start()], nodes=50)
    assert known.value.dtype == np.float64
    assert -1 <= known.value[0] <= 1


def test_perft_is_that_of_the_command() -> None:
    game = onlymove.load("tobito")
    assert game.perft(0) == 1
    assert game.perft(1) == len(game.start().moves)
    assert game.perft(2) == sum(len(game.play(game.start(), move).moves) for move in game.start().moves)


def test_a_match_can_be_read_again() -> None:
    result = onlymove.match("tobito", "random", "random", games=4, seed=2, max_plies=60)
    assert result.games == 4 == result.wins + result.draws + result.losses
    assert (result.timeouts, result.faults) == (0, 0)
    played = onlymove.read_games(result.records)
    assert len(played) == 4
    game = onlymove.load("tobito")
    for one in played:
        assert one.game == "tobito"
        assert len(one.positions) == len(one.moves) + 1
        position = one.positions[0]
        for move, after in zip(one.moves, one.positions[1:], strict=True):
            position = game.play(position, move)
            assert position == after


def test_a_match_that_cannot_be_played_is_refused() -> None:
    with pytest.raises(onlymove.BadPlayer):
        onlymove.match("tobito", "random", "nobody")
    with pytest.raises(onlymove.UnknownGame):
        onlymove.match("chess", "random", "random")
    with pytest.raises(ValueError, match="give only one of 'nodes', 'seconds' and 'clock'"):
        onlymove.match("tobito", "random", "random", nodes=5, seconds=1)
    with pytest.raises(onlymove.BadRecord):
        onlymove.read_games("[Game nonsense")

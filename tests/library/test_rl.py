"""The environments pass PettingZoo's and Gymnasium's own tests, action numbers do not change, and labels are the
table's values."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import onlymove
import pytest
from onlymove_engines import games
from onlymove_engines.core.encoding import NoEncoding, find_encoding
from onlymove_engines.core.game import Solved
from onlymove_engines.core.rules import moves_of

pytest.importorskip("pettingzoo")

from gymnasium.utils.env_checker import check_env
from onlymove.rl import aec_env, level_env, parallel_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

GAMES = [facts.id for facts in games.list_own_games()]
ALTERNATING = [game_id for game_id in GAMES if not games.load(game_id).facts.simultaneous]


@pytest.fixture(autouse=True)
def _ignore_dictionary_warning() -> Iterator[None]:
    """Ignore a warning: an observation with a mask is a dictionary, as in the package's own board games, which are
    exempt by name."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Observation", category=UserWarning)
        yield


@pytest.mark.parametrize("game_id", ALTERNATING)
def test_a_game_of_moves_in_turn_passes(game_id: str) -> None:
    api_test(aec_env(game_id, max_plies=60), num_cycles=150)
    seed_test(lambda: aec_env(game_id, labels=False, max_plies=60), num_cycles=100)


def test_a_game_with_simultaneous_moves_passes() -> None:
    parallel_api_test(parallel_env("lightriders", size="5x5"), num_cycles=100)
    parallel_seed_test(lambda: parallel_env("lightriders", size="5x5"), num_cycles=100)


@pytest.mark.parametrize("game_id", GAMES)
def test_a_game_against_a_level_passes(game_id: str) -> None:
    env = level_env(game_id, "random", labels=False)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*", category=UserWarning)  # asks for a registered environment
        check_env(env, skip_render_check=True)


@pytest.mark.parametrize("game_id", GAMES)
def test_every_legal_move_has_a_number_of_its_own_in_every_position(game_id: str) -> None:
    count_round_trips(game_id, games_played=20)


@pytest.mark.slow
@pytest.mark.parametrize("game_id", GAMES)
def test_every_legal_move_of_many_positions_has_a_number(game_id: str) -> None:
    assert count_round_trips(game_id, games_played=30_000, enough=100_000) >= 100_000


def count_round_trips(game_id: str, games_played: int, enough: int = 10**9) -> int:
    """Play random games, and turn every legal move of every position into its number and back. Return how many
    positions were seen."""
    game, random, seen = games.load(game_id), np.random.default_rng(1), 0
    encoding = find_encoding(game)
    assert [len(moves) for moves in encoding.moves] == [encoding.actions] * 2 == [len(n) for n in encoding.numbers]
    for seed in range(games_played):
        position = game.start({}, seed)
        for _ in range(60):
            moves = game.rules.legal_moves(position)
            if not moves or seen >= enough:
                break
            seat = game.rules.to_move(position)
            for side in (0, 1) if seat is None else (seat,):
                for move in moves_of(game.rules, position, side) if seat is None else moves:
                    number = encoding.numbers[side][move]
                    assert encoding.moves[side][number] == move
                assert len(encoding.planes(position, side)) == np.prod(encoding.shape)
            seen += 1
            position = game.rules.play(position, moves[int(random.integers(len(moves)))])
    return seen


@pytest.mark.parametrize("game_id", ["tobito", "haneto", "ayoayo"])
def test_a_turned_board_looks_the_same_and_its_moves_have_the_same_numbers(game_id: str) -> None:
    """If a symmetry exchanges the sides, each side sees the image as the other sees the position."""
    game = games.load(game_id)
    encoding, random = find_encoding(game), np.random.default_rng(2)
    turn = next(symmetry for symmetry in game.solved.symmetries if symmetry.swaps_seats)
    position = game.default_start()
    for _ in range(30):
        moves = game.rules.legal_moves(position)
        if not moves:
            break
        seat = game.rules.to_move(position)
        assert seat is not None
        assert encoding.planes(turn.position(position), 1 - seat) == encoding.planes(position, seat)
        for move in moves:
            assert encoding.numbers[1 - seat][turn.move(move)] == encoding.numbers[seat][move]
        position = game.rules.play(position, moves[int(random.integers(len(moves)))])


def test_planes_show_what_they_say() -> None:
    def planes(game_id: str, text: str) -> dict[str, list[list[int]]]:
        game = games.load(game_id)
        encoding, position = find_encoding(game), game.notation.parse_position(text)
        seat = game.rules.to_move(position) or 0
        shown = np.frombuffer(encoding.planes(position, seat), np.uint8).reshape(encoding.shape)
        return dict(zip(encoding.channels, shown.tolist(), strict=True))

    none, full = [0, 0, 0], [1, 1, 1]
    haneto = planes("haneto", "TT./..T/.N./.../BBB B")
    assert haneto["own pawns"] == [full, none, none, none, none]
    assert haneto["other pawns"] == [none, none, none, [0, 0, 1], [1, 1, 0]]
    assert haneto["neutral pawn"] == [none, none, [0, 1, 0], none, none]
    orbito = planes("orbito", "W..B/..../...W/.... B")
    assert orbito["own marbles"][0] == [0, 0, 0, 1]
    assert orbito["other marbles"] == [[1, 0, 0, 0], [0] * 4, [0, 0, 0, 1], [0] * 4]
    pokemon = planes("pokemon", "bxx/xxx/xxx 221222 2")
    assert pokemon["other medium"] == [[1, 0, 0], none, none]
    assert (pokemon["other medium in hand"][0], pokemon["own medium in hand"][0]) == ([1, 1, 1], [2, 2, 2])
    ayoayo = planes("ayoayo", "0,1,2,3,4,5/6,7,8,0,0,0 12-0 0")
    assert ayoayo["seeds"] == [[5, 4, 3, 2, 1, 0], [0, 0, 0, 8, 7, 6]]
    assert (ayoayo["own captured"][0][0], ayoayo["other captured"][0][0]) == (12, 0)
    riders = planes("lightriders", "4 4 0,.,.,.,x,.,.,.,.,.,.,.,.,.,.,1")
    assert [row[:5] for row in riders["blocked"][:5]] == [
        [1, 0, 0, 0, 1], [1, 0, 0, 0, 1], [0, 0, 0, 0, 1], [0, 0, 0, 1, 1], [1] * 5
    ]  # fmt: skip
    assert riders["own head"][0][0] == riders["other head"][3][3] == 1


@pytest.mark.parametrize("game_id", ALTERNATING)
def test_labels_are_the_values_and_rewards_the_results(game_id: str) -> None:
    game, env = onlymove.load(game_id), aec_env(game_id)
    env.reset(seed=3)
    random = np.random.default_rng(3)
    for agent in env.agent_iter(200):
        seen, _, ended, cut, info = env.last()
        if ended or cut:
            break
        found = game.analyse(env.position)
        assert isinstance(found.value, onlymove.Value)
        assert info["value"] == found.value.outcome
        legal = np.flatnonzero(seen["action_mask"])
        assert {env.move_of(action): info["values"][action] for action in legal.tolist()} == {
            move: 127 if value is None else value.outcome for move, value in found.moves.items()
        }
        assert all(info["values"][seen["action_mask"] == 0] == 127)
        assert len(legal) == len(env.position.moves)
        action = int(random.choice(legal))
        assert env.action_of(env.move_of(action)) == action
        env.step(action)
        assert agent in env.possible_agents
    result = env.position.result
    rewards = [0, 0] if result is None else [int(result.outcome_for(seat)) for seat in (0, 1)]
    assert list(env.rewards.values()) == rewards


def test_a_choice_at_once_is_labelled_with_its_share() -> None:
    env = parallel_env("lightriders", size="4x4")
    _, info = env.reset(seed=1)
    for agent in env.agents:
        assert info[agent]["exact"]
        assert np.sum(info[agent]["shares"]) == pytest.approx(1)
    assert info["player_0"]["value"] == info["player_1"]["value"] == 0
    assert env.move_of(env.action_of("u", "player_1"), "player_1") == "u"


def test_an_agent_meets_a_level_from_either_side() -> None:
    """A player that always plays the best move from a drawn start never loses."""
    for seat in (0, 1):
        env = level_env("pokemon", "newcomer", seat=seat)
        seen, info = env.reset(seed=5)
        assert env.seat == seat == env.board.mover
        reward, ended, cut = 0.0, False, False
        while not (ended or cut):
            assert info["values"].shape == seen["action_mask"].shape
            values = np.where(info["values"] == 127, -2, info["values"])
            seen, reward, ended, cut, info = env.step(int(values.argmax()))
        assert reward >= 0
        with pytest.raises(ValueError, match="reset the environment"):
            env.step(0)
    sides = {level_env("tobito", "random", labels=False).reset(seed=seed)[0]["observation"].shape for seed in range(3)}
    assert sides == {(2, 5, 3)}


def test_without_a_side_each_game_draws_one() -> None:
    env = level_env("pokemon", "random", labels=False)
    env.reset(seed=1)
    seats = []
    for _ in range(20):
        env.reset()
        seats.append(env.seat)
    assert set(seats) == {0, 1}


def test_without_the_extra_it_is_named() -> None:
    code = "import sys; sys.modules['pettingzoo'] = None; import onlymove.rl"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.endswith("ImportError: environments need PettingZoo: pip install 'onlymove[rl]'\n"), done.stderr


def test_a_masked_action_loses_at_once() -> None:
    env = aec_env("orbito")
    env.reset()
    push = env.board.encoding.numbers[0]["a1", "a2", "b1"]
    env.step(push)
    assert env.rewards == {"player_0": -1, "player_1": 1}
    assert all(env.terminations.values())
    riders = parallel_env("lightriders", size="4x4")
    riders.reset()
    crash = 4
    up = riders.action_of("u", "player_1")
    _, rewards, ended, _, _ = riders.step({"player_0": crash, "player_1": up})
    assert (rewards, ended["player_0"], riders.agents) == ({"player_0": -1, "player_1": 1}, True, [])
    riders.reset()
    assert set(riders.step({"player_0": crash, "player_1": crash})[1].values()) == {0}


def test_wrong_use_is_refused_in_one_line() -> None:
    with pytest.raises(ValueError, match="use parallel_env"):
        aec_env("lightriders")
    with pytest.raises(ValueError, match="use aec_env"):
        parallel_env("orbito")
    with pytest.raises(ValueError, match="the seat must be 0 or 1"):
        level_env("orbito", seat=2)
    env = aec_env("orbito")
    env.reset()
    for number in (-1, 736):
        with pytest.raises(IndexError, match="is not an action"):
            env.step(number)
        with pytest.raises(IndexError, match="is not an action"):
            env.move_of(number)
    with pytest.raises(ValueError, match="not a legal move"):
        env.action_of("a1a2b1")
    riders = parallel_env("lightriders", size="4x4")
    riders.reset()
    for action in (-1, 9):
        with pytest.raises(IndexError, match="is not an action"):
            riders.step({"player_0": action, "player_1": 0})


def test_a_game_that_numbers_no_moves_is_refused() -> None:
    with pytest.raises(NoEncoding, match="has no encoding"):
        find_encoding(replace(games.load("orbito"), solved=Solved()))

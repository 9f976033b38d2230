"""The environments pass PettingZoo's own tests, and their labels are the table's values."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Iterator

import numpy as np
import onlymove
import pytest
from onlymove_engines import games

pytest.importorskip("pettingzoo")

from onlymove.rl import aec_env, outcome_number, parallel_env
from pettingzoo.test import api_test, parallel_api_test, seed_test

ALTERNATING = [card.id for card in games.list_own_games() if not games.load(card.id).facts.simultaneous]


@pytest.fixture(autouse=True)
def _dictionaries_are_fine() -> Iterator[None]:
    """With a mask an observation is a dictionary, as in the package's own board games, which are exempt by name."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Observation", category=UserWarning)
        yield


@pytest.mark.parametrize("game_id", ALTERNATING)
def test_a_game_of_moves_in_turn_passes(game_id: str) -> None:
    api_test(aec_env(game_id, max_plies=60), num_cycles=150)
    seed_test(lambda: aec_env(game_id, labels=False, max_plies=60), num_cycles=100)


def test_a_game_of_moves_at_once_passes() -> None:
    parallel_api_test(parallel_env("lightriders", size="5x5"), num_cycles=100)


@pytest.mark.parametrize("game_id", ALTERNATING)
def test_labels_are_the_values_and_rewards_the_results(game_id: str) -> None:
    game, env = onlymove.load(game_id), aec_env(game_id)
    env.reset(seed=3)
    lots = np.random.default_rng(3)
    for agent in env.agent_iter(200):
        seen, _, ended, cut, info = env.last()
        if ended or cut:
            break
        found = game.analyse(env.position)
        assert info["value"] == outcome_number(found.value)
        assert info["values"] == [outcome_number(value) for value in found.moves.values()]
        assert bytes(seen["observation"]).rstrip(b"\0").decode() == str(env.position)
        legal = np.flatnonzero(seen["action_mask"])
        assert len(legal) == len(env.position.moves)
        action = int(lots.choice(legal))
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


def test_without_the_extra_it_is_named() -> None:
    code = "import sys; sys.modules['pettingzoo'] = None; import onlymove.rl"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.endswith("ImportError: environments need PettingZoo: pip install 'onlymove[rl]'\n"), done.stderr


def test_wrong_use_is_refused_in_one_line() -> None:
    with pytest.raises(ValueError, match="ask parallel_env"):
        aec_env("lightriders")
    with pytest.raises(ValueError, match="ask aec_env"):
        parallel_env("orbito")
    env = aec_env("orbito")
    env.reset()
    with pytest.raises(IndexError, match="no legal action"):
        env.step(200)
    riders = parallel_env("lightriders", size="4x4")
    riders.reset()
    for action in (-1, 9):
        with pytest.raises(IndexError, match="no legal action of player_0"):
            riders.step({"player_0": action, "player_1": 0})

"""Our own engine plays as another program: whole games of every game, over pipes, with clocks, and from the command
line."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from onlymove.tournament.contestants import Limits
from onlymove.tournament.referee import Plan, load_kernels, play
from onlymove_engines import games
from onlymove_engines.core.errors import OnlymoveError

from tests.tournament.bots import bot

pytestmark = pytest.mark.terminal

GAMES = [facts.id for facts in games.list_games()]


def engine(game_id: str) -> str:
    """Return the text of a player that runs our engine as a program."""
    return f"cmd:{shlex.join((sys.executable, '-m', 'onlymove_tui', 'engine', game_id))}"


def small_start(game_id: str) -> str:
    """Return a small field to start from, if games from the usual start take long. Otherwise return an empty text."""
    game = games.load(game_id)
    if not game.facts.simultaneous:
        return ""
    return game.notation.format_position(game.start({"size": "5x5"}, 3))


@pytest.mark.parametrize("game_id", GAMES)
def test_our_engine_plays_whole_games_of_every_game(game_id: str) -> None:
    """It plays against random moves, on both sides. Nodes limit it if the protocol counts them, and otherwise the usual
    clock does."""
    load_kernels(game_id)
    plan = Plan(game_id, (engine(game_id), "random"), Limits(nodes=500), start=small_start(game_id), seed=4)
    for number in (0, 1):
        record = play(plan, number)
        assert "[Fault" not in record, record
        assert '[Result "*"]' not in record, record


@pytest.mark.parametrize("game_id", GAMES)
def test_our_engine_keeps_within_its_clock(game_id: str) -> None:
    """The engine has finished loading before its clock starts."""
    limits = Limits(bank=0.6, increment=0.05)
    plan = Plan(game_id, (engine(game_id), "random"), limits, start=small_start(game_id), seed=5)
    record = play(plan, 0)
    assert "[Fault" not in record, record


def test_by_nodes_a_program_plays_the_same_games_again() -> None:
    """The program receives the seed of the game."""
    plan = Plan(GAMES[0], (engine(GAMES[0]), "random"), Limits(nodes=500), seed=6)
    assert play(plan, 0) == play(plan, 0)


def test_the_command_plays_programs_and_says_what_went_wrong(tmp_path: Path) -> None:
    """A program that crashes in every game loses every game, and the match continues to its end."""
    crash = f"cmd:{shlex.join(bot('sys.exit(3)'))}"
    out = tmp_path / "games.txt"
    how = ("--games", "2", "--seconds", "0.5", "--out", str(out), "--json")
    done = subprocess.run(
        [sys.executable, "-m", "onlymove_tui", "match", GAMES[0], "--first", engine(GAMES[0]), "--second", crash, *how],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    facts = json.loads(done.stdout)
    assert (done.returncode, facts["wins"], facts["faults"], facts["timeouts"]) == (0, 2, 2, 0)
    assert out.read_text().count("crash: ended with exit code 3") == 2
    assert "Both timed by CPU time" in done.stderr or "wall" in done.stderr


def test_a_program_that_is_not_there_is_refused_before_the_match() -> None:
    plan = Plan(GAMES[0], ("cmd:/nowhere/engine", "random"))
    with pytest.raises(OnlymoveError, match="there is no program '/nowhere/engine'"):
        play(plan, 0)

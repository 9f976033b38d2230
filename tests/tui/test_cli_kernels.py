"""A command that asks for values waits for the compiled search only if something has to be searched, and never while
the player's clock runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from onlymove_engines import games
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.game import AnyGame
from onlymove_engines.search.stop import ready
from onlymove_tables.kernels import cache
from onlymove_tui.cli import run
from onlymove_tui.cli.console import compile_when_needed

from tests.heap_game import heap_game

SEARCHED = [facts.id for facts in games.list_games() if games.load(facts.id).facts.plays_by_search]


@pytest.mark.parametrize("command", ["analyse", "explore"])
@pytest.mark.parametrize("game_id", SEARCHED)
def test_a_bad_position_is_refused_before_anything_is_compiled(
    game_id: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "kernels"))
    assert run([command, game_id, "no position"]) == 2
    assert not (tmp_path / "kernels").exists(), f"{command} {game_id} compiles for a position that it then refuses"
    assert capsys.readouterr().err.count("\n") == 1


def test_kernels_are_prepared_once_outside_the_time_to_think() -> None:
    now, done = 0.0, list[str]()

    def compile_slowly(_: AnyGame) -> None:
        nonlocal now
        now += 100.0
        done.append("compiled")

    with compile_when_needed(heap_game(), compile_slowly, lambda: now) as clock:
        budget = Budget.seconds(3.0, clock)
        for _ in range(2):
            ready(budget, lambda: done.append("loaded"))
        assert budget.find_seconds_left() == 3.0
    assert done == ["compiled", "loaded", "loaded"]


def test_without_a_search_kernels_are_not_loaded() -> None:
    asked: list[AnyGame] = []
    with compile_when_needed(heap_game(), asked.append):
        pass
    ready(Budget(), lambda: None)
    assert asked == []

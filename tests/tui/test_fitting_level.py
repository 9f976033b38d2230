"""`play GAME` chooses the level that fits the player, as the form of a new game does."""

from __future__ import annotations

from pathlib import Path

import pytest
from onlymove_engines.games import load
from onlymove_engines.play.players import get_level
from onlymove_tui.app.launch import Launch
from onlymove_tui.cli import play, run

from tests.commands import give_input
from tests.heap_game import settle


@pytest.fixture
def launches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Launch]:
    """Collect what the app is launched with, without a terminal."""
    settle(tmp_path, monkeypatch)
    seen: list[Launch] = []

    def begin(launch: Launch) -> int:
        seen.append(launch)
        return 0

    monkeypatch.setattr("gc.disable", lambda: None)
    monkeypatch.setattr(play, "require_terminal", lambda: None)
    monkeypatch.setattr(play, "prepare_environment", lambda _: None)
    monkeypatch.setattr("onlymove_tui.app.app.run", begin)
    return seen


@pytest.mark.parametrize(
    ("options", "level"),
    [
        ((), "newcomer"),
        (("--strength", "100"), "perfect"),
        (("--seats", "human,engine"), "perfect"),
        (("--seats", "human,club"), "club"),
        (("--style", "practical"), "perfect"),
    ],
)
def test_a_new_player_meets_the_weakest_level_unless_an_engine_is_asked_for(
    options: tuple[str, ...], level: str, launches: list[Launch]
) -> None:
    assert run(["play", "tobito", *options]) == 0
    (launch,) = launches
    assert launch.players is not None
    found = get_level(load("tobito"), launch.players[1])
    assert found is not None
    assert found.id == level


@pytest.mark.parametrize(("options", "level"), [((), "Newcomer"), (("--strength", "100"), "Perfect")])
def test_line_mode_meets_the_same_level_as_the_app(
    options: tuple[str, ...],
    level: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    settle(tmp_path, monkeypatch)
    give_input(monkeypatch, "quit\n")
    assert run(["play", "tobito", "--plain", *options]) == 0
    assert f"Bottom: engine, {level}." in capsys.readouterr().out

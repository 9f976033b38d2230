"""The scripts of the crowd's players know the words on the screens: they play whole games, alone and in pairs."""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random

import pytest

from benchmarks._visits import Visit
from benchmarks.crowd import Guest

from .conftest import Spawn
from .harness import Pty

pytestmark = pytest.mark.terminal
LOOKS = 600
"""How many times to look for all games. If a word on a screen has changed, a script waits for it for ever."""


def play(players: dict[str, tuple[Pty, Visit, Iterator[str]]], games: int) -> None:
    """Let all players press keys until each has finished this many games."""
    for _ in range(LOOKS):
        playing = [player for player in players.values() if player[1].games < games]
        if not playing:
            return
        for terminal, _, script in playing:
            if key := next(script):
                terminal.send(key)
                terminal.read(0.3)
            terminal.settle(0.05 if key else 0.2, 0.4)
    screens = "\n".join(f"{name} finished {visit.games}:\n{visit.look()}" for name, (_, visit, _) in players.items())
    pytest.fail(f"some players are stuck\n{screens}")


def test_a_guest_plays_games_with_turns_and_without(spawn: Spawn) -> None:
    terminal = spawn("--kiosk", "--guest")
    visit = Visit(terminal.text, Random(1), 3)
    play({"alone": (terminal, visit, visit.play_engine(["Tobito", "Light Riders"]))}, 2)


def test_a_pair_meets_and_plays_twice(spawn: Spawn) -> None:
    players = {}
    for name, partner in (("a0", "b0"), ("b0", "a0")):
        terminal = spawn("--kiosk", "--profile", name)
        visit = Visit(terminal.text, Random(1), 3)
        players[name] = terminal, visit, visit.play_partner("Tobito", partner, name == "a0")
    play(players, 2)


def test_a_report_says_where_a_session_was_lost(spawn: Spawn) -> None:
    terminal = spawn("--kiosk", "--guest")
    terminal.wait_for("Tobito")
    now = time.monotonic()
    guest = Guest("single0", "alone", terminal, now, moved=now - 100)
    assert guest.describe_loss(now).startswith(
        "lost: single0, alone: no key for 100 s, on the screen 'onlymove  play and train on solved games':"
    )
    terminal.send("q")
    assert terminal.has_ended()
    assert "lost: single0, alone: ended with exit code 0, on the screen" in guest.describe_loss(now)

"""A game in a real terminal is killed at any moment and then continues where it was. Nothing is lost."""

from __future__ import annotations

import signal
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest
from onlymove_tui.store.entries import Entry, GameDetails
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.rows import StoredGame, to_rows

from tests.amounts import limit_values

from .boards import DOWN, FIRST, LEAVE, LEFT, RIGHT, UP, open_board, open_menu
from .conftest import Spawn
from .harness import Pty

pytestmark = pytest.mark.terminal

MAX_KEYS = 400


def load_last_game(home: Mapping[str, str]) -> tuple[Entry, StoredGame]:
    """Return the game on disk that changed last: its entry in lists, and the whole game."""
    store = GameStore(Path(home["XDG_DATA_HOME"]) / "onlymove" / "games.sqlite3")
    entry = store.list(1)[0]
    stored = to_rows(store.load(entry.number).session, GameDetails())
    store.close()
    return entry, stored


def play_at_random(terminal: Pty, random: Random) -> None:
    """Press a random key, as a restless player might."""
    terminal.send(random.choice((LEFT, RIGHT, UP, DOWN, "\r", "\r", "\r", "\r", "u", "r", "h")))
    terminal.settle(0.12)


@pytest.mark.parametrize("seed", limit_values(range(3)))
def test_killed_at_a_random_ply_nothing_is_lost(spawn: Spawn, home: dict[str, str], seed: int) -> None:
    random = Random(seed)
    # Against an engine that errs often, the game lasts. Nothing moves by itself between the last key and the kill.
    terminal = open_board(spawn, environ={"ONLYMOVE_ANIMATION": "off", "ONLYMOVE_STRENGTH": "20"})
    for _ in range(random.randrange(20, 60)):
        play_at_random(terminal, random)
    while not has_begun(home):
        terminal.press("\r")
    terminal.wait_until_stable()
    shown = side_panel(terminal)
    terminal.signal(signal.SIGKILL)
    assert terminal.has_ended()
    before = load_last_game(home)
    again = open_menu(spawn, environ={"ONLYMOVE_ANIMATION": "off"})
    if before[0].is_over:
        assert "Resume" not in again.text()
        return
    again.press("r", 1.0)
    again.wait_until_stable()
    assert side_panel(again)[: len(shown)] == shown, "the same moves are listed"
    again.send(LEAVE)
    assert again.has_ended()
    after = load_last_game(home)
    assert after[0].number == before[0].number
    assert {number: after[1].nodes[number] for number in before[1].nodes} == before[1].nodes
    if after[0].plies == before[0].plies:
        assert after[1] == before[1], "line, place, undone moves, judgements"
    else:
        assert after[0].plies == before[0].plies + 1, "only an engine that was to move has moved"


def has_begun(home: Mapping[str, str]) -> bool:
    """Whether any game is on disk."""
    store = GameStore(Path(home["XDG_DATA_HOME"]) / "onlymove" / "games.sqlite3")
    count = store.count()
    store.close()
    return count > 0


def side_panel(terminal: Pty) -> list[str]:
    """Return the numbered lines of moves in the side panel."""
    return [line[52:78].strip() for line in terminal.text().split("\n") if line[52:56].strip().isdigit()]


@pytest.mark.parametrize("seed", limit_values(range(2)))
def test_everything_on_the_screen_is_on_disk_after_a_kill(spawn: Spawn, home: dict[str, str], seed: int) -> None:
    random = Random(seed)
    terminal = open_board(spawn, environ={"ONLYMOVE_ON_BAD": "flag"})
    for _ in range(random.randrange(6, 14)):
        terminal.send("\r")
        terminal.settle(0.1)
    terminal.send("\r")
    terminal.settle(random.random() * 0.1, 0.1)
    terminal.signal(signal.SIGKILL)
    assert terminal.has_ended()
    shown = " ".join(side_panel(terminal)).split()
    again = open_menu(spawn)
    again.press("r", 1.0)
    resumed = " ".join(side_panel(again)).split()
    assert len(shown) > 1
    assert [word.strip("▸") for word in resumed[: len(shown)]] == [word.strip("▸") for word in shown]


@pytest.mark.slow
def test_a_whole_game_is_played_to_its_end_by_keys(spawn: Spawn, home: dict[str, str]) -> None:
    random = Random(5)
    environ = {"ONLYMOVE_ANIMATION": "off", "ONLYMOVE_STRENGTH": "0", "ONLYMOVE_ON_BAD": "flag"}
    terminal = open_board(spawn, environ=environ)
    for _ in range(MAX_KEYS):
        terminal.send(random.choice((LEFT, RIGHT, UP, DOWN)))
        terminal.send("\r")
        terminal.settle(0.1)
        if "to move" not in terminal.text() and FIRST.title in terminal.text():
            terminal.settle(0.8)
            if load_last_game(home)[0].is_over:
                break
    entry, _ = load_last_game(home)
    assert entry.is_over, terminal.text()
    assert entry.result in ("1-0", "0-1", "1/2-1/2")
    assert "Resume" not in open_menu(spawn).text()

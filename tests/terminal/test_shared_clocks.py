"""Real games of `onlymove meet` against programs that once made it lose on time. It loses only the time that passes."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest
from onlymove_tui.lobby.lobby import list_entries
from onlymove_tui.lobby.shared_game import SharedGame

from .cheats import open_rooms
from .conftest import Spawn
from .harness import PATIENCE, Pty

pytestmark = pytest.mark.terminal

BANK = 30
"""In seconds, except where the clock is `5+3`."""
THOUGHT = 12
"""If a player's thinking of so many seconds is counted three times, the bank is used up."""


class Victim:
    """A player in line mode, and the game as anybody can see it."""

    def __init__(self, terminal: Pty, shared: SharedGame, begun: float) -> None:
        self.terminal = terminal
        self.shared = shared
        self.begun = begun

    def type_line(self, line: str) -> None:
        self.terminal.send(f"{line}\r")
        self.terminal.settle(0.3)

    def type_move(self) -> None:
        """Type the first legal move."""
        self.shared.look()
        session = self.shared.standing.session
        move = session.moves_of(1 - self.shared.opening.seat)[0]
        self.type_line(self.shared.game.notation.format_move(session.position, move))

    def wait_until(self, holds: Callable[[SharedGame], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not holds(self.shared):
            assert time.monotonic() < deadline, self.terminal.text()
            self.terminal.settle(0.2, 0.2)
            self.shared.look()

    def read_clock(self) -> int:
        """Ask how many seconds this player has left."""
        self.type_line("clock")
        shown = re.findall(r"You have (?:(\d+) minutes?)? ?(?:(\d+) seconds?)?\. eve has", self.terminal.text())
        assert shown, self.terminal.text()
        minutes, seconds = shown[-1]
        return 60 * int(minutes or 0) + int(seconds or 0)

    def check_clock(self, bank: int) -> None:
        """Check that this player has lost no more time than has passed."""
        left = self.read_clock()
        assert left >= bank - (time.monotonic() - self.begun), self.terminal.text()
        assert "out of time" not in self.terminal.text()
        self.shared.look()
        assert not self.shared.standing.is_over


Meet: TypeAlias = Callable[..., Victim]


@pytest.fixture
def meet(spawn: Spawn, home: dict[str, str], tmp_path: Path) -> Iterator[Meet]:
    """Return a function that lets a player meet one of the cheats, and returns the player."""
    running: list[subprocess.Popen[bytes]] = []
    rooms = tmp_path / "rooms"

    def begin(way: str, game: str, clock: str, *before: str) -> Victim:
        command = [*before, sys.executable, "-m", "tests.terminal.cheats", way, game, clock, str(rooms)]
        root, environ = Path(__file__).parents[2], {**home, "PYTHONWARNINGS": ""}
        running.append(subprocess.Popen(command, cwd=root, env=environ, start_new_session=True))
        lobby = open_rooms(rooms, "dan")
        deadline = time.monotonic() + PATIENCE
        while not list_entries(lobby):
            assert time.monotonic() < deadline, "no challenge"
            time.sleep(0.1)
        (opened,) = list_entries(lobby)
        terminal = spawn("meet", game, environ={"ONLYMOVE_ROOMS": str(rooms)})
        begun = time.monotonic()
        terminal.wait_for("You have")
        return Victim(terminal, lobby.open_game(opened.challenge_id, opened.uid), begun)

    yield begin
    for process in running:
        os.killpg(process.pid, signal.SIGKILL)  # `faketime` starts another process.
        process.wait()


@pytest.mark.skipif(shutil.which("faketime") is None, reason="needs faketime")
def test_an_opener_whose_clock_is_ten_minutes_slow_does_not_win_on_time(meet: Meet) -> None:
    victim = meet("slow", "tobito", "5+3", "faketime", "-f", "-10m")
    victim.wait_until(lambda shared: shared.standing.ply == 1)
    victim.check_clock(300)
    victim.type_move()
    victim.wait_until(lambda shared: shared.standing.ply == 2)
    victim.check_clock(300)


def test_agreeing_to_an_undo_with_an_old_time_does_not_win_on_time(meet: Meet) -> None:
    victim = meet("undo", "tobito", f"{BANK / 60}+0")
    victim.type_move()
    victim.wait_until(lambda shared: shared.standing.ply == 2)
    victim.type_line("undo")
    victim.wait_until(lambda shared: (shared.standing.epoch, shared.standing.ply) == (1, 0))
    victim.check_clock(BANK)
    victim.type_move()
    victim.wait_until(lambda shared: shared.standing.ply == 1)


def test_committing_and_revealing_with_old_times_does_not_win_on_time(meet: Meet) -> None:
    victim = meet("rounds", "lightriders", f"{BANK / 60}+0")
    while victim.read_clock() > BANK - THOUGHT:
        victim.terminal.settle(0.5, 0.5)
    victim.type_move()
    victim.wait_until(lambda shared: shared.standing.ply == 1)
    victim.check_clock(BANK)

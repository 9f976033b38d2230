"""Light Riders: our engine program against another, over the riddles.io protocol and by the clock on the wall.

LIGHTRIDERS_RIVAL is the other program's command line (else our own again, which shows that the referee is fair);
LIGHTRIDERS_GAMES, LIGHTRIDERS_MS, LIGHTRIDERS_BANK and LIGHTRIDERS_JOBS as in `lightriders`, but
two games unless told. Whoever answers late, not at all or with anything but a direction crashes. With LIGHTRIDERS_GRACE
late is only who answers so many seconds after the bank is empty: for trying the referee where others compute as well.
"""

from __future__ import annotations

import os
import queue
import shlex
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from onlymove_engines.core.value import Seat
from onlymove_engines.games.lightriders.protocol import WORDS
from onlymove_engines.games.lightriders.rules import CRASH, LightRidersRules, Position, Step, advance
from onlymove_engines.games.lightriders.start import official_start

from benchmarks._duels import BANK, JOBS, PER_MOVE, standing

OURS = (sys.executable, "-m", "onlymove_tui", "engine", "lightriders")
RIVAL = tuple(shlex.split(os.environ.get("LIGHTRIDERS_RIVAL", ""))) or OURS
GAMES = int(os.environ.get("LIGHTRIDERS_GAMES", "2"))
GRACE = float(os.environ.get("LIGHTRIDERS_GRACE", "0"))
FIRST_START = 1000
"""The starts of the matches that docs/engines/lightriders.md tells of."""

RULES = LightRidersRules()
STEPS = {word: step for step, word in WORDS.items() if step != CRASH}


class Rider:
    """A program that steers one rider, with its bank in milliseconds."""

    def __init__(self, command: tuple[str, ...], seat: Seat, size: tuple[int, int]) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.answers: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=self.listen, daemon=True).start()
        self.bank, self.longest, self.failed = float(BANK), 0.0, False
        settings = {
            "timebank": BANK,
            "time_per_move": PER_MOVE,
            "player_names": "player0,player1",
            "your_bot": f"player{seat}",
            "your_botid": seat,
            "field_width": size[0],
            "field_height": size[1],
        }
        self.say(*(f"settings {name} {value}" for name, value in settings.items()))

    def listen(self) -> None:
        """Collect every line until the program ends."""
        for line in self.process.stdout or ():
            self.answers.put(line.strip())

    def say(self, *lines: str) -> None:
        """Tell the program something; one that has ended is found out by its silence."""
        if self.process.stdin is not None and self.process.poll() is None:
            self.process.stdin.write("\n".join(lines) + "\n")
            self.process.stdin.flush()

    def step(self, position: Position, number: int) -> Step:
        """What it answers within its bank."""
        began = time.monotonic()
        field = ",".join(position.cells)
        bank = max(0.0, self.bank)
        self.say(f"update game round {number}", f"update game field {field}", f"action move {int(bank)}")
        try:
            answer = self.answers.get(timeout=bank / 1000 + GRACE)
        except queue.Empty:
            answer = ""
        used = 1000 * (time.monotonic() - began)
        self.longest = max(self.longest, used)
        self.bank = min(BANK, self.bank - used + PER_MOVE)
        self.failed = answer not in STEPS
        return STEPS.get(answer, CRASH)

    def end(self) -> None:
        """The game is over."""
        self.process.kill()
        self.process.wait()


@dataclass(frozen=True)
class Duel:
    """How one game went for us: 1, 1/2 or 0, our longest answer in milliseconds, who gave none that was one."""

    score: float
    longest: float
    our_failure: bool
    their_failure: bool


def duel(number: int) -> Duel:
    """The game of that number, each start played twice with sides traded."""
    position, ours = official_start(16, 16, FIRST_START + number // 2), number % 2
    size = position.width, position.height
    riders = [Rider(OURS if seat == ours else RIVAL, seat, size) for seat in (0, 1)]
    rounds = 0
    try:
        while (result := RULES.result(position)) is None:
            left, right = (
                CRASH if RULES.moves_of(position, seat) == (CRASH,) else riders[seat].step(position, rounds)
                for seat in (0, 1)
            )
            position, rounds = advance(position, (left, right)), rounds + 1
    finally:
        for rider in riders:
            rider.end()
    score = (1 + int(result.outcome_for(ours))) / 2
    return Duel(score, riders[ours].longest, riders[ours].failed, riders[1 - ours].failed)


def run() -> Iterable[str]:
    """The score, our slowest answer, and how many games ended by no answer at all."""
    with ThreadPoolExecutor(JOBS) as pool:
        duels = list(pool.map(duel, range(GAMES)))
    yield standing("onlymove", shlex.join(RIVAL) if RIVAL != OURS else "onlymove", [one.score for one in duels])
    yield f"our longest answer {max(one.longest for one in duels):.0f} ms"
    ours, theirs = sum(one.our_failure for one in duels), sum(one.their_failure for one in duels)
    yield f"games that ended without an answer that is a direction: {ours} of ours, {theirs} of theirs"

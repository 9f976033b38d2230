"""Many players on one host, each in a terminal: half of them play engines, half play each other in pairs.

`python -m benchmarks.crowd --sessions 100 --minutes 5`. Half of them are guests who play every game against engines,
half play in pairs in one lobby. Each player thinks for some seconds between two keys. The measurement begins when all
have connected. It covers the time from a key to the first byte that it changes, private memory, processor time, and
the sessions that were lost.
"""

from __future__ import annotations

import argparse
import os
import select
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from onlymove_engines import games
from onlymove_tables.kernels import prepare
from onlymove_tables.kernels.cache import VARIABLE, kernels_folder

from benchmarks._visits import Visit
from tests.terminal.harness import Pty

APP = (sys.executable, "-m", "onlymove_tui", "--kiosk")
THINKING = (2.0, 6.0)
"""Seconds between two keys of a player."""
BETWEEN_STARTS = 1.0
SESSIONS, MINUTES = 20, 1
"""For `make bench`: too short to finish games, long enough to measure keys and memory."""
LOOK_AGAIN = 0.2
"""Seconds after which a player who waits looks at the screen again."""
LOST_SECONDS = 90.0
"""A player who waits this long for something counts as lost."""


@dataclass
class Guest:
    """A session, what its player is doing, and when to press the next key."""

    name: str
    kind: str
    terminal: Pty
    due: float
    script: Iterator[str] = field(default_factory=lambda: iter(()))
    visit: Visit | None = None
    sent: float | None = None
    moved: float = 0.0
    seen: str | None = None
    took: list[float] = field(default_factory=list)
    silent: int = 0
    partner: Guest | None = None

    def look(self) -> str:
        """Return the screen. It is put together again only after new output."""
        if self.seen is None:
            self.seen = self.terminal.text()
        return self.seen

    def step(self, now: float, random: Random) -> None:
        """Press the next key, if there is one."""
        key = next(self.script)
        self.due = now + (random.uniform(*THINKING) if key else LOOK_AGAIN)
        if key:
            self.silent += self.sent is not None
            self.sent, self.moved = time.perf_counter(), now
            self.terminal.send(key)

    def receive(self, data: bytes, came: float) -> None:
        """Take what the terminal has written."""
        if self.sent is not None:
            self.took.append(came - self.sent)
            self.sent = None
        self.terminal.take(data)
        self.seen = None

    def is_lost(self, now: float) -> bool:
        """Whether the session has ended, or its player has waited too long. A player may wait longer while the partner
        presses keys."""
        moved = self.moved if self.partner is None else max(self.moved, self.partner.moved)
        return self.terminal.process.poll() is not None or now - moved > LOST_SECONDS

    def describe_loss(self, now: float) -> str:
        """Say how the session was lost and on which screen, and show the screen."""
        code = self.terminal.process.poll()
        how = f"no key for {now - self.moved:.0f} s" if code is None else f"ended with exit code {code}"
        title = self.look().split("\n", 1)[0].strip()
        return f"lost: {self.name}, {self.kind}: {how}, on the screen '{title}':\n{self.look()}"


def make_environment(folder: Path) -> dict[str, str]:
    """Return the environment of a session over SSH with an empty home folder and compiled kernels."""
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    kept |= {f"XDG_{kind}_HOME": str(folder / kind.lower()) for kind in ("DATA", "CONFIG", "CACHE", "STATE")}
    kept |= {"HOME": str(folder), "TERM": "xterm-256color", "LANG": "C.UTF-8", VARIABLE: str(kernels_folder())}
    return {**kept, "SSH_CONNECTION": "127.0.0.1 1 127.0.0.1 22"}


class Crowd:
    """Players in many sessions at once. Half of them play alone, the others in pairs."""

    def __init__(self, folder: Path, count: int, seed: int) -> None:
        self.environ = make_environment(folder)
        self.random = Random(seed)
        self.count = count
        self.titles = [facts.title for facts in games.list_own_games()]
        self.guests: list[Guest] = []

    def start_session(self) -> None:
        number = len(self.guests)
        pair, place = divmod(number, 4)
        is_single = place < 2
        name = f"single{number}" if is_single else f"{'ab'[place - 2]}{pair}"
        login = ("--guest",) if is_single else ("--profile", name)
        now = time.monotonic()
        guest = Guest(name, "alone" if is_single else "in pairs", Pty((*APP, *login), self.environ), now + 1, moved=now)
        guest.visit = Visit(guest.look, Random(self.random.random()))
        turned = self.titles[number % len(self.titles) :] + self.titles[: number % len(self.titles)]
        title, partner = self.titles[pair % len(self.titles)], f"{'ba'[place - 2]}{pair}"
        guest.script = (
            guest.visit.play_engine(turned) if is_single else guest.visit.play_partner(title, partner, place == 2)
        )
        if place == 3:
            guest.partner, self.guests[-1].partner = self.guests[-1], guest
        self.guests.append(guest)

    def run(self, seconds: float) -> None:
        """Let everybody play for this many seconds, and start new sessions one after the other."""
        end, coming = time.monotonic() + seconds, time.monotonic()
        while (now := time.monotonic()) < end:
            if now >= coming and len(self.guests) < self.count:
                self.start_session()
                coming = now + BETWEEN_STARTS
            here = [guest for guest in self.guests if guest.terminal.process.poll() is None]
            for guest in here:
                if guest.due <= now:
                    guest.step(now, self.random)
            self.read_terminals(here)

    def read_terminals(self, here: Sequence[Guest]) -> None:
        """Read all new output before drawing any of it, because its time of arrival is measured."""
        by_file = {guest.terminal.master: guest for guest in here}
        ready = select.select(list(by_file), [], [], 0.02)[0]
        come: list[tuple[Guest, bytes, float]] = []
        for file in ready:
            with suppress(OSError):
                come.append((by_file[file], os.read(file, 1 << 16), time.perf_counter()))
        for guest, data, moment in come:
            guest.receive(data, moment)

    def forget(self) -> None:
        """Drop what was measured while players were still joining."""
        for guest in self.guests:
            guest.took, guest.silent = [], 0

    def count_processor_seconds(self) -> float:
        """Return the processor time that all sessions have used."""
        ticks = 0
        for guest in self.guests:
            with suppress(OSError):
                after = Path(f"/proc/{guest.terminal.process.pid}/stat").read_text().rpartition(")")[2].split()
                ticks += int(after[11]) + int(after[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        for guest in self.guests:
            guest.terminal.close()


def find_percentiles(values: Sequence[float]) -> tuple[float, float]:
    """Return the median and the 95th percentile."""
    ordered = sorted(values) or [0.0]
    return statistics.median(ordered), ordered[int(0.95 * (len(ordered) - 1))]


def measure(sessions: int, minutes: float, seed: int = 0) -> Iterator[str]:
    """Open this many sessions, play in them for so many minutes, and yield the measurements line by line."""
    with tempfile.TemporaryDirectory() as folder:
        crowd = Crowd(Path(folder), sessions, seed)
        try:
            crowd.run(sessions * BETWEEN_STARTS + 10)
            crowd.forget()
            before, mine = crowd.count_processor_seconds(), time.process_time()
            crowd.run(60 * minutes)
            used = (crowd.count_processor_seconds() - before) / (60 * minutes)
            driving = (time.process_time() - mine) / (60 * minutes)
            yield from report(crowd)
            yield (
                f"processors used: {used:.2f} of {os.cpu_count()}, {driving:.2f} more by this script;"
                f" load average {os.getloadavg()[0]:.1f}"
            )
        finally:
            crowd.close()


def report(crowd: Crowd) -> Iterator[str]:
    """Yield lines about the lost sessions, the times of keys, and memory."""
    now, guests = time.monotonic(), crowd.guests
    lost = [guest for guest in guests if guest.is_lost(now)]
    played = sum(guest.visit.games for guest in guests if guest.visit is not None)
    keys, silent = sum(len(guest.took) for guest in guests), sum(guest.silent for guest in guests)
    yield (
        f"{len(guests)} sessions, {len(lost)} lost; {played} games finished;"
        f" {keys} keys changed the screen, {silent} did not before the next key"
    )
    for guest in lost:
        yield guest.describe_loss(now)
    for kind in ("alone", "in pairs"):
        of_kind = [guest for guest in guests if guest.kind == kind and guest not in lost]
        half, most = find_percentiles([took for guest in of_kind for took in guest.took])
        memory = [guest.terminal.private_memory() / 1e6 for guest in of_kind]
        middle, large = find_percentiles(memory)
        yield (
            f"{kind}: {len(of_kind)} sessions; key to frame p50 {1000 * half:.0f} ms, p95 {1000 * most:.0f} ms;"
            f" private memory p50 {middle:.0f} MB, p95 {large:.0f} MB, all together {sum(memory):.0f} MB"
        )


def run() -> Iterator[str]:
    """A small crowd, for `make bench`."""
    yield f"{SESSIONS} sessions for {MINUTES} minute; docs/hosting.md has a run of 100 sessions for 5 minutes"
    yield from measure(SESSIONS, MINUTES)


def main() -> None:
    """Run a crowd with the options of the command line."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--sessions", type=int, default=100)
    ask.add_argument("--minutes", type=float, default=5)
    ask.add_argument("--seed", type=int, default=0)
    asked = ask.parse_args()
    prepare()
    subprocess.run([*APP[:3], "tables", "warm"], check=True, stdout=subprocess.DEVNULL)
    for line in measure(asked.sessions, asked.minutes, asked.seed):
        print(line, flush=True)


if __name__ == "__main__":
    main()

"""How much of our code one key runs: Tobito at 80x24, two people at one keyboard, training on, a real terminal.

It counts the functions, methods, properties, lambdas and generators of our packages that run between the key and the
last byte drawn for it, in all threads and processes. `python -m benchmarks.paths --list` names them.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from onlymove_tables.kernels.cache import VARIABLE, kernels_folder

from benchmarks._calls import FLUSH_SECONDS, FOLDER_VARIABLE
from benchmarks.launch import make_environment
from tests.terminal.harness import Pty

TOP = Path(__file__).resolve().parents[1]
PLAY = (
    sys.executable,
    "-m",
    "onlymove_tui",
    "play",
    "tobito",
    "--seats",
    "human,human",
    "--training",
    "flag",
    "--from",
)
BLUNDER = "..B/B.B/.T./..T/..T B"
"""Enter, the arrow down twice and Enter move a4a3 here, which throws away a win. It is judged and marked, but
not stopped."""
HINT = "BT./B../.TT/B../... T"
"""A hint has three stages here."""
ENTER, RIGHT, DOWN = "\r", "\x1b[C", "\x1b[B"
QUIET = 1.5
"""Seconds without output after which the screen counts as drawn."""
REPAINTS = frozenset({"Board.paint"})
"""What paints what may look different."""
QUESTIONS = frozenset({"PlayScreen.check_actions"})
"""What asks which commands are possible."""


@dataclass(frozen=True)
class KeyPath:
    """Everything that one key ran: how often it called each function, by file and name."""

    calls: Mapping[tuple[str, str], int]

    @property
    def files(self) -> int:
        """Return how many files these functions are in."""
        return len({file for file, _ in self.calls})

    def count(self, names: frozenset[str]) -> int:
        """Return how often functions with these names were called."""
        return sum(count for (_, name), count in self.calls.items() if name in names)

    def __str__(self) -> str:
        return (
            f"{self.files} files, {len(self.calls)} functions, {sum(self.calls.values())} calls;"
            f" {self.count(REPAINTS)} repaints, {self.count(QUESTIONS)} questions which commands are possible"
        )


class Program:
    """The app in a terminal, with its calls recorded."""

    def __init__(self, folder: Path, position: str) -> None:
        (folder / "sitecustomize.py").write_text("from benchmarks._calls import install\ninstall()\n", "utf-8")
        self.records = folder / "calls"
        self.records.mkdir()
        given = {"PYTHONPATH": f"{folder}:{TOP}", FOLDER_VARIABLE: str(self.records), VARIABLE: str(kernels_folder())}
        # Over SSH nothing is animated: each key draws its last picture only.
        remote = {"SSH_CONNECTION": "127.0.0.1 1 127.0.0.1 22"}
        self.terminal = Pty((*PLAY, position), {**make_environment(str(folder)), **given, **remote})

    def press(self, key: str) -> KeyPath:
        """Press a key and return what it ran until the last byte was drawn."""
        self.terminal.settle(QUIET)
        begun = last = time.monotonic_ns()
        self.terminal.send(key)
        while self.terminal.read(QUIET):
            last = time.monotonic_ns()
        time.sleep(4 * FLUSH_SECONDS)
        calls: Counter[tuple[str, str]] = Counter()
        for path in self.records.glob("*.calls"):
            for line in path.read_text("utf-8").splitlines():
                when, file, name = line.split("\t")
                if begun <= int(when) <= last:
                    calls[file, name] += 1
        return KeyPath(calls)


@contextmanager
def open_program(position: str) -> Iterator[Program]:
    """Start the app with this position on the board."""
    with tempfile.TemporaryDirectory() as folder:
        program = Program(Path(folder), position)
        try:
            program.terminal.wait_for("Tobito")
            program.terminal.wait_until_stable()
            yield program
        finally:
            program.terminal.close()


def measure() -> Sequence[tuple[str, KeyPath]]:
    """Return what each of the keys ran."""
    with open_program(BLUNDER) as program:
        chosen, _, _, judged = (program.press(key) for key in (ENTER, DOWN, DOWN, ENTER))
        assert "a4a3 ??" in program.terminal.text(), "the last key plays the bad move"
    with open_program(HINT) as program:
        step, _, hint = program.press(RIGHT), program.press("h"), program.press("h")
    return [
        ("a cursor step", step),
        ("the first key of a move", chosen),
        ("the key that completes a move, which is judged and played", judged),
        ("the second stage of a hint", hint),
    ]


def run() -> Iterator[str]:
    for name, path in measure():
        yield f"{name}: {path}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", action="store_true", help="name every function, with how often it was called")
    options = parser.parse_args()
    for name, path in measure():
        print(f"{name}: {path}")
        for (file, function), count in sorted(path.calls.items()) if options.list else ():
            print(f"  {count:5} {file} {function}")

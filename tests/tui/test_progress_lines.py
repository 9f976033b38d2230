"""Long commands say how far they are, even if stderr is no terminal: a line every ten seconds."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from onlymove_tui.cli.console import ProgressLine, show_progress

from tests.examples.test_example_game import write_metadata

EXAMPLE = Path(__file__).parents[2] / "examples" / "onlymove-pong-hau-ki"


class Watch:
    """A clock that the test sets."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_line_says_what_is_done_how_far_and_for_how_long() -> None:
    watch = Watch()
    line = ProgressLine(watch)
    watch.now += 10
    assert line.describe() == "getting ready, 0:00:10 so far"
    line.report("solving layer 1", 0.0)
    watch.now += 10
    assert line.describe() == "solving layer 1, 0:00:20 so far"
    line.report("solving layer 2", 0.25)
    assert line.describe() == "solving layer 2: 25%, 0:00:20 so far, about 0:00:30 left at this rate"
    line.report("packing", 0.5)
    watch.now += 600
    assert line.describe() == "packing: 50%, 0:10:20 so far", "nothing says how fast the new step is"
    line.report("packing", 0.75)
    assert line.describe() == "packing: 75%, 0:10:20 so far, about 0:10:00 left at this rate"
    line.report("packing", 1.0)
    assert line.describe() == "packing: 100%, 0:10:20 so far"


def test_no_time_is_estimated_for_work_that_grows() -> None:
    watch = Watch()
    line = ProgressLine(watch)
    for number, share in ((1_000, 0.5), (2_000, 0.4), (3_000, 0.6)):
        line.report(f"{number:,} positions", share)
        watch.now += 10
    assert line.describe() == "3,000 positions: 60%, 0:00:30 so far"


def test_lines_come_regularly_until_the_work_ends(capfd: pytest.CaptureFixture[str]) -> None:
    with show_progress(every=0.001) as report:
        report("solving", 0.5)
        seen = ""
        while seen.count("onlymove: solving: 50%, ") < 3:
            seen += capfd.readouterr().err
    capfd.readouterr()
    assert capfd.readouterr().err == "", "and then no more"


LONG = (
    ["tables", "build", "ponghauki"],
    ["tables", "verify", "ponghauki"],
    ["prove", "ponghauki"],
    ["match", "ponghauki", "--first", "random", "--second", "random", "--games", "2"],
)
QUICKLY = """
import sys
from onlymove_tui.cli import console, run

console.LINE_SECONDS = 0.001
sys.exit(run(sys.argv[1:]))
"""


def test_long_commands_write_lines(tmp_path: Path) -> None:
    write_metadata(tmp_path / "site", "onlymove_pong_hau_ki", {"ponghauki": "onlymove_pong_hau_ki"})
    own = {f"XDG_{kind}_HOME": str(tmp_path / kind) for kind in ("DATA", "CONFIG", "STATE")}
    own |= {"PYTHONPATH": f"{tmp_path / 'site'}{os.pathsep}{EXAMPLE}"}
    for command in LONG:
        done = subprocess.run(
            [sys.executable, "-c", QUICKLY, *command],
            env={**os.environ, **own},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert " so far" in done.stderr, command

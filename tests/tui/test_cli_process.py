"""The command as a process: what it loads, and how it ends when nobody listens."""

from __future__ import annotations

import subprocess
import sys

import pytest


def test_a_closed_pipe_ends_quietly() -> None:
    script = "from onlymove_tui.__main__ import main; main()"
    command = f'"{sys.executable}" -c "{script}" games --json | true'
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, check=False)
    assert done.stderr == ""


@pytest.mark.parametrize("arguments", [["--version"], ["games"], ["locate"], ["config"]])
def test_quick_commands_load_neither_numba_nor_numpy_nor_textual(arguments: list[str]) -> None:
    code = (
        "import sys; from onlymove_tui.cli import run; "
        f"run({arguments!r}); sys.exit(','.join({{'numba', 'numpy.linalg', 'textual'}} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == "\n"


@pytest.mark.parametrize("closed", [">&-", "<&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_accident(closed: str) -> None:
    command = f'"{sys.executable}" -m onlymove_tui games {closed}'
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")

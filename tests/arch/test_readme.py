"""What the README shows is what the program prints."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")


def sessions() -> list[tuple[str, str]]:
    """Every command shown with its output."""
    blocks = re.findall(r"^```console\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
    parts = [part for block in blocks for part in re.split(r"^\$ ", block, flags=re.MULTILINE) if part]
    return [(command, output) for command, _, output in (part.partition("\n") for part in parts)]


@pytest.mark.parametrize(("command", "output"), sessions(), ids=[command for command, _ in sessions()])
def test_a_command_prints_what_is_shown(command: str, output: str) -> None:
    program, *arguments = shlex.split(command)
    assert program == "onlymove"
    line = [sys.executable, "-m", "onlymove_tui", *arguments]
    done = subprocess.run(line, capture_output=True, text=True, encoding="utf-8", check=True)
    assert done.stdout.rstrip("\n") == output.rstrip("\n")


def test_something_is_shown() -> None:
    assert len(sessions()) >= 3

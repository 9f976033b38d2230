"""The README shows what the program prints."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from onlymove_tui.cli import run

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")


def sessions() -> list[tuple[str, str]]:
    """Return every command that is shown with its output."""
    blocks = re.findall(r"^```console\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
    parts = [part for block in blocks for part in re.split(r"^\$ ", block, flags=re.MULTILINE) if part]
    return [(command, output) for command, _, output in (part.partition("\n") for part in parts)]


@pytest.mark.parametrize(("command", "output"), sessions(), ids=[command for command, _ in sessions()])
def test_a_command_prints_the_output_shown(capsys: pytest.CaptureFixture[str], command: str, output: str) -> None:
    program, *arguments = shlex.split(command)
    assert program == "onlymove"
    assert run(arguments) == 0
    printed, complaints = capsys.readouterr()
    assert (printed.rstrip("\n"), complaints) == (output.rstrip("\n"), "")


def test_something_is_shown() -> None:
    assert len(sessions()) >= 3

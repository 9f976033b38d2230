"""A program that uses the library passes the strictest type checks, with the types that the installed package
contains."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from runpy import run_path

import pytest

SCRIPT = Path(__file__).with_name("user_script.py")


@pytest.mark.slow  # `make check` reads the script too, but as a part of this project
def test_a_script_of_a_user_passes_mypy(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.read_text("utf-8"), "utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", f"--cache-dir={tmp_path / 'cache'}"]
    done = subprocess.run([*command, script.name], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout == "Success: no issues found in 1 source file\n", done.stdout + done.stderr


def test_the_script_runs(capsys: pytest.CaptureFixture[str]) -> None:
    run_path(str(SCRIPT), run_name="__main__")
    output, complaints = capsys.readouterr()
    assert complaints == ""
    assert output.endswith(" 2 453\n"), "two games, and so many of 500 positions are won"

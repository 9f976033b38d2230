"""What this program starts in Python imports nothing from the current folder. tests/tui/test_planted.py tries this with
every command that starts a process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from onlymove_tables.child import VARIABLE, build_command, build_environment, trusted_folders

from tests.examples.test_example_game import EXAMPLE, write_metadata

ROOT = Path(__file__).parents[2]
PROBE = "import json, os, sys; print(json.dumps([sys.argv[1:], sys.path, os.environ['PYTHONPATH']]))"
NAMES = {name.partition(".")[0] for name in (*sys.stdlib_module_names, *sys.modules, "sitecustomize", "usercustomize")}


def plant(folder: Path, *names: str) -> None:
    """Write a module with each name, which ends the program that imports it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / f"{name}.py").write_text("raise SystemExit(f'{__name__} is planted')\n")


def run_child(module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a child to its end."""
    command = build_command(module, *arguments)
    return subprocess.run(command, env=build_environment(), capture_output=True, text=True, check=False)


@pytest.mark.parametrize("entries", ["", ":", ".", "inner", ":.:inner:"])
def test_a_child_imports_no_module_planted_in_the_current_folder(
    entries: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(tmp_path, *NAMES)
    plant(tmp_path / "inner", *NAMES)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(VARIABLE, entries)
    added = map(os.path.abspath, entries.split(os.pathsep) if entries else ())
    monkeypatch.setattr(sys, "path", ["", *added, *sys.path])
    done = run_child("onlymove_tui", "games")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_command_imports_nothing_more_from_there_once_it_runs(tmp_path: Path) -> None:
    """What Python imports before the command runs is up to Python."""
    plant(tmp_path, "click")
    code = "from onlymove_tui.__main__ import main; main()"
    environ = {**os.environ, VARIABLE: os.pathsep.join(["", *map(str, sys.path)])}
    command = [sys.executable, "-P", "-c", code, "games"]
    done = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_child_imports_from_the_same_folders_and_gets_the_same_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "probe.py").write_text(PROBE)
    monkeypatch.syspath_prepend(str(tmp_path))
    entries = f":.:{tmp_path}:inner"
    monkeypatch.setenv(VARIABLE, entries)
    assert json.loads(run_child("probe", "a", "b c").stdout) == [["a", "b c"], trusted_folders(), entries]


def test_a_game_package_on_the_path_is_found_by_a_child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_metadata(tmp_path, "onlymove_nim", {"nim": "onlymove_nim"})
    monkeypatch.setenv(VARIABLE, os.pathsep.join(["", str(tmp_path), str(EXAMPLE)]))
    for folder in (tmp_path, EXAMPLE):
        monkeypatch.syspath_prepend(str(folder))
    assert "Nim" in run_child("onlymove_tui", "games").stdout


@pytest.mark.parametrize(
    ("entries", "path", "trusted"),
    [
        ("", ["/here", "/lib", "/here"], ["/lib", "/here"]),
        ("", ["", "relative", "/lib"], ["/lib"]),
        ("", ["/script", "/here", "/lib"], ["/script", "/here", "/lib"]),
        (":", ["/script", "/here", "/lib"], ["/script", "/lib"]),
        ("in/../side", ["/script", "/here/side", "/lib"], ["/script", "/lib"]),
        (".:/here", ["/here", "/lib"], ["/here", "/lib"]),
    ],
)
def test_a_folder_is_not_trusted_for_being_the_current_one(
    entries: str, path: list[str], trusted: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(VARIABLE, entries.replace("/here", str(tmp_path)))
    with monkeypatch.context() as patch:
        patch.setattr(sys, "path", [folder.replace("/here", str(tmp_path)) for folder in path])
        found = trusted_folders()
    assert [folder.replace(str(tmp_path), "/here") for folder in found] == trusted


def test_the_folders_of_the_program_itself_are_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv(VARIABLE, "engines:tables:tests")
    own, other = [str(ROOT / "engines"), str(ROOT / "tables")], str(ROOT / "tests")
    monkeypatch.setattr(sys, "path", [*own, other])
    assert trusted_folders() == own


def test_a_current_folder_that_is_gone_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    monkeypatch.setenv(VARIABLE, ":inner")
    assert trusted_folders() == [folder for folder in sys.path if os.path.isabs(folder)]

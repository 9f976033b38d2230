"""What reaches the commands from outside besides options: a byte order mark, empty variables, and their own output."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from onlymove_tables.child import THREADS, limit_threads
from onlymove_tui.cli import run
from onlymove_tui.store.settings import read_settings, setting_types

from tests.commands import give_input

MARK = "\ufeff".encode()
RECORD = b'[Game "tobito"]\n[First "Ada"]\n\n1. a5a4 *\n'


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("DATA", "CONFIG", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path))
    return tmp_path


def test_settings_with_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_bytes(MARK + b"strength = 40\n")
    assert read_settings(file, {}).settings.strength == 40


COMMANDS = {
    "analyse": (("analyse", "tobito", "-", "--format", "tsv"), b"TTT/.../.../.../BBB T\n"),
    "engine": (("engine", "tobito"), b"ugi\nquit\n"),
    "line mode": (("play", "tobito", "--plain"), b"board\nquit\n"),
    "import": (("import", "-"), RECORD),
}


@pytest.mark.parametrize(("command", "typed"), COMMANDS.values(), ids=COMMANDS)
def test_a_byte_order_mark_changes_no_answer(
    command: tuple[str, ...],
    typed: bytes,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    answers = []
    for mark in (b"", MARK):
        monkeypatch.setenv("ONLYMOVE_PROFILE", f"mark{len(mark)}")
        give_input(monkeypatch, mark + typed)
        answers.append((run(command), *capsys.readouterr()))
    assert answers[0] == answers[1]


def test_analyse_reads_its_own_rows(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(("analyse", "tobito", "--format", "tsv")) == 0
    rows = capsys.readouterr().out
    give_input(monkeypatch, rows)
    assert run(("analyse", "tobito", "-", "--format", "tsv")) == 0
    assert capsys.readouterr() == (rows, "")


def test_an_empty_variable_counts_as_unset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    variables = {f"ONLYMOVE_{key.upper()}": "" for key in setting_types()}
    assert read_settings(tmp_path / "none", variables) == read_settings(tmp_path / "none", {})
    monkeypatch.setenv(THREADS, "")
    limit_threads()
    assert os.environ[THREADS] == "1"


def test_an_empty_variable_is_not_named(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ONLYMOVE_STRENGHT", "")
    assert run(("games",)) == 0
    assert capsys.readouterr().err == ""


def test_a_name_in_another_unicode_form_is_the_same_game(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, output in (("Jos\u00e9", "Imported 1 game."), ("Jose\u0301", "Imported 0 games; 1 was already there.")):
        give_input(monkeypatch, RECORD.replace(b"Ada", name.encode()))
        assert run(("import", "-")) == 0
        assert capsys.readouterr().out.strip() == output


@pytest.mark.parametrize(
    ("environ", "is_plain"),
    [
        ({}, False),
        ({"ACCESSIBLE": "1"}, True),
        ({"ACCESSIBLE": ""}, False),
        ({"ACCESSIBLE": "0"}, False),
        ({"ONLYMOVE_PLAIN": "true"}, True),
        ({"ONLYMOVE_PLAIN": "false", "ACCESSIBLE": "1"}, False),
    ],
)
def test_variables_choose_line_mode(tmp_path: Path, environ: dict[str, str], is_plain: bool) -> None:
    found = read_settings(tmp_path / "none", environ)
    assert (found.settings.plain, found.has_screen_reader) == (is_plain, is_plain)
    chosen = found.choose_plain()
    assert (chosen.settings.plain, chosen.has_screen_reader) == (True, is_plain), "the flag alone speaks of no reader"


def test_a_setting_chooses_line_mode_for_every_command_that_has_one(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = home / "onlymove" / "settings.toml"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text("plain = true\n")
    for command in (("play", "tobito"), ("learn", "tobito"), ("drill", "tobito", "--fresh"), ("daily", "tobito")):
        give_input(monkeypatch, "quit\n")
        assert run(command) == 0
        assert capsys.readouterr().out
    assert run(()) == 0
    assert "because of your settings. For the full screen: ONLYMOVE_PLAIN=false" in capsys.readouterr().out
    monkeypatch.setenv("ACCESSIBLE", "1")
    assert run(()) == 0
    assert "because of ACCESSIBLE." in capsys.readouterr().out


@pytest.mark.parametrize(("text", "seconds"), [("500ms", 0.5), ("2s", 2.0), ("1m", 60.0), ("3", 3.0)])
def test_the_time_to_think_may_have_a_unit(tmp_path: Path, text: str, seconds: float) -> None:
    file = tmp_path / "settings.toml"
    assert read_settings(file, {"ONLYMOVE_THINK": text}).settings.think == seconds
    assert read_settings(file, {}, {"think": text}).settings.think == seconds
    file.write_text(f'think = "{text}"\n')
    assert read_settings(file, {}).settings.think == seconds

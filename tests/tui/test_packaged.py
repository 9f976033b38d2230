"""What comes with the program: the manual page, completion in shells, and what the app says if it, or a package with a
game, does not run here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import click
import pytest
from click.shell_completion import BashComplete
from onlymove_engines import games
from onlymove_tui.cli import COMMANDS, cli, run
from onlymove_tui.cli.manual import escape, manual_page

GAME = games.list_games()[0].id
PAGE = Path(__file__).parents[2] / "docs" / "onlymove.1"


def test_the_manual_page_tells_of_every_command_and_option() -> None:
    output = PAGE.read_text("utf-8")
    top = click.Context(cli, info_name="onlymove")
    for name in COMMANDS:
        command = cli.get_command(top, name)
        assert command is not None
        wanted = {word for option in command.params if isinstance(option, click.Option) for word in option.opts}
        missing = [word for word in (name, *sorted(wanted)) if escape(word) not in output]
        assert not missing, f"write docs/onlymove.1 anew (python -m onlymove_tui.cli.manual): {name} has {missing}"


def test_no_line_of_the_manual_page_is_a_command_by_chance() -> None:
    known = (".TH", ".SH", ".SS", ".PP", ".TP", ".B")
    assert all(line.startswith(known) for line in manual_page().splitlines() if line.startswith((".", "'")))


@pytest.mark.parametrize(
    ("words", "number", "found"),
    [
        ("onlymove ana", 1, "analyse"),
        ("onlymove play or", 2, "orbito"),
        ("onlymove match tobito --first pru", 4, "prudent"),
        ("onlymove match tobito --first prudent --second newc", 6, "newcomer"),
        ("onlymove match --first pru", 3, None),
        ("onlymove match tobitoo --first pru", 4, None),
        ("onlymove match tobito --rule no-", 4, "no-repetitions"),
        ("onlymove play tobito --seats human,pru", 4, "human,prudent"),
        ("onlymove play tobito --style agg", 4, "aggressive"),
        ("onlymove engine pokemon --protocol se", 4, "seed"),
    ],
)
def test_shells_complete_commands_games_and_names_of_a_game(
    words: str, number: int, found: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(number))
    output = BashComplete(cli, {}, "onlymove", "_ONLYMOVE_COMPLETE").complete()
    assert output.split() == ([] if found is None else [f"plain,{found}"])


def test_the_program_answers_a_shell_that_completes() -> None:
    asked = {"_ONLYMOVE_COMPLETE": "bash_complete", "COMP_WORDS": "onlymove ana", "COMP_CWORD": "1"}
    command = [sys.executable, "-m", "onlymove_tui"]
    done = subprocess.run(command, env=os.environ | asked, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("plain,analyse\n", "")


def test_where_locks_and_terminals_are_others_it_says_so_in_one_line() -> None:
    code = (
        "import sys, threading, contextlib; sys.platform = 'win32';"
        "sys.modules |= dict.fromkeys(('fcntl', 'termios', 'resource', 'pwd'));"
        "from onlymove_tui.__main__ import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert done.stderr.splitlines() == [
        "onlymove needs Linux or macOS; on Windows it runs in WSL (the Windows Subsystem for Linux)"
    ]


def test_a_package_that_cannot_be_loaded_takes_no_other_game_along(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first = games.list_games()[0]
    broken = replace(first, id="broken", package="no_such_package")
    monkeypatch.setattr(games, "list_games", lambda: (broken, first))
    assert run(["tables", "list", "--json"]) == 0
    out, err = capsys.readouterr()
    assert [table["game"] for table in json.loads(out)] == [first.id]
    assert err.startswith("onlymove: The package no_such_package cannot be loaded: ")
    assert err.count("\n") == 1

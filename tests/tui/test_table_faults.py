"""If the table of a solved game is damaged, missing or outdated, the app, the command line and the library each say so
in one line, and all give the same answers: those of another table, or of a search."""

from __future__ import annotations

import dataclasses
import shutil
import warnings
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import onlymove
import pytest
from onlymove_engines import games
from onlymove_engines.core.analysis import AnyAnalyst
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.errors import as_sentence
from onlymove_engines.core.game import AnyGame
from onlymove_laws.law import play_randomly
from onlymove_tables.file_format import read_header
from onlymove_tables.open import SEARCH_VARIABLE, package_folder
from onlymove_tui.app.services import Library
from onlymove_tui.cli import run
from onlymove_tui.cli.console import Caller
from onlymove_tui.cli.positions import show_position

SOLVED = [facts.id for facts in games.list_games() if games.load(facts.id).solved.solver is not None]
SLOW = {"haneto"}
"""Games that take seconds to solve when the table is missing."""

SHIPPED = package_folder()
DEPTH = 1
"""A search to this depth is quick, and always gives the same answers."""


def damage(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)


def outdate(path: Path) -> None:
    header, offset = read_header(path)
    payload = path.read_bytes()[offset:]
    path.write_bytes(dataclasses.replace(header, digest="0" * len(header.digest)).to_bytes() + payload)


FAULTS: dict[Callable[[Path], None], str] = {
    damage: "the payload is damaged (checksum differs)",
    Path.unlink: "found no table of {id}; build it with `onlymove tables build {id}`",
    outdate: "it was built for other rules; rebuild it with `onlymove tables build {id}`",
}
"""What is done to a table, and what is then said."""

Answer: TypeAlias = tuple[str, list[str]]
"""The values of a position and its moves as `analyse` prints them, and the lines about the table."""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty home folder without other tables."""
    for variable in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / variable))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv(SEARCH_VARIABLE, raising=False)
    return tmp_path


def copy_table(game_id: str, folder: Path) -> Path:
    folder.mkdir()
    shutil.copy(SHIPPED / "MANIFEST.toml", folder)
    return Path(shutil.copy(SHIPPED / f"{game_id}.tbl", folder))


def late_position(game: AnyGame) -> Any:
    """Return the last position of a random game in which a move was played."""
    return [position for position, move in play_randomly(game, game.default_start(), Random(1)) if move is not None][-1]


@pytest.fixture
def to_text(capsys: pytest.CaptureFixture[str]) -> Callable[[AnyGame, AnyAnalyst, Any], str]:
    """Return a function that spells an analyst's answer as `analyse` does."""

    def to_text(game: AnyGame, analyst: AnyAnalyst, position: Any) -> str:
        assert analyst.is_reachable(position)
        show_position(Caller(), "text", game, analyst, position, Budget(depth=DEPTH))
        return capsys.readouterr().out

    return to_text


def ask_app(game: AnyGame) -> tuple[AnyAnalyst, list[str]]:
    """Return the app's analyst and what the app says about the table."""
    lines: list[str] = []
    analyst, note = Library([], lines.append).find_analyst(game)
    assert analyst is not None
    return analyst, [*lines, *([note] if note else [])]


def ask_library(game: AnyGame) -> tuple[AnyAnalyst, list[str]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        return onlymove.load(game.id).analyst, [str(each.message) for each in caught]


def ask_command(game: AnyGame, position: Any, capsys: pytest.CaptureFixture[str]) -> Answer:
    text = game.notation.format_position(position)
    assert run(["analyse", game.id, text, "--seconds", "1e6", "--depth", str(DEPTH)]) == 0
    out, err = capsys.readouterr()
    return out, err.splitlines()


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("game_id", [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in SOLVED])
def test_a_search_replaces_a_table_that_cannot_be_used(
    game_id: str,
    fault: Callable[[Path], None],
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    to_text: Callable[[AnyGame, AnyAnalyst, Any], str],
) -> None:
    game, folder = games.load(game_id), home / "shipped"
    position = late_position(game)
    path = copy_table(game_id, folder)
    monkeypatch.setattr("onlymove_tables.open.package_folder", lambda: folder)
    fault(path)
    reason = FAULTS[fault].format(id=game_id)
    named = reason if fault is Path.unlink else f"{path}: {reason}"

    analyst, lines = ask_app(game)
    assert lines == [f"Played by search: {named.replace(f'{folder}/', '')}"]
    expected = to_text(game, analyst, position)
    said = f"onlymove: {as_sentence(f'{named}. Searching instead')}"
    assert ask_command(game, position, capsys) == (expected, [said])
    analyst, lines = ask_library(game)
    assert (to_text(game, analyst, position), lines) == (expected, [f"{named}. Searching instead"])


@pytest.mark.parametrize("fault", [damage, outdate])
@pytest.mark.parametrize("game_id", SOLVED)
def test_another_table_replaces_one_that_cannot_be_used(
    game_id: str,
    fault: Callable[[Path], None],
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    to_text: Callable[[AnyGame, AnyAnalyst, Any], str],
) -> None:
    game = games.load(game_id)
    position = late_position(game)
    expected = to_text(game, ask_app(game)[0], position)
    path = copy_table(game_id, home / "named")
    monkeypatch.setenv(SEARCH_VARIABLE, str(path.parent))
    fault(path)
    line = f"{path}: {FAULTS[fault].format(id=game_id)}. Using the shipped table instead"

    analyst, lines = ask_app(game)
    assert (to_text(game, analyst, position), lines) == (expected, [line.replace(f"{path.parent}/", "")])
    assert ask_command(game, position, capsys) == (expected, [f"onlymove: {line}."])
    analyst, lines = ask_library(game)
    assert (to_text(game, analyst, position), lines) == (expected, [line])

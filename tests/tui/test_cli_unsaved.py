"""Commands when the player's file cannot be used: one clear line at the start, one at the end if something is lost, and
an exit code that is not 0."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import TextIO

import pytest
from onlymove_engines.core.errors import as_sentence
from onlymove_engines.core.facts import Level
from onlymove_engines.play.players import style_ids
from onlymove_tui import NOT_SAVED
from onlymove_tui.cli import run
from onlymove_tui.cli.play import PlaceSaver
from onlymove_tui.store.database import REMOVED
from onlymove_tui.store.entries import GameDetails
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.learning import Place
from onlymove_tui.store.profiles import find_places
from onlymove_tui.store.schema import StoreTrouble, connect, describe_unsaved

from tests.commands import give_input, install_games
from tests.heap_game import heap_game, settle
from tests.tui.saved_sessions import GAME_IDS, play_session

Run = Callable[..., tuple[int, str, list[str]]]
"""Runs a command with lines of input. Returns the exit code, what it wrote, and its lines about the file of games."""
NOT_SAVED_LINE = f"onlymove: {as_sentence(describe_unsaved('games.sqlite3: File exists'))}"


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    settle(tmp_path, monkeypatch)

    def call(*arguments: str, lines: str | TextIO = "") -> tuple[int, str, list[str]]:
        give_input(monkeypatch, lines)
        code = run(arguments)
        written = capsys.readouterr()
        return code, written.out, [line for line in written.err.splitlines() if "ames" in line]

    return call


@pytest.fixture
def _heap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every name of a game stand for the heap game, with levels."""
    game = heap_game()
    style = style_ids(game)[0]
    levels = (Level("weak", "Weak", style, 20, 0, 0), Level("top", "Top", style, 100, 300, 20))
    levelled = replace(game, facts=replace(game.facts, levels=levels))
    install_games(monkeypatch, levelled)


def block_folder() -> None:
    """Put a file where the folder of the games has to be."""
    folder = find_places().games.parent
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_text("")


def save_a_game() -> None:
    store = GameStore(find_places().games)
    store.save(play_session(GAME_IDS[0], 2), GameDetails())
    store.close()


def refuse_writing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no file of games be opened for writing, as in a read-only folder."""

    def connect_in_memory(path: Path | None) -> object:
        if path is not None:
            raise PermissionError(13, "Permission denied")
        return connect(path)

    monkeypatch.setattr("onlymove_tui.store.database.connect", connect_in_memory)


PLAY = ("play", "heap", "--plain", "--from", "7 0")


@pytest.mark.usefixtures("_heap")
@pytest.mark.parametrize(("lines", "is_played"), [("1\n", True), ("1\nresign\n", True), ("", False)])
def test_a_game_that_is_lost_is_said_at_both_ends_and_not_rated(call: Run, lines: str, is_played: bool) -> None:
    block_folder()
    code, output, told = call(*PLAY, lines=lines)
    assert told == [NOT_SAVED_LINE] * (2 if is_played else 1)
    assert code == (NOT_SAVED if is_played else 0)
    assert "Second plays" in output or not is_played, "play goes on"
    assert "Rating" not in output
    assert "not saved" not in output, "it is said on stderr"


@pytest.mark.usefixtures("_heap")
def test_a_folder_that_vanishes_during_a_game_is_said_and_the_game_is_kept(call: Run) -> None:
    class Removing(StringIO):
        """Removes the folder after the first line."""

        def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
            if self.tell():
                shutil.rmtree(find_places().games.parent, ignore_errors=True)
            return super().readline(size)

    code, output, told = call(*PLAY, lines=Removing("1\n1\nresign\n"))
    removed = as_sentence(REMOVED)
    assert removed in output
    assert told == [f"onlymove: {removed}"]
    assert code == NOT_SAVED
    assert "Rating" not in output
    store = GameStore(find_places().games)
    (kept,) = store.list()
    assert kept.result != "*"
    store.close()


@pytest.mark.parametrize("arguments", [("drill", "--fresh", GAME_IDS[0]), ("daily", GAME_IDS[0])])
@pytest.mark.parametrize("answers", [True, False])
def test_answers_to_drills_that_are_lost_are_said(call: Run, arguments: tuple[str, ...], answers: bool) -> None:
    block_folder()
    code, _, told = call(*arguments, lines="solution\n\nquit\n" if answers else "quit\n")
    assert told == [NOT_SAVED_LINE] * (2 if answers else 1)
    assert code == (NOT_SAVED if answers else 0)


def test_steps_of_lessons_that_are_lost_are_said_once_and_tried_again(capsys: pytest.CaptureFixture[str]) -> None:
    saved: list[Place] = []
    is_full = True

    def write(place: Place) -> None:
        if is_full:
            raise StoreTrouble(describe_unsaved("games.sqlite3: database or disk is full"))
        saved.append(place)

    saver = PlaceSaver(write, "")
    for place in (Place(0, 1), Place(0, 2, True), Place(1, 1)):
        saver.save(place)
    assert (
        capsys.readouterr().err
        == f"onlymove: {as_sentence(describe_unsaved('games.sqlite3: database or disk is full'))}\n"
    )
    assert saver.save_at_last() == describe_unsaved("games.sqlite3: database or disk is full")
    is_full = False
    assert saver.save_at_last() == ""
    assert saved == [Place(0, 2, True), Place(1, 1)]
    in_memory = PlaceSaver(write, describe_unsaved("memory"))
    assert in_memory.save_at_last() == "", "nothing was learned"
    in_memory.save(Place(0, 1))
    assert in_memory.save_at_last() == describe_unsaved("memory")


def test_a_history_that_cannot_be_written_can_be_read(call: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    save_a_game()
    before = call("export")
    assert before[0] == 0
    assert before[1].count("[Game ") == 1
    refuse_writing(monkeypatch)
    assert call("export") == before
    refused = call("import", "-", lines=before[1])
    assert refused[0] == 2
    assert refused[2] == [
        f"onlymove: {as_sentence(describe_unsaved('games.sqlite3: Permission denied. Your earlier games are shown'))}"
    ]


def test_a_history_that_cannot_be_read_is_refused(call: Run) -> None:
    block_folder()
    for command in (("export",), ("review",), ("import", "-")):
        code, output, told = call(*command)
        assert (code, output, told) == (2, "", [NOT_SAVED_LINE]), command


def test_an_export_of_what_was_rescued_is_not_complete(call: Run) -> None:
    save_a_game()
    find_places().games.write_text("no database")
    code, output, told = call("export")
    assert (code, output) == (2, "")
    assert told[0].startswith("onlymove: Your file of games was damaged, so it is now in damaged-")
    assert call("export") == (0, "", []), "afterwards all is well"

"""Whether a game on a board is saved, and what the player is told, without an app."""

from __future__ import annotations

from pathlib import Path

from onlymove_engines.core.judgement import Objective
from onlymove_engines.play.players import HUMAN
from onlymove_engines.play.session import Session
from onlymove_tui.app.saving import SAVED_AGAIN, Saving
from onlymove_tui.store.entries import GameDetails
from onlymove_tui.store.games import Autosave

from tests.tui.pilots import FULL, WeakStore, weak_store_at
from tests.tui.tiny_game import tiny_game


def make_saving(path: Path) -> tuple[Saving, WeakStore, Autosave]:
    """Return how a game with one move is saved that no worker has written yet."""
    store = weak_store_at(path)
    session = Session(tiny_game(), players=(HUMAN, HUMAN))
    saver = Autosave(store, session, GameDetails(objective=Objective.RESULT), in_background=True)
    session.play(("R", 1))
    saver.save()
    return Saving(saver), store, saver


def test_a_change_is_written_once(tmp_path: Path) -> None:
    saving, store, _ = make_saving(tmp_path / "games.sqlite3")
    write = saving.begin()
    assert write is not None
    assert saving.report(write()) == "", "nothing is said while all is well"
    assert [entry.plies for entry in store.list()] == [1]
    assert saving.begin() is None
    assert saving.begin(tries_again=True) is None, "nothing is left to write"


def test_trouble_is_said_once_and_again_when_it_is_over(tmp_path: Path) -> None:
    saving, store, saver = make_saving(tmp_path / "games.sqlite3")
    store.is_full = True
    said = []
    for is_full in (True, True, False, False):
        store.is_full = is_full
        saver.save()
        write = saving.begin()
        assert write is not None
        said.append(saving.report(write()))
        assert saving.is_unsaved is is_full
    assert said == [FULL, "", SAVED_AGAIN, ""]


def test_what_could_not_be_written_is_tried_again_only_when_that_is_asked_for(tmp_path: Path) -> None:
    saving, store, _ = make_saving(tmp_path / "games.sqlite3")
    store.is_full = True
    write = saving.begin()
    assert write is not None
    saving.report(write())
    assert saving.begin() is None
    assert saving.begin(tries_again=True) is not None
    assert saving.save_at_last() == FULL
    store.is_full = False
    assert saving.save_at_last() == ""
    assert not saving.is_unsaved
    assert [entry.plies for entry in store.list()] == [1]


def test_a_game_that_is_not_saved_has_no_trouble() -> None:
    saving = Saving(None)
    assert saving.begin(tries_again=True) is None
    assert not saving.is_unsaved
    assert saving.save_at_last() == ""
    saving.save_all(is_writing=True)

"""Saved data can be read only by this account, even if its umask hides nothing or the files were open to others."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from onlymove_tui.app.screens.palette import write_file
from onlymove_tui.lobby.accounts import Folders
from onlymove_tui.lobby.record_file import OwnSecrets, SecretsFolder
from onlymove_tui.store.entries import GameDetails
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.profiles import make_folder, make_own_folder, open_own_file, take_profile
from onlymove_tui.store.settings import save_settings

from tests.tui.saved_sessions import play_session


@pytest.fixture(autouse=True)
def _clear_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home folder that others may read."""
    home = tmp_path / "home"
    home.mkdir(0o755)
    return home


def read_modes(folder: Path) -> dict[str, int]:
    """Return the mode of everything in a folder, by its path there."""
    return {str(path.relative_to(folder)): path.stat().st_mode & 0o7777 for path in sorted(folder.rglob("*"))}


def play_a_game(path: Path) -> GameStore:
    """Return an open store with a game in it, so that SQLite's extra files exist."""
    store = GameStore(path)
    store.save(play_session("tobito"), GameDetails())
    return store


def test_all_stored_files_are_private(home: Path) -> None:
    data = home / "share" / "onlymove"
    inner = data / "profiles" / "ada"
    store = play_a_game(inner / "games.sqlite3")
    held = take_profile(inner / "in-use")
    SecretsFolder(inner / "seats").put(OwnSecrets(challenge_id="a" * 16, secret="b", uid=os.geteuid()))
    Folders(data / "rooms", os.geteuid()).check()
    write_file(data / "exports" / "games.txt", "something")
    save_settings(home / "config" / "onlymove" / "settings.toml", {"strength": 7})
    found = read_modes(home)
    store.close()
    os.close(held)
    for name, folder in (("games.sqlite3", inner), ("games.sqlite3-wal", inner), ("games.sqlite3-shm", inner),
                         ("in-use", inner), ("games.txt", data / "exports")):  # fmt: skip
        assert str((folder / name).relative_to(home)) in found
    assert {name: f"{mode:o}" for name, mode in found.items() if mode & 0o077} == {}


def test_an_open_store_is_closed_to_others_when_it_is_opened(home: Path) -> None:
    data = home / "share" / "onlymove"
    path = data / "profiles" / "ada" / "games.sqlite3"
    first = play_a_game(path)
    for own in (data, *data.rglob("*")):
        own.chmod(0o755 if own.is_dir() else 0o644)
    second = play_a_game(path)
    found = {".": data.stat().st_mode & 0o7777, **read_modes(data)}
    first.close()
    second.close()
    assert {name: f"{mode:o}" for name, mode in found.items() if mode & 0o077} == {}
    assert (home / "share").stat().st_mode & 0o777 == 0o700, "made on the way"
    assert home.stat().st_mode & 0o777 == 0o755, "nothing but the app's own is changed"


def test_a_folder_that_is_not_the_apps_keeps_its_mode(home: Path) -> None:
    shared = home / "onlymove" / "rooms"
    shared.mkdir(parents=True)
    shared.chmod(0o1777)
    make_folder(shared)
    assert shared.stat().st_mode & 0o7777 == 0o1777
    Folders(shared, os.geteuid()).check()
    assert shared.stat().st_mode & 0o7777 == 0o1777


def test_files_that_a_player_chose_keep_their_mode(home: Path) -> None:
    """A settings file may be part of a published collection."""
    settings = home / "settings.toml"
    settings.write_text("")
    settings.chmod(0o644)
    save_settings(settings, {"strength": 7})
    assert settings.stat().st_mode & 0o777 == 0o644


def test_a_store_is_read_where_modes_cannot_be_changed(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = home / "onlymove" / "games.sqlite3"
    play_a_game(path).close()
    path.chmod(0o644)

    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "chmod", refuse)
    store = GameStore(path)
    assert store.count() == 1
    store.close()


def test_files_of_other_users_are_left_alone(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_own_folder(home / "onlymove")
    path = home / "onlymove" / "file"
    os.close(open_own_file(path, os.O_RDWR))
    path.chmod(0o644)
    monkeypatch.setattr(os, "geteuid", lambda: path.stat().st_uid + 1)
    os.close(open_own_file(path, os.O_RDWR))
    assert path.stat().st_mode & 0o777 == 0o644


def test_a_folder_that_all_share_stays_open(home: Path) -> None:
    shared = home / "tmp"
    shared.mkdir()
    shared.chmod(0o1777)
    play_a_game(shared / "games.sqlite3").close()
    assert shared.stat().st_mode & 0o7777 == 0o1777
    assert (shared / "games.sqlite3").stat().st_mode & 0o077 == 0

"""Guests: each login has its own profile, and nothing of it is left after a day."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from onlymove_tui.cli import cli, run
from onlymove_tui.store import profiles
from onlymove_tui.store.profiles import (
    GUEST_SECONDS,
    find_places,
    is_guest,
    list_folders,
    list_guests,
    new_guest,
    remove_old_guests,
    take_profile,
)

OLD = time.time() - GUEST_SECONDS - 60


@pytest.fixture(autouse=True)
def _set_own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in ("DATA", "CONFIG", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind))


def write_guest(profile: str, seconds: float) -> list[Path]:
    """Write the files of a guest who was last active at that time. Return their folders."""
    found = find_places(profile)
    for file in (found.games, found.settings, found.log):
        file.parent.mkdir(parents=True)
        file.write_text("something")
        for path in (file, file.parent):
            os.utime(path, (seconds, seconds))
    return list(list_folders(found))


def test_every_guest_has_a_new_profile() -> None:
    found = {new_guest() for _ in range(20)}
    assert len(found) == 20
    assert all(map(is_guest, found))
    assert all(profiles.PROFILE_NAME.fullmatch(name) for name in found)


def test_only_profiles_older_than_a_day_are_removed() -> None:
    gone, young, other = write_guest("guest-1", OLD), write_guest("guest-2", time.time()), write_guest("ada", OLD)
    new_guest()
    assert not any(folder.exists() for folder in gone)
    assert all(folder.exists() for folder in (*young, *other))
    assert list_guests() == {"guest-2"}


def test_active_guests_keep_everything() -> None:
    there = write_guest("guest-3", OLD)
    held = take_profile(find_places("guest-3").lock)
    for folder in there:
        os.utime(folder, (OLD, OLD))
    os.utime(find_places("guest-3").lock, (OLD, OLD))
    remove_old_guests()
    assert all(folder.exists() for folder in there)
    os.close(held)
    remove_old_guests()
    assert not any(folder.exists() for folder in there)


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    profiles = find_places("guest-4").games.parents[1]
    profiles.mkdir(parents=True)
    (profiles / "guest-4").symlink_to(elsewhere)
    remove_old_guests(-60)
    assert elsewhere.exists()


def test_the_command_line_makes_one(capfd: pytest.CaptureFixture[str]) -> None:
    assert "profiles/guest-" in CliRunner().invoke(cli, ["--guest", "locate"]).output
    assert run(["--guest", "--profile", "ada", "locate"]) == 2
    assert "leave out --profile" in capfd.readouterr().err

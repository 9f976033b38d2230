"""Finds the files of each player, protects them from other users, and lets one login at a time use a profile.

Profiles are players who share an account. Each has its own settings and games, and all use the same tables. A guest is
a profile for one login or browser, whose files are deleted after a day. To take over the profile, a later login asks
the earlier one to save and quit, because a dead connection may stay open for minutes. The lock file names the process
that holds it and its host, because several hosts may share a home folder.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from secrets import token_hex

from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.files import open_regular
from onlymove_engines.core.text import clean_line
from onlymove_tables.lock import is_held, try_lock
from platformdirs import user_cache_path, user_config_path, user_data_path, user_state_path

APP = "onlymove"
PROFILE_VARIABLE = "ONLYMOVE_PROFILE"
# Letters, digits, dash, underscore and inner dots. Such a name is a valid folder name on every system.
PROFILE_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}")


class BadProfile(OnlymoveError):
    """The text cannot be the name of a profile."""


@dataclass(frozen=True, slots=True)
class Places:
    """The paths of one player's files and folders, which need not exist. `secrets` holds the player's secrets for games
    against other users. The profiles of this account meet in `lobby` if the host has no common folder."""

    settings: Path
    games: Path
    lock: Path
    secrets: Path
    lobby: Path
    tables: Path
    cache: Path
    log: Path


def find_places(profile: str = "") -> Places:
    """Return the paths of a profile, or of the account itself if the name is empty. Raises BadProfile."""
    if profile and not PROFILE_NAME.fullmatch(profile):
        raise BadProfile(
            f"'{profile}' is not a valid profile name (use letters, digits, '-', '_' and '.', at most 64 characters)"
        )
    inner = Path("profiles") / profile if profile else Path()
    data = user_data_path(APP, appauthor=False)
    return Places(
        settings=user_config_path(APP, appauthor=False) / inner / "settings.toml",
        games=data / inner / "games.sqlite3",
        lock=data / inner / "in-use",
        secrets=data / inner / "seats",
        lobby=data / "rooms",
        tables=data / "tables",
        cache=user_cache_path(APP, appauthor=False),
        log=user_state_path(APP, appauthor=False) / inner / "onlymove.log",
    )


FOLDER, FILE = 0o700, 0o600
OTHERS = 0o077
"""The permissions of the group and of all others."""


def make_folder(folder: Path) -> None:
    """Make a folder and its missing parents, if it is missing, accessible only to this account. Raises OSError."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(FOLDER, exist_ok=True)


def make_own_folder(folder: Path) -> None:
    """Make a folder of the app. Other users lose all access to it and to its parents up to the app's own folder. Raises
    OSError."""
    make_folder(folder)
    above = [*folder.parents]
    names = [parent.name for parent in above]
    for own in (folder, *above[: names.index(APP) + 1 if APP in names else 0]):
        close_to_others(own)


def open_own_file(path: Path, flags: int) -> int:
    """Open a file of the app, created if needed, to which other users lose all access. Raises OSError, also if it is
    no regular file."""
    make_own_folder(path.parent)
    file = open_regular(path, flags | os.O_CREAT, FILE)
    close_to_others(file)
    return file


def close_to_others(place: Path | int) -> None:
    """Remove all permissions of other users from a file or folder. Nothing changes if another user owns it, if everyone
    shares it (such as /tmp, which has the sticky bit), or if it cannot be changed."""
    with suppress(OSError):
        found = os.stat(place)
        if found.st_uid == os.geteuid() and found.st_mode & OTHERS and not found.st_mode & stat.S_ISVTX:
            os.chmod(place, found.st_mode & 0o7777 & ~OTHERS)


PATIENCE_SECONDS = 4.0
"""How long to wait for another login to quit. An app that is asked to quit does so within two seconds."""
LOOK_AGAIN_SECONDS = 0.05
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


class ProfileInUse(OnlymoveError):
    """Another session holds the profile and does not quit."""


def take_profile(
    path: Path,
    patience: float = PATIENCE_SECONDS,
    ask: Callable[[int], None] = lambda holder: os.kill(holder, signal.SIGUSR1),
) -> int:
    """Lock the profile whose lock file is at `path`, until this process ends or the returned descriptor is closed. A
    session that holds the lock is asked to quit (SIGUSR1) and gets `patience` seconds to do so. Raises ProfileInUse if
    it does not quit, and OSError if files cannot be locked."""
    descriptor = open_own_file(path, os.O_RDWR)
    deadline = time.monotonic() + patience
    asked = -1
    while not try_lock(descriptor):
        holder, who = _read_holder(descriptor)
        if holder not in (0, asked):
            with suppress(ProcessLookupError, PermissionError):
                ask(holder)
            asked = holder
        if time.monotonic() > deadline:
            os.close(descriptor)
            raise ProfileInUse(f"this profile is in use by {who}, which does not quit")
        time.sleep(LOOK_AGAIN_SECONDS)
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, " ".join([str(os.getpid()), *_identify_host()]).encode(), 0)
    return descriptor


@contextmanager
def hold_profile(path: Path) -> Iterator[bool]:
    """Hold the lock of a profile while the block runs, if it is free, and yield whether this process has it. It may
    have taken the profile before. Raises OSError if files cannot be locked."""
    descriptor = open_own_file(path, os.O_RDWR)
    try:
        yield try_lock(descriptor) or _read_holder(descriptor)[0] == os.getpid()
    finally:
        os.close(descriptor)


def _read_holder(descriptor: int) -> tuple[int, str]:
    """Return the number of the process that holds the lock, and a name for its session. The number is 0 if there is no
    process on this host to ask."""
    number, *where = clean_line(os.pread(descriptor, 512, 0).decode(errors="replace")).split() or [""]
    if not number.isdecimal() or not where:
        return 0, "another session"
    if where != _identify_host():
        return 0, f"a session at {where[0]}"
    return int(number), f"process {number}"


def _identify_host() -> list[str]:
    """Return the host's name and the id of its boot. A process number is unique only within one boot of one host."""
    boot = BOOT_ID.read_text().split() if BOOT_ID.exists() else []
    return [os.uname().nodename, *boot]


PREFIX = "guest-"
GUEST_SECONDS = 24 * 3600.0
"""How long a guest's games are stored. A guest can come back to them only from the same browser."""


def is_guest(profile: str) -> bool:
    """Whether a profile belongs to a guest.

    >>> is_guest("guest-0f3a"), is_guest("ada"), is_guest("")
    (True, False, False)
    """
    return profile.startswith(PREFIX)


def new_guest() -> str:
    """Delete the files of old guests, and return a name for a new guest's profile."""
    remove_old_guests()
    return name_guest(token_hex())


def name_guest(secret: str) -> str:
    """Return the name of the guest who knows this secret. Other users see the name, but cannot find the secret from it.

    >>> name_guest("secret")
    'guest-2bb80d537b1da3e3'
    """
    return PREFIX + sha256(secret.encode()).hexdigest()[:16]


def remove_old_guests(seconds: float = GUEST_SECONDS) -> None:
    """Delete the files of guests who have left and have changed nothing for `seconds`."""
    for profile in list_guests():
        found = find_places(profile)
        folders = list_folders(found)
        written = 0.0
        for path in (path for folder in folders for path in (folder, *folder.glob("*"))):
            with suppress(OSError):
                written = max(written, path.stat().st_mtime)
        if written < time.time() - seconds and not is_held(found.lock):
            for folder in folders:
                shutil.rmtree(folder, ignore_errors=True)


def list_guests() -> set[str]:
    parents = {folder.parent for folder in list_folders(find_places(f"{PREFIX}any"))}
    return {folder.name for parent in parents for folder in parent.glob(f"{PREFIX}*") if not folder.is_symlink()}


def list_folders(found: Places) -> tuple[Path, ...]:
    return found.games.parent, found.settings.parent, found.log.parent

"""Where the files of each player are, who else may read them, and one login at a time for a profile.

A profile is a player who shares an account with others: settings and games of its own, tables in common. Guests are
profiles for crowds, one for each login or browser, of which nothing is kept beyond a day. All folders and files are for
this account alone, by the platform's own conventions; what an older version left open to others is closed.

Each profile has a lock on a file that says what process holds it and where that runs: a home folder may be shared
between hosts. Whoever comes later takes over, once the earlier login has saved and left. Shared accounts hang up on
stale connections late; the player should not wait for that.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import stat
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from secrets import token_hex

from onlymove_engines.core.errors import OnlymoveError
from onlymove_tables.lock import is_held, locked
from platformdirs import user_cache_path, user_config_path, user_data_path, user_state_path

APP = "onlymove"
PROFILE_VARIABLE = "ONLYMOVE_PROFILE"
# Letters, digits, dash, underscore and inner dots: a name that is a plain folder on every system.
PROFILE_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}")


class BadProfile(OnlymoveError):
    """The text cannot be the name of a profile."""


@dataclass(frozen=True, slots=True)
class Places:
    """The files and folders of one player. None of them need exist. `seats` is what a player keeps to himself of
    tables at which others are met, `rooms` where the profiles of the account meet unless the host has a place for all.
    """

    settings: Path
    games: Path
    lock: Path
    seats: Path
    rooms: Path
    tables: Path
    cache: Path
    log: Path

    def rows(self) -> tuple[tuple[str, Path], ...]:
        """Name and place of each, as `locate` prints them."""
        return tuple((name, getattr(self, name)) for name in ("settings", "games", "tables", "cache", "log"))


def find_places(profile: str = "") -> Places:
    """The places of a profile, or of the account itself for the empty name. Raises BadProfile."""
    if profile and not PROFILE_NAME.fullmatch(profile):
        raise BadProfile(f"not a profile name: '{profile}' (letters, digits, '-', '_' and '.', at most 64)")
    inner = Path("profiles") / profile if profile else Path()
    data = user_data_path(APP, appauthor=False)
    return Places(
        settings=user_config_path(APP, appauthor=False) / inner / "settings.toml",
        games=data / inner / "games.sqlite3",
        lock=data / inner / "in-use",
        seats=data / inner / "seats",
        rooms=data / "rooms",
        tables=data / "tables",
        cache=user_cache_path(APP, appauthor=False),
        log=user_state_path(APP, appauthor=False) / inner / "onlymove.log",
    )


FOLDER, FILE = 0o700, 0o600
OTHERS = 0o077
"""What a mode says of everybody else."""


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it that are missing, for this account alone. One that is there keeps its mode.
    Raises OSError."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(FOLDER, exist_ok=True)


def make_own_folder(folder: Path) -> None:
    """The same for a folder of the app: where it or one above it, up to the app's own, is open to others, it is closed.
    Raises OSError."""
    make_folder(folder)
    above = [*folder.parents]
    names = [parent.name for parent in above]
    for own in (folder, *above[: names.index(APP) + 1 if APP in names else 0]):
        close_to_others(own)


def open_own_file(path: Path, flags: int) -> int:
    """Open a file of the app, or make it, and its folder; nobody else can read it from now on. Raises OSError."""
    make_own_folder(path.parent)
    file = os.open(path, flags | os.O_CREAT | os.O_CLOEXEC, FILE)
    close_to_others(file)
    return file


def close_to_others(place: Path | int) -> None:
    """Take everybody else's rights to a file or folder away, by its path or descriptor. One that belongs to somebody
    else, that is shared by all (such as /tmp, which has the sticky bit) or that cannot be changed stays as it is."""
    with suppress(OSError):
        found = os.stat(place)
        if found.st_uid == os.geteuid() and found.st_mode & OTHERS and not found.st_mode & stat.S_ISVTX:
            os.chmod(place, found.st_mode & 0o7777 & ~OTHERS)


PATIENCE_SECONDS = 4.0
"""An app that is told to leave is gone within two."""
LOOK_AGAIN_SECONDS = 0.05
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


class ProfileInUse(OnlymoveError):
    """Another login holds the profile and does not let go."""


@dataclass(frozen=True, slots=True)
class Occupancy:
    """Holds a profile until the process ends or `release`."""

    lock: int

    def release(self) -> None:
        os.close(self.lock)


def take_profile(
    path: Path,
    patience: float = PATIENCE_SECONDS,
    ask: Callable[[int], None] = lambda holder: os.kill(holder, signal.SIGUSR1),
) -> Occupancy:
    """Take the profile whose lock is at `path`; its present holder is asked to leave (SIGUSR1) and waited for.

    Raises ProfileInUse when it does not leave, OSError where no lock can be kept.
    """
    descriptor = open_own_file(path, os.O_RDWR)
    deadline = time.monotonic() + patience
    asked = -1
    while not locked(descriptor):
        holder, who = _read_holder(descriptor)
        if holder not in (0, asked):
            with suppress(ProcessLookupError, PermissionError):
                ask(holder)
            asked = holder
        if time.monotonic() > deadline:
            os.close(descriptor)
            raise ProfileInUse(f"this profile is in use by {who}, which does not leave")
        time.sleep(LOOK_AGAIN_SECONDS)
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, " ".join([str(os.getpid()), *_identify_host()]).encode(), 0)
    return Occupancy(descriptor)


def _read_holder(descriptor: int) -> tuple[int, str]:
    """The process that can be asked, 0 where none can; and who it is in words. Older versions wrote a number alone."""
    number, *where = os.pread(descriptor, 512, 0).decode(errors="replace").split() or [""]
    if not number.isdecimal():
        return 0, "another login"
    if where and where != _identify_host():
        return 0, f"a login at {where[0]}"
    return int(number), f"process {number}"


def _identify_host() -> list[str]:
    """Where the numbers of processes mean the same: a host, since it was started."""
    boot = BOOT_ID.read_text().split() if BOOT_ID.exists() else []
    return [os.uname().nodename, *boot]


PREFIX = "guest-"
GUEST_SECONDS = 24 * 3600.0
"""How long a guest's games are kept. A browser can come back to them, a login cannot."""


def is_guest(profile: str) -> bool:
    """Whether a profile is thrown away.

    >>> is_guest("guest-0f3a"), is_guest("ada"), is_guest("")
    (True, False, False)
    """
    return profile.startswith(PREFIX)


def new_guest() -> str:
    """A profile that nobody has; what others left more than a day ago is removed. Writes nothing."""
    remove_old_guests()
    return name_guest(token_hex())


def name_guest(secret: str) -> str:
    """The guest who knows this secret. Other players see the name of the profile and cannot tell the secret from it.

    >>> name_guest("secret")
    'guest-2bb80d537b1da3e3'
    """
    return PREFIX + sha256(secret.encode()).hexdigest()[:16]


def remove_old_guests() -> None:
    """Remove what guests left more than a day ago."""
    remove_guests(time.time() - GUEST_SECONDS)


def remove_guests(before: float) -> None:
    """Remove what guests have left who were last here `before` (seconds of the epoch) and are gone."""
    for profile in list_guests():
        found = find_places(profile)
        written = [path for folder in list_folders(found) for path in (folder, *folder.glob("*"))]
        if max(map(read_mtime, written), default=0.0) < before and not is_held(found.lock):
            for folder in list_folders(found):
                shutil.rmtree(folder, ignore_errors=True)


def read_mtime(path: Path) -> float:
    """When a file was written last, in seconds of the epoch; 0 for one that is not there."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def list_guests() -> set[str]:
    parents = {folder.parent for folder in list_folders(find_places(f"{PREFIX}any"))}
    return {folder.name for parent in parents for folder in parent.glob(f"{PREFIX}*") if not folder.is_symlink()}


def list_folders(found: Places) -> tuple[Path, ...]:
    return found.games.parent, found.settings.parent, found.log.parent

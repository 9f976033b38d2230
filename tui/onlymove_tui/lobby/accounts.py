"""The accounts of a host: who a player is, and the folder that holds each account's records.

A person is an account, as the system names the owner of a record, and a name. The profiles of one account trust each
other: nothing stops one of them from taking the other's name.

Everybody may make entries in the common folder, but only an account itself can change what is in its own folder. The
name of that folder is the number of the account. It counts only if the system says that it belongs to that account:
if somebody else has made `1001` before, the account 1001 takes `1001.1`, and so on. Nothing that one account puts there
hides another account or makes the others slow: limits hold before a file is inspected, and every file is inspected
before it is opened.
"""

from __future__ import annotations

import os
import pwd
import re
import stat
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from time import time

from onlymove_engines.core.errors import OnlymoveError

from onlymove_tui.lobby.messages import NAME
from onlymove_tui.lobby.record_file import describe_fault
from onlymove_tui.store.profiles import make_folder


@dataclass(frozen=True, slots=True)
class Person:
    """An account and a player's name: the name of the profile, or of the account if there is no profile. Records use
    the account's number if its name has characters that a record does not allow."""

    uid: int
    name: str

    def format_name(self, by: int) -> str:
        """Return the name that the account `by` sees: `ada`, or `bob@players` for a profile of another account."""
        account = account_name(self.uid)
        if self._is_account:
            return account
        return self.name if by == self.uid else f"{self.name}@{account}"

    def is_called(self, name: str, by: int) -> bool:
        """Whether the account `by` can use `name` for this person."""
        account = account_name(self.uid)
        called = {f"{self.name}@{account}", self.name if by == self.uid else account}
        return name in called or (self._is_account and name in (self.name, account))

    @property
    def _is_account(self) -> bool:
        """Whether the name is the account's own, not a profile's."""
        return self.name in (account_name(self.uid), written_name(self.uid))


def account_name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def written_name(uid: int) -> str:
    """Return the name of an account as records write it: its number if its name does not match `NAME`."""
    name = account_name(uid)
    return name if NAME.fullmatch(name) else str(uid)


def find_own_person(profile: str = "") -> Person:
    uid = os.geteuid()
    return Person(uid, profile or written_name(uid))


def find_accounts(name: str, by: int) -> set[int]:
    """Return the accounts that `by` can mean by a name such as `bob` or `bob@players`. Only these have to be
    searched."""
    found = {by}
    for called in (name[at:] for at in range(len(name)) if at == 0 or name[at - 1] == "@"):
        with suppress(KeyError, ValueError):
            found.add(pwd.getpwnam(called).pw_uid)
        if called.isascii() and called.isdigit():
            found.add(int(called))
    return found


def is_account(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except (KeyError, ValueError):
        return False
    return True


OPENED, SEAT = ".table", ".seat"
"""The endings of record files: of the player who opened a challenge, and of a player who joins or wants to."""
ACCOUNT_FOLDER = re.compile(r"(0|[1-9][0-9]{0,9})(?:\.([1-9][0-9]{0,8}))?")
"""The number of an account, and of its folder if the first name was taken."""
RECORD = re.compile(r"[a-z2-7]{16}(?:\.[a-z2-7]{16})?")
"""The id of a challenge, and of a player who joins it."""
OLDER_RECORD = re.compile(r"[a-z2-7]{16}\.table")
"""Version 1 had its records in the common folder itself."""
SCAN_SECONDS = 2.0
"""How often the common folder is searched for new accounts."""
ENTRIES_A_SECOND = 5000
"""A folder with many entries is searched less often: a search of this many takes some milliseconds."""
MOST_ENTRIES = 200_000
"""Entries of the common folder that a search reads. Accounts already known, or asked for, are found without it."""
MOST_NAMES = 2000
"""Entries of another account's folder that are read."""
MOST_OLDER = 50
"""Records of an older version that are read."""
FOLDER_MODE = 0o755


class NoLobby(OnlymoveError):
    """There is no common folder, or it is not safe to use."""


@dataclass(frozen=True, slots=True)
class RecordFile:
    """A file that may be a record. Only the folder's listing was read, not the file. `name` has no ending."""

    name: str
    inode: int
    size: int
    touched: float


class Folders:
    """The folders of all accounts inside the common folder `place`, as the account `uid` sees them."""

    def __init__(self, place: Path, uid: int, clock: Callable[[], float] = time) -> None:
        self.place = place
        self.uid = uid
        self.older: Mapping[str, float] = {}
        """Challenges that an older version of this program has opened: when each was touched last."""
        self._clock = clock
        self._known: Mapping[int, Path] = {}
        self._scanned: float | None = None
        self._pause = SCAN_SECONDS

    def check(self) -> None:
        """Raise NoLobby if anybody can change or remove the files of another account."""
        try:
            make_folder(self.place)
            found = self.place.lstat()
        except OSError as error:
            raise NoLobby(f"there is no folder for meeting other players: {error.strerror}") from None
        is_shared = bool(found.st_mode & (stat.S_IWGRP | stat.S_IWOTH))
        if not stat.S_ISDIR(found.st_mode) or found.st_uid not in (0, os.geteuid()):
            raise NoLobby("the folder for meeting other players belongs to another user (see docs/hosting.md)")
        if is_shared and not found.st_mode & stat.S_ISVTX:
            raise NoLobby("the folder for meeting other players is not safe: it needs mode 1777 (see docs/hosting.md)")

    # The folders.

    def accounts(self) -> Iterable[int]:
        """Return the accounts that have a folder here, your own first."""
        self._scan_now_and_then()
        return dict.fromkeys((self.uid, *self._known))

    def find(self, uid: int) -> Path | None:
        """Return the folder of an account, or `None`. A folder with the usual name is found without a search."""
        first = self.place / str(uid)
        if belongs_to(first, uid):
            return first
        self._scan_now_and_then()
        known = self._known.get(uid)
        return known if known is not None and belongs_to(known, uid) else None

    def make_own(self) -> Path:
        """Return your own folder, and make it if there is none. Raises NoLobby."""
        self._scanned = None
        if (found := self.find(self.uid)) is not None:
            return found
        for number in count():
            path = self.place / (f"{self.uid}.{number}" if number else str(self.uid))
            try:
                path.mkdir(FOLDER_MODE)
                path.chmod(FOLDER_MODE)  # despite the umask
            except FileExistsError:
                # It belongs to another account, or another session of this account has just made it.
                if not belongs_to(path, self.uid):
                    continue
            except OSError as error:
                raise NoLobby(f"cannot create your folder for meeting other players: {error.strerror}") from None
            self._known = {**self._known, self.uid: path}
            return path
        raise AssertionError("numbers do not end")

    def _scan_now_and_then(self) -> None:
        """Search the common folder for account folders and for challenges of older versions. Does nothing if the last
        search was seconds ago. If an account has several folders, the first counts."""
        now = self._clock()
        if self._scanned is not None and abs(now - self._scanned) < self._pause:
            return
        self._scanned = now
        found: dict[int, tuple[int, Path]] = {}
        older: dict[str, float] = {}
        looked_at = 0
        with suppress(OSError), os.scandir(self.place) as entries:
            for entry in islice(entries, MOST_ENTRIES):
                looked_at += 1
                if (name := ACCOUNT_FOLDER.fullmatch(entry.name)) is not None:
                    uid, number = int(name[1]), int(name[2] or 0)
                    is_better = uid not in found or number < found[uid][0]
                    if is_better and entry.is_dir(follow_symlinks=False) and belongs_to(entry, uid):
                        found[uid] = (number, Path(entry.path))
                elif len(older) < MOST_OLDER and OLDER_RECORD.fullmatch(entry.name):
                    with suppress(OSError):
                        older[entry.name.removesuffix(OPENED)] = entry.stat(follow_symlinks=False).st_mtime
        # Accounts stay known even if a crowd of new entries hides them now.
        self._known = {**self._known, **{uid: path for uid, (_, path) in found.items()}}
        self.older = older
        self._pause = max(SCAN_SECONDS, looked_at / ENTRIES_A_SECOND)

    # What is in them.

    def path_of(self, uid: int, name: str) -> Path:
        """Return the path for a record of this name: in the account's folder, or in the common folder itself if an
        older version began the game."""
        older, folder = self.place / name, self.find(uid)
        if folder is None or (os.path.lexists(older) and not os.path.lexists(folder / name)):
            return older
        return folder / name

    def records(self, uid: int, ending: str, beginning: str = "") -> list[RecordFile]:
        """Return the files in an account's folder that may be records of one kind, newest first. A record is a plain
        file that the account owns, is not too large, and has no second hard link in that folder."""
        folder = self.find(uid)
        if folder is None:
            return []
        found = list(self._entries(folder, uid, ending, beginning))
        names = Counter(record.inode for record in found)
        return sorted((record for record in found if names[record.inode] == 1), key=lambda record: -record.touched)

    def _entries(self, folder: Path, uid: int, ending: str, beginning: str) -> Iterator[RecordFile]:
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in islice(entries, None if uid == self.uid else MOST_NAMES):
                name = entry.name.removesuffix(ending)
                if name == entry.name or not name.startswith(beginning) or not RECORD.fullmatch(name):
                    continue
                with suppress(OSError):
                    found = entry.stat(follow_symlinks=False)
                    if found.st_size and found.st_uid == uid and not describe_fault(found):
                        yield RecordFile(name, found.st_ino, found.st_size, found.st_mtime)


def belongs_to(folder: Path | os.DirEntry[str], uid: int) -> bool:
    """Whether the account owns this folder and nobody else can write to it."""
    try:
        found = folder.stat(follow_symlinks=False)
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == uid and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)

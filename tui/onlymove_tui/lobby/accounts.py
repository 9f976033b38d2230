"""The accounts of a host: who somebody is, and the folder in which each account keeps its records.

A person is the account that a record belongs to, which the system vouches for, and a name. The profiles of one account
trust each other: nothing keeps one of them from taking the other's name.

Everybody may make entries in the common folder, but only an account itself can change what is in its own folder. The
name of that folder is the number of the account. It counts only if the system says that it belongs to that account:
where somebody else has made `1001` before, the account 1001 takes `1001.1`, and so on. What one account puts there
never hides another account, and costs the others little: limits hold before a file is looked at, and every file is
looked at before it is opened.
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
from onlymove_tui.lobby.record_file import fault_of
from onlymove_tui.store.profiles import make_folder


@dataclass(frozen=True, slots=True)
class Person:
    """An account, and the name that it goes by: that of a profile, else the account's own, in a record its number where
    that cannot be written there."""

    uid: int
    name: str

    def named(self, by: int) -> str:
        """As somebody of the account `by` knows it: `ada`; `bob@players` for the profile of another account."""
        account = account_name(self.uid)
        if self._is_account:
            return account
        return self.name if by == self.uid else f"{self.name}@{account}"

    def is_called(self, name: str, by: int) -> bool:
        """Whether somebody of the account `by` means this one."""
        account = account_name(self.uid)
        called = {f"{self.name}@{account}", self.name if by == self.uid else account}
        return name in called or (self._is_account and name in (self.name, account))

    @property
    def _is_account(self) -> bool:
        """Whether it goes by the account's own name, and not by a profile's."""
        return self.name in (account_name(self.uid), written_name(self.uid))


def account_name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def written_name(uid: int) -> str:
    """What an account is called in a record: its number if its name has other signs than `Name` allows."""
    name = account_name(uid)
    return name if NAME.fullmatch(name) else str(uid)


def oneself(profile: str = "") -> Person:
    uid = os.geteuid()
    return Person(uid, profile or written_name(uid))


def accounts_called(name: str, by: int) -> set[int]:
    """The accounts that may be meant by a name as the account `by` writes it: `bob`, `bob@players`. No other can be."""
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
"""How the names of records end: of the account that opened a table, and of one that wants to join it or has."""
ACCOUNT_FOLDER = re.compile(r"(0|[1-9][0-9]{0,9})(?:\.([1-9][0-9]{0,8}))?")
"""The number of an account, and of its folder if the first name was taken."""
RECORD = re.compile(r"[a-z2-7]{16}(?:\.[a-z2-7]{16})?")
"""The number of a table, and of somebody who joins it."""
OLDER_RECORD = re.compile(r"[a-z2-7]{16}\.table")
"""Up to version 1 of the records they were in the place itself."""
SCAN_SECONDS = 2.0
"""How often the place is searched for accounts that are new there."""
ENTRIES_A_SECOND = 5000
"""Where there are many entries it is searched less often: a search of so many takes some milliseconds."""
MOST_ENTRIES = 200_000
"""Entries of the place that a search looks at. Accounts that are known by then, or asked for, are found without it."""
MOST_NAMES = 2000
"""Entries of another account's folder that are looked at."""
MOST_OLDER = 50
"""Records of an older version that are looked at."""
FOLDER_MODE = 0o755


class NoLobby(OnlymoveError):
    """There is no place to meet, or it is not safe."""


@dataclass(frozen=True, slots=True)
class RecordFile:
    """A file that may be a record, as its folder shows it; nothing of it has been read. `name` has no ending."""

    name: str
    inode: int
    size: int
    touched: float


class Folders:
    """The folders of all accounts in `place`, for the account `uid`."""

    def __init__(self, place: Path, uid: int, clock: Callable[[], float] = time) -> None:
        self.place = place
        self.uid = uid
        self.older: Mapping[str, float] = {}
        """Tables that an older version of this program has opened in the place: when each was touched last."""
        self._clock = clock
        self._known: Mapping[int, Path] = {}
        self._scanned: float | None = None
        self._pause = SCAN_SECONDS

    def check(self) -> None:
        """Raises NoLobby unless nobody here can change or remove the files of another account."""
        try:
            make_folder(self.place)
            found = self.place.lstat()
        except OSError as error:
            raise NoLobby(f"there is no place to meet others: {error.strerror}") from None
        is_shared = bool(found.st_mode & (stat.S_IWGRP | stat.S_IWOTH))
        if not stat.S_ISDIR(found.st_mode) or found.st_uid not in (0, os.geteuid()):
            raise NoLobby("the place to meet others belongs to somebody else (docs/hosting.md)")
        if is_shared and not found.st_mode & stat.S_ISVTX:
            raise NoLobby("the place to meet others is not safe: it needs mode 1777 (docs/hosting.md)")

    # The folders.

    def accounts(self) -> Iterable[int]:
        """The accounts that have a folder here, one's own first."""
        self._scan_now_and_then()
        return dict.fromkeys((self.uid, *self._known))

    def find(self, uid: int) -> Path | None:
        """The folder of an account; an account that goes by the first name is found without a search."""
        first = self.place / str(uid)
        if belongs_to(first, uid):
            return first
        self._scan_now_and_then()
        known = self._known.get(uid)
        return known if known is not None and belongs_to(known, uid) else None

    def make_own(self) -> Path:
        """One's own folder, which is made if there is none. Raises NoLobby."""
        self._scanned = None
        if (found := self.find(self.uid)) is not None:
            return found
        for number in count():
            path = self.place / (f"{self.uid}.{number}" if number else str(self.uid))
            try:
                path.mkdir(FOLDER_MODE)
                path.chmod(FOLDER_MODE)  # whatever the account masks
            except FileExistsError:
                # Somebody else's, or just made by another session of this account.
                if not belongs_to(path, self.uid):
                    continue
            except OSError as error:
                raise NoLobby(f"you cannot have a folder in the place to meet others: {error.strerror}") from None
            self._known = {**self._known, self.uid: path}
            return path
        raise AssertionError("numbers do not end")

    def _scan_now_and_then(self) -> None:
        """Search the place for folders of accounts, and for tables of older versions. Of several folders of one account
        the first counts."""
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
        # Accounts that an endless place hides by now stay known.
        self._known = {**self._known, **{uid: path for uid, (_, path) in found.items()}}
        self.older = older
        self._pause = max(SCAN_SECONDS, looked_at / ENTRIES_A_SECOND)

    # What is in them.

    def path_of(self, uid: int, name: str) -> Path:
        """Where the record of this name is that an account keeps, if there is one: in its folder or, of a game that an
        older version began, in the place itself."""
        older, folder = self.place / name, self.find(uid)
        if folder is None or (os.path.lexists(older) and not os.path.lexists(folder / name)):
            return older
        return folder / name

    def records(self, uid: int, ending: str, beginning: str = "") -> list[RecordFile]:
        """The files in an account's folder that may be records of a kind, those that were touched last first. A record
        is a plain file of that account, of the size of a record, and has one name there."""
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
                    if found.st_size and found.st_uid == uid and not fault_of(found):
                        yield RecordFile(name, found.st_ino, found.st_size, found.st_mtime)


def belongs_to(folder: Path | os.DirEntry[str], uid: int) -> bool:
    """Whether this is a folder of an account, and nobody else can write to it."""
    try:
        found = folder.stat(follow_symlinks=False)
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == uid and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)

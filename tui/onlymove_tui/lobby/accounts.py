"""Finds out who a player is on this host, and which folder holds the records of each account.

A player is an account, which the system reports as the owner of a record, and a name. The profiles of one account trust
each other, so nothing stops one of them from using another's name. Each account has its own folder in the common
folder. The folder is named by the account's number and counts only if the account owns it. If another user has already
made a folder called `1001`, the account 1001 takes `1001.1`, and so on. Nothing that one account writes can hide other
accounts or slow them down: every file is inspected before it is opened, and there are limits to how much is read.
"""

from __future__ import annotations

import os
import pwd
import re
import stat
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from time import time
from typing import NamedTuple

from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.text import clean_line

from onlymove_tui.lobby.record_file import FILE_CLOCK, NAME, FileClock, describe_fault
from onlymove_tui.store.profiles import make_folder


@dataclass(frozen=True, slots=True)
class Person:
    """An account and a player's name. The name comes from the profile, or from the account if there is no profile.
    Records use the account's number if its name has characters that are not allowed in them."""

    uid: int
    name: str

    def format_name(self, by: int) -> str:
        """Return the name that the account `by` sees: `ada`, or `bob@players` for a profile of another account."""
        account = account_name(self.uid)
        if self._is_account:
            return account
        return self.name if by == self.uid else f"{self.name}@{account}"

    def is_called(self, name: str, by: int) -> bool:
        """Whether the account `by` can call this person `name`."""
        account = account_name(self.uid)
        called = {f"{self.name}@{account}", self.name if by == self.uid else account}
        return name in called or (self._is_account and name in (self.name, account))

    @property
    def _is_account(self) -> bool:
        return self.name in (account_name(self.uid), written_name(self.uid))


def account_name(uid: int) -> str:
    try:
        return clean_line(pwd.getpwuid(uid).pw_name)
    except KeyError:
        return str(uid)


def written_name(uid: int) -> str:
    """Return the name of an account as records write it. If it does not match `NAME`, this is the account's number."""
    name = account_name(uid)
    return name if NAME.fullmatch(name) else str(uid)


def find_own_person(profile: str = "") -> Person:
    uid = os.geteuid()
    return Person(uid, profile or written_name(uid))


def find_accounts(name: str, by: int) -> set[int]:
    """Return the accounts that `by` may mean by a name such as `bob` or `bob@players`."""
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
"""The endings of the records of a player who opened a challenge, and of one who has joined or wants to join."""


def name_record(challenge_id: str, joiner: str = "") -> str:
    """Return the name of the record of a challenge's opener, or of this joiner."""
    return f"{challenge_id}.{joiner}{SEAT}" if joiner else f"{challenge_id}{OPENED}"


ACCOUNT_FOLDER = re.compile(r"(0|[1-9][0-9]{0,9})(?:\.([1-9][0-9]{0,8}))?")
"""The name of an account's folder: its number, with a second number if that name was taken."""
RECORD = re.compile(r"[a-z2-7]{16}(?:\.[a-z2-7]{16})?")
"""The id of a challenge, and the id of a player who joins it."""
SCAN_SECONDS = 2.0
"""How often the common folder is searched for new accounts."""
FOLDER_MODE = 0o755


class Limits(NamedTuple):
    """How much is read of what other accounts have written, so that it cannot slow the lobby down."""

    entries_a_second: int = 5000
    """A folder with many entries is searched less often. Searching this many takes a few milliseconds."""

    entries: int = 200_000
    """How many entries of the common folder a search reads. Known and named accounts are found even beyond them."""

    names: int = 2000
    """How many entries of another account's folder are read."""

    records: int = 100
    """How many records of another account are read. A shared account may have some hundred profiles online at once."""

    listed: int = 20
    """How many challenges and games of another account are listed."""


LIMITS = Limits()


class NoLobby(OnlymoveError):
    """There is no common folder, or it is not safe to use."""


@dataclass(frozen=True, slots=True)
class RecordFile:
    """A file that may be a record, as the folder's listing shows it. `name` has no ending. `touched` is when the file
    was last changed, by the clock of the file system."""

    name: str
    inode: int
    size: int
    touched: float


class Folders:
    """The folders of all accounts in the common folder `place`, seen by the account `uid`."""

    def __init__(
        self,
        place: Path,
        uid: int,
        clock: Callable[[], float] = time,
        files: FileClock = FILE_CLOCK,
        limits: Limits = LIMITS,
    ) -> None:
        self.limits = limits
        self.place = place
        self.uid = uid
        self._clock = clock
        self._files = files
        self._known: Mapping[int, Path] = {}
        self._scanned: float | None = None
        self._pause = SCAN_SECONDS

    def check(self) -> None:
        """Make the common folder if it is missing. Raises NoLobby if files there are not safe from other accounts."""
        try:
            make_folder(self.place)
            found = self.place.lstat()
        except OSError as error:
            raise NoLobby(f"there is no shared folder for games between users: {error.strerror}") from None
        is_shared = bool(found.st_mode & (stat.S_IWGRP | stat.S_IWOTH))
        if not stat.S_ISDIR(found.st_mode) or found.st_uid not in (0, os.geteuid()):
            raise NoLobby("the shared folder for games between users belongs to another user (see docs/hosting.md)")
        if is_shared and not found.st_mode & stat.S_ISVTX:
            raise NoLobby(
                "the shared folder for games between users is not safe: it needs mode 1777 (see docs/hosting.md)"
            )

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
        """Return your own folder, which is made if it is missing. Raises NoLobby."""
        self._scanned = None
        if (found := self.find(self.uid)) is not None:
            return found
        for number in count():
            path = self.place / (f"{self.uid}.{number}" if number else str(self.uid))
            try:
                path.mkdir(FOLDER_MODE)
                path.chmod(FOLDER_MODE)  # The umask would remove some permissions.
            except FileExistsError:
                # Either the folder belongs to another account, or another session of yours has just made it.
                if not belongs_to(path, self.uid):
                    continue
            except OSError as error:
                raise NoLobby(f"cannot create your shared folder for games between users: {error.strerror}") from None
            self._known = {**self._known, self.uid: path}
            return path
        raise AssertionError("numbers do not end")

    def _scan_now_and_then(self) -> None:
        """Search the common folder for account folders, unless the last search was only seconds ago. If an account has
        several folders, the first one counts."""
        now = self._clock()
        if self._scanned is not None and abs(now - self._scanned) < self._pause:
            return
        self._scanned = now
        found: dict[int, tuple[int, Path]] = {}
        looked_at = 0
        with suppress(OSError), os.scandir(self.place) as entries:
            for entry in islice(entries, self.limits.entries):
                looked_at += 1
                if (name := ACCOUNT_FOLDER.fullmatch(entry.name)) is not None:
                    uid, number = int(name[1]), int(name[2] or 0)
                    is_better = uid not in found or number < found[uid][0]
                    if is_better and entry.is_dir(follow_symlinks=False) and belongs_to(entry, uid):
                        found[uid] = (number, Path(entry.path))
        # Known accounts stay known, even if a crowd of new entries hides them now.
        self._known = {**self._known, **{uid: path for uid, (_, path) in found.items()}}
        self._pause = max(SCAN_SECONDS, looked_at / self.limits.entries_a_second)

    def path_of(self, uid: int, challenge_id: str, joiner: str = "") -> Path:
        """Return the path for a record. There need not be a file, and not even a folder of the account."""
        return (self.find(uid) or self.place / str(uid)) / name_record(challenge_id, joiner)

    def records(self, uid: int, ending: str, beginning: str = "") -> list[RecordFile]:
        """Return the files in an account's folder that may be records of one kind, newest first. A record is a plain
        file that the account owns. It is not too large and has no second hard link in the folder."""
        folder = self.find(uid)
        if folder is None:
            return []
        records: list[RecordFile] = []
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in islice(entries, None if uid == self.uid else self.limits.names):
                name = entry.name.removesuffix(ending)
                if name == entry.name or not name.startswith(beginning) or not RECORD.fullmatch(name):
                    continue
                with suppress(OSError):
                    found = entry.stat(follow_symlinks=False)
                    if found.st_size and found.st_uid == uid and not describe_fault(found):
                        records.append(RecordFile(name, found.st_ino, found.st_size, self._files.read(found)))
        names = Counter(record.inode for record in records)
        return sorted((record for record in records if names[record.inode] == 1), key=lambda record: -record.touched)


def belongs_to(folder: Path | os.DirEntry[str], uid: int) -> bool:
    """Whether the account owns this folder and nobody else can write to it."""
    try:
        found = folder.stat(follow_symlinks=False)
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == uid and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)

"""Who somebody at a table is: the account that its record belongs to, which the system vouches for, and a name.

The profiles of one account trust each other: nothing keeps one of them from taking the other's name.
"""

from __future__ import annotations

import os
import pwd
from contextlib import suppress
from dataclasses import dataclass

from onlymove_tui.meeting.spoken_lines import NAME


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
    """The name of an account; its number where it has none."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def written_name(uid: int) -> str:
    """What an account is called in a record: its number if its name has other signs than `Name` allows."""
    name = account_name(uid)
    return name if NAME.fullmatch(name) else str(uid)


def oneself(profile: str = "") -> Person:
    """Whoever runs this process."""
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
    """Whether there is an account of this name."""
    try:
        pwd.getpwnam(name)
    except (KeyError, ValueError):
        return False
    return True

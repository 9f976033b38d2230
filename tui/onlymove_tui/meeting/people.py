"""Who somebody at a table is: the account that its record belongs to, which the system vouches for, and a name.

The profiles of one account trust each other: nothing keeps one of them from taking the other's name.
"""

from __future__ import annotations

import os
import pwd
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Person:
    """An account, and the name that it goes by: that of a profile, else the account's own."""

    uid: int
    name: str

    def named(self, by: int) -> str:
        """As somebody of the account `by` knows it: `ada`; `bob@players` for the profile of another account."""
        account = account_name(self.uid)
        return self.name if by == self.uid or self.name == account else f"{self.name}@{account}"

    def is_called(self, name: str, by: int) -> bool:
        """Whether somebody of the account `by` means this one."""
        account = account_name(self.uid)
        called = {f"{self.name}@{account}", self.name if by == self.uid or self.name == account else account}
        return name in called


def account_name(uid: int) -> str:
    """The name of an account; its number where it has none."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def oneself(profile: str = "") -> Person:
    """Whoever runs this process."""
    uid = os.geteuid()
    return Person(uid, profile or account_name(uid))


def is_account(name: str) -> bool:
    """Whether there is an account of this name, or a profile of one is meant."""
    try:
        pwd.getpwnam(name.rpartition("@")[2])
    except KeyError:
        return False
    return True

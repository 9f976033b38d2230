"""Throw-away profiles for crowds: one for each login or browser, of which nothing is kept beyond a day."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from secrets import token_hex

from onlymove_tables.lock import is_held

from .paths import Places, places

PREFIX = "guest-"
KEPT_SECONDS = 24 * 3600.0
"""How long a guest's games are kept. A browser can come back to them, a login cannot."""


def is_guest(profile: str) -> bool:
    """Whether a profile is thrown away.

    >>> is_guest("guest-0f3a"), is_guest("ada"), is_guest("")
    (True, False, False)
    """
    return profile.startswith(PREFIX)


def new_guest() -> str:
    """A profile that nobody has; what others left more than a day ago is removed. Writes nothing."""
    forget_old()
    return guest_of(token_hex())


def guest_of(secret: str) -> str:
    """The guest who knows this secret. Other players see the name of the profile and cannot tell the secret from it.

    >>> guest_of("secret")
    'guest-2bb80d537b1da3e3'
    """
    return PREFIX + sha256(secret.encode()).hexdigest()[:16]


def forget_old() -> None:
    """Remove what guests left more than a day ago."""
    sweep(time.time() - KEPT_SECONDS)


def sweep(before: float) -> None:
    """Remove what guests have left who were last here `before` (seconds of the epoch) and are gone."""
    for profile in guests():
        found = places(profile)
        if last_seen(found) < before and not is_held(found.lock):
            for folder in folders(found):
                shutil.rmtree(folder, ignore_errors=True)


def guests() -> set[str]:
    """The guests of whom there is anything."""
    parents = {folder.parent for folder in folders(places(f"{PREFIX}any"))}
    return {folder.name for parent in parents for folder in parent.glob(f"{PREFIX}*") if not folder.is_symlink()}


def folders(found: Places) -> tuple[Path, ...]:
    """The folders of a profile."""
    return found.games.parent, found.settings.parent, found.log.parent


def last_seen(found: Places) -> float:
    """When anything of a profile was written last, in seconds of the epoch."""
    return max(times(found), default=0.0)


def times(found: Places) -> Iterator[float]:
    for folder in folders(found):
        for path in (folder, *folder.glob("*")):
            with suppress(OSError):
                yield path.stat().st_mtime

"""Throw-away profiles for crowds: one a login, of which nothing is kept beyond a day."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

from onlymove_tables.lock import is_held

from .paths import Places, places

PREFIX = "guest-"
KEPT_SECONDS = 24 * 3600.0
"""How long what a guest has left lies around; nobody comes back to it."""


def is_guest(profile: str) -> bool:
    """Whether a profile is thrown away.

    >>> is_guest("guest-0f3a"), is_guest("ada"), is_guest("")
    (True, False, False)
    """
    return profile.startswith(PREFIX)


def is_nobody_s(profile: str, is_kiosk: bool) -> bool:
    """Whether what is played says nothing of a player who comes back: a guest's games, or a crowd's on one account."""
    return is_guest(profile) or (is_kiosk and not profile)


def new_guest() -> str:
    """A profile that nobody has; what others left more than a day ago is removed. Writes nothing."""
    sweep(time.time() - KEPT_SECONDS)
    return PREFIX + token_hex(8)


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

"""Where things are kept, by the platform's own conventions. Creates nothing and reads nothing.

A profile is a player who shares an account with others: settings and games of its own, tables in common.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from onlymove_engines.core.errors import OnlymoveError
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
        return (
            ("settings", self.settings),
            ("games", self.games),
            ("tables", self.tables),
            ("cache", self.cache),
            ("log", self.log),
        )


def places(profile: str = "") -> Places:
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

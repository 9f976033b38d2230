"""Signs of life: they show how long a player has been away from a game.

While a player's app runs a game, it touches a file beside the player's record every few seconds. The file system notes
the time, which no user can set (`FileClock`). The record itself is not touched, because its time says since when its
last line has been there.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, time

from onlymove_engines.core.files import open_regular

from onlymove_tui.lobby.record_file import FILE_CLOCK, READABLE, FileClock, file_errors

BEAT_SECONDS = 2.0
"""How often a player gives a sign of life."""
ALIVE_SECONDS = 6.0
"""A player who has given no sign of life for this long counts as away."""
ENDING = ".alive"
NEVER = 0.0


@dataclass(frozen=True)
class Clocks:
    """The clocks of this machine, and that of the file system. `steady` never jumps, and its start means nothing."""

    time_of_day: Callable[[], float] = time
    steady: Callable[[], float] = monotonic
    files: FileClock = FILE_CLOCK


REAL_CLOCKS = Clocks()


def is_alive(touched: float, now: float) -> bool:
    """Whether the player whose file was touched at this time is online, even if the host's clock was set back."""
    return abs(now - touched) < ALIVE_SECONDS


def find_life_sign(record: Path) -> Path:
    """Return the file that holds the sign of life of the player who writes this record."""
    return record.with_suffix(ENDING)


def read_life_sign(record: Path, uid: int, files: FileClock) -> float:
    """Return when the writer of this record, of the account `uid`, last gave a sign of life in the game, or `NEVER`."""
    try:
        found = find_life_sign(record).lstat()
    except OSError:
        return NEVER
    return files.read(found) if stat.S_ISREG(found.st_mode) and found.st_uid == uid else NEVER


class LifeSign:
    """Your own sign of life in a game. `at` is the time of the last one on the file system's clock."""

    def __init__(self, record: Path, files: FileClock) -> None:
        self.at = NEVER
        self._files = files
        flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW
        with file_errors():
            self._file = open_regular(find_life_sign(record), flags, READABLE)

    def give(self) -> bool:
        """Give a sign of life. Returns whether you were away before it. Raises RecordTrouble."""
        before = self.at
        with file_errors():
            self._files.touch(self._file)
            self.at = self._files.read(os.fstat(self._file))
        return self.at - before >= ALIVE_SECONDS

    def close(self) -> None:
        os.close(self._file)

"""The numbers that docs/hosting.md gives for the lobby are correct."""

from __future__ import annotations

from onlymove_tui.app.launch import TIMERS
from onlymove_tui.lobby.accounts import LIMITS
from onlymove_tui.lobby.challenges import MAX_TRIES
from onlymove_tui.lobby.lobby import DAY, LONG_BEGINNING, MAX_BYTES, QUARTER, WEEK
from onlymove_tui.lobby.record_file import LARGEST

from tests.terminal.recipes import PAGE

HOUR = 3600.0
SAID = {
    "twelve times a second": int(1 / TIMERS.record) == 12,
    "more than twenty challenges of another account": LIMITS.listed == 20,
    "up to 2,000 file names in the folder of each other account, and at the 100 records": (LIMITS.names, LIMITS.records)
    == (2000, 100),
    "have no second name (hard link) and are at most 1 MiB": LARGEST == 1 << 20,
    "reads at most 16 KiB of a record and 128 KiB of all records of an account": (LONG_BEGINNING, MAX_BYTES)
    == (1 << 14, 1 << 17),
    "An account may try ten codes at a challenge": MAX_TRIES == 10,
    "a week after the end": WEEK == 7 * 24 * HOUR,
    "a day after the player stopped waiting": DAY == 24 * HOUR,
    "three months after both players have left": 89 * DAY < QUARTER < 93 * DAY,
}


def test_the_numbers_on_the_hosting_page_are_correct() -> None:
    page = " ".join(PAGE.read_text("utf-8").split())
    for words, holds in SAID.items():
        assert words in page, f"docs/hosting.md does not say: {words}"
        assert holds, f"docs/hosting.md says: {words}"

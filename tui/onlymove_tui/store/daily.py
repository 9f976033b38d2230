"""How the positions of the days went, a line a day and game. Knows no screen."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from datetime import date

from onlymove_engines.core.game import GameId

from .database import Database
from .drills import Due, days_in_a_row


class Mark(enum.Enum):
    """How the position of a day went at the first attempt."""

    RIGHT = "right"
    HINTED = "hinted"
    WRONG = "wrong"


class DailyBook:
    """What a player made of them. Every method raises StoreTrouble on a bad disk."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def marks(self, day: date) -> Mapping[GameId, Mark]:
        """How the positions of a day went, as far as they were tried."""
        rows = self._database.rows("SELECT game, mark FROM daily WHERE day = ?", (day.isoformat(),))
        return {row[0]: Mark(row[1]) for row in rows}

    def keep(self, day: date, game: GameId, mark: Mark) -> None:
        """Only the first attempt counts: a second one changes nothing."""
        with self._database.writing() as connection:
            connection.execute("INSERT OR IGNORE INTO daily VALUES (?, ?, ?)", (day.isoformat(), game, mark.value))

    def streak(self, day: date) -> int:
        """On how many days in a row something was tried, up to this day or the one before."""
        days = {row[0] for row in self._database.rows("SELECT DISTINCT day FROM daily")}
        return days_in_a_row(days, day)


class DailyBox:
    """Where the answer to the position of a day goes. It does not come back."""

    def __init__(self, book: DailyBook, day: date, game: GameId) -> None:
        self._book, self._day, self._game = book, day, game

    def settle(self, due: Due, solved: bool, with_hint: bool) -> None:
        """Keep how it went."""
        mark = Mark.WRONG if not solved else Mark.HINTED if with_hint else Mark.RIGHT
        self._book.keep(self._day, self._game, mark)

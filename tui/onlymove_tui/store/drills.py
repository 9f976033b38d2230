"""The player's drills on disk, when each is due again (FSRS spaced repetition), and how positions of the day went.

A drill that was answered wrongly comes back soon, one that was known comes back ever later. Knows no screen.
"""

from __future__ import annotations

import enum
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Set
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import count
from typing import TypeAlias

from onlymove_engines.coach.drill import Drill, Origin
from onlymove_engines.core.facts import GameId

from onlymove_tui.store.database import Database

Clock: TypeAlias = Callable[[], datetime]


ROUND = 50
"""Drills that are asked one after the other at the most."""
NEW = 0
"""The numbers of the box begin with 1 (sqlite.org/autoinc.html)."""

ORIGINS = [origin.value for origin in Origin]
KNOWN = f"origin IN ({', '.join(map(repr, ORIGINS))})"
"""A newer version may have put drills of other kinds into the box: they wait there for it."""


@dataclass(frozen=True, slots=True)
class Due:
    """A drill to practise: how often it was tried, and solved at the first attempt. Of one that is not in the box
    `number` is NEW; its first answer puts it there."""

    number: int
    drill: Drill
    tries: int
    solved: int


class DrillStore:
    """The drills of one player, in the same file as the games. Every method raises StoreTrouble on a bad disk."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def add(self, drills: Iterable[Drill]) -> int:
        """Put drills into the box, due at once; how many were new. A mistake made again is due at once again."""
        now = self._clock()
        new = 0
        with self._database.writing() as connection:
            for drill in drills:
                fresh = _format_new_card(now)
                found = connection.execute(
                    "SELECT id FROM drill WHERE game = ? AND position = ? AND seat = ?",
                    (drill.game, drill.position, drill.seat),
                ).fetchone()
                if found is None:
                    new += 1
                    connection.execute(
                        "INSERT INTO drill (game, position, seat, origin, played, fsrs_state, due, tries, solved)"
                        " VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0)",
                        (
                            drill.game,
                            drill.position,
                            drill.seat,
                            drill.origin.value,
                            drill.played,
                            fresh,
                            format_time(now),
                        ),
                    )
                elif drill.origin is Origin.MISTAKE:
                    connection.execute("UPDATE drill SET due = ? WHERE id = ?", (format_time(now), found[0]))
        return new

    def due_by_game(self) -> dict[GameId, int]:
        """How many drills are due now, of every game that has any."""
        query = f"SELECT game, count(*) FROM drill WHERE {KNOWN} AND due <= ? GROUP BY game"
        return dict(map(tuple, self._database.rows(query, (format_time(self._clock()),))))

    def due(self, games: Collection[GameId] | None = None) -> list[Due]:
        """The drills of these games that are due, of any without, the longest overdue first, a round of them at the
        most."""
        query = f"""SELECT id, game, position, seat, origin, played, tries, solved FROM drill
            WHERE {KNOWN} AND due <= ? AND (? OR game IN (SELECT value FROM json_each(?))) ORDER BY due, id LIMIT ?"""
        wanted = (games is None, json.dumps(list(games or ())))
        rows = self._database.rows(query, (format_time(self._clock()), *wanted, ROUND))
        return [Due(row[0], Drill(row[1], row[2], row[3], Origin(row[4]), row[5]), row[6], row[7]) for row in rows]

    def open_to(self, drills: Iterable[Drill]) -> list[Due]:
        """Those among these that can be practised now: what is due, and what is not in the box."""
        query = "SELECT id, origin, played, tries, solved, due FROM drill WHERE game = ? AND position = ? AND seat = ?"
        now, found = format_time(self._clock()), []
        for drill in drills:
            rows = list(self._database.rows(query, (drill.game, drill.position, drill.seat)))
            if not rows:
                found.append(Due(NEW, drill, 0, 0))
            elif (row := rows[0])[5] <= now:
                origin = Origin(row[1]) if row[1] in ORIGINS else drill.origin
                kept = Drill(drill.game, drill.position, drill.seat, origin, row[2])
                found.append(Due(row[0], kept, row[3], row[4]))
        return found

    def answer(self, number: int, solved: bool, with_hint: bool = False) -> datetime:
        """Record how a drill went at the first attempt; when it is due again. Raises KeyError for no such drill."""
        from fsrs import Card, Rating, Scheduler  # noqa: PLC0415 - 25 ms that only an answered drill pays

        with self._database.writing() as connection:
            found = connection.execute("SELECT fsrs_state, game, origin FROM drill WHERE id = ?", (number,)).fetchone()
            if found is None:
                raise KeyError(number)
            rating = (Rating.Hard if with_hint else Rating.Good) if solved else Rating.Again
            scheduler = Scheduler(enable_fuzzing=False)
            now = self._clock()
            card, _ = scheduler.review_card(Card.from_dict(json.loads(found[0])), rating, now)
            connection.execute(
                "UPDATE drill SET fsrs_state = ?, due = ?, tries = tries + 1, solved = solved + ? WHERE id = ?",
                (json.dumps(card.to_dict()), format_time(card.due), int(solved), number),
            )
            connection.execute(
                "INSERT INTO practice VALUES (?, ?, ?, 1, ?) ON CONFLICT DO UPDATE"
                " SET tries = tries + 1, solved = solved + excluded.solved",
                (now.astimezone().date().isoformat(), found[1], found[2], int(solved)),
            )
        return card.due

    def settle(self, due: Due, solved: bool, with_hint: bool) -> int:
        """The same of a drill that may be new; in how many days it comes back."""
        number = due.number
        if number == NEW:
            self.add([due.drill])
            query = "SELECT id FROM drill WHERE game = ? AND position = ? AND seat = ?"
            ((number,),) = self._database.rows(query, (due.drill.game, due.drill.position, due.drill.seat))
        return self.days_until(self.answer(number, solved, with_hint))

    def days_until(self, due: datetime) -> int:
        """How many midnights of the player's own calendar lie between now and then."""
        return (due.astimezone().date() - self._clock().astimezone().date()).days

    def due_by_day(self, days: int, game: GameId | None = None) -> list[int]:
        """How many drills come due on each of so many days from today on, of one game or of all; what is overdue is due
        today."""
        counts = [0] * days
        rows = self._database.rows("SELECT due FROM drill WHERE ? IS NULL OR game = ?", (game, game))
        for (due,) in rows:
            ahead = max(0, self.days_until(datetime.fromisoformat(due)))
            if ahead < days:
                counts[ahead] += 1
        return counts

    def streak(self) -> int:
        """On how many days in a row drills were answered, up to today or yesterday."""
        days = {row[0] for row in self._database.rows("SELECT DISTINCT day FROM practice")}
        return count_streak(days, self._clock().astimezone().date())

    def answers(self, game: GameId) -> dict[Origin, tuple[int, int]]:
        """How many drills of each kind were answered in a game, and how many of the answers were right."""
        query = f"SELECT origin, total(solved), total(tries) FROM drill WHERE {KNOWN} AND game = ? GROUP BY origin"
        return {Origin(row[0]): (int(row[1]), int(row[2])) for row in self._database.rows(query, (game,))}

    def forget(self, number: int) -> None:
        with self._database.writing() as connection:
            connection.execute("DELETE FROM drill WHERE id = ?", (number,))


def format_time(moment: datetime) -> str:
    """A time of day that sorts as text."""
    return moment.isoformat(timespec="microseconds")


def count_streak(days: Set[str], today: date) -> int:
    """How many of these days follow each other up to today or yesterday."""
    start = 0 if today.isoformat() in days else 1
    return next(ago - start for ago in count(start) if (today - timedelta(days=ago)).isoformat() not in days)


def _format_new_card(now: datetime) -> str:
    """The FSRS card of a drill that was never answered, as its own library writes it."""
    blank = {"card_id": 0, "state": 1, "step": 0, "stability": None, "difficulty": None}
    return json.dumps({**blank, "due": now.isoformat(), "last_review": None})


class Mark(enum.Enum):
    """How the position of a day went at the first attempt."""

    RIGHT = "right"
    HINTED = "hinted"
    WRONG = "wrong"


class DailyStore:
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
        return count_streak(days, day)


class DailyAnswers:
    """Where the answer to the position of a day goes. It does not come back."""

    def __init__(self, book: DailyStore, day: date, game: GameId) -> None:
        self._book, self._day, self._game = book, day, game

    def settle(self, due: Due, solved: bool, with_hint: bool) -> None:
        """Keep how it went."""
        mark = Mark.WRONG if not solved else Mark.HINTED if with_hint else Mark.RIGHT
        self._book.keep(self._day, self._game, mark)

"""What a player learns, on disk: steps of lessons, milestones, drills, and answers to positions of the day.

FSRS spaced repetition decides when each drill is due again: soon if the player failed it, and later each time the
player solves it.
"""

from __future__ import annotations

import enum
import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from itertools import count
from typing import Final, NamedTuple, TypeAlias

from onlymove_engines.coach.drill import DailyLevel, Drill, Origin
from onlymove_engines.coach.judge import Coaching
from onlymove_engines.core.facts import GameId

from onlymove_tui.store.database import Database
from onlymove_tui.store.entries import UNFINISHED
from onlymove_tui.store.rows import refuse_damage


class Milestone(enum.Enum):
    """What a player can reach in learning a game, such as the end of its lessons or a first finished game."""

    LESSONS = "lessons"
    """The player has finished the lessons."""
    FIRST_GAME = "first-game"
    """The player has finished a game. The history shows this, so it is not stored."""
    FIRST_DRILLS = "first-drills"
    SECOND_DRILLS = "second-drills"
    THIRD_DRILLS = "third-drills"
    """The player has finished the first, second or third round of drills. Each round is longer than the one before."""


@dataclass(frozen=True, slots=True)
class Learned:
    """What a player has learned of a game: the finished lesson steps, numbered from 0, and the milestones reached.
    `places` says for a step that was begun how many of its tasks the player has done or skipped. The others are still
    to do."""

    steps: frozenset[int] = frozenset()
    reached: frozenset[Milestone] = frozenset()
    places: Mapping[int, int] = field(default_factory=dict)


class Place(NamedTuple):
    """How far a player is in a lesson step: how many of its tasks are done or skipped. It `is_done` once the last task
    was solved."""

    step: int
    task: int
    is_done: bool = False


NOTHING_LEARNED = Learned()
MAX_STEPS = 100
"""The most lesson steps of a game that are remembered."""

DRILL_STAGES: Final = (Milestone.FIRST_DRILLS, Milestone.SECOND_DRILLS, Milestone.THIRD_DRILLS)
STAGES: Final = (Milestone.LESSONS, Milestone.FIRST_GAME, *DRILL_STAGES)
"""The stages of the learning path, in order."""


def is_newcomer(learned: Learned) -> bool:
    return Milestone.FIRST_GAME not in learned.reached


def adapt_coaching(coaching: Coaching, learned: Learned) -> Coaching:
    """Return coaching that suits what this player has learned. Until the player has finished a game, only moves that
    change the result are stopped."""
    return replace(coaching, for_newcomer=is_newcomer(learned))


def next_stage(learned: Learned) -> Milestone | None:
    return next((stage for stage in STAGES if stage not in learned.reached), None)


def has_begun(learned: Learned) -> bool:
    """Whether the player has been in the lessons of a game."""
    return bool(learned.steps or learned.places) or Milestone.LESSONS in learned.reached


def count_parts(lesson_steps: int, learned: Learned) -> tuple[int, int]:
    """Return how many parts of the learning path the player has done, and how many there are. Each lesson step is a
    part, and so is each stage after the lessons."""
    stages = [stage for stage in STAGES if stage is not Milestone.LESSONS]
    done = len(learned.steps.intersection(range(lesson_steps))) + len(learned.reached.intersection(stages))
    return done, lesson_steps + len(stages)


@dataclass(eq=False)
class LessonStore:
    """A player's learning progress in all games. Every method raises StoreTrouble if the disk fails."""

    _database: Database

    def read_learned(self) -> Mapping[GameId, Learned]:
        """Return what the player has learned, by game. Milestones that this version does not know are ignored."""
        query = f"""SELECT game, NULL, NULL, NULL, name FROM milestone
            UNION ALL SELECT DISTINCT game, NULL, NULL, NULL, '{Milestone.FIRST_GAME.value}' FROM game
                WHERE people > 0 AND NOT imported AND result <> '{UNFINISHED}'
            UNION ALL SELECT game, CAST(step AS INTEGER), CAST(task AS INTEGER), is_done, NULL FROM lesson_step"""
        known = {milestone.value: milestone for milestone in Milestone}
        found: dict[GameId, Learned] = {}
        for game, step, task, is_done, name in self._database.rows(query):
            before = found.get(game, NOTHING_LEARNED)
            if step is not None:
                steps = before.steps | {step} if is_done else before.steps
                places = {**before.places, step: task} if task else before.places
                found[game] = replace(before, steps=steps, places=places)
            elif name in known:
                found[game] = replace(before, reached=before.reached | {known[name]})
        return found

    def read_game(self, game: GameId) -> Learned:
        return self.read_learned().get(game, NOTHING_LEARNED)

    def save(self, game: GameId, steps: Iterable[int], reached: Iterable[Milestone] = ()) -> None:
        """Store finished lesson steps, numbered from 0, and the milestones reached."""
        with self._database.begin_transaction() as connection:
            for step in steps:
                connection.execute(
                    "INSERT INTO lesson_step VALUES (?, ?, 0, 1) ON CONFLICT DO UPDATE SET is_done = 1", (game, step)
                )
            for milestone in reached:
                connection.execute("INSERT OR IGNORE INTO milestone VALUES (?, ?)", (game, milestone.value))

    def save_place(self, game: GameId, place: Place, is_last: bool) -> None:
        """Store how far the player is in a step of a game's lessons. If it is the last step and it is finished, the
        lessons are finished too."""
        with self._database.begin_transaction() as connection:
            connection.execute(
                "INSERT INTO lesson_step VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE"
                " SET task = excluded.task, is_done = max(is_done, excluded.is_done)",
                (game, place.step, place.task, int(place.is_done)),
            )
            if is_last and place.is_done:
                connection.execute("INSERT OR IGNORE INTO milestone VALUES (?, ?)", (game, Milestone.LESSONS.value))

    def reach(self, game: GameId, milestone: Milestone) -> Learned:
        """Store that the player has reached a milestone. Return what the player has learned so far."""
        self.save(game, (), [milestone])
        return self.read_game(game)


Clock: TypeAlias = Callable[[], datetime]

ROUND = 50
"""The most drills of one session."""
NEW = 0
"""The number of a drill that is not stored. SQLite starts its own numbers at 1 (sqlite.org/autoinc.html)."""

ORIGINS = [origin.value for origin in Origin]
KNOWN = f"origin IN ({', '.join(map(repr, ORIGINS))})"
"""Newer versions may have stored other kinds of drills. This version ignores those."""

IS_DUE: Final = "(NOT is_aside AND (due <= :now OR changed > :now))"
"""Whether a drill is due `:now`. If it was added or answered in the future, the clock has been set back since then. The
drill would be locked away until the clock is there again, so it is due at once. A drill that was put aside is not due
until the player brings it back."""

MISSES_UNTIL_ASIDE: Final = 10
"""A drill that was missed this often is put aside, and again after as many more misses."""


@dataclass(frozen=True, slots=True)
class Due:
    """A drill that can be practised now. `tries` counts its attempts and `solved` the attempts that solved it. A drill
    with the number NEW is stored only when it is answered."""

    number: int
    drill: Drill
    tries: int
    solved: int


@dataclass(frozen=True, slots=True)
class StoredDrill:
    """A stored drill, which is due now or in `days` days, unless it was put aside."""

    asked: Due
    is_due: bool
    is_aside: bool
    days: int


@dataclass(frozen=True, slots=True)
class Answered:
    """What was recorded of an answer: when the drill is due again, in how many days that is, and whether the drill was
    put aside because of it. `take_back` needs the rest: the number of the drill, how the answer counts in the column
    `solved`, the date of the day it counts for, when it was recorded, and the drill's columns before it. These are
    empty if the drill was new."""

    due: datetime
    days: int
    is_put_aside: bool
    number: int
    solved: int
    day: str
    changed: str
    before: Sequence[object] = ()


MAX_COUNT = 1_000_000
"""The largest number of tries that is read. More must be damage."""


def _read_count(column: str) -> str:
    """Return an expression of SQLite for a column that counts something. A damaged row may hold anything there."""
    return f"CAST(min(max({column}, 0), {MAX_COUNT}) AS INTEGER)"


COUNTS: Final = f"{_read_count('tries')}, {_read_count('solved')}"
STATE_COLUMNS: Final = ("fsrs_state", "due", "changed", "tries", "solved", "is_aside")
"""The columns of a drill that an answer changes."""


@dataclass(eq=False)
class DrillStore:
    """One player's drills, in the same file as the games. Every method raises StoreTrouble if the disk fails or a drill
    is damaged. Those that change a drill raise KeyError if it no longer exists, except `remove`."""

    _database: Database
    _clock: Clock

    def add(self, drills: Iterable[Drill]) -> int:
        """Make new drills, and mistakes that the player made again, due at once. Returns how many drills were new."""
        fresh, due, new = *self._make_fresh_state(), 0
        insert = """INSERT INTO drill (game, position, seat, origin, played, fsrs_state, due, changed, tries, solved)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 0) ON CONFLICT DO NOTHING"""
        with self._database.begin_transaction() as connection:
            for drill in drills:
                place = (drill.game, drill.position, drill.seat)
                row = (*place, drill.origin.value, drill.played, fresh, due, due)
                is_new = connection.execute(insert, row).rowcount
                new += is_new
                if not is_new and drill.origin is Origin.MISTAKE:
                    update = "UPDATE drill SET due = ?, changed = ? WHERE game = ? AND position = ? AND seat = ?"
                    connection.execute(update, (due, due, *place))
        return new

    def _make_fresh_state(self) -> tuple[str, str]:
        """Return the state in FSRS of a drill that was never answered, and the present time, at which it is due."""
        now = self._clock()
        # The format of fsrs's `Card.to_dict`.
        blank = {"card_id": 0, "state": 1, "step": 0, "stability": None, "difficulty": None}
        return json.dumps({**blank, "due": now.isoformat(), "last_review": None}), format_time(now)

    def count_due_by_game(self) -> dict[GameId, int]:
        query = f"SELECT game, count(*) FROM drill WHERE {KNOWN} AND {IS_DUE} GROUP BY game"
        return dict(map(tuple, self._database.rows(query, {"now": format_time(self._clock())})))

    def list_due(self, games: Collection[GameId] | None = None) -> list[Due]:
        """Return the drills of these games (`None`: all) that are due, the longest overdue first, at most `ROUND`."""
        query = f"""SELECT id, game, position, seat, origin, played, {COUNTS} FROM drill
            WHERE {KNOWN} AND {IS_DUE} AND (:all OR game IN (SELECT value FROM json_each(:games)))
            ORDER BY due, id LIMIT :limit"""
        wanted = {"all": games is None, "games": json.dumps(list(games or ())), "limit": ROUND}
        rows = self._database.rows(query, {"now": format_time(self._clock()), **wanted})
        return [Due(row[0], Drill(row[1], row[2], row[3], Origin(row[4]), row[5]), row[6], row[7]) for row in rows]

    def filter_open(self, drills: Iterable[Drill]) -> list[Due]:
        """Return the drills that can be practised now, because they are due or not yet stored."""
        query = f"""SELECT id, origin, played, {COUNTS}, {IS_DUE} FROM drill
            WHERE game = :game AND position = :position AND seat = :seat"""
        now, found = format_time(self._clock()), []
        for drill in drills:
            place = {"game": drill.game, "position": drill.position, "seat": drill.seat}
            rows = self._database.rows(query, {"now": now, **place})
            if not rows:
                found.append(Due(NEW, drill, 0, 0))
            elif (row := rows[0])[5]:
                origin = Origin(row[1]) if row[1] in ORIGINS else drill.origin
                kept = Drill(drill.game, drill.position, drill.seat, origin, row[2])
                found.append(Due(row[0], kept, row[3], row[4]))
        return found

    def list_stored(self) -> list[StoredDrill]:
        """Return all drills: first those that are asked again, in the order of their dates, then those put aside."""
        query = f"""SELECT id, game, position, seat, origin, played, {COUNTS}, {IS_DUE}, is_aside, due FROM drill
            WHERE {KNOWN} ORDER BY is_aside, due, id"""
        found = []
        for row in self._database.rows(query, {"now": format_time(self._clock())}):
            with refuse_damage("a saved drill is"):
                days = self.days_until(datetime.fromisoformat(row[10]))
            asked = Due(row[0], Drill(row[1], row[2], row[3], Origin(row[4]), row[5]), row[6], row[7])
            found.append(StoredDrill(asked, bool(row[8]), bool(row[9]), days))
        return found

    def answer(self, number: int, solved: bool, with_hint: bool = False) -> Answered:
        """Record the first attempt at a stored drill. A drill that was missed ten times is put aside."""
        from fsrs import Card, Rating, Scheduler  # noqa: PLC0415 - 25 ms that only an answered drill pays

        with self._database.begin_transaction() as connection:
            query = f"SELECT {', '.join(STATE_COLUMNS)}, game, origin, {COUNTS} FROM drill WHERE id = ?"
            found = connection.execute(query, (number,)).fetchone()
            if found is None:
                raise KeyError(number)
            *before, game, origin, tries, right = found
            rating = (Rating.Hard if with_hint else Rating.Good) if solved else Rating.Again
            scheduler = Scheduler(enable_fuzzing=False)
            now = self._clock()
            with refuse_damage("a saved drill is"):
                card, _ = scheduler.review_card(Card.from_dict(json.loads(found["fsrs_state"])), rating, now)
            tries, right = tries + 1, right + int(solved)
            is_put_aside = not solved and (tries - right) % MISSES_UNTIL_ASIDE == 0
            state = (json.dumps(card.to_dict()), format_time(card.due), format_time(now), tries, right, is_put_aside)
            self._write_state(connection, number, state)
            day = now.astimezone().date().isoformat()
            connection.execute(
                "INSERT INTO practice VALUES (?, ?, ?, 1, ?) ON CONFLICT DO UPDATE"
                " SET tries = tries + 1, solved = solved + excluded.solved",
                (day, game, origin, int(solved)),
            )
        days = self.days_until(card.due)
        return Answered(card.due, days, is_put_aside, number, int(solved), day, format_time(now), before)

    def _write_state(self, connection: sqlite3.Connection, number: int, state: Sequence[object]) -> None:
        """Write the columns in `STATE_COLUMNS`. Raises KeyError."""
        columns = ", ".join(f"{column} = ?" for column in STATE_COLUMNS)
        if not connection.execute(f"UPDATE drill SET {columns} WHERE id = ?", (*state, number)).rowcount:
            raise KeyError(number)

    def record_answer(self, due: Due, solved: bool, with_hint: bool) -> Answered:
        """Record the first attempt at a drill, which may be new."""
        answered = self.answer(self._store(due), solved, with_hint)
        return replace(answered, before=()) if due.number == NEW else answered

    def _store(self, due: Due) -> int:
        """Return the number of a drill, which is stored first if it is new."""
        if due.number != NEW:
            return due.number
        self.add([due.drill])
        query = "SELECT id FROM drill WHERE game = ? AND position = ? AND seat = ?"
        ((number,),) = self._database.rows(query, (due.drill.game, due.drill.position, due.drill.seat))
        return int(number)

    def take_back(self, answered: Answered) -> None:
        """Make the drill what it was before an answer, also on the day of that. If the drill has changed since then, do
        nothing."""
        with self._database.begin_transaction() as connection:
            query = "SELECT game, origin FROM drill WHERE id = ? AND changed = ?"
            found = connection.execute(query, (answered.number, answered.changed)).fetchone()
            if found is None:
                return
            if answered.before:
                self._write_state(connection, answered.number, answered.before)
            else:
                connection.execute("DELETE FROM drill WHERE id = ?", (answered.number,))
            day = (answered.day, *found)
            update = "UPDATE practice SET tries = tries - 1, solved = solved - ?"
            connection.execute(f"{update} WHERE day = ? AND game = ? AND origin = ?", (answered.solved, *day))
            connection.execute("DELETE FROM practice WHERE day = ? AND game = ? AND origin = ? AND tries < 1", day)

    def put_aside(self, due: Due) -> None:
        """Do not ask a drill again until the player brings it back. It may be new."""
        self._change(self._store(due), "is_aside = TRUE")

    def bring_back(self, due: Due) -> None:
        """Ask a drill that was put aside again, from now on."""
        _, now = self._make_fresh_state()
        self._change(due.number, "is_aside = FALSE, due = ?, changed = ?", now, now)

    def start_over(self, due: Due) -> None:
        """Forget all answers to a drill and ask it again from now on, as if it were new."""
        fresh, now = self._make_fresh_state()
        with self._database.begin_transaction() as connection:
            self._write_state(connection, due.number, (fresh, now, now, 0, 0, False))

    def _change(self, number: int, assignments: str, *values: object) -> None:
        with self._database.begin_transaction() as connection:
            if not connection.execute(f"UPDATE drill SET {assignments} WHERE id = ?", (*values, number)).rowcount:
                raise KeyError(number)

    def remove(self, due: Due) -> None:
        """Delete a drill. If the player makes the mistake again, it becomes a new one."""
        with self._database.begin_transaction() as connection:
            connection.execute("DELETE FROM drill WHERE id = ?", (due.number,))

    def days_until(self, due: datetime) -> int:
        """Return the number of midnights, in local time, between now and `due`."""
        return (due.astimezone().date() - find_today(self._clock)).days

    def count_due_by_day(self, days: int, game: GameId | None = None) -> list[int]:
        """Return how many drills, perhaps of one game, are due by the end of today, and on each later one of `days`."""
        counts = [0] * days
        query = f"SELECT due, {IS_DUE} FROM drill WHERE {KNOWN} AND NOT is_aside AND (:game IS NULL OR game = :game)"
        for due, is_due in self._database.rows(query, {"now": format_time(self._clock()), "game": game}):
            with refuse_damage("a saved drill is"):
                ahead = 0 if is_due else self.days_until(datetime.fromisoformat(due))
            if ahead < days:
                counts[max(0, ahead)] += 1
        return counts

    def streak(self) -> int:
        """Return for how many days in a row, up to today or yesterday, the player has answered drills."""
        return _count_streak(self._database, "practice", find_today(self._clock))

    def count_answers(self, game: GameId) -> dict[Origin, tuple[int, int]]:
        """Return, for each kind of drill in a game, the number of right answers and the number of all answers."""
        query = f"SELECT origin, total(solved), total(tries) FROM drill WHERE {KNOWN} AND game = ? GROUP BY origin"
        return {Origin(row[0]): (int(row[1]), int(row[2])) for row in self._database.rows(query, (game,))}


def find_today(clock: Clock) -> date:
    """Return today's date in local time."""
    return clock().astimezone().date()


def format_time(moment: datetime) -> str:
    """Return a time as text. Texts of UTC times sort by time."""
    return moment.isoformat(timespec="microseconds")


def _count_streak(database: Database, table: str, today: date) -> int:
    """Return the length in days of the streak that ends on `today` or the day before."""
    days = {row[0] for row in database.rows(f"SELECT DISTINCT day FROM {table}")}
    start = 0 if today.isoformat() in days else 1
    return next(ago - start for ago in count(start) if (today - timedelta(days=ago)).isoformat() not in days)


class Mark(enum.Enum):
    """The result of the first attempt at a position of the day."""

    RIGHT = "right"
    HINTED = "hinted"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class DailyResult:
    """How a position of the day went: its level, the result of the first attempt, and the number of the try that solved
    it, or 0 if none did."""

    level: DailyLevel
    mark: Mark
    tries: int = 0


LEVELS, MARKS = {level.value: level for level in DailyLevel}, {mark.value: mark for mark in Mark}


@dataclass(eq=False)
class DailyStore:
    """The player's answers to positions of the day. Every method raises StoreTrouble if the disk fails."""

    _database: Database

    def read_results(self, day: date) -> Mapping[GameId, DailyResult]:
        query = f"SELECT game, level, mark, {_read_count('tries')} FROM daily WHERE day = ?"
        rows = self._database.rows(query, (day.isoformat(),))
        return {game: _read_result(*columns) for game, *columns in rows}

    def list_before(self, day: date, game: GameId, most: int) -> list[DailyResult]:
        """Return the last results of a game before a day, the latest first, at most so many."""
        query = f"""SELECT level, mark, {_read_count("tries")} FROM daily
            WHERE game = ? AND day < ? ORDER BY day DESC LIMIT ?"""
        return [_read_result(*row) for row in self._database.rows(query, (game, day.isoformat(), most))]

    def save(
        self,
        day: date,
        game: GameId,
        solved: bool,
        with_hint: bool = False,
        level: DailyLevel = DailyLevel.HARD,
    ) -> None:
        """Store the result of the first attempt at a day's position. Later attempts change nothing."""
        mark = Mark.WRONG if not solved else Mark.HINTED if with_hint else Mark.RIGHT
        with self._database.begin_transaction() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO daily (day, game, mark, level, tries) VALUES (?, ?, ?, ?, ?)",
                (day.isoformat(), game, mark.value, level.value, int(solved)),
            )

    def save_tries(self, day: date, game: GameId, tries: int) -> None:
        """Store which try solved a day's position, unless that is known."""
        with self._database.begin_transaction() as connection:
            update = "UPDATE daily SET tries = ? WHERE day = ? AND game = ? AND tries = 0"
            connection.execute(update, (tries, day.isoformat(), game))

    def streak(self, day: date) -> int:
        """Return for how many days in a row, up to `day` or the day before, a position of the day was tried."""
        return _count_streak(self._database, "daily", day)


def _read_result(level: object, mark: object, tries: int) -> DailyResult:
    """Return a stored result. What is damaged, or was written by a newer version, counts as hard or as wrong."""
    return DailyResult(LEVELS.get(str(level), DailyLevel.HARD), MARKS.get(str(mark), Mark.WRONG), tries)

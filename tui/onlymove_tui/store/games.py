"""Saves the player's games after every ply, and loads, lists, counts and deletes them. Every write is one short
transaction, so a killed process loses nothing that was on the board."""

from __future__ import annotations

import builtins
import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from threading import Lock, RLock
from typing import Any
from weakref import WeakSet

from msgspec import structs
from onlymove_engines import games as shipped
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.facts import GameId
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.judgement import Objective
from onlymove_engines.live.clock import Clock
from onlymove_engines.play.ladder import Scored, score_game
from onlymove_engines.play.session import AnySession

from onlymove_tui.store import rows
from onlymove_tui.store.database import PATIENCE_SECONDS, Database
from onlymove_tui.store.entries import UNFINISHED, Entry, GameDetails, GameNumber, LastPlayed
from onlymove_tui.store.learning import DailyStore, DrillStore, LessonStore, find_today, format_time
from onlymove_tui.store.progress import ProgressReader
from onlymove_tui.store.rows import StoredGame
from onlymove_tui.store.schema import StoreTrouble

LEFT_AFTER = timedelta(days=30)
"""A rated game in which nothing happens for so long is lost."""
LEFT = f"You left a rated game of {{title}} for {LEFT_AFTER.days} days, so it is lost."
MAX_KNOWN = 16
"""How many of the latest games are remembered, which always include the games on open boards."""


NEVER_SEEN = StoredGame({"changed": ""}, {})


@dataclass(frozen=True, slots=True)
class Saved:
    session: AnySession
    details: GameDetails
    stored: StoredGame


def choose_games(state: str, game: GameId | None) -> tuple[str, tuple[GameId, ...]]:
    """Return the SQL condition for games in this state, of one kind if one is given, and the values it needs."""
    condition = rows.CONDITIONS[state]
    return (condition, ()) if game is None else (f"{condition} AND game = ?", (game,))


class GameStore:
    """One player's games. Every method raises StoreTrouble if the disk fails, or if what it reads of a game is damaged.
    If the games are only in memory, `trouble` is a line that says so. Otherwise it is empty. Games in memory begin with
    those of the file `copied`, if one is given, and then `has_history` is true."""

    def __init__(
        self,
        path: Path | None,
        find_game: Callable[[GameId], AnyGame] = shipped.load,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        patience: float = PATIENCE_SECONDS,
        copied: Path | None = None,
    ) -> None:
        self.trouble = ""
        self.has_history = path is not None or copied is not None
        self._find_game = find_game
        self._clock = clock
        self._known: dict[GameNumber | None, StoredGame] = {}
        """Games as this process last wrote or read them. `changed` is the time of their last change in the file."""
        self._knowing = Lock()
        self._savers: WeakSet[Autosave] = WeakSet()
        self._unsaved: set[Autosave] = set()
        """The games whose last changes are not on disk. They stay in memory even if their boards are closed."""
        self._database = Database(path, patience, copied)
        self.drills = DrillStore(self._database, clock)
        self.daily = DailyStore(self._database)
        self.lessons = LessonStore(self._database)
        self.progress = ProgressReader(self._database, clock)

    @classmethod
    def open(
        cls, path: Path, find_game: Callable[[GameId], AnyGame] = shipped.load, patience: float = PATIENCE_SECONDS
    ) -> GameStore:
        """Open the store at `path`. If that fails, return a store in memory whose `trouble` says why. It begins with a
        copy of the file, if that can be read."""
        try:
            return cls(path, find_game, patience=patience)
        except StoreTrouble as trouble:
            why = str(trouble)
        try:
            store = cls(None, find_game, copied=path)
        except StoreTrouble:
            store = cls(None, find_game)
        if store.has_history and store.count():
            why += ". Your earlier games are shown"
        store.trouble = why
        return store

    @property
    def notice(self) -> str:
        """What has happened to the player's file: it was damaged, removed or replaced. Empty if nothing has."""
        return self._database.notice

    @property
    def opened(self) -> int:
        """How often the file was opened. If that changes, it may be another file, without the games written before."""
        return self._database.opened

    def add_saver(self, saver: Autosave) -> None:
        self._savers.add(saver)

    def note_saving(self, saver: Autosave) -> None:
        """Remember whether the last changes of a game are on disk."""
        (self._unsaved.add if saver.trouble or self.trouble else self._unsaved.discard)(saver)

    @property
    def has_unsaved(self) -> bool:
        """Whether the last changes of a game of this session are not on disk."""
        return bool(self._unsaved)

    def save_at_last(self) -> str:
        """Try again to save all games of this session that are not on disk. Call this at the end. Return a line that
        says what is lost, or an empty text."""
        with suppress(StoreTrouble):
            self._database.follow_file()
        for saver in {*self._unsaved, *self._savers}:
            if saver in self._unsaved or saver.is_in_another_file:
                saver.save_now()
        return next((saver.trouble for saver in self._unsaved), "") or self.notice

    def format_now(self) -> str:
        return format_time(self._clock())

    def find_today(self) -> date:
        return find_today(self._clock)

    def close(self) -> None:
        self._database.close()

    def save(self, session: AnySession, details: GameDetails, number: GameNumber | None = None) -> GameNumber:
        """Write what has changed in a game and return its number. A game without a number is saved as a new game. So is
        a game that another process has changed or deleted meanwhile, so that nothing is lost."""
        return self.write([(rows.to_rows(session, details), number)])[0]

    def write(self, drafts: Sequence[tuple[StoredGame, GameNumber | None]]) -> list[GameNumber]:
        """Write all drafts, or none. A draft with a number replaces that game. Return the numbers."""
        written: list[tuple[GameNumber, StoredGame]] = []
        with self._database.begin_transaction() as connection:
            for draft, known in drafts:
                number, stamp, is_new = self._write_game(connection, draft.row, known)
                before = NEVER_SEEN if is_new else self._known.get(number, NEVER_SEEN)
                changed = [(number, *row) for row in draft.nodes.values() if before.nodes.get(row.id) != row]
                connection.executemany(rows.WRITE_NODE, changed)
                written.append((number, StoredGame({**draft.row, "changed": stamp}, draft.nodes)))
        for number, game in written:
            self._remember(number, game)
        return [number for number, _ in written]

    def load(self, number: GameNumber) -> Saved:
        """Load a game with its whole line. It can then be saved under its number again. Raises KeyError if there is no
        game with this number, UnknownGame if its package is missing, and GameRefused if it breaks the rules."""
        saved = self.peek(number)
        row = {**rows.format_game(saved.session, saved.details), "changed": saved.stored.row["changed"]}
        self._remember(number, StoredGame(row, saved.stored.nodes))
        return saved

    def peek(self, number: GameNumber) -> Saved:
        """Load a game that will not be saved again. Raises what `load` raises."""
        stored = self.read_rows(number)
        return Saved(*rows.to_session(stored, self._find_game(stored.row["game"])), stored)

    def read_rows(self, number: GameNumber) -> StoredGame:
        """Return the rows of a game, even if its package is not installed. Raises KeyError for an unknown number."""
        found = self._database.rows("SELECT * FROM game WHERE id = ?", (number,))
        if not found:
            raise KeyError(number)
        return StoredGame(dict(found[0]), rows.read_nodes(self._database, number))

    def find_latest_unfinished(self) -> Entry | None:
        """Return the unfinished game of an installed kind that was played last, or `None`."""
        gone: list[GameId] = []
        others = "game NOT IN (SELECT value FROM json_each(?))"
        condition = f"{rows.CONDITIONS['unfinished']} AND {others} {rows.LATEST_FIRST} LIMIT 1"
        while found := self._list(condition, json.dumps(gone), self.format_now()):
            try:
                self._find_game(found[0].game)
            except shipped.UnknownGame:
                gone.append(found[0].game)
            else:
                return found[0]
        return None

    def find_rated(self, game: GameId) -> Entry | None:
        """Return the rated game of this kind that is under way, or `None`."""
        now = self.format_now()
        return next(iter(self._list(f"{rows.UNDER_WAY} AND game = ? {rows.LATEST_FIRST} LIMIT 1", game, now)), None)

    def forfeit_rated(self, game: GameId) -> None:
        """End the rated game of this kind that is under way as lost, because the player leaves it for another one."""
        self._forfeit("game = ?", game)

    def forfeit_left_games(self) -> builtins.list[GameId]:
        """End each rated game that has been left for `LEFT_AFTER` as lost. Call this before games or ratings are shown.
        Return the kinds of the games that were ended. If the disk fails, they are ended another time. A game that was
        lost like this at a time that has not come yet goes on, because the clock was wrong then."""
        with suppress(StoreTrouble):
            self._resume_lost_in_future()
            return self._forfeit("changed <= ?", format_time(self._clock() - LEFT_AFTER))
        return []

    def _resume_lost_in_future(self) -> None:
        """Resume rated games that the player has left, if they ended in the future. A game for which the player has
        begun another one of its kind stays lost."""
        for entry in self._list(
            f"{rows.IS_LEFT} AND json_extract(setup, '$.rated.ended') > ? ORDER BY id", self.format_now()
        ):
            if self.find_rated(entry.game) is None:
                with suppress(OnlymoveError):
                    saved = self.load(entry.number)
                    saved.session.go_to(saved.session.node)
                    self.save(saved.session, structs.replace(saved.details, rated=None), entry.number)

    def _forfeit(self, condition: str, value: str) -> builtins.list[GameId]:
        """End rated games that are under way as lost. Games that cannot be opened stay as they are. Return the kinds of
        the games that were ended."""
        ended = []
        for entry in self._list(f"{rows.UNDER_WAY} AND {condition} ORDER BY id", value):
            with suppress(OnlymoveError):
                saved = self.load(entry.number)
                saved.session.forfeit(saved.session.near_seat)
                scored = score_game(saved.session)
                rated = None if scored is None else replace(scored, ended=self.format_now())
                self.save(saved.session, structs.replace(saved.details, rated=rated), entry.number)
                ended.append(entry.game)
        return ended

    def find_last_played(self, game: GameId) -> LastPlayed | None:
        """Return how the last game of this kind was set up, or `None`. Imported games and games against another user do
        not count."""
        query = f"""SELECT * FROM game WHERE game = ? AND NOT imported
                    AND coalesce(json_extract(setup, '$.challenge_id'), '') = '' {rows.LATEST_FIRST} LIMIT 1"""
        for row in self._database.rows(query, (game, self.format_now())):
            with rows.refuse_damage(f"saved game {row['id']} is"):
                details = rows.parse_details(row["setup"])
                return LastPlayed(rows.parse_players(row["players"]), row["house_rule"], details)
        return None

    def find_by_challenge(self, challenge_id: str) -> GameNumber | None:
        """Return the number of the saved game that began with this challenge to or from another user, or `None`."""
        found = self._database.rows(
            "SELECT id FROM game WHERE json_extract(setup, '$.challenge_id') = ?", (challenge_id,)
        )
        return int(found[0]["id"]) if found else None

    def list(self, limit: int = 100, state: str = "", offset: int = 0, game: GameId | None = None) -> list[Entry]:
        """Return games, the most recently changed first. `state` is one of `rows.CONDITIONS`."""
        condition, values = choose_games(state, game)
        now = self.format_now()
        return self._list(f"{condition} {rows.LATEST_FIRST} LIMIT ? OFFSET ?", *values, now, limit, offset)

    def find_similar(self, game: GameId, start: str, plies: int) -> builtins.list[Entry]:
        return self._list("game = ? AND start = ? AND plies = ? ORDER BY id", game, start, plies)

    def _list(self, condition: str, *values: object) -> builtins.list[Entry]:
        found = self._database.rows(f"SELECT * FROM game WHERE {condition}", values)
        return [rows.read_entry(row) for row in found]

    def count(self, state: str = "", game: GameId | None = None) -> int:
        condition, values = choose_games(state, game)
        return int(self._database.rows(f"SELECT count(*) FROM game WHERE {condition}", values)[0][0])

    def delete(self, number: GameNumber) -> None:
        with self._database.begin_transaction() as connection:
            connection.execute("DELETE FROM game WHERE id = ?", (number,))
        with self._knowing:
            self._known.pop(number, None)

    def _remember(self, number: GameNumber, known: StoredGame) -> None:
        with self._knowing:
            self._known.pop(number, None)
            self._known[number] = known
            if len(self._known) > MAX_KNOWN:
                del self._known[next(iter(self._known))]

    def _write_game(
        self, connection: sqlite3.Connection, row: Mapping[str, Any], number: GameNumber | None
    ) -> tuple[GameNumber, str, bool]:
        """Write the row of a game. Return its number, the time of its change, and whether it is a new game. SQLite may
        give a new game the number of one that was deleted."""
        stamp = self.format_now()
        if number is not None:
            known = self._known.get(number, NEVER_SEEN).row
            place = {"id": number, "seen": known["changed"]}
            is_over, update = row["result"] != UNFINISHED, f"{rows.UPDATE_FIGURES} AND changed = :seen"
            same = (name in known and row[name] == known[name] for name in row.keys() - set(rows.FIGURE_COLUMNS))
            if is_over and all(same) and connection.execute(update, {**row, **place}).rowcount:
                # If a finished game has only new judgements, its place in the list stays the same.
                return number, known["changed"], False
            changes = ", ".join(f"{name} = :{name}" for name in ("changed", *row))
            update = f"UPDATE game SET {changes} WHERE id = :id AND changed = :seen"
            if connection.execute(update, {**row, **place, "changed": stamp}).rowcount:
                return number, stamp, False
            # This is a copy, which is not rated.
            row = {**row, "setup": json.dumps({**json.loads(row["setup"]), **NOT_RATED})}
        row = {**row, "changed": stamp, "started": stamp}
        marks = ", ".join(f":{name}" for name in row)
        new = connection.execute(f"INSERT INTO game ({', '.join(row)}) VALUES ({marks})", row).lastrowid
        if new is None:
            raise sqlite3.DatabaseError("there is no number left for the new game")
        return new, stamp, True


NOT_RATED: Mapping[str, Any] = {"is_rated": False, "rated": None}
"""The details of a copy. A copy is made when two processes continue the same game."""


@dataclass(eq=False)
class Autosave:
    """Saves one game after each change. If the disk fails, play continues, and `trouble` is a line that says so.

    With `in_background`, a board does not wait until a change is written. `has_changed` then says that a worker has to
    write the game. It writes once for everything that a key changes.
    """

    store: GameStore
    session: AnySession
    details: GameDetails
    number: GameNumber | None = None
    in_background: bool = False
    has_changed: bool = field(default=False, init=False)
    clock: Clock | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.trouble = self.store.trouble
        self._writing = RLock()
        self._opened = self.store.opened
        self.store.add_saver(self)

    @property
    def is_in_another_file(self) -> bool:
        """Whether the game was written to a file that has been replaced since then."""
        return self.number is not None and self._opened != self.store.opened

    def set_training(self, training: bool, objective: Objective) -> None:
        self.details = structs.replace(self.details, training=training, objective=objective)

    def set_score(self, scored: Scored) -> None:
        self.details = structs.replace(self.details, rated=replace(scored, ended=self.store.format_now()))

    def write(self, draft: StoredGame) -> str:
        """Write a draft. Returns a line that says what is wrong, or an empty text."""
        with self._writing:
            known = self.number
            try:
                (self.number,) = self.store.write([(draft, known)])
            except StoreTrouble as trouble:
                self.trouble = str(trouble)
            else:
                self.trouble = self.store.trouble
                self._opened = self.store.opened
                if known not in (None, self.number):
                    self.details = structs.replace(self.details, **NOT_RATED)
            self.store.note_saving(self)
            return self.trouble

    def begin_writing(self) -> Callable[[], str]:
        """Return a function for a worker that writes the game as it is now. It returns what `write` does."""
        if self.clock is not None and not self.session.is_over:
            self.details = structs.replace(self.details, left=self.clock.seconds_left)
        self.has_changed = False
        return partial(self.write, rows.to_rows(self.session, self.details))

    def save(self) -> str:
        """Write the game, or only remember that a worker has to. Call this after every change. Returns a line that says
        what is wrong, or an empty text. A new game without moves, attempts or hints is not saved."""
        root = self.session.tree.root
        is_blank = self.number is None and not (root.children or root.attempts or root.hinted)
        if self.in_background:
            self.has_changed = self.has_changed or not is_blank
            return ""
        return self.trouble if is_blank else self.save_now()

    def save_now(self) -> str:
        """Write the game, with anything that could not be written earlier. Returns what `write` does."""
        with self._writing:
            return self.begin_writing()()

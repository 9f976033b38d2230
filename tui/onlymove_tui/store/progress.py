"""A player's progress: results against each engine, decisions that kept the result, mistakes, drills, and the moves of
past games.

Everything comes from the stored games, drills and judgements. No game is replayed and no table is read.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from operator import itemgetter

from onlymove_engines.coach.figures import Figures, SeatChoice, count_figures, list_decisions, list_solo_choices
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.facts import GameId
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.judgement import Grade, Judgement
from onlymove_engines.play.ladder import Scored
from onlymove_engines.play.players import Player
from onlymove_engines.play.tree import AnyNode

from onlymove_tui.store.database import Database
from onlymove_tui.store.learning import IS_DUE, KNOWN, Clock, DrillStore, find_today, format_time
from onlymove_tui.store.rows import (
    COUNTED,
    LATEST_FIRST,
    WON_OR_LOST,
    link_nodes,
    parse_players,
    read_nodes,
    refuse_damage,
)

WEEKS, DAYS_AHEAD = 12, 14
"""How many past weeks and coming days are shown."""
RECENT = 10
"""How many games count as recent."""
LEARNT = 2
"""FSRS's `State.Review`, the state of a drill that was solved often enough to leave its first steps."""
WINS_DRAWS_LOSSES = "total(winner = own_seat), total(winner IS NULL), total(winner = 1 - own_seat)"


@dataclass(frozen=True, slots=True)
class Tally:
    """The results of a player's finished games against engines."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    def __str__(self) -> str:
        return f"{self.wins} won, {self.draws} drawn, {self.losses} lost"


@dataclass(frozen=True, slots=True)
class DrillCount:
    """The number of drills of a game: those due now, those learnt (due only after days), and the others."""

    due: int = 0
    learnt: int = 0
    begun: int = 0

    @property
    def total(self) -> int:
        return self.due + self.learnt + self.begun


@dataclass(frozen=True, slots=True)
class Week:
    """The decisions in the games that ended in one week. `kept` of them kept the result."""

    monday: date
    kept: int = 0
    decisions: int = 0


@dataclass(frozen=True, slots=True)
class Progress:
    """The player's progress in one game."""

    against: Mapping[Player, Tally]
    """The results by engine, the strongest first."""
    lately: tuple[Figures, ...]
    """The figures of recent games, the oldest first."""
    mistakes: tuple[tuple[str, int], ...]
    """What the player gave away in recent games, the most frequent first."""
    drills: DrillCount
    weeks: tuple[Week, ...] = ()
    kinds: tuple[tuple[str, int], ...] = ()
    """The number of mistakes of each kind in recent games, the most serious kind first."""
    ahead: tuple[int, ...] = ()
    """How many drills become due on each of the next days, from `today` on."""
    rated: tuple[Scored, ...] = ()
    today: date = field(default_factory=date.today)

    @property
    def total(self) -> Tally:
        return sum(self.against.values(), Tally())

    @property
    def kept(self) -> tuple[int, int]:
        """Return how many recent decisions kept the result, and how many decisions there were."""
        return sum(game.kept for game in self.lately), sum(game.decisions for game in self.lately)


@dataclass(eq=False)
class ProgressReader:
    """Reads progress from the file that holds the games."""

    _database: Database
    _clock: Clock

    def read_tallies(self) -> dict[GameId, Tally]:
        query = f"SELECT game, {WINS_DRAWS_LOSSES} FROM game WHERE {WON_OR_LOST} GROUP BY game"
        return {game: Tally(*map(int, counts)) for game, *counts in self._database.rows(query)}

    def read(self, game: GameId) -> Progress:
        """Return the progress in one game. Raises StoreTrouble if the disk fails or a game is damaged."""
        query = f"SELECT id, current_node FROM game WHERE {COUNTED} AND game = ? {LATEST_FIRST} LIMIT ?"
        with refuse_damage(f"saved games of {game} are"):
            now = format_time(self._clock())
            last = self._database.rows(query, (game, now, RECENT))
            games = [list_solo_choices(self._path(number, end)) for number, end in reversed(last)]
            kinds = Counter(
                describe_mistake(judgement) for made in games for judgement in list_decisions(made) if judgement.flagged
            )
            # These nodes have no positions, so whose moves were not judged is not known.
            lately = tuple(replace(count_figures(made), unjudged=0) for made in games)
            query = f"""SELECT total({IS_DUE}), count(*),
                               total(NOT {IS_DUE} AND json_extract(fsrs_state, '$.state') = :learnt)
                        FROM drill WHERE {KNOWN} AND game = :game AND NOT is_aside"""
            counts = self._database.rows(query, {"now": now, "learnt": LEARNT, "game": game})
            ((due, total, learnt),) = (map(int, row) for row in counts)
            ahead = tuple(DrillStore(self._database, self._clock).count_due_by_day(DAYS_AHEAD, game))
            return Progress(
                self._count_by_opponent(game),
                lately,
                tuple(kinds.most_common()),
                DrillCount(due, learnt, total - due - learnt),
                self._weeks(game),
                tuple(count_kinds(games)),
                ahead,
                self.list_rated().get(game, ()),
                find_today(self._clock),
            )

    def _weeks(self, game: GameId) -> tuple[Week, ...]:
        today = find_today(self._clock)
        mondays = [today - timedelta(days=today.weekday() + 7 * ago) for ago in range(WEEKS - 1, -1, -1)]
        kept, decisions = Counter[date](), Counter[date]()
        query = f"SELECT changed, kept, decisions FROM game WHERE {COUNTED} AND game = ? AND decisions > 0"
        for changed, kept_here, decided in self._database.rows(query, (game,)):
            day = datetime.fromisoformat(changed).astimezone().date()
            monday = day - timedelta(days=day.weekday())
            kept[monday] += kept_here
            decisions[monday] += decided
        return tuple(Week(day, kept[day], decisions[day]) for day in mondays)

    def _count_by_opponent(self, game: GameId) -> dict[Player, Tally]:
        query = f"""SELECT players, own_seat, {WINS_DRAWS_LOSSES} FROM game
                    WHERE {WON_OR_LOST} AND game = ? GROUP BY players, own_seat"""
        found: dict[Player, Tally] = {}
        for players, own_seat, *counts in self._database.rows(query, (game,)):
            engine = parse_players(players)[1 - own_seat]
            found[engine] = found.get(engine, Tally()) + Tally(*map(int, counts))
        return dict(sorted(found.items(), key=lambda item: (-item[0].strength, item[0].style)))

    def list_rated(self) -> dict[GameId, tuple[Scored, ...]]:
        """Return the rated games by kind, in the order in which they ended. Raises StoreTrouble.

        A game that ended in the future, because the clock has been set back since then, comes right after the games
        that were begun before it. Otherwise it would be the last game until the clock is there again.
        """
        query = """SELECT game, json_extract(setup, '$.rated') AS scored FROM game
                   WHERE NOT imported AND scored IS NOT NULL ORDER BY id"""
        now = format_time(self._clock())
        found: dict[GameId, list[tuple[str, Scored]]] = {}
        latest: dict[GameId, str] = {}
        with refuse_damage("saved games are"):
            for game, text in self._database.rows(query):
                scored, before = Scored(**json.loads(text)), latest.get(game, "")
                ended = scored.ended if scored.ended <= now else before
                found.setdefault(game, []).append((ended, scored))
                latest[game] = max(before, ended)
        return {game: tuple(scored for _, scored in sorted(games, key=itemgetter(0))) for game, games in found.items()}

    def own_games(self, game: GameId) -> list[OwnGame]:
        """Return the latest finished games against engines. Raises StoreTrouble."""
        query = f"""SELECT id, start, current_node, winner = own_seat AS won, winner = 1 - own_seat AS lost FROM game
                    WHERE {WON_OR_LOST} AND game = ? {LATEST_FIRST} LIMIT ?"""
        found = self._database.rows(query, (game, format_time(self._clock()), LATEST))
        nodes: dict[int, dict[int, sqlite3.Row]] = {}
        marks = ", ".join("?" * len(found))
        query = f"SELECT game, id, parent, move FROM node WHERE game IN ({marks})"
        for row in self._database.rows(query, tuple(row["id"] for row in found)):
            nodes.setdefault(row["game"], {})[row["id"]] = row
        ways = []
        for number, start, end, won, lost in found:
            moves: list[str] = []
            own, at = nodes.get(number, {}), end
            # As far back as rows are stored. Damaged rows may go round in a circle.
            while at in own and own[at]["parent"] is not None and len(moves) < len(own):
                moves.append(own[at]["move"])
                at = own[at]["parent"]
            tally = Tally(int(bool(won)), int(won is None), int(bool(lost)))
            ways.append(OwnGame(start, tuple(reversed(moves)), tally))
        return ways

    def _path(self, number: int, end: int) -> list[AnyNode]:
        """Return the nodes of a stored game from the start to `end`. They have no positions."""
        return link_nodes(read_nodes(self._database, number))[end].path()


def count_kinds(games: Sequence[Sequence[SeatChoice]]) -> list[tuple[str, int]]:
    """Return how often each kind of mistake was made, the most serious first. To lose only points is a kind too."""
    counts = Counter(
        "lost points" if judgement.points_lost and judgement.keeps_result else judgement.grade.title.lower()
        for made in games
        for judgement in list_decisions(made)
        if judgement.grade.gravity >= Grade.INACCURACY.gravity
    )
    order = ["blunder", "missed win", "mistake", "lost points", "inaccuracy"]
    return sorted(counts.items(), key=lambda kind: order.index(kind[0]))


def describe_mistake(judgement: Judgement) -> str:
    """Return what a flagged move gave away: `Win -> Draw`, `Lost points`, or the grade if a value is missing."""
    before, after = judgement.before, judgement.after
    if before is None or after is None:
        return judgement.grade.title
    if after.outcome == before.outcome:
        return "Lost points"
    return f"{before.outcome.word.capitalize()} -> {after.outcome.word.capitalize()}"


LATEST = 300
"""How many of the player's games are read. This takes a few tenths of a second."""


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A finished game against an engine: its start and moves as text, and the player's result."""

    start: str
    moves: tuple[str, ...]
    tally: Tally


def count_visits(game: AnyGame, ways: Sequence[OwnGame]) -> dict[AnyPosition, Tally]:
    """Return the results of the games that reached each position, up to the first move that is no longer allowed."""
    found: dict[AnyPosition, Tally] = {}
    for way in ways:
        seen: set[AnyPosition] = set()
        with suppress(OnlymoveError):
            position = game.notation.parse_position(way.start)
            seen.add(position)
            for text in way.moves:
                position = game.rules.play(position, game.notation.parse_move(position, text))
                seen.add(position)
        for position in seen:
            found[position] = found.get(position, Tally()) + way.tally
    return found

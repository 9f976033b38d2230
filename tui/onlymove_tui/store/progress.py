"""How a player has been doing: results by strength, how much of the value was kept, which mistakes, which drills, and
which ways the player's own games have gone.

Reads what games and drills hold already. The figures are those of `coach.figures`, from the judgements that were
stored with the moves; no game is played again for them and no table is asked.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from onlymove_engines.coach.judge import Figures, Made, decisions, figures, made_alone
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.facts import GameId
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.judgement import Grade, Judgement
from onlymove_engines.play.ladder import Scored
from onlymove_engines.play.line import AnyNode
from onlymove_engines.play.players import Player

from onlymove_tui.store.database import Database, StoreTrouble
from onlymove_tui.store.drills import Clock, DrillStore, format_time
from onlymove_tui.store.rows import (
    COUNTED,
    DAMAGE,
    UNRECKONED,
    WON_OR_LOST,
    Filter,
    GameNumber,
    format_condition,
    format_figures,
    link_nodes,
    parse_players,
    read_nodes,
)

WEEKS, DAYS_AHEAD = 12, 14
"""How many weeks are told of, how many days are looked ahead."""
RECENT = 10
"""How many games back "lately" goes."""
LEARNT = 2
"""The state of an FSRS card that was known often enough to leave its first steps (`State.Review`)."""
WINS_DRAWS_LOSSES = "total(winner = own_seat), total(winner IS NULL), total(winner = 1 - own_seat)"


@dataclass(frozen=True, slots=True)
class Tally:
    """A person's finished games against engines."""

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
    """The drills of a game: due now, known well enough to come back only after days, and on the way there."""

    due: int = 0
    learnt: int = 0
    begun: int = 0

    @property
    def total(self) -> int:
        return self.due + self.learnt + self.begun


@dataclass(frozen=True, slots=True)
class Week:
    """The games that ended in the week of a Monday: in `kept` of so many decisions the value was kept; `accuracy` is
    their mean, in percent."""

    monday: date
    kept: int = 0
    decisions: int = 0
    accuracy: float = 0.0


@dataclass(frozen=True, slots=True)
class Progress:
    """One game: results by engine, those of the greatest strength first; the last games' figures, the oldest first;
    what was given away in them and how often, the most frequent first; the drills. Then the last weeks, the kinds of
    mistake in the last games, how many drills come due on each of the next days, and what counts for the rating."""

    against: Mapping[Player, Tally]
    lately: tuple[Figures, ...]
    mistakes: tuple[tuple[str, int], ...]
    drills: DrillCount
    weeks: tuple[Week, ...] = ()
    kinds: tuple[tuple[str, int], ...] = ()
    ahead: tuple[int, ...] = ()
    rated: tuple[Scored, ...] = ()

    @property
    def total(self) -> Tally:
        return sum(self.against.values(), Tally())

    @property
    def kept(self) -> tuple[int, int]:
        """In how many of how many decisions the value was kept lately."""
        return sum(game.kept for game in self.lately), sum(game.decisions for game in self.lately)


class ProgressReader:
    """The same file as the games, read only."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def tallies(self) -> dict[GameId, Tally]:
        """The results of every game that was played, whatever the strength."""
        query = f"SELECT game, {WINS_DRAWS_LOSSES} FROM game WHERE {WON_OR_LOST} GROUP BY game"
        return {game: Tally(*map(int, counts)) for game, *counts in self._database.rows(query)}

    def of(self, game: GameId) -> Progress:
        """How it goes in one game. Raises StoreTrouble for damaged games too."""
        try:
            return self._progress(game)
        except DAMAGE as error:
            raise StoreTrouble(f"saved games of {game} are damaged: {error}") from None

    def _progress(self, game: GameId) -> Progress:
        query = f"SELECT id, current_node FROM game WHERE {COUNTED} AND game = ? ORDER BY changed DESC, id DESC LIMIT ?"
        last = self._database.rows(query, (game, RECENT))
        games = [made_alone(self._path(number, end)) for number, end in reversed(last)]
        kinds = Counter(
            describe_mistake(judgement) for made in games for judgement in decisions(made) if judgement.flagged
        )
        lately = tuple(figures(made) for made in games)
        ahead = tuple(DrillStore(self._database, self._clock).due_by_day(DAYS_AHEAD, game))
        return Progress(
            self._against(game),
            lately,
            tuple(kinds.most_common()),
            self._drills(game),
            tuple(self._weeks(game)),
            tuple(count_kinds(games)),
            ahead,
            self.rated().get(game, ()),
        )

    def _weeks(self, game: GameId) -> list[Week]:
        """The last weeks, from figures that are kept with the games."""
        today = self._clock().astimezone().date()
        mondays = [today - timedelta(days=today.weekday() + 7 * ago) for ago in range(WEEKS - 1, -1, -1)]
        found: dict[date, list[tuple[int, int, float]]] = {monday: [] for monday in mondays}
        query = f"SELECT changed, held, decisions, accuracy FROM game WHERE {COUNTED} AND game = ? AND decisions > 0"
        for changed, kept, decided, accuracy in self._database.rows(query, (game,)):
            day = datetime.fromisoformat(changed).astimezone().date()
            monday = day - timedelta(days=day.weekday())
            if monday in found:
                found[monday].append((kept, decided, accuracy))
        return [summarize_week(monday, games) for monday, games in found.items()]

    def _against(self, game: GameId) -> dict[Player, Tally]:
        query = f"""SELECT players, own_seat, {WINS_DRAWS_LOSSES} FROM game
                    WHERE {WON_OR_LOST} AND game = ? GROUP BY players, own_seat"""
        found: dict[Player, Tally] = {}
        for players, own_seat, *counts in self._database.rows(query, (game,)):
            engine = parse_players(players)[1 - own_seat]
            found[engine] = found.get(engine, Tally()) + Tally(*map(int, counts))
        return dict(sorted(found.items(), key=lambda item: (-item[0].strength, item[0].style)))

    def rated(self) -> dict[GameId, tuple[Scored, ...]]:
        """The games that count for the rating, by kind, the first to end first. Raises StoreTrouble for damaged ones
        too."""
        query = """SELECT game, json_extract(setup, '$.rated') AS scored FROM game
                   WHERE NOT imported AND scored IS NOT NULL"""
        found: dict[GameId, list[Scored]] = {}
        try:
            for game, scored in self._database.rows(query):
                found.setdefault(game, []).append(Scored(**json.loads(scored)))
        except DAMAGE as error:
            raise StoreTrouble(f"saved games are damaged: {error}") from None
        return {game: tuple(sorted(games, key=lambda scored: scored.ended)) for game, games in found.items()}

    def reckon(self, games: Filter, limit: int) -> list[tuple[GameNumber, dict[str, object]]]:
        """The figures of games that were kept without them, the latest first; what is damaged stays without."""
        condition, values = format_condition(games)
        query = f"""SELECT id, current_node FROM game WHERE {condition} AND {UNRECKONED}
                    ORDER BY changed DESC, id DESC LIMIT ?"""
        found = self._database.rows(query, (*values, limit))
        reckoned = []
        for number, end in found:
            with suppress(KeyError, TypeError, ValueError):
                reckoned.append((number, format_figures(self._path(number, end))))
        return reckoned

    def _path(self, number: int, end: int) -> list[AnyNode]:
        """The thoughts along the moves of a game, without its positions."""
        found = self._database.rows("SELECT * FROM node WHERE game = ? ORDER BY id", (number,))
        return link_nodes(read_nodes(found).values())[end].path()

    def _drills(self, game: GameId) -> DrillCount:
        now = format_time(self._clock())
        due = learnt = begun = 0
        for state, when in self._database.rows("SELECT fsrs_state, due FROM drill WHERE game = ?", (game,)):
            if when <= now:
                due += 1
            elif json.loads(state)["state"] == LEARNT:
                learnt += 1
            else:
                begun += 1
        return DrillCount(due, learnt, begun)


def summarize_week(monday: date, games: Sequence[tuple[int, int, float]]) -> Week:
    """A week by (kept, decisions, accuracy) of its games."""
    decided = sum(count for _, count, _ in games)
    accuracy = sum(count * percent for _, count, percent in games) / decided if decided else 0.0
    return Week(monday, sum(kept for kept, _, _ in games), decided, accuracy)


def count_kinds(games: Sequence[Sequence[Made]]) -> list[tuple[str, int]]:
    """How often each kind of mistake was made, the gravest first; where only points were lost that is the kind."""
    counts = Counter(
        "points" if judgement.points_lost and judgement.keeps_result else judgement.grade.title.lower()
        for made in games
        for judgement in decisions(made)
        if judgement.grade.gravity >= Grade.INACCURACY.gravity
    )
    order = ["blunder", "missed win", "mistake", "points", "inaccuracy"]
    return sorted(counts.items(), key=lambda kind: order.index(kind[0]))


def describe_mistake(judgement: Judgement) -> str:
    """What a flagged move gave away: `Win -> Draw`, points, or where both move at once how grave it was."""
    before, after = judgement.before, judgement.after
    if before is None or after is None:
        return judgement.grade.title
    if after.outcome == before.outcome:
        return "Points"
    return f"{before.outcome.word.capitalize()} -> {after.outcome.word.capitalize()}"


LATEST = 300
"""Games that are looked at: some tenths of a second."""


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A finished game of one person against an engine: its start and its moves as text; how it ended for the person."""

    start: str
    moves: tuple[str, ...]
    tally: Tally


def read_own_games(database: Database, game: GameId) -> list[OwnGame]:
    """The latest games, as far as they were played. Raises StoreTrouble."""
    query = f"""SELECT id, start, current_node, winner = own_seat AS won, winner = 1 - own_seat AS lost FROM game
                WHERE {WON_OR_LOST} AND game = ? ORDER BY changed DESC LIMIT ?"""
    found = database.rows(query, (game, LATEST))
    nodes: dict[int, dict[int, sqlite3.Row]] = {}
    marks = ", ".join("?" * len(found))
    query = f"SELECT game, id, parent, move FROM node WHERE game IN ({marks})"
    for row in database.rows(query, tuple(row["id"] for row in found)):
        nodes.setdefault(row["game"], {})[row["id"]] = row
    ways = []
    for number, start, at, won, lost in found:
        tally = Tally(int(bool(won)), int(won is None), int(bool(lost)))
        ways.append(OwnGame(start, list_moves(nodes.get(number, {}), at), tally))
    return ways


def list_moves(nodes: Mapping[int, sqlite3.Row], at: int) -> tuple[str, ...]:
    """The moves that led to a node; nothing where rows are missing."""
    moves: list[str] = []
    while at in nodes and nodes[at]["parent"] is not None and len(moves) < len(nodes):
        moves.append(nodes[at]["move"])
        at = nodes[at]["parent"]
    return tuple(reversed(moves))


def count_visits(game: AnyGame, ways: Sequence[OwnGame]) -> dict[AnyPosition, Tally]:
    """For each position how often those games came through it, each once, and how they ended. What the rules do not
    understand any more is left out."""
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

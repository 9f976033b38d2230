"""Rows of the database and the words of the store: what a list shows of a game, how it was set up, which to show."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, TypeAlias

from onlymove_engines.coach.figures import decisions, figures
from onlymove_engines.coach.made import changed_hands, made_alone
from onlymove_engines.coach.tutor import OnBad
from onlymove_engines.core.game import GameId
from onlymove_engines.core.judgement import Objective
from onlymove_engines.core.rules import Result
from onlymove_engines.core.value import Seat
from onlymove_engines.play.ladder import Scored
from onlymove_engines.play.line import AnyNode
from onlymove_engines.play.players import Players
from onlymove_engines.play.session import AnySession

from .counting import MoveCounter
from .database import StoreTrouble
from .snapshot import NodeRow, Snapshot, format_players, parse_players

GameNumber: TypeAlias = int
UNFINISHED = "*"
FIGURE_COLUMNS = ("decisions", "kept", "mistakes", "accuracy")
NODE_COLUMNS = ("id", "parent", "place", "move", "judgements", "attempts", "hinted", "comment", "players")


@dataclass(frozen=True, slots=True)
class Setup:
    """What belongs to a game and its session does not know: how it was set up, and how it is taught.

    `imported`: the game was read from a record and does not count for the player; `names` and `tags` are the record's
    own, its date and whatever else other programs wrote. `unrated` is why the game does not count for the player's
    rating, `rated` what it counted for when it first ended. `clock` spells the time control, `left` has the seconds of
    each side. `table` is where the other side sits elsewhere.
    """

    options: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    training: bool = True
    on_bad: OnBad = OnBad.ASK
    objective: Objective = Objective.RESULT
    names: tuple[str, str] = ("", "")
    imported: bool = False
    tags: Mapping[str, str] = field(default_factory=dict)
    unrated: str = ""
    rated: Scored | None = None
    clock: str = ""
    left: tuple[float, float] | None = None
    table: str = ""


OLDER = "an older version"
"""Nobody kept what helped in a game that was begun then."""

COPIED = "was changed elsewhere"
"""One game counts once, and not what another process made of it too."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A game as a list shows it. `own` is the seat of the only person; `result` is `*` while it goes on; `moves` is the
    number of the last move, of which each side makes one. In `kept` of `decisions` the person kept the value,
    `mistakes` of them were flagged; `decisions` is `None` where nobody has reckoned. A game whose sides `changed_hands`
    is neither won nor lost."""

    number: GameNumber
    game: GameId
    started: datetime
    changed: datetime
    players: Players
    own: Seat | None
    result: str
    winner: Seat | None
    reason: str
    score: tuple[int, int] | None
    plies: int
    moves: int
    training: bool
    imported: bool
    decisions: int | None = None
    kept: int = 0
    mistakes: int = 0
    changed_hands: bool = False

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.result != UNFINISHED


@dataclass(frozen=True, slots=True)
class LastPlayed:
    """How a game was set up that was played here. `own` is the seat of the only person."""

    players: Players
    own: Seat | None
    house_rule: str
    setup: Setup


@dataclass(frozen=True, slots=True)
class Filter:
    """Which games to list; `None` does not matter. `people` is how many seats are people's; `state` one of
    `CONDITIONS`: `won` and `lost` are the only person's. `without` are kinds of games to leave out."""

    game: GameId | None = None
    state: str | None = None
    people: int | None = None
    without: frozenset[GameId] = frozenset()


EVERY_GAME = Filter()

PLAYED = "EXISTS (SELECT 1 FROM node WHERE node.game = game.id AND node.id > 0)"
"""A move has stood, if only to be taken back."""
STATES = {
    "unfinished": f"result = '*' AND NOT imported AND {PLAYED}",
    "won": "result != '*' AND winner = own AND NOT changed_hands",
    "drawn": "result != '*' AND winner IS NULL",
    "lost": "result != '*' AND winner = 1 - own AND NOT changed_hands",
}


LISTED = "listed"
CONDITIONS = STATES | {LISTED: f"(result != '*' OR imported OR {PLAYED})"}
"""Those, and all of them: a game in which only something was asked is not one to be listed."""


COUNTED = "result != '*' AND own IS NOT NULL AND NOT imported"
"""The finished games of one person against an engine: their decisions count."""


WON_OR_LOST = f"{COUNTED} AND NOT changed_hands"
"""Those in which the same person sat at the same side from the first move to the last: their results count too."""


UNRECKONED = f"{COUNTED} AND decisions IS NULL"
"""Those whose figures nobody has reckoned: they were kept by an older version."""


def where(games: Filter) -> tuple[str, list[object]]:
    """A condition and its values. Raises KeyError for a state that is none."""
    conditions = ["1"] if games.state is None else [CONDITIONS[games.state]]
    values: list[object] = []
    for column, wanted in (("game", games.game), ("people", games.people)):
        if wanted is not None:
            conditions.append(f"{column} = ?")
            values.append(wanted)
    for game in games.without:
        conditions.append("game != ?")
        values.append(game)
    return " AND ".join(conditions), values


def game_row(snapshot: Snapshot, session: AnySession, setup: Setup) -> dict[str, object]:
    """The columns of a game, but its number and times."""
    result = session.result
    people = session.human_seats()
    return {
        "game": snapshot.game,
        "start": snapshot.start,
        "house_rule": snapshot.house_rule,
        "chairs": format_players(snapshot.players),
        "own": people[0] if len(people) == 1 else None,
        "people": len(people),
        "setup": _format_setup(setup),
        "imported": setup.imported,
        "training": setup.training,
        "at": snapshot.at,
        "undone": json.dumps(snapshot.undone),
        "pending": json.dumps(sorted(snapshot.pending.items())),
        "agreed": None if snapshot.agreed is None else json.dumps(asdict(snapshot.agreed)),
        "result": UNFINISHED if result is None else result.mark,
        "winner": None if result is None else result.winner,
        "reason": "" if result is None else result.reason,
        "score": None if result is None or result.score is None else json.dumps(result.score),
        "plies": session.node.ply,
        "changed_hands": changed_hands(session.players, session.node.path()),
        **figure_columns(session.node.path() if result is not None and len(people) == 1 else None),
    }


def figure_columns(path: Sequence[AnyNode] | None) -> dict[str, object]:
    """What the judgements of the player's moves along a path come to; nothing where there is no only person, or the
    game goes on."""
    if path is None:
        return dict.fromkeys(FIGURE_COLUMNS)
    made = made_alone(path)
    found = figures(made)
    mistakes = sum(judgement.flagged for judgement in decisions(made))
    return dict(zip(FIGURE_COLUMNS, (found.decisions, found.kept, mistakes, found.accuracy), strict=True))


def node_values(rows: Iterable[NodeRow]) -> list[tuple[object, ...]]:
    """The values of `NODE_COLUMNS`, a row each."""
    return [tuple(getattr(row, name) for name in NODE_COLUMNS) for row in rows]


def node_rows(rows: Iterable[sqlite3.Row]) -> Iterator[NodeRow]:
    """What `node_values` was made of."""
    return (NodeRow(*(row[name] for name in NODE_COLUMNS)) for row in rows)


def snapshot(row: sqlite3.Row, nodes: Iterable[sqlite3.Row]) -> Snapshot:
    """What `game_row` and `node_values` were made of. Raises KeyError, TypeError or ValueError for damage."""
    agreed = None if row["agreed"] is None else json.loads(row["agreed"])
    if agreed is not None:
        agreed = Result(agreed["winner"], _score(agreed["score"]), agreed["reason"])
    return Snapshot(
        row["game"],
        row["start"],
        row["house_rule"],
        parse_players(row["chairs"]),
        {node.id: node for node in node_rows(nodes)},
        row["at"],
        tuple(json.loads(row["undone"])),
        dict(json.loads(row["pending"])),
        agreed,
    )


def parse_setup(text: str) -> Setup:
    """What `_format_setup` wrote. Raises KeyError, TypeError or ValueError for anything else."""
    found: dict[str, Any] = json.loads(text)
    found["on_bad"] = OnBad(found["on_bad"])
    found["objective"] = Objective(found["objective"])
    found["names"] = tuple(found["names"])
    found.setdefault("unrated", OLDER)
    found["left"] = tuple(found["left"]) if found.get("left") else None
    found["rated"] = Scored(**found["rated"]) if found.get("rated") else None
    return Setup(**found)


def _format_setup(setup: Setup) -> str:
    plain = {**asdict(setup), "options": dict(setup.options), "tags": dict(setup.tags)}
    return json.dumps({**plain, "on_bad": setup.on_bad.value, "objective": setup.objective.value})


def copied_setup(text: str) -> str:
    """The same of a game that another process has changed or deleted: what is kept beside that is not rated."""
    found = json.loads(text)
    return json.dumps({**found, "rated": None, "unrated": found["unrated"] or COPIED})


def _score(found: list[int] | None) -> tuple[int, int] | None:
    return None if found is None else (found[0], found[1])


def last_played(row: sqlite3.Row) -> LastPlayed:
    """How a game was set up. Raises StoreTrouble for damage."""
    try:
        return LastPlayed(parse_players(row["chairs"]), row["own"], row["house_rule"], parse_setup(row["setup"]))
    except (KeyError, TypeError, ValueError) as error:
        raise StoreTrouble(f"saved game {row['id']} is damaged: {error}") from None


def entry(row: sqlite3.Row, counter: MoveCounter) -> Entry:
    """The line of a list. Raises StoreTrouble for damage."""
    try:
        return _entry(row, counter.moves(row["game"], row["start"], row["plies"]))
    except (KeyError, TypeError, ValueError) as error:
        raise StoreTrouble(f"saved game {row['id']} is damaged: {error}") from None


def _entry(row: sqlite3.Row, moves: int) -> Entry:
    return Entry(
        row["id"],
        row["game"],
        datetime.fromisoformat(row["started"]),
        datetime.fromisoformat(row["changed"]),
        parse_players(row["chairs"]),
        row["own"],
        row["result"],
        row["winner"],
        row["reason"],
        None if row["score"] is None else _score(json.loads(row["score"])),
        row["plies"],
        moves,
        bool(row["training"]),
        bool(row["imported"]),
        row["decisions"],
        row["kept"] or 0,
        row["mistakes"] or 0,
        bool(row["changed_hands"]),
    )

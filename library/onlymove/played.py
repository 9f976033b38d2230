"""Games that were read from records, and matches between engines."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from onlymove_engines import games
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.rules import Result
from onlymove_engines.core.words import format_count
from onlymove_engines.records.record import Record, parse_records

from onlymove.arguments import check_seconds, check_text, check_whole
from onlymove.position import Position


@dataclass(frozen=True)
class PlayedGame:
    """A game from a record, with one position more than moves. `result` is `None` if the game is unfinished."""

    game: str
    positions: tuple[Position, ...]
    moves: tuple[str, ...]
    result: Result | None
    tags: Mapping[str, str] = field(repr=False)


def read_games(text: str) -> list[PlayedGame]:
    """Read the games from the text of one or more records, as written by `onlymove export`. Raises BadRecord, which
    names the line with the mistake, and UnknownGame."""
    return [replay(record) for record in parse_records(check_text("the records", text), games.load)]


def replay(record: Record) -> PlayedGame:
    """Convert a record into a game. Only the moves of its main line are used."""
    game: AnyGame = record.game
    path = record.tree.here.path()
    positions = [Position(game, path[0].position)]
    for before, node in pairwise(path):
        positions.append(Position(game, node.position, (*positions[-1].past, (before.position, node.move))))
    return PlayedGame(
        game.id, tuple(positions), tuple(node.text for node in path[1:]), record.tree.result, dict(record.tags)
    )


@dataclass(frozen=True)
class MatchResult:
    """The result of a match, seen by the first player. `score` is the first player's share of the points. `elo` is the
    difference in rating and `elo_error` half the width of its 95 % interval. Each is `None` if it cannot be calculated.
    `timeouts` and `faults` count the games that ended because a side ran out of time or made another fault."""

    games: int
    wins: int
    draws: int
    losses: int
    score: float | None
    elo: float | None
    elo_error: float | None
    seconds: float
    timeouts: int
    faults: int
    records: str = field(repr=False)
    """The games as text, for `read_games`."""


def match(
    game_id: str,
    first: str,
    second: str,
    games: int = 100,
    *,
    seed: int = 0,
    jobs: int = 1,
    nodes: int | None = None,
    seconds: float | None = None,
    clock: tuple[float, float] | None = None,
    house_rule: str = "",
    start: str = "",
    opening_plies: int = 0,
    adjudicate: int | None = None,
    max_plies: int = 1000,
) -> MatchResult:
    """Play a match as the command `onlymove match` does, in pairs of games with sides swapped. Players are written in
    the same way: `prudent@80`, a level, `random`, `cmd:COMMAND`. `clock` is a time bank in seconds and the increment
    for each move. `jobs` is the number of processes. The other arguments are as for the command. Raises BadPlayer,
    UnknownGame, BadNotation, ValueError for more than one limit, and OnlymoveError if processes died."""
    # Imported here so that programs that play no matches need not load all this.
    from onlymove.tournament.contestants import Limits  # noqa: PLC0415
    from onlymove.tournament.match import describe_result, run_match  # noqa: PLC0415
    from onlymove.tournament.referee import Plan, check_plan  # noqa: PLC0415

    if sum(limit is not None for limit in (nodes, seconds, clock)) > 1:
        raise ValueError("give only one of 'nodes', 'seconds' and 'clock'")
    if clock is not None and not (isinstance(clock, (tuple, list)) and len(clock) == 2):
        raise TypeError(f"'clock' must be a pair of seconds, such as (10, 0.2), not {clock!r}")
    bank, increment = (None, 0.0) if clock is None else (check_seconds("a clock", each) for each in clock)
    check_whole("games", games, 1)
    check_whole("jobs", jobs, 1)
    planned = Plan(
        game=check_text("the id of a game", game_id),
        players=(check_text("a player", first), check_text("a player", second)),
        limits=Limits(
            None if nodes is None else check_whole("nodes", nodes, 1),
            None if seconds is None else check_seconds("seconds", seconds),
            bank,
            increment,
        ),
        house_rule=check_text("house_rule", house_rule),
        adjudicate=None if adjudicate is None else check_whole("adjudicate", adjudicate, 0),
        max_plies=check_whole("max_plies", max_plies, 1),
        seed=check_whole("seed", seed, 0),
        start=check_text("start", start),
        opening_plies=check_whole("opening_plies", opening_plies, 0),
    )
    check_plan(planned)
    began = time.monotonic()
    with TemporaryDirectory() as folder:
        out = Path(folder) / "games.pgn"
        standing = run_match(planned, (games + 1) // 2, f"local:{jobs}", out)
        records = out.read_text("utf-8")
    if standing.lost_pairs:
        raise OnlymoveError(
            f"{format_count(standing.lost_pairs, 'pair')} of {(games + 1) // 2} could not be played: the processes died"
        )
    found: dict[str, Any] = describe_result(planned, standing, None, time.monotonic() - began)
    shown = {name: found[name] for name in MatchResult.__annotations__ if name in found}
    return MatchResult(records=records, **shown)

"""Games that were played: read from records, or played in a match."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from onlymove_engines import games
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.rules import Result
from onlymove_engines.play.line import find_house_rule
from onlymove_engines.records.record import Record, parse_records

from onlymove.position import Position


@dataclass(frozen=True)
class PlayedGame:
    """A game from a record. `positions` has one more item than `moves`; `result` is `None` for an unfinished game."""

    game: str
    positions: tuple[Position, ...]
    moves: tuple[str, ...]
    result: Result | None
    tags: Mapping[str, str] = field(repr=False)


def read_games(text: str) -> list[PlayedGame]:
    """Read the games from the text of one or more records, as `onlymove export` writes them. Raises BadRecord, which
    names the line of the mistake, and UnknownGame."""
    return [replay(record) for record in parse_records(text, games.load)]


def replay(record: Record) -> PlayedGame:
    """Return the game with the moves of its main line and the positions between them."""
    game: AnyGame = record.game
    path = record.line.here.path()
    positions, moves = [Position(game, path[0].position)], []
    for before, node in pairwise(path):
        moves.append(game.notation.format_move(before.position, node.move))
        positions.append(Position(game, node.position, (*positions[-1].past, (before.position, node.move))))
    return PlayedGame(game.id, tuple(positions), tuple(moves), record.result(), dict(record.tags))


@dataclass(frozen=True)
class MatchResult:
    """The result of a match from its first player's view. `score` is the share of the points, `elo` the difference
    in rating with a standard error; `None` if too few games were played. `timeouts` and `faults` count the games
    that each side lost on time and by any other fault."""

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
    """The games as text; `read_games` reads them."""


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
    **plan: Any,
) -> MatchResult:
    """Play a match as the command `onlymove match` does, in pairs of games with sides swapped. Players are written
    as there: `prudent@80`, a level, `random`, `cmd:COMMAND`. `clock` is a bank of seconds and the increment for each
    move. Further arguments are those of the command: `house_rule`, `start`, `opening_plies`, `adjudicate`,
    `max_plies`. Raises BadPlayer, UnknownGame, TypeError for an unknown argument, and ValueError for two limits."""
    # Code that plays no match loads neither processes nor the referee.
    from onlymove_engines import games as packages  # noqa: PLC0415
    from onlymove_tui.tournament.cluster import open_farm  # noqa: PLC0415
    from onlymove_tui.tournament.contestants import make_contestants  # noqa: PLC0415
    from onlymove_tui.tournament.journal import Journal  # noqa: PLC0415
    from onlymove_tui.tournament.match import describe_result, play_match  # noqa: PLC0415
    from onlymove_tui.tournament.plan import Limits, Plan  # noqa: PLC0415
    from onlymove_tui.tournament.referee import common_tags, workshop  # noqa: PLC0415

    if sum(limit is not None for limit in (nodes, seconds, clock)) > 1:
        raise ValueError("give only one of nodes, seconds and clock")
    bank, increment = clock or (None, 0.0)
    limits = Limits(nodes, seconds, bank, increment)
    planned = Plan(game=game_id, players=(first, second), limits=limits, seed=seed, **plan)
    game = packages.load(game_id)
    find_house_rule(game, planned.house_rule)
    planned.start_of(game, 0)
    make_contestants(game, planned.players, workshop(game_id).open_analyst, limits)
    began = time.monotonic()
    with TemporaryDirectory() as folder:
        journal = Journal(Path(folder) / "games.pgn", common_tags(planned, lambda _: None))
        journal.resume()
        with open_farm(f"local:{jobs}") as farm:
            standing = play_match(planned, (games + 1) // 2, farm, journal)
        journal.close()
        records = (Path(folder) / "games.pgn").read_text("utf-8")
    found: dict[str, Any] = describe_result(planned, standing, None, time.monotonic() - began)
    shown = {name: found[name] for name in MatchResult.__annotations__ if name in found}
    return MatchResult(records=records, **shown)

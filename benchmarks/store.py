"""A store with 5,000 games: the time to list, load and save games."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from onlymove_engines import games
from onlymove_engines.play.players import HUMAN, Player, PlayerKind
from onlymove_engines.play.session import Session
from onlymove_tui.store.entries import GameDetails
from onlymove_tui.store.games import GameStore

GAMES = 5000
PLIES = 30
ENGINE = Player(PlayerKind.ENGINE)


def run() -> Iterator[str]:
    """Measure with files in the temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.sqlite3"
        store = GameStore(path)
        plies = _fill(store)
        store.close()
        opening = _milliseconds(lambda: GameStore(path).close())
        yield f"{GAMES} games of up to {PLIES} moves, {path.stat().st_size / 1e6:.1f} MB; opened in {opening:.1f} ms"
        store = GameStore(path)
        yield f"list of all {GAMES}: {_milliseconds(lambda: store.list(GAMES)):.0f} ms (target 300)"
        yield f"list of 100 won: {_milliseconds(lambda: store.list(100, 'won')):.1f} ms"
        yield f"latest unfinished: {_milliseconds(store.find_latest_unfinished):.2f} ms"
        yield f"results of every game: {_milliseconds(store.progress.read_tallies):.1f} ms"
        number = store.list(1)[0].number
        yield f"load of one game: {_milliseconds(lambda: store.load(number)):.1f} ms"
        yield f"save of a move: median {statistics.median(plies):.2f} ms, worst {max(plies):.1f} ms"
        store.close()


def _fill(store: GameStore) -> list[float]:
    """Store games of random moves. Return the milliseconds of each save."""
    random = Random(1)
    took: list[float] = []
    ids = [facts.id for facts in games.list_own_games()]
    for count in range(GAMES):
        session: Session[Any, Any] = Session(games.load(ids[count % len(ids)]), players=(HUMAN, ENGINE))
        number = None
        every_ply = count % 100 == 0
        for _ in range(random.randrange(1, PLIES)):
            if session.is_over:
                break
            session.play(random.choice(list(session.legal_moves())))
            if every_ply:
                before = time.perf_counter()
                number = store.save(session, GameDetails(), number)
                took.append((time.perf_counter() - before) * 1000)
        store.save(session, GameDetails(), number)
    return took


def _milliseconds(what: Callable[[], object]) -> float:
    times = []
    for _ in range(5):
        before = time.perf_counter()
        what()
        times.append((time.perf_counter() - before) * 1000)
    return statistics.median(times)

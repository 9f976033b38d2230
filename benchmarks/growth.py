"""How the private memory of one session grows while it plays, reviews and lists games of each kind in turn.

`python -m benchmarks growth`. Keys are pressed as soon as the last one is answered.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from onlymove_engines import games

from benchmarks._visits import Visit
from benchmarks.crowd import APP, make_environment
from tests.terminal.harness import Pty

GAMES, EVERY = 12, 3
MAX_KEYS = 20
"""A game that takes longer is given up."""
ANSWER_SECONDS, LOOK_SECONDS = 0.3, 0.1


def run() -> Iterator[str]:
    """Measure games that a table answers, and games that are searched."""
    loaded = [games.load(facts.id) for facts in games.list_own_games()]
    for name, is_searched in (("table", False), ("search", True)):
        titles = [game.facts.title for game in loaded if game.facts.plays_by_search is is_searched]
        found = " ".join(f"{memory / 1e6:.0f}" for memory in measure_session(titles))
        yield (
            f"games answered by {name}: private memory in MB after game 1,"
            f" then after every {EVERY} games up to {GAMES}: {found}"
        )


def measure_session(titles: Sequence[str]) -> Iterator[int]:
    """Yield the private memory of one session in bytes, from time to time."""
    with tempfile.TemporaryDirectory() as folder:
        terminal = Pty(APP, make_environment(Path(folder)))
        try:
            yield from measure_games(terminal, Visit(terminal.text, Random(1), MAX_KEYS), titles)
        finally:
            terminal.close()


def measure_games(terminal: Pty, visit: Visit, titles: Sequence[str]) -> Iterator[int]:
    """Yield the private memory after the first game and after every `EVERY` games."""
    measured = 0
    for key in visit.play_engine(titles):
        if visit.games > measured and "Games" in visit.title:
            measured = visit.games
            if measured == 1 or measured % EVERY == 0:
                yield terminal.private_memory()
            if measured == GAMES:
                return
        if key:
            terminal.send(key)
            terminal.read(ANSWER_SECONDS)
        terminal.settle(LOOK_SECONDS / 4 if key else LOOK_SECONDS, LOOK_SECONDS)

"""How fast the command line answers: start-up, and streams of positions through `analyse --format tsv`."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from itertools import islice
from random import Random

from onlymove_engines import games
from onlymove_engines.core.game import AnyGame

STREAM = 20_000
PIECE = 400
LONGEST_WALK = 60


def random_positions(game: AnyGame) -> Iterator[str]:
    """Positions of random games, without end."""
    lots = Random(1)
    while True:
        position = game.default_start()
        for _ in range(LONGEST_WALK):
            yield game.notation.format_position(position)
            moves = game.rules.legal_moves(position)
            if not moves:
                break
            position = game.rules.play(position, lots.choice(list(moves)))


def seconds(*arguments: str, text: str = "") -> float:
    """How long one process takes, from its start to its end."""
    command = [sys.executable, "-m", "onlymove_tui", *arguments]
    begun = time.perf_counter()
    subprocess.run(command, input=text, text=True, capture_output=True, check=True)
    return time.perf_counter() - begun


def run() -> Iterable[str]:
    """Start-up as the best of five; streams as rows over the time beyond a first piece of the same stream."""
    for arguments in (["--version"], ["games"], ["config"]):
        yield f"onlymove {arguments[0]}: {min(seconds(*arguments) for _ in range(5)):.3f} s (best of 5 processes)"
    for card in games.title_cards():
        game = games.load(card.id)
        if game.solver is None:
            continue
        lines = list(islice(random_positions(game), STREAM if not game.facts.has_margin else PIECE * 5))
        arguments = ["analyse", game.id, "-", "--format", "tsv"]
        start = min(seconds(*arguments, text="\n".join(lines[:PIECE])) for _ in range(2))
        whole = seconds(*arguments, text="\n".join(lines))
        rate = (len(lines) - PIECE) / max(whole - start, 1e-9)
        yield f"analyse {game.id}: {rate:,.0f} positions a second after {start:.2f} s of start-up and {PIECE} rows"

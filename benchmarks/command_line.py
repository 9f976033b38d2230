"""How fast the command line answers: start-up, and streams of positions through `analyse`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from random import Random
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median

from onlymove_engines import games
from onlymove_engines.core.game import AnyGame

STREAM = 15_000
PIECE = 1_500
FEW = 20
RUNS = 5
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
    """Processor time of one process, from its start to its end."""
    return _timed([sys.executable, "-m", "onlymove_tui", *arguments], text)


def _timed(command: list[str], text: str = "") -> float:
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run(command, input=text, text=True, capture_output=True, check=True)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def typical(*arguments: str, text: str = "") -> float:
    """The median of a few processes."""
    return median(seconds(*arguments, text=text) for _ in range(RUNS))


def alone(*program: str) -> float:
    """The same of a bare interpreter that runs this program."""
    return median(_timed([sys.executable, "-c", *program]) for _ in range(RUNS))


def rate(game: AnyGame, lines: list[str], form: str) -> float:
    """Positions a second beyond those before which everything is loaded."""
    arguments = ["analyse", game.id, "-", "--format", form]
    piece = min(PIECE, len(lines) // 10)
    start, whole = (seconds(*arguments, text="\n".join(some)) for some in (lines[:piece], lines))
    return (len(lines) - piece) / max(whole - start, 1e-9)


def run() -> Iterable[str]:
    """All in processor time, so that a busy machine changes little; medians of several processes."""
    for arguments in (["--version"], ["games"], ["config"]):
        yield f"onlymove {arguments[0]}: {typical(*arguments):.3f} s"
    yield f"import numpy: {alone('import numpy'):.3f} s; import numba: {alone('import numba'):.3f} s"
    for card in games.title_cards():
        game = games.load(card.id)
        if game.solver is None:
            continue
        yield f"analyse {game.id}, one position: {typical('analyse', game.id, '--json'):.3f} s"
        lines = list(islice(random_positions(game), STREAM if not game.facts.has_margin else PIECE))
        few = typical("analyse", game.id, "-", "--format", "tsv", text="\n".join(lines[:FEW]))
        tsv, objects = rate(game, lines, "tsv"), rate(game, lines, "json")
        yield (
            f"analyse {game.id}: {FEW} rows in {few:.3f} s; {tsv:,.0f} rows a second, {objects:,.0f} of JSON, 1 to"
            f" {tsv / objects:.1f}"
        )

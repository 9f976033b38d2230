"""How fast the command line answers: the start of a command, one position, and many positions through `analyse`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from random import Random
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from types import MappingProxyType

from onlymove_engines import games
from onlymove_engines.core.game import AnyGame

from benchmarks._before import OBJECTS, ONE_POSITION, format_earlier
from benchmarks._references import PROGRAMS

STREAM, SEARCHED = 15_000, 1_500
"""Lines of a stream; fewer where each may have to be searched."""

FEW = 300
RUNS = 5
MAX_WALK_LENGTH = 60
LAYERS = ("engines", "tables", "library", "tui")


def random_positions(game: AnyGame) -> Iterator[str]:
    """Yield positions of random games without end."""
    random = Random(1)
    while True:
        position = game.default_start()
        for _ in range(MAX_WALK_LENGTH):
            yield game.notation.format_position(position)
            moves = game.rules.legal_moves(position)
            if not moves:
                break
            position = game.rules.play(position, random.choice(list(moves)))


def seconds(*arguments: str, text: str = "", checkout: str = "") -> float:
    """Return the processor time of one process from its start to its end. It runs this program or that of another
    checkout."""
    more = {"PYTHONPATH": os.pathsep.join(f"{checkout}/{layer}" for layer in LAYERS)} if checkout else {}
    return _time_command([sys.executable, "-m", "onlymove_tui", *arguments], text, more)


def _time_command(command: list[str], text: str = "", more: Mapping[str, str] = MappingProxyType({})) -> float:
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run(command, input=text, text=True, capture_output=True, check=True, env={**os.environ, **more})
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure_median(*arguments: str, text: str = "") -> float:
    """Return the median of a few processes."""
    return median(seconds(*arguments, text=text) for _ in range(RUNS))


def measure_bare(*program: str) -> float:
    """Return the median of a bare interpreter that runs this program."""
    return median(_time_command([sys.executable, "-c", *program]) for _ in range(RUNS))


def compare_checkouts(*arguments: str) -> str:
    """Return the ratio of a command's time to that of an earlier checkout. Empty if none was given."""
    if not (earlier := PROGRAMS.get("before")):
        return ""
    seconds(*arguments, checkout=earlier)
    ratio = median(seconds(*arguments) / seconds(*arguments, checkout=earlier) for _ in range(RUNS))
    return f" ({ratio:.2f} of the earlier checkout's, in turns)"


def rate(game: AnyGame, lines: list[str], form: str) -> float:
    """Return the positions a second, not counting those during which everything is loaded."""
    arguments, piece = ["analyse", game.id, "-", "--format", form], len(lines) // 10
    start, whole = (measure_median(*arguments, text="\n".join(some)) for some in (lines[:piece], lines))
    return (len(lines) - piece) / max(whole - start, 1e-9)


def run() -> Iterable[str]:
    """Measure medians of the processor time of several processes, so that a busy machine changes little."""
    for arguments in (["--version"], ["games"], ["config"]):
        yield f"onlymove {arguments[0]}: {measure_median(*arguments):.3f} s"
    yield f"import numpy: {measure_bare('import numpy'):.3f} s; import numba: {measure_bare('import numba'):.3f} s"
    for facts in games.list_own_games():
        game = games.load(facts.id)
        if game.solved.solver is None:
            continue
        one = measure_median("analyse", game.id, "--json")
        compared = compare_checkouts("analyse", game.id, "--json") or format_earlier(one, ONE_POSITION, game.id)
        yield f"analyse {game.id}, one position: {one:.3f} s{compared}"
        lines = list(islice(random_positions(game), SEARCHED if game.facts.plays_by_search else STREAM))
        few = measure_median("analyse", game.id, "-", "--format", "tsv", text="\n".join(lines[:FEW]))
        tsv, objects = rate(game, lines, "tsv"), rate(game, lines, "json")
        yield (
            f"analyse {game.id}: {FEW} positions in {few:.3f} s; {tsv:,.0f} a second as TSV, {objects:,.0f} as JSON"
            f"{format_earlier(objects, OBJECTS, game.id)}, TSV {tsv / objects:.1f} times as fast as JSON"
        )

"""Building the tables on one core: processor time with compiled kernels, then compressing them. Reference programs, if
any are given (`_references.py`), run in turns with ours, so that a busy machine slows both.
"""

from __future__ import annotations

import resource
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import process_time

from onlymove_engines import games
from onlymove_engines.core.game import AnyGame
from onlymove_tables.build import compress, lay_out, solver_of

from benchmarks._before import SOLVING, format_earlier
from benchmarks._references import PROGRAMS

PAIRS = 5


def run() -> Iterator[str]:
    """Measure every game with a table: the seconds to solve it, the ratio to a reference program, and the seconds to
    pack it."""
    for facts in games.list_own_games():
        game = games.load(facts.id)
        if game.solved.solver is not None:
            yield from measure_builds(game)


def measure_builds(game: AnyGame) -> Iterator[str]:
    """Measure one game. The first build compiles or loads the kernels and does not count."""
    solver, program = solver_of(game), PROGRAMS.get(game.id)
    plans, payload = lay_out(solver.build())
    ours, ratios, same = list[float](), list[float](), True
    for _ in range(PAIRS):
        ours.append(measure(solver.build, process_time))
        if program:
            theirs, bytes_ = reference(program)
            ratios.append(ours[-1] / theirs)
            same = same and bytes_ == payload
    before = format_earlier(median(ours), SOLVING, game.id)
    seconds = f"{game.id}: solved in {median(ours):.2f} s of processor time{before}"
    if program:
        agreement = "the same bytes" if same else "OTHER BYTES"
        turns = f"median ratio of {PAIRS} runs in turns with the reference program {median(ratios):.2f} (target 2.5)"
        yield f"{seconds}; {turns}, {agreement}"
    else:
        yield f"{seconds}; no reference program"
    begun = process_time()
    packed = compress(plans, payload)
    yield f"{game.id}: compressed in {process_time() - begun:.2f} s to {len(packed):,} bytes"


def reference(program: str) -> tuple[float, bytes]:
    """Return the processor time of one run of the reference program, and what it built."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "payload"
        seconds = measure(
            lambda: subprocess.run([program, str(out)], check=True, capture_output=True), measure_children
        )
        return seconds, out.read_bytes()


def measure_children() -> float:
    """Return the processor time of all programs run so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(work: Callable[[], object], clock: Callable[[], float]) -> float:
    """Return by how much `work` moves the clock."""
    begun = clock()
    work()
    return clock() - begun

"""The same figures for every game: time to solve it, look up positions and open its board, and bytes per action."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from onlymove_engines import games
from onlymove_engines.core.analysis import SimultaneousAnalyst
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.scene import LARGEST, View
from onlymove_tables.build import solver_of
from onlymove_tables.open import open_game

from benchmarks._memory import peak_megabytes
from benchmarks.command_line import random_positions
from benchmarks.startup import APP, home_of
from tests.terminal.harness import Pty

ASKED = 2_000
SECONDS = 3.0
"""How long a question is repeated, where it has to be searched."""
JOBS = 2
ARROWS = ("\x1b[C", "\x1b[B", "\x1b[D", "\x1b[A")
NODES = 2_000
BUILD = "from onlymove_engines import games\ngames.load({game!r}).solved.solver.build({jobs})"


def run() -> Iterator[str]:
    for game in (games.load(facts.id) for facts in games.list_own_games()):
        for part in (measure_solving, measure_answers, measure_drawing, measure_start):
            yield from (f"{game.id}: {line}" for line in part(game))


def measure_solving(game: AnyGame) -> Iterator[str]:
    """Time building the table and solving the game a second time, both with compiled kernels."""
    if game.solved.solver is None:
        return
    solver = solver_of(game)
    solver.build(JOBS)
    built, processor = measure(lambda: solver.build(JOBS))
    solver.derive()
    verified, _ = measure(solver.derive)
    memory = peak_megabytes(BUILD.format(game=game.id, jobs=JOBS))
    yield (
        f"solved in {built:.2f} s with {JOBS} jobs on {os.cpu_count()} cores ({processor:.2f} s of processor time,"
        f" {memory} MB at the peak), by the second solver in {verified:.2f} s"
    )


def measure_answers(game: AnyGame) -> Iterator[str]:
    """Time positions of random games, one at a time, as the app asks for them."""
    analyst = open_game(game).analyst
    read = game.notation.parse_position
    positions = [
        position for text in islice(random_positions(game), ASKED) if game.rules.result(position := read(text)) is None
    ]
    if isinstance(analyst, SimultaneousAnalyst):
        mixed = rate(lambda at: analyst.mixed(positions[at % len(positions)], Budget(nodes=NODES)))
        yield f"{mixed:,.0f} equilibria a second with {NODES:,} nodes each"
        return
    if not game.facts.plays_by_search:
        yield f"{rate(lambda at: analyst.probe(positions[at % len(positions)])):,.0f} table look-ups a second"
    analysed = rate(lambda at: analyst.analyse(positions[at % len(positions)]))
    yield f"{analysed:,.0f} positions analysed a second, with all moves"


def measure_drawing(game: AnyGame) -> Iterator[str]:
    """Time the largest picture of the start position."""
    view = View[Any, Any]((game.default_start(),), scale=LARGEST)
    yield f"the largest picture drawn in {1000 / rate(lambda _: game.painter.scene(view)):.2f} ms"


def rate(question: Callable[[int], object]) -> float:
    """Return how often a second a question can be asked, after it was asked once."""
    question(0)
    begun, count = time.perf_counter(), 0
    while time.perf_counter() - begun < SECONDS:
        count += 1
        question(count)
    return count / (time.perf_counter() - begun)


def measure(work: Callable[[], object]) -> tuple[float, float]:
    """Return the seconds that work takes, by the clock and by the processor."""
    clock, processor = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - clock, time.process_time() - processor


def measure_start(game: AnyGame) -> Iterator[str]:
    """Measure when the board appears in a terminal of 80 x 24, and how many bytes the board, a step of the cursor and a
    move send."""
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        terminal = Pty((*APP, "play", game.id, "--seats", "human,human"), home_of(Path(folder)))
        try:
            terminal.wait_for(game.facts.title)
            took = time.perf_counter() - begun
            terminal.settle(1.0)
            paint = len(terminal.stream)
            steps = [len(terminal.press(key, 0.5)) for key in ARROWS * 2]
            position = game.default_start()
            first = game.rules.legal_moves(position)[0]
            text = str(first[0]) if game.facts.simultaneous else game.notation.format_move(position, first)
            move = sum(len(terminal.press(key, 0.5)) for key in ("m", *text, "\r"))
        finally:
            terminal.close()
    yield (
        f"board after {took:.2f} s with {paint:,} bytes; a cursor step sends {max(steps)} bytes, a typed move {move:,}"
    )

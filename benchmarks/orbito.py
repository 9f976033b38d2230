"""Orbito: how long building, verifying and asking take, and how much memory a build needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from time import perf_counter, process_time

from onlymove_engines.core.analysis import Summary
from onlymove_engines.core.value import Value
from onlymove_engines.games.orbito import GAME
from onlymove_engines.games.orbito.analyst import OrbitoAnalyst
from onlymove_engines.games.orbito.notation import NOTATION
from onlymove_engines.games.orbito.rules import RULES, START, Position
from onlymove_engines.games.orbito.table import OrbitoSolver

from benchmarks._memory import peak_megabytes

JOBS = 2
GAMES = 2000

BUILD_ALONE = """
from onlymove_engines.games.orbito.table import OrbitoSolver
OrbitoSolver().build(jobs=2)
"""


def seconds(work: Callable[[], object]) -> float:
    """How long `work` takes, once."""
    begin = perf_counter()
    work()
    return perf_counter() - begin


def positions() -> list[Position]:
    """The positions of seeded random games, in the order of play."""
    chance, found = Random(1), []
    for _ in range(GAMES):
        position = START
        found.append(position)
        while moves := RULES.legal_moves(position):
            position = RULES.play(position, chance.choice(moves))
            found.append(position)
    return found


def row(position: Position, summary: Summary) -> str:
    """One line of tab-separated analysis."""
    value = summary.value
    assert isinstance(value, Value)
    remoteness = "-" if value.remoteness is None else str(value.remoteness)
    score = GAME.score(position, value) if GAME.score else None
    tail = (summary.moves, summary.keeping, summary.best)
    return "\t".join((NOTATION.format_position(position), value.outcome.word, remoteness, str(score), *tail))


def run() -> Iterable[str]:
    """Build, verify, then ask about the positions of random games."""
    solver = OrbitoSolver()
    solver.build(JOBS)
    sections = solver.build(JOBS)
    before = process_time()
    spent = seconds(lambda: solver.build(JOBS))
    yield f"build, {JOBS} jobs, kernels compiled: {spent:.2f} s ({process_time() - before:.2f} s of processor time)"
    yield f"peak memory of a process that builds: {peak_megabytes(BUILD_ALONE)} MB"
    solver.derive()
    yield f"every position solved once more, to verify the table: {seconds(solver.derive):.2f} s"
    analyst = OrbitoAnalyst(sections["scores"])
    asked = positions()
    analyst.analyse(START)
    spent = seconds(lambda: [analyst.probe(position) for position in asked])
    yield f"one probe: {1e6 * spent / len(asked):.1f} us (mean of {len(asked):,})"
    some = asked[:2000]
    spent = seconds(lambda: [analyst.analyse(position) for position in some])
    yield f"one analysis of every move: {1e3 * spent / len(some):.2f} ms (mean of {len(some):,})"
    lines = [NOTATION.format_position(position) for position in asked]

    def table() -> list[str]:
        parsed = [NOTATION.parse_position(line) for line in lines]
        return [row(position, found) for position, found in zip(parsed, analyst.summarise(parsed), strict=True)]

    yield f"tab-separated analysis, text to text: {len(lines) / seconds(table):,.0f} positions a second"

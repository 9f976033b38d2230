"""Pokémon Tic-Tac-Toe: building, probing, batch analysis and live search."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from random import Random
from time import perf_counter, process_time

from onlymove_engines.games.pokemon import POKEMON
from onlymove_engines.games.pokemon.analyst import PokemonAnalyst
from onlymove_engines.games.pokemon.live import PokemonLiveAnalyst
from onlymove_engines.games.pokemon.rules import RULES, START, Position
from onlymove_engines.games.pokemon.table import PokemonSolver
from onlymove_tables.open import load_first, sections_of

from benchmarks._memory import peak_megabytes

BATCH = 50_000
JOBS = 2


def run() -> Iterable[str]:
    """One line a figure."""
    solver, sections = PokemonSolver(), sections_of(*load_first(POKEMON))
    yield from building(solver)
    table, live = PokemonAnalyst(sections), PokemonLiveAnalyst()
    positions = visited(BATCH)
    yield from looking_up(table, positions)
    yield from batch(table, positions)
    yield from searching(live)


BUILD_ALONE = f"""
from onlymove_engines.games.pokemon.table import PokemonSolver
PokemonSolver().build({JOBS})
"""


def building(solver: PokemonSolver) -> Iterator[str]:
    """The whole table, compiled kernels given."""
    solver.build(JOBS)
    began, busy = perf_counter(), process_time()
    sections = solver.build(JOBS)
    seconds, busy = perf_counter() - began, process_time() - busy
    memory = peak_megabytes(BUILD_ALONE)
    yield f"build: {len(sections['codes']):,} classes in {seconds:.1f} s with {JOBS} jobs on {os.cpu_count()} cores"
    yield f"  ({busy:.1f} s of processor time), kernels compiled before; a process that builds needs {memory} MB"
    solver.derive()
    began = perf_counter()
    solver.derive()
    yield f"solved once more, to verify the table: {perf_counter() - began:.1f} s"


def visited(count: int) -> list[Position]:
    """Positions of random games, one after another."""
    rng, found = Random(1), list[Position]()
    while len(found) < count:
        position = START
        while moves := RULES.legal_moves(position):
            found.append(position)
            position = RULES.play(position, rng.choice(moves))
        found.append(position)
    return found[:count]


def looking_up(table: PokemonAnalyst, positions: list[Position]) -> Iterator[str]:
    """One position at a time, as the app does."""
    some = positions[:5000]
    began = perf_counter()
    for position in some:
        table.probe(position)
    yield f"probe: {(perf_counter() - began) / len(some) * 1e6:.1f} microseconds a position in plain Python"
    began = perf_counter()
    for position in some:
        table.analyse(position)
    yield f"analyse: {(perf_counter() - began) / len(some) * 1e3:.2f} ms a position with all its moves"


def batch(table: PokemonAnalyst, positions: list[Position]) -> Iterator[str]:
    """Reading, checking, analysing and writing rows, as `analyse --format tsv` does, in this process."""
    texts = [POKEMON.notation.format_position(position) for position in positions]
    list(table.summarise(positions[:10]))
    began = perf_counter()
    read = [POKEMON.notation.parse_position(text) for text in texts]
    known = [position for position in read if table.is_reachable(position)]
    rows = [
        f"{POKEMON.notation.format_position(p)}\t{row.value}\t{row.moves}\t{row.keeping}\t{row.best}"
        for p, row in zip(known, table.summarise(known), strict=True)
    ]
    rate = len(rows) / (perf_counter() - began)
    yield f"batch: {rate:,.0f} positions a second from text to row, reachability checked, {len(rows):,} positions"


def searching(live: PokemonLiveAnalyst) -> Iterator[str]:
    """Without a table, to the end of the game."""
    live.analyse(START)
    began = perf_counter()
    value = live.analyse(START).value
    yield f"live: start proven {value} with all 27 openings in {(perf_counter() - began) * 1e3:.0f} ms without a table"

"""Tobito and Haneto: building both tables, a plain-Python reference beside it, and rows of batch analysis a second."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import Any

from onlymove_engines import games
from onlymove_engines.core.analysis import alternating
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.value import Outcome, Value
from onlymove_tables.build import solver_of
from onlymove_tables.open import find_analyst

from tests.reference.retrograde import solve_plainly

POSITIONS = 50_000


def run() -> Iterator[str]:
    """Wall-clock seconds on this machine, one process; compilation is done before by a first, unmeasured build."""
    for game_id in ("tobito", "haneto"):
        game = games.load(game_id)
        yield from building(game)
        yield from batch(game)
    yield from plain_reference(games.load("tobito"))


def building(game: AnyGame) -> Iterator[str]:
    """The second of two builds, heat included."""
    solver = solver_of(game)
    solver.build()
    start = time.perf_counter()
    solver.build()
    limit = {"tobito": 5, "haneto": 15}[game.id]
    yield f"{game.id}: table built in {time.perf_counter() - start:.2f} s, heat included (limit {limit} s)"


def batch(game: AnyGame) -> Iterator[str]:
    """Parsing, values, counts, best moves and spelling of positions from random games."""
    analyst, _ = find_analyst(game)
    texts = list(wander(game, random.Random(1), POSITIONS))
    list(analyst.summarise([game.notation.parse_position(texts[0])]))
    start = time.perf_counter()
    positions = [game.notation.parse_position(text) for text in texts]
    rows = zip(positions, analyst.summarise(positions), strict=True)
    for position, row in rows:
        if analyst.is_reachable(position):
            "\t".join((game.notation.format_position(position), str(row.value), row.moves, row.keeping, row.best))
    rate = POSITIONS / (time.perf_counter() - start)
    yield f"{game.id}: {rate:,.0f} positions analysed a second, parsing and spelling included (at least 10,000)"


def wander(game: AnyGame, lots: random.Random, count: int) -> Iterator[str]:
    """Positions of random games as text."""
    position, plies = game.default_start(), 0
    for _ in range(count):
        yield game.notation.format_position(position)
        moves = game.rules.legal_moves(position)
        plies += 1
        if moves and plies < 60:
            position = game.rules.play(position, lots.choice(moves))
        else:
            position, plies = game.start({"begins": lots.choice(game.seats)}, 0), 0


def plain_reference(game: AnyGame) -> Iterator[str]:
    """The same values, without heat, by the plain rules and the definition on dictionaries; held against the table."""
    assert game.index is not None
    index = game.index
    start = time.perf_counter()
    children: dict[int, list[int]] = {}
    ended: dict[int, Outcome] = {}
    for number in range(index.size):
        try:
            position = index.position(number)
        except ValueError:
            continue
        result = game.rules.result(position)
        if result is not None:
            ended[number] = result.outcome_for(position.to_move)
        moves: Any = game.rules.legal_moves(position)
        children[number] = [index.number(game.rules.play(position, move)) for move in moves]
    values: dict[int, Value] = solve_plainly(children, ended)
    seconds = time.perf_counter() - start
    analyst = alternating(find_analyst(game)[0])
    same = sum(analyst.probe(index.position(number)) == value for number, value in values.items())
    yield f"{game.id}: plain Python takes {seconds:.1f} s for the values alone"
    yield f"{game.id}: {same:,} of these {len(values):,} values agree with the table"

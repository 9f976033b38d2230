"""Computes Tobito's values from their definition, in plain Python, and compares them with the table."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from onlymove_engines import games
from onlymove_engines.core.analysis import alternating
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.value import Outcome, Value
from onlymove_tables.open import open_game

from tests.reference.retrograde import solve_plainly


def run() -> Iterator[str]:
    """Measure how long the definitions take, and check that they give the values of the table."""
    yield from plain_reference(games.load("tobito"))


def plain_reference(game: AnyGame) -> Iterator[str]:
    """Compute the same values without heat, by the plain rules and the definition on dictionaries, and compare them
    with the table."""
    assert game.solved.index is not None
    index = game.solved.index
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
    analyst = alternating(open_game(game).analyst)
    same = sum(analyst.probe(index.position(number)) == value for number, value in values.items())
    yield f"{game.id}: plain Python takes {seconds:.1f} s for the values alone"
    yield f"{game.id}: {same:,} of {len(values):,} values agree with the table"

"""The figures of the solution, counted again: every position is looked at by the kernels of batch analysis."""

from __future__ import annotations

import numpy as np
import pytest
from onlymove_engines.core.game import find_solution
from onlymove_engines.games.pokemon import POKEMON
from onlymove_engines.games.pokemon._kernel.table import Table, list_moves
from onlymove_engines.games.pokemon.analyst import PokemonAnalyst
from onlymove_engines.games.pokemon.codes import NO_CODE, value_of
from onlymove_engines.games.pokemon.index import COVERED_STATES, IMAGES
from onlymove_tables.open import open_table

from tests.recount import Counts, Recount

ROWS = 1 << 15


def unpack_numbers(numbers: Counts) -> tuple[Counts, Counts]:
    """Return the nine cells of each position, and the pieces in hand in the order a A b B c C."""
    boards = numbers[:, None] // COVERED_STATES // 7 ** np.arange(8, -1, -1) % 7
    covered = numbers[:, None] % COVERED_STATES // np.array([27, 9, 3, 1]) % 3
    left = 2 - np.stack([(boards == kind).sum(axis=1) for kind in range(1, 7)], axis=1)
    left[:, [0, 1, 3, 4]] -= covered
    return boards, left[:, [0, 3, 1, 4, 2, 5]]


def recount(boards: Counts, hands: Counts, table: Table) -> Counts:
    """Return a row for each position: its weight, value and distance, and the numbers of all moves and of those that
    hold, win and lose."""
    outcomes = np.array([int(value_of(code).outcome) for code in range(NO_CODE + 1)])
    plies = np.array([value_of(code).remoteness or 0 for code in range(NO_CODE + 1)])
    size = len(boards)
    here, _, after, moves = list_moves(boards.astype(np.uint8), hands.astype(np.uint8, order="C"), table)
    row = np.repeat(np.arange(size), moves)
    own, worth = outcomes[here], -outcomes[after]
    same = np.sum([(boards[:, image] == boards).all(axis=1) for image in IMAGES], axis=0)
    chosen = (np.ones(len(row), np.bool_), worth == own[row], worth > 0, worth < 0)
    counts = [np.bincount(row[marks], minlength=size) for marks in chosen]
    return np.stack([len(IMAGES) // same, own, plies[here], *counts], axis=1)


@pytest.mark.slow
def test_the_numbers_of_the_solution_are_counted_again() -> None:
    table = PokemonAnalyst(open_table(POKEMON)).table
    pieces = [
        recount(*unpack_numbers(table.numbers[begin : begin + ROWS].astype(np.int64)), table)
        for begin in range(0, len(table.numbers), ROWS)
    ]
    solution = find_solution(POKEMON)
    assert solution is not None
    assert not Recount(*np.concatenate(pieces).T).differences(solution)

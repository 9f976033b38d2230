"""The table of closed boards is complete and consistent, and its ranks lead to every margin."""

from random import Random
from typing import Any

import numpy as np
import pytest
from onlymove_engines.core.analysis import Sections
from onlymove_engines.core.value import other
from onlymove_engines.games.ayoayo import rules
from onlymove_engines.games.ayoayo.analyst import AyoayoAnalyst
from onlymove_engines.games.ayoayo.codes import lead
from onlymove_engines.games.ayoayo.index import BOARDS, INDEX, SHARES, closed_board, closed_number
from onlymove_engines.games.ayoayo.rules import CAPTURED_AT, Pits, Position
from onlymove_engines.games.ayoayo.table import AyoayoSolver
from onlymove_laws.law import parametrize_amount

MOVER = 1
"""In `pits`, player 1's row comes first. So on a board that begins with the side to move, player 1 moves."""


def sample_boards(count: int, seed: int) -> list[Pits]:
    return [closed_board(number) for number in Random(seed).sample(range(BOARDS), count)]


def test_there_are_as_many_closed_boards_as_the_facts_say(facts: dict[str, Any], sections: Sections) -> None:
    assert facts["boards"]["closed"] == BOARDS == len(sections["margin"]) == len(sections["rank"])


def test_numbers_and_boards() -> None:
    for number in Random(1).sample(range(BOARDS), 5000):
        board = closed_board(number)
        assert closed_number(board) == number
        assert max(board) < CAPTURED_AT
        assert sum(board) % CAPTURED_AT == 0
    used = 0
    for number in Random(2).sample(range(INDEX.size), 5000):
        try:
            position = INDEX.position(number)
        except ValueError:
            continue
        used += 1
        assert INDEX.number(position) == number
        assert INDEX.canonical(position) == position
    assert used > 1000
    assert INDEX.size == BOARDS * SHARES


def test_closed_boards_lead_to_closed_boards() -> None:
    for board in sample_boards(2000, 3):
        for move in rules.permitted(board, MOVER):
            sown = rules.sow(board, MOVER, move)
            assert sown is not None
            assert closed_number(sown.pits) is not None, (board, move)


@pytest.mark.slow
def test_the_shipped_table_is_what_the_solver_builds(sections: Sections) -> None:
    built = AyoayoSolver().build()
    for name, section in built.items():
        assert np.array_equal(section, sections[name]), name


def list_margins(analyst: AyoayoAnalyst, board: Pits) -> dict[int, tuple[int, int, bool]]:
    """Return, for each permitted move by the plain rules, its margin, the rank after it, and whether it captures."""
    found = {}
    for move in rules.permitted(board, MOVER):
        sown = rules.sow(board, MOVER, move)
        assert sown is not None
        after, rank = (
            analyst.margin(sown.pits, other(MOVER)),
            analyst.rank(Position(sown.pits, sown.captured, other(MOVER))),
        )
        assert after is not None
        assert rank is not None
        found[move] = (lead(sown.captured, MOVER) - after, rank, any(sown.captured))
    return found


@parametrize_amount("count", 150, 3000)
def test_bellman_by_the_plain_rules(analyst: AyoayoAnalyst, count: int) -> None:
    for board in sample_boards(count, 4):
        moves = list_margins(analyst, board)
        best = max((worth for worth, _, _ in moves.values()), default=rules.seeds_of(board, MOVER))
        assert analyst.margin(board, MOVER) == best, board


@parametrize_amount("count", 150, 3000)
def test_a_margin_to_come_is_always_brought_nearer(analyst: AyoayoAnalyst, count: int) -> None:
    for board in sample_boards(count, 5):
        margin, rank = analyst.margin(board, MOVER), analyst.rank(Position(board, (0, 0), MOVER))
        assert margin is not None
        assert rank is not None
        moves = list_margins(analyst, board)
        quiet = [after for worth, after, captures in moves.values() if worth == margin and not captures]
        if margin > 0 and moves:
            captures = any(worth == margin and captures for worth, _, captures in moves.values())
            assert captures or min(quiet) < rank, board
        elif margin < 0:
            assert all(after < rank for after in quiet), board

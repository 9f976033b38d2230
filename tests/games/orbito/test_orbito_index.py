"""Numbers of positions have no gaps, need no search, and are the same for quarter turns."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from onlymove_engines.games.orbito import GAME
from onlymove_engines.games.orbito.index import INDEX, list_positions, make_numbering, numbers, turn_move, turn_position
from onlymove_engines.games.orbito.rules import BIT, RULES, Position
from onlymove_engines.games.orbito.table import count_turns, sum_layers


def test_the_numbering_has_no_gaps_and_no_doubles(facts: dict[str, Any]) -> None:
    white, black = list_positions()
    assert len(white) == INDEX.size == facts["classes"]
    assert np.array_equal(numbers(white.astype(np.int32), black.astype(np.int32)), np.arange(INDEX.size))


def test_the_classes_weigh_as_much_as_all_positions(facts: dict[str, Any]) -> None:
    assert sum_layers(count_turns()) == facts["positions_by_marbles"]
    assert int(count_turns().sum()) == facts["positions"]


def test_layers_follow_each_other_by_marbles() -> None:
    white, black = list_positions()
    layers = make_numbering().layers
    marbles = np.bitwise_count(white | black)
    for count in range(17):
        assert (marbles[layers[count] : layers[count + 1]] == count).all()


def test_one_position_at_a_time_agrees_with_all_at_once(random_positions: tuple[Position, ...]) -> None:
    white, black = np.array(random_positions, np.int32).T
    assert [INDEX.number(position) for position in random_positions] == numbers(white, black).tolist()


def test_number_and_position_undo_each_other(random_positions: tuple[Position, ...]) -> None:
    for position in random_positions:
        canonical = INDEX.canonical(position)
        assert INDEX.position(INDEX.number(position)) == canonical
        assert INDEX.canonical(canonical) == canonical
        assert {INDEX.number(image) for image in list_turns(position)} == {INDEX.number(position)}
        assert {INDEX.canonical(image) for image in list_turns(position)} == {canonical}


def list_turns(position: Position) -> list[Position]:
    images = [position]
    for _ in range(3):
        images.append(turn_position(images[-1]))
    return images


@pytest.mark.parametrize("number", [-1, 2_541_731])
def test_a_number_that_is_not_in_use_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match="no position has the number"):
        INDEX.position(number)


def test_a_quarter_turn_takes_a4_to_a1_to_d1(random_positions: tuple[Position, ...]) -> None:
    cells = ["a4", "a1", "d1", "d4", "a4"]
    for cell, to in pairwise(cells):
        assert turn_position(Position(BIT[cell], 0)) == Position(BIT[to], 0)
        assert turn_move((cell,)) == (to,)


def test_turning_then_playing_is_playing_then_turning(random_positions: tuple[Position, ...]) -> None:
    (symmetry,) = GAME.solved.symmetries
    for position in random_positions[::5]:
        for move in RULES.legal_moves(position):
            after = RULES.play(position, move)
            assert RULES.play(symmetry.position(position), symmetry.move(move)) == symmetry.position(after)

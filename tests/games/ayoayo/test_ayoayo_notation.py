"""Positions and moves of Ayòayò as text, written and read back."""

from collections.abc import Callable, Iterator
from typing import TypeAlias

import pytest
from onlymove_engines.core.errors import BadNotation, BadPosition, GameOver, IllegalMove
from onlymove_engines.games.ayoayo import GAME, notation, rules
from onlymove_engines.games.ayoayo.rules import START, Position

Playouts: TypeAlias = Callable[[int, int], Iterator[tuple[Position, int, Position]]]


def test_round_trip(playouts: Playouts) -> None:
    for before, move, after in playouts(2000, 3):
        assert notation.parse_position(notation.format_position(after)) == after
        assert notation.parse_move(before, notation.format_move(before, move)) == move


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "write a position as in"),
        ("4,4,4,4,4,4/4,4,4,4,4,4 0-0 2", "write a position as in"),
        ("4,4,4,4,4/4,4,4,4,4,4 0-0 0", "write a position as in"),
        ("4,4,4,4,4,٤/4,4,4,4,4,4 0-0 0", "write a position as in"),
        ("4,4,4,4,4,4/4,4,4,4,4,5 0-0 0", "add up to 49"),
        ("4,4,4,4,4,4/4,4,4,4,4,2 2-0 0", "is a multiple of four"),
    ],
)
def test_bad_positions_are_refused(text: str, why: str) -> None:
    with pytest.raises(BadNotation, match=why):
        notation.parse_position(text)


def test_a_swept_position_need_not_count_in_fours() -> None:
    assert rules.result(notation.parse_position("0,3,0,0,0,0/0,0,0,0,0,0 21-24 1")) is not None
    with pytest.raises(BadPosition):
        notation.parse_position("0,3,0,0,0,1/0,0,0,0,0,0 21-23 0")


def test_bad_moves_are_refused() -> None:
    for text in ("0", "7", "a", "", "12"):
        with pytest.raises(BadNotation, match="1 to 6"):
            notation.parse_move(START, text)
    with pytest.raises(IllegalMove, match="pit 5 is empty"):
        notation.parse_move(rules.play(rules.play(START, 4), 2), "5")
    with pytest.raises(GameOver):
        notation.parse_move(notation.parse_position("0,0,0,0,0,0/1,0,2,1,0,0 24-20 1"), "1")


def test_a_digit_names_a_pit_of_the_side_to_move() -> None:
    for position in (START, rules.play(START, 4)):
        moves = rules.legal_moves(position)
        assert GAME.paths(position, moves) == {(GAME.play.direct_keys[str(move + 1)],): move for move in moves}

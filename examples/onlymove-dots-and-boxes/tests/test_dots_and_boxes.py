"""Dots and Boxes through the library, compared with a plain search."""

from __future__ import annotations

from functools import cache
from random import Random

import onlymove
import pytest

GAME = onlymove.load("dotsandboxes")
BOXES = ({0, 2, 6, 7}, {1, 3, 7, 8}, {2, 4, 9, 10}, {3, 5, 10, 11})
"""The lines around each box, in the order of a position's text."""


@cache
def count_boxes_ahead(lines: frozenset[int]) -> int:
    """How many more boxes than its opponent the side to move will still get."""
    best = []
    for line in set(range(12)) - lines:
        after = lines | {line}
        closed = sum(line in box and box <= after for box in BOXES)
        ahead = count_boxes_ahead(after)
        best.append(closed + ahead if closed else -ahead)
    return max(best, default=0)


def test_every_value_is_that_of_a_plain_search() -> None:
    random, seen = Random(1), 0
    while seen < 500:
        position = GAME.start()
        while not position.is_over:
            text = str(position).split()[0].replace("/", "")
            lines = frozenset(place for place, drawn in enumerate(text) if drawn == "1")
            value = GAME.analyse(position).value
            assert isinstance(value, onlymove.Value)
            assert value.margin == count_boxes_ahead(lines), position
            position, seen = GAME.play(position, random.choice(position.moves)), seen + 1


def test_the_player_who_closes_a_box_moves_again() -> None:
    position = GAME.parse("100000/110000 2 0-0")
    after = GAME.play(position, "b3")
    assert (position.to_move, after.to_move, str(after)) == ("Second", "Second", "101000/110000 2 0-1")


def test_a_move_that_gives_boxes_away_is_flagged() -> None:
    position = GAME.parse("100000/100000 1 0-0")
    assert GAME.judge(position, "c2").lost() == "Win, +2 points to come -> Draw, +0 points to come"
    assert GAME.why(position, "c2")[0] == "Second's only saving reply is b3."


def test_a_drawn_line_cannot_be_drawn_again() -> None:
    with pytest.raises(onlymove.IllegalMove):
        GAME.play(GAME.parse("100000/000000 2 0-0"), "b1")

"""Facts about tic-tac-toe, and moves that its rules refuse."""

from __future__ import annotations

import onlymove
import pytest

GAME = onlymove.load("tictactoe")


def test_the_start_is_a_draw() -> None:
    assert isinstance(GAME.analyse(GAME.start()).value, onlymove.Draw)


def test_a_blunder_is_flagged() -> None:
    corner = GAME.play(GAME.start(), "a3")
    assert GAME.analyse(corner).best == ("b2",)
    assert GAME.judge(corner, "a2").flagged


def test_a_taken_cell_is_refused() -> None:
    with pytest.raises(onlymove.IllegalMove):
        GAME.play(GAME.play(GAME.start(), "b2"), "b2")

"""Pong Hau K'i through the library: it is drawn, and every move is judged."""

from __future__ import annotations

import onlymove
import pytest

GAME = onlymove.load("ponghauki")


def test_it_is_drawn() -> None:
    assert isinstance(GAME.analyse(GAME.start()).value, onlymove.Draw)


def test_a_move_that_shuts_oneself_in_is_flagged() -> None:
    position = GAME.position("xo.xo x")
    analysis = GAME.analyse(position)
    assert str(analysis.value), "every position is proven"


def test_a_piece_cannot_jump() -> None:
    with pytest.raises(onlymove.IllegalMove):
        GAME.play(GAME.start(), "b2")

"""Pong Hau K'i through the library: nobody can force a win, and every move is judged."""

from __future__ import annotations

import onlymove
import pytest

GAME = onlymove.load("ponghauki")


def test_it_is_drawn() -> None:
    assert isinstance(GAME.analyse(GAME.start()).value, onlymove.Draw)


def test_a_move_that_shuts_oneself_in_is_flagged() -> None:
    position = GAME.parse("x.oox x")
    assert GAME.analyse(position).best == ("c3",)
    assert GAME.judge(position, "a1").lost() == "Draw -> Loss"
    assert GAME.why(position, "a1") == ("Now Second wins at once, but only with a3.", "Only c3 would have drawn.")


def test_a_piece_cannot_jump() -> None:
    with pytest.raises(onlymove.IllegalMove):
        GAME.play(GAME.start(), "b2")

"""Nim through the library: what is known of it since Bouton."""

from __future__ import annotations

from functools import reduce
from operator import xor
from random import Random

import onlymove
import pytest

NIM = onlymove.load("nim")


def test_heaps_with_nim_sum_zero_are_lost() -> None:
    random, position = Random(1), NIM.start()
    while not position.is_over:
        heaps = map(int, str(position).split()[0].split(","))
        value = NIM.analyse(position).value
        assert isinstance(value, onlymove.Win if reduce(xor, heaps) else onlymove.Loss), position
        position = NIM.play(position, random.choice(position.moves))


def test_a_bad_move_is_flagged_with_the_reason() -> None:
    start = NIM.start()
    assert NIM.analyse(start).best == ("a2",)
    assert NIM.judge(start, "a3").lost() == "Win in 11 moves -> Loss"
    assert NIM.why(start, "a3")


def test_more_than_there_are_cannot_be_taken() -> None:
    with pytest.raises(onlymove.IllegalMove):
        NIM.play(NIM.start(), "a4")

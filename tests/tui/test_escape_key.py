"""Tells the key Esc in a stream of input from sequences that begin with the same byte."""

from __future__ import annotations

import pytest
from onlymove_tui.terminal.driver import ESC, EscapeKey


@pytest.mark.parametrize(
    ("reads", "expected"),
    [
        (["\x1bu"], [ESC, "u"]),
        (["mb5\x1b5h"], ["mb5", ESC, "5h"]),
        (["\x1b\r"], [ESC, "\r"]),
        (["\x1b\x1b\x1b[A"], [ESC, ESC, "\x1b[A"]),
        (["\x1b[A\x1bOB"], ["\x1b[A\x1bOB"]),
        (["x\x1b", "u"], ["x", ESC, "u"]),
        (["x\x1b", "[A"], ["x", "\x1b[A"]),
        (["\x1b[200~a\x1bu", "\x1b", "[201~\x1bu"], ["\x1b[200~", "au", "\x1b[201~", ESC, "u"]),
        (["x\x1b[20", "0~\x1b[2Ja\x1b[20", "1", "~y"], ["x", "\x1b[200~", "[2Ja", "\x1b[201~", "y"]),
    ],
)
def test_esc_is_a_key_unless_a_sequence_follows_at_once(reads: list[str], expected: list[str]) -> None:
    keys = EscapeKey()
    assert [piece for read in reads for piece in keys.split(read)] == expected
    assert keys.flush() == []


def test_an_esc_that_nothing_follows_is_the_key() -> None:
    keys = EscapeKey()
    assert keys.split("a\x1b") == ["a"]
    assert keys.flush() == [ESC]
    assert keys.split("[") == ["["], "what comes later is a key of its own"


def test_an_incomplete_sequence_is_passed_on_and_a_slow_paste_continues() -> None:
    keys = EscapeKey()
    assert keys.split("\x1b[2") == []
    assert keys.flush() == ["\x1b[2"]
    assert keys.split("\x1b[200~a\x1b") == ["\x1b[200~", "a"]
    assert keys.flush() == []
    assert keys.split("[201~") == ["\x1b[201~"]

"""Reads what a terminal sends, even if no real terminal would send it."""

from __future__ import annotations

import pytest
from onlymove_tui.terminal.textual_internals import InputParser
from textual.events import Key

KEY_BEYOND_UNICODE = "\x1b[1114112;5u"
KEY_BEYOND_ALL_NUMBERS = "\x1b[99999999999999999999;5u"
TEXT_BEYOND_UNICODE = "\x1b[97;1;1114112u"
KNOWS_TEXT = any(isinstance(event, Key) for event in InputParser().feed("\x1b[97;1;97u"))
"""Whether this version of Textual understands a key that comes with its text. Early ones never ask for the text, and
wait for the end of a sequence that has it."""
CLICK_IN_A_WINDOW_WITHOUT_A_SIZE = "\x1b[48;0;0;0;0t\x1b[<0;5;5M"
CLICK_WITHOUT_PIXELS = "\x1b[48;24;80;0;0t\x1b[<0;5;5M"


@pytest.mark.parametrize(
    "text",
    [
        KEY_BEYOND_UNICODE,
        KEY_BEYOND_ALL_NUMBERS,
        pytest.param(TEXT_BEYOND_UNICODE, marks=pytest.mark.skipif(not KNOWS_TEXT, reason="Textual is too old")),
        CLICK_IN_A_WINDOW_WITHOUT_A_SIZE,
        CLICK_WITHOUT_PIXELS,
    ],
)
def test_a_key_after_an_impossible_sequence_counts(text: str) -> None:
    parser = InputParser()
    for _ in range(2):
        assert [event.key for event in parser.feed(f"{text}q") if isinstance(event, Key)] == ["q"]

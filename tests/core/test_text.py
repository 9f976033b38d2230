"""Text from outside is made harmless, and stays what it was where it can."""

from __future__ import annotations

import json
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from onlymove_engines.core.text import clean_document, clean_line, clean_lines, escape_json, is_harmless

CONTROLLING = {"Cc", "Cs", "Zl", "Zp"}
"""Categories of characters that no terminal should get: controls, surrogates, separators of lines and paragraphs."""
TURNING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
"""Classes of characters that change the direction of the text after them."""
MARKS = {"\u061c", "\u200e", "\u200f"}
"""They change the direction too, but their classes are those of letters."""
NAMES = ("Zoë", "Nguyễn Văn A", "Ayòayò", "می‌خواهم", "क्‍ष", "дед", "👩‍🚀", "葛\U000e0100", "e\u0301", "a\u00a0b", "?")

texts = st.text() | st.text(st.characters(categories=["Cc", "Cf", "Cs", "Zl", "Zp", "L"]))


def test_no_character_that_controls_a_terminal_or_turns_a_line_is_left() -> None:
    for glyph in map(chr, range(sys.maxunicode + 1)):
        if unicodedata.category(glyph) in CONTROLLING or unicodedata.bidirectional(glyph) in TURNING or glyph in MARKS:
            assert clean_line(glyph) in (" ", "?"), hex(ord(glyph))
            assert is_harmless(glyph) == (glyph in "\t\n\r"), hex(ord(glyph))
        elif glyph.isprintable():
            assert clean_line(glyph) == glyph, hex(ord(glyph))


@pytest.mark.parametrize("name", NAMES)
def test_names_in_any_script_stay_as_they_are(name: str) -> None:
    assert clean_line(name) == clean_lines(name) == name


@given(texts)
def test_clean_text_is_one_line_of_the_same_length_and_cleaning_it_again_changes_nothing(text: str) -> None:
    clean = clean_line(text)
    assert len(clean) == len(text)
    assert is_harmless(clean)
    assert not {*clean} & {*"\t\n\r"}
    assert clean_line(clean) == clean


@given(texts)
def test_cleaning_lines_is_cleaning_each_line(text: str) -> None:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert clean_lines(text).split("\n") == list(map(clean_line, lines))


json_values = st.recursive(
    texts | st.integers() | st.none(), lambda inner: st.lists(inner) | st.dictionaries(texts, inner)
)


@given(json_values)
def test_a_cleaned_document_is_harmless_and_has_the_same_form(value: object) -> None:
    clean = json.dumps(clean_document(value), ensure_ascii=False)
    assert is_harmless(clean)
    assert clean_document(json.loads(clean)) == json.loads(clean)


@given(json_values)
def test_escaped_json_is_harmless_and_means_the_same(value: object) -> None:
    escaped = escape_json(json.dumps(value, ensure_ascii=False))
    assert is_harmless(escaped)
    assert json.loads(escaped) == json.loads(json.dumps(value))

"""Makes text from outside harmless: records, table headers, files of other packages, lines of other programs, the
environment, and what is stored.

Some characters do something to a terminal instead of appearing on it. They can move the cursor, set the window's title,
fill the clipboard, or reverse a line so that it reads differently. Text is cleaned where it enters the program, so that
no output has to think of it. File names cannot be changed where they enter. They are cleaned where they are shown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Final

HARMFUL: Final = (
    r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # control characters (C0, DEL and C1), except tab and line breaks
    r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # the direction of writing
    r"\u2028\u2029"  # other line and paragraph breaks
    r"\xad\u180e\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"  # invisible characters
    r"\ud800-\udfff"  # surrogates, which no encoding can write
)
"""The harmful characters, as the inside of a character class of a regular expression.

Everything that names are written with is left alone: combining marks, variation selectors, and the two joiners that
decide in Persian and in the languages of India how letters connect (U+200C and U+200D)."""

_HARMFUL: Final = re.compile(f"[{HARMFUL}]")
_NOT_IN_A_LINE: Final = re.compile(rf"[\t\n\r{HARMFUL}]")
_NOT_IN_LINES: Final = re.compile(rf"[\t\r{HARMFUL}]")
_LINE_BREAK: Final = re.compile(r"\r\n?")


BYTE_ORDER_MARK: Final = "\ufeff"


def skip_mark(text: str) -> str:
    """Return the beginning of a text from outside without the byte order mark that some editors write there."""
    return text.removeprefix(BYTE_ORDER_MARK)


def decode_text(raw: bytes, errors: str = "replace") -> str:
    """Return the text of a file that should be UTF-8, without a byte order mark. `errors` is as for `bytes.decode`."""
    return skip_mark(raw.decode("utf-8", errors))


def is_harmless(text: str) -> bool:
    """Whether no character has to be replaced, apart from tabs and line breaks."""
    return text.isprintable() or _HARMFUL.search(text) is None


def clean_line(text: str) -> str:
    """Return the text as one harmless line of the same length. Tabs and line breaks become spaces, and every other
    harmful character becomes a question mark.

    >>> clean_line("A\\x1b]0;X\\x07 and\\tB")
    'A?]0;X? and B'
    """
    return text if text.isprintable() else _NOT_IN_A_LINE.sub(_replace, text)


def clean_lines(text: str) -> str:
    """Return a text of several lines as `clean_line` returns each. Every line ends in a line feed.

    >>> clean_lines("A\\r\\nB\\x85C")
    'A\\nB C'
    """
    return text if text.isprintable() else _NOT_IN_LINES.sub(_replace, _LINE_BREAK.sub("\n", text))


def clean_document(value: Any, clean: Callable[[str], str] = clean_line) -> Any:
    """Return what was read from JSON or TOML, with `clean` applied to every text in it, also to the keys."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {clean(key): clean_document(each, clean) for key, each in value.items()}
    return [clean_document(each, clean) for each in value] if isinstance(value, list) else value


def escape_json(text: str) -> str:
    """Return a JSON text with the harmful characters inside its strings escaped. It means the same.

    >>> escape_json('"a\\x9bb"')
    '"a\\\\u009bb"'
    """
    return text if text.isprintable() else _HARMFUL.sub(lambda found: json.dumps(found[0])[1:-1], text)


def _replace(found: re.Match[str]) -> str:
    return " " if found[0].isspace() else "?"

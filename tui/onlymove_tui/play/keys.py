"""Sentences that name keys. They hold the ids of commands, because the player chooses the keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias


class Key(NamedTuple):
    """Stands for the key of a command, in a sentence or in a row on the screen."""

    command: str


Phrase: TypeAlias = str | tuple[str | Key, ...]
"""A sentence. If it names keys, it consists of parts."""

KeyWords: TypeAlias = Sequence[tuple[str, str]]
"""Commands, each with the word beside its key."""

PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")


def phrase(template: str, **texts: str) -> tuple[str | Key, ...]:
    """Return a sentence in which `{hint}` stands for the key of the command `hint`, or for the text of that name in
    `texts`. A text is never searched for placeholders.

    >>> phrase("Press {hint}, {who}.", who="{x}")
    ('Press ', Key(command='hint'), ', ', '{x}', '.')
    """
    parts = [
        texts[part] if part in texts else Key(part) if place % 2 else part
        for place, part in enumerate(PLACEHOLDER.split(template))
    ]
    return tuple(part for part in parts if part)


def choose_app_text(text: str) -> str:
    """Return a text of a game package without its `<!--lines ...-->`, for readers of the app. Keys are placeholders, as
    in `phrase`."""
    return re.sub(r"<!--.*?-->", "", text, flags=re.S)


def choose_line_text(text: str) -> str:
    """Return a text of a game package without its `<!--app-->...<!--/app-->`, but with what is inside
    `<!--lines ...-->`. Line mode has no keys."""
    without_keys = re.sub(r"<!--app-->.*?<!--/app-->", "", text, flags=re.S)
    return re.sub(r"<!--lines\s(.*?)-->", r"\1", without_keys, flags=re.S)


def split_phrase(words: Phrase) -> tuple[str | Key, ...]:
    """Return the parts of a sentence."""
    return (words,) if isinstance(words, str) else words


def to_text(words: Phrase, name: Callable[[str], str]) -> str:
    """Return a sentence as text. `name` returns the name of a command's key.

    >>> to_text(phrase("Press {hint}."), {"hint": "H"}.__getitem__)
    'Press H.'
    """
    return "".join(name(part.command) if isinstance(part, Key) else part for part in split_phrase(words))

"""Errors for requests that cannot be carried out. Each message is one clear line for a player."""

from __future__ import annotations

import re
from collections.abc import Iterable

PLAIN_WORD = re.compile(r"(?!onlymove\b|numba\b)[a-z]+(?=[ ,;]|: |$)")
"""Matches a plain English word at the beginning of a message, but no name of a file, cell, option or program."""


class OnlymoveError(Exception):
    """The base of all errors that this project raises on purpose. Its text may be shown to users as it is."""


class BadNotation(OnlymoveError):
    """The text is not a position, a move or a record of this game."""


class BadPosition(BadNotation):
    """The text can be read, but the position breaks a rule, for example by having too many pieces."""


class Unreachable(BadPosition):
    """The position is well-formed, but no game can lead to it."""


class IllegalMove(OnlymoveError):
    """The rules, or a house rule, do not allow this move here."""


class GameOver(IllegalMove):
    """The game has ended, so no move is legal any more."""


class MissingTable(OnlymoveError):
    """There is no table file for this game on the search path."""


class TableMismatch(OnlymoveError):
    """A table file is refused because it is damaged, incomplete, outdated or from another game."""


class OutdatedTable(TableMismatch):
    """A table file is intact, but it was built for another version of the rules or of the encoding."""


class UnusableTable(TableMismatch):
    """A file has the name of a table, but it is not a table of this game."""


class Refuted(OnlymoveError):
    """A step of a proof is wrong. The message says which."""


class Unsolvable(OnlymoveError):
    """A game cannot be solved from its rules, because it is too large or its rules are beyond the solver."""


class RefusedRules(Unsolvable):
    """The rules, texts or symmetries of a game contradict each other, or are beyond the solver. No value of such a game
    may be shown. The message names the position and what is wrong there."""


class NoCompiler(OnlymoveError):
    """Only a compiled search could answer, and numba, which compiles it, cannot be imported."""


class Stopped(OnlymoveError):
    """A search ran out of its budget before it could answer."""


def as_sentence(text: str) -> str:
    """Turn a message into a full sentence: `the game is over` becomes `The game is over.` A path or address at the end
    gets no full stop, so that it can be copied."""
    text = text.strip()
    if PLAIN_WORD.match(text):
        text = text[0].upper() + text[1:]
    is_open = bool(text) and (text[-1].isalnum() or text[-1] in "'\"`)]}") and not text.endswith("?)")
    return f"{text}." if is_open and "/" not in text.rsplit(maxsplit=1)[-1] else text


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return `. Did you mean 'play'?` for the known name closest to `name`. Return an empty text if none is close."""
    from difflib import get_close_matches  # noqa: PLC0415 - only to refuse something

    spelled = {each.lower(): each for each in known}
    near = get_close_matches(name.lower(), spelled, 1)
    return f". Did you mean '{spelled[near[0]]}'?" if near else ""

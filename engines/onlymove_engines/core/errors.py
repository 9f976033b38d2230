"""The ways a request can be refused. Each message is one clear line for a player."""

from __future__ import annotations

import re
from collections.abc import Iterable

PLAIN_WORD = re.compile(r"(?!onlymove\b|numba\b)[a-z]+(?=[ ,;]|: |$)")
"""A word that may get a capital letter: no name of a file, cell, option or program."""


class OnlymoveError(Exception):
    """Anything that this project refuses on purpose. Its text may be shown as it is."""


class BadNotation(OnlymoveError):
    """The text is not a position, a move or a record of this game at all."""


class BadPosition(BadNotation):
    """The text is well-formed but breaks a rule about positions, such as a piece too many."""


class Unreachable(BadPosition):
    """The position is well-formed, but no game can lead to it."""


class IllegalMove(OnlymoveError):
    """The rules, or a house rule, do not allow this move here."""


class GameOver(IllegalMove):
    """The game has ended: no move is legal any more."""


class MissingTable(OnlymoveError):
    """No table file for this game was found on the search path."""


class TableMismatch(OnlymoveError):
    """A table file is refused because it is damaged, incomplete, outdated or another game's."""


class OutdatedTable(TableMismatch):
    """A table file is whole, but was built for another version of the game's rules or of its encoding."""


class UnusableTable(TableMismatch):
    """The file that has a table's name is not a table of this game."""


class Refuted(OnlymoveError):
    """A step of a proof is wrong; the message says which."""


class Unsolvable(OnlymoveError):
    """A game cannot be solved from its rules: it is too large, or its rules are beyond the solver."""


class NoCompiler(OnlymoveError):
    """Only a compiled search could find something, and numba, which compiles it, cannot be imported."""


class Stopped(OnlymoveError):
    """A search gave up because its budget ran out before it could answer."""


def as_sentence(text: str) -> str:
    """Turn a message into a full sentence: `the game is over` becomes `The game is over.` A path or an address at its
    end stays as it is, because it may be copied.
    """
    text = text.strip()
    if PLAIN_WORD.match(text):
        text = text[0].upper() + text[1:]
    is_open = bool(text) and (text[-1].isalnum() or text[-1] in "'\"`)]}")
    return f"{text}." if is_open and "/" not in text.rsplit(maxsplit=1)[-1] else text


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the end of a message that refuses `name`: `. Did you mean 'play'?`, or nothing if no known name is
    close.
    """
    from difflib import get_close_matches  # noqa: PLC0415 - only to refuse something

    spelled = {each.lower(): each for each in known}
    near = get_close_matches(name.lower(), spelled, 1)
    return f". Did you mean '{spelled[near[0]]}'?" if near else ""

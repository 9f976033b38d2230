"""Turns positions into sorted integer keys, for tables that are made from the rules alone.

A position that is an integer of up to 63 bits is its own key. For other positions the key comes from their text, which
is unique. Each column of the text is a digit, and its base is the number of different characters in that column. This
way, a board of tic-tac-toe fits into 15 bits. A key that does not fit into a word of 64 bits takes two or more. Keys
can be turned back into positions, so that nothing else has to be stored.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from onlymove_engines.core.analysis import Columns, Sections
from onlymove_engines.search.jit import Array

WORD_BITS: Final = 64
ALPHABETS: Final = "alphabets"
WORDS: Final = "keys"
"""The sections of a table that hold the characters of each column, and the keys. Keys of several words have several
sections."""

Known: TypeAlias = "int | str"
"""A position as an integer if the game's positions are integers, and otherwise as text."""


class WholeNumbers:
    def pack(self, positions: Sequence[Any]) -> Array:
        """Return the integers as an array. Raises OverflowError for one that needs more than 63 bits."""
        return np.array(positions, np.int64)

    def learn(self, packed: Array) -> WholeNumbers:
        return self

    def sort_characters(self) -> WholeNumbers:
        return self

    def encode(self, packed: Array) -> Array:
        return packed

    def decode(self, keys: Array) -> list[int]:
        found: list[int] = keys.tolist()
        return found

    def sections(self, keys: Array) -> dict[str, Array]:
        return {WORDS: keys}


@dataclass(frozen=True)
class Texts:
    """Makes keys from the texts of positions. `alphabets` lists the bytes of each column. The index of a byte is its
    digit. The byte 0 means that the text has ended."""

    alphabets: Sequence[Sequence[int]] = ()

    def pack(self, texts: Sequence[Any]) -> Array:
        """Return the texts as an array of bytes with equal lengths."""
        return np.array([text.encode() for text in texts], np.bytes_)

    def learn(self, packed: Array) -> Texts:
        """Return a codec that also knows the characters of these texts, or this one if none is new. A new character
        changes every key."""
        cells = columns_of(packed, max(len(self.alphabets), packed.dtype.itemsize))
        unused: list[int] = [0] if self.alphabets else []
        alphabets = [*self.alphabets, *[unused] * (len(cells) - len(self.alphabets))]
        seen = [np.flatnonzero(np.bincount(column, minlength=1)).tolist() for column in cells]
        learned = [[*dict.fromkeys((*alphabet, *more))] for alphabet, more in zip(alphabets, seen, strict=True)]
        return self if learned == self.alphabets else Texts(learned)

    def words(self) -> list[tuple[int, int]]:
        """For each column, return the index of the word that holds it and the number of digits."""
        found, word, room = [], 0, 1 << WORD_BITS
        for alphabet in self.alphabets:
            if room < len(alphabet):
                word, room = word + 1, 1 << WORD_BITS
            room //= len(alphabet)
            found.append((word, len(alphabet)))
        return found

    def encode(self, packed: Array) -> Array:
        """Return the keys of texts whose characters are known. They are words of 64 bits or, if one word is too small,
        byte strings that sort in the same order."""
        plan = self.words()
        words = np.zeros((plan[-1][0] + 1 if plan else 1, len(packed)), np.uint64)
        for alphabet, column, (word, size) in zip(
            self.alphabets, columns_of(packed, len(self.alphabets)), plan, strict=True
        ):
            if size > 1:
                digits = np.zeros(256, np.uint64)
                digits[alphabet] = np.arange(size, dtype=np.uint64)
                words[word] *= np.uint64(size)
                words[word] += digits[column]
        return join_words(words)

    def decode(self, keys: Array) -> list[str]:
        words, plan = split_words(keys), self.words()
        cells = np.empty((len(self.alphabets), len(keys)), np.uint8)
        for column in reversed(range(len(plan))):
            word, size = plan[column]
            alphabet = np.array(self.alphabets[column], np.uint8)
            if size > 1:
                words[word], digits = np.divmod(words[word], np.uint64(size))
                cells[column] = alphabet[digits]
            else:
                cells[column] = alphabet[0]
        lines = np.ascontiguousarray(cells.T).view(f"S{max(1, len(cells))}").ravel()
        return [line.decode() for line in lines.tolist()]

    def sort_characters(self) -> Texts:
        """Return a codec with the characters of each column sorted, so that the order in which they were found does not
        matter."""
        return Texts([sorted(alphabet) for alphabet in self.alphabets])

    def sections(self, keys: Array) -> dict[str, Array]:
        """Return the sections of a table. An alphabet is stored as its size minus one, followed by its bytes."""
        flat = [byte for alphabet in self.alphabets for byte in (len(alphabet) - 1, *alphabet)]
        words = split_words(keys)
        names = [WORDS, *(f"{WORDS}_{place}" for place in range(2, len(words) + 1))]
        return {ALPHABETS: np.array(flat, np.uint8), **dict(zip(names, words, strict=True))}


def choose_codec(start: object, as_text: bool = False) -> WholeNumbers | Texts:
    """Choose how positions become keys, from the type of the start position. `as_text` is for integers that are too
    large."""
    return WholeNumbers() if type(start) is int and not as_text else Texts()


def columns_of(packed: Array, width: int) -> Array:
    """Return the bytes of the texts, with a row for each column of text."""
    wide = np.ascontiguousarray(packed.astype(f"S{width}"))
    return np.ascontiguousarray(wide.view(np.uint8).reshape(len(packed), width).T)


def join_words(words: Array) -> Array:
    """Join the words of each key into one key that sorts correctly. The first word is the most significant."""
    if len(words) == 1:
        only: Array = words[0]
        return only
    return np.ascontiguousarray(words.T.astype(">u8")).view(f"S{8 * len(words)}").ravel()


def split_words(keys: Array) -> Array:
    """Return the words of each key, one row for each word. This reverses `join_words`."""
    if keys.dtype.kind != "S":
        return keys.reshape(1, -1).copy()
    words = np.frombuffer(keys.tobytes(), ">u8").reshape(len(keys), -1)
    return np.ascontiguousarray(words.T).astype(np.uint64)


def read_alphabets(flat: Sequence[int]) -> list[list[int]]:
    """Read the alphabets from a table's section."""
    alphabets, place = [], 0
    while place < len(flat):
        end = place + 2 + flat[place]
        alphabets.append([int(byte) for byte in flat[place + 1 : end]])
        place = end
    return alphabets


def read_keys(sections: Sections) -> tuple[WholeNumbers | Texts, Array]:
    """Return the codec of a table's keys, and the keys."""
    if ALPHABETS not in sections:
        return WholeNumbers(), np.asarray(sections[WORDS])
    names = [name for name in sections if name.startswith(WORDS)]
    names.sort(key=lambda name: int(name.partition("_")[2] or 1))
    words = np.array([np.asarray(sections[name]) for name in names])
    return Texts(read_alphabets(sections[ALPHABETS].tolist())), join_words(words)


class Finder:
    """Finds single positions among the keys of a table without using numpy."""

    def __init__(self, columns: Columns) -> None:
        count = sum(name.startswith(WORDS) for name in columns)
        self.words = [columns[WORDS], *(columns[f"{WORDS}_{place}"] for place in range(2, count + 1))]
        self.are_numbers = ALPHABETS not in columns
        codec = Texts([] if self.are_numbers else read_alphabets(columns[ALPHABETS].tolist()))
        self.digits = [
            (word, size, {byte: digit for digit, byte in enumerate(alphabet)})
            for alphabet, (word, size) in zip(codec.alphabets, codec.words(), strict=True)
        ]

    def find(self, key: Known) -> int | None:
        """Return the index of a position, given as an integer or as text. Return `None` if it is not among the keys."""
        if isinstance(key, int):
            return self._place([key])
        text = key.encode()
        if len(text) > len(self.digits):
            return None
        found = [0] * len(self.words)
        try:
            for (word, size, digits), byte in zip(self.digits, text.ljust(len(self.digits), b"\0"), strict=True):
                found[word] = found[word] * size + digits[byte]
        except KeyError:
            return None
        return self._place(found)

    def _place(self, wanted: list[int]) -> int | None:
        def at(place: int) -> list[int]:
            return [int(word[place]) for word in self.words]

        size = len(self.words[0])
        is_one = len(self.words) == 1
        place = bisect_left(self.words[0], wanted[0]) if is_one else bisect_left(range(size), wanted, key=at)
        return place if place < size and at(place) == wanted else None

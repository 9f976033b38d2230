"""Turns positions into sorted integer keys, for tables that are made from the rules alone.

A position that is an integer of up to 63 bits is its own key. For other positions the key comes from their text, which
is unique. Each column of the text is a digit, and its base is the number of different characters in that column. This
way, a board of tic-tac-toe fits into 15 bits. A key that does not fit into a word of 64 bits takes two or more. Keys
can be turned back into positions, so that nothing else has to be stored.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from onlymove_engines.compiled.jit import Array
from onlymove_engines.core.analysis import Columns
from onlymove_engines.core.errors import UnusableTable

WORD_BITS: Final = 64
ALPHABETS: Final = "alphabets"
WORDS: Final = "keys"
"""The sections of a table that hold the characters of each column, and the keys. Keys of several words have several
sections. An alphabet is stored as its size minus one, followed by its bytes in ascending order. The index of a byte is
its digit. The byte 0 means that the text has ended."""

Known: TypeAlias = "int | str"
"""A position as an integer if the game's positions are integers, and otherwise as text."""


def pack(positions: Sequence[Any], are_numbers: bool) -> Array:
    """Return positions as an array of integers, or of the bytes of their texts. Raises OverflowError for an integer of
    more than 63 bits."""
    return np.array(positions, np.int64) if are_numbers else np.array([text.encode() for text in positions], np.bytes_)


def unpack(packed: Array) -> list[Any]:
    """Return the integers or texts in an array. This reverses `pack`."""
    found = packed.tolist()
    return [text.decode() for text in found] if packed.dtype.kind == "S" else found


def name_words(count: int) -> list[str]:
    """Return the names of the sections with the words of the keys."""
    return [WORDS, *(f"{WORDS}_{place}" for place in range(2, count + 1))]


def assign_words(sizes: Sequence[int]) -> list[int]:
    """For each column, return the index of the word that holds its digit, given the sizes of the alphabets."""
    found, word, room = [], 0, 1 << WORD_BITS
    for size in sizes:
        if room < size:
            word, room = word + 1, 1 << WORD_BITS
        room //= size
        found.append(word)
    return found


def make_sections(packed: Array) -> dict[str, Array]:
    """Return the sections of a table with these positions, which must be sorted. Their keys have the same order."""
    if packed.dtype.kind != "S":
        return {WORDS: packed}
    cells = packed.view(np.uint8).reshape(len(packed), packed.dtype.itemsize).T
    alphabets = [np.flatnonzero(np.bincount(column)).tolist() for column in cells]
    places = assign_words(list(map(len, alphabets)))
    words = np.zeros((places[-1] + 1, len(packed)), np.uint64)
    for column, alphabet, word in zip(cells, alphabets, places, strict=True):
        if len(alphabet) > 1:
            digits = np.zeros(256, np.uint64)
            digits[alphabet] = np.arange(len(alphabet), dtype=np.uint64)
            words[word] *= np.uint64(len(alphabet))
            words[word] += digits[column]
    flat = [byte for alphabet in alphabets for byte in (len(alphabet) - 1, *alphabet)]
    return {ALPHABETS: np.array(flat, np.uint8), **dict(zip(name_words(len(words)), words, strict=True))}


def narrow(numbers: Array, is_signed: bool = False) -> Array:
    """Store the integers in the smallest type that can hold them."""
    low, high = int(numbers.min(initial=0)), int(numbers.max(initial=0))
    # numpy finds a signed type only for negative numbers.
    ends = (min(low, -1), -1 - high) if is_signed else (low, high)
    return numbers.astype(np.result_type(*map(np.min_scalar_type, ends)))


class Keys:
    """The keys of a table. They are found without using numpy. Raises UnusableTable if the alphabets do not belong to
    keys of so many words."""

    def __init__(self, columns: Columns) -> None:
        self.words = [columns[name] for name in name_words(sum(name.startswith(WORDS) for name in columns))]
        self.are_numbers = ALPHABETS not in columns
        self.alphabets: list[list[int]] = []
        flat = [] if self.are_numbers else columns[ALPHABETS].tolist()
        while flat:
            size = flat[0] + 1
            self.alphabets.append(flat[1 : size + 1])
            flat = flat[size + 1 :]
        sizes = list(map(len, self.alphabets))
        if 0 in sizes or len(self.words) != (1 if self.are_numbers else max(assign_words(sizes), default=-1) + 1):
            raise UnusableTable("the alphabets in the table do not fit its keys")
        digits = [{byte: digit for digit, byte in enumerate(alphabet)} for alphabet in self.alphabets]
        self.plan = list(zip(assign_words(sizes), sizes, digits, strict=True))
        """For each column, the index of the word that holds its digit, the number of digits, and the digit of each
        byte."""

    def find(self, known: Known) -> int | None:
        """Return the index of a position, given as an integer or as text. Return `None` if it is not among the keys."""
        if isinstance(known, int):
            return self._place([known])
        text = known.encode()
        if len(text) > len(self.plan):
            return None
        found = [0] * len(self.words)
        try:
            for (word, size, digits), byte in zip(self.plan, text.ljust(len(self.plan), b"\0"), strict=True):
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

    def read(self, numbers: Sequence[int]) -> list[Any]:
        """Return the positions with these indices, as integers or texts."""
        words = [np.asarray(word)[list(numbers)] for word in self.words]
        if self.are_numbers:
            return unpack(words[0])
        cells = np.empty((len(self.alphabets), len(numbers)), np.uint8)
        for column in reversed(range(len(cells))):
            word, size, _ = self.plan[column]
            words[word], digits = np.divmod(words[word], np.uint64(size))
            cells[column] = np.array(self.alphabets[column], np.uint8)[digits]
        return unpack(np.ascontiguousarray(cells.T).view(f"S{len(cells)}").ravel())

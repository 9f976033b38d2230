"""The file of a match: the records of its games one after another, in complete pairs.

Only one match at a time writes to it. The match holds a lock, which the system releases when the process ends.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise, takewhile
from pathlib import Path
from typing import TypeAlias

from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.records.record import unescape
from onlymove_tables import lock

Tags: TypeAlias = Mapping[str, str]

HEAD = re.compile(r"^\[Game ", re.MULTILINE)
TAG = re.compile(r'^\[(\w+) "((?:[^"\\]|\\.)*)"\]$', re.MULTILINE)
APART = "\n"
"""The text between two records. A record without it at its end was cut short."""


class OtherMatch(OnlymoveError):
    """The file contains something other than this match."""


class FileInUse(OnlymoveError):
    """Another match is writing to this file."""


def tags_of(record: str) -> Tags:
    return {name: unescape(text) for name, text in TAG.findall(record.partition("\n\n")[0])}


class Journal:
    """Appends records to a file, if there is one. `same` are the tags that all records of the match share."""

    def __init__(self, path: Path | None, same: Tags) -> None:
        self.path = path
        self.same = same
        self.complete = 0
        """The size of the complete pairs in bytes."""

        self.found: Sequence[Tags] = ()
        """The tags of the games that were in the file before, in complete pairs."""
        self._lock: int | None = None

    def resume(self) -> int:
        """Read the complete pairs in the file and cut off the rest. Return the number of games that were cut off.
        Raises FileInUse, OSError, and OtherMatch if the file is not from this match. The file is then unchanged."""
        if self.path is None:
            return 0
        self._lock = lock.hold(self.path, 0o666)
        if self._lock is None:
            raise FileInUse(f"another match is writing to {self.path}")
        text = self.path.read_bytes().decode("utf-8", "replace")
        heads = [found.start() for found in HEAD.finditer(text)]
        if text.strip() and heads[:1] != [0]:
            raise OtherMatch(f"'{self.path}' is not a match file")
        records = [text[begin:end] for begin, end in pairwise([*heads, len(text)])]
        found = [tags_of(record) for record in records]
        whole = list(takewhile(lambda pair: is_whole(*pair), zip(records, found, strict=True)))
        del whole[len(whole) - len(whole) % 2 :]
        self.found = [tags for _, tags in whole]
        for tags in self.found:
            for name, wanted in self.same.items():
                if tags.get(name) != wanted:
                    other = tags.get(name, "")
                    raise OtherMatch(f"'{self.path}' contains another match: {name} '{other}' instead of '{wanted}'")
        self.complete = sum(len(record.encode()) for record, _ in whole)
        os.truncate(self.path, self.complete)
        return len(records) - len(whole)

    def append(self, record: str) -> None:
        if self.path is not None:
            with self.path.open("ab") as file:
                file.write((record + APART).encode())

    def complete_pair(self) -> None:
        if self.path is not None:
            self.complete = self.path.stat().st_size

    def drop_half_pair(self) -> None:
        """Remove the first game of a pair whose second game cannot be played."""
        if self.path is not None:
            os.truncate(self.path, self.complete)

    def close(self) -> None:
        """Release the file, so that another match can continue it."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def is_whole(record: str, tags: Tags) -> bool:
    words = record.partition("\n\n")[2].split()
    return record.endswith("\n" + APART) and words[-1:] == [tags.get("Result")]

"""The file of a match: its records one after another. What is kept of it are complete pairs of games. One match writes
to it at a time: the system forgets its lock with the process, however that ends.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise, takewhile
from pathlib import Path
from typing import TypeAlias

from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.records.record import unescaped
from onlymove_tables import lock

Tags: TypeAlias = Mapping[str, str]

HEAD = re.compile(r"^\[Game ", re.MULTILINE)
TAG = re.compile(r'^\[(\w+) "((?:[^"\\]|\\.)*)"\]$', re.MULTILINE)
APART = "\n"
"""What stands between two records; one that is not followed by it was cut short."""


class OtherMatch(OnlymoveError):
    """The file holds something else."""


class FileInUse(OnlymoveError):
    """Another match is writing to the file."""


def tags_of(record: str) -> Tags:
    return {name: unescaped(text) for name, text in TAG.findall(record.partition("\n\n")[0])}


class Journal:
    """Appends records to a file, or to none. `same` are the tags that all records of the match have alike."""

    def __init__(self, path: Path | None, same: Tags) -> None:
        self.path = path
        self.same = same
        self.kept = 0
        """Bytes of the complete pairs."""

        self.found: Sequence[Tags] = ()
        """The tags of all games that were there before, of complete pairs."""
        self._lock: int | None = None

    def resume(self) -> int:
        """Go on with what is in the file: find the complete pairs and cut off the rest; returns how many games that
        were. Raises FileInUse, OtherMatch for a file of anything else, which stays as it is, and OSError."""
        if self.path is None:
            return 0
        self._lock = open_locked(self.path)
        text = self.path.read_bytes().decode("utf-8", "replace")
        heads = [found.start() for found in HEAD.finditer(text)]
        if text.strip() and heads[:1] != [0]:
            raise OtherMatch(f"{self.path} is not the file of a match")
        records = [text[begin:end] for begin, end in pairwise([*heads, len(text)])]
        found = [tags_of(record) for record in records]
        whole = list(takewhile(lambda pair: is_whole(*pair), zip(records, found, strict=True)))
        del whole[len(whole) - len(whole) % 2 :]
        self.found = [tags for _, tags in whole]
        for tags in self.found:
            for name, told in self.same.items():
                if tags.get(name) != told:
                    other = tags.get(name, "")
                    raise OtherMatch(f"{self.path} holds another match: {name} '{other}' instead of '{told}'")
        self.kept = sum(len(record.encode()) for record, _ in whole)
        os.truncate(self.path, self.kept)
        return len(records) - len(whole)

    def append(self, record: str) -> None:
        """One more record, in the file before this returns."""
        if self.path is not None:
            with self.path.open("ab") as file:
                file.write((record + APART).encode())

    def keep(self) -> None:
        """The pair is complete."""
        if self.path is not None:
            self.kept = self.path.stat().st_size

    def drop(self) -> None:
        """Forget the first game of a pair whose second cannot be played."""
        if self.path is not None:
            os.truncate(self.path, self.kept)

    def close(self) -> None:
        """Let another match go on with the file."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def open_locked(path: Path) -> int:
    """The file, there now and nobody else's until it is closed. Raises FileInUse."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    if not lock.locked(descriptor):
        os.close(descriptor)
        raise FileInUse(f"another match is writing to {path}")
    return descriptor


def is_whole(record: str, tags: Tags) -> bool:
    words = record.partition("\n\n")[2].split()
    return record.endswith("\n" + APART) and words[-1:] == [tags.get("Result")]

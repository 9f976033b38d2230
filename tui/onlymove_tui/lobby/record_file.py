"""A record that one side of a table keeps: a file to which only its owner appends, and which everybody may read.

A line counts once it is whole. Nothing is believed of a file that is not plainly its owner's. Knows no game.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import time

from onlymove_engines.core.errors import OnlymoveError

from onlymove_tui.lobby.messages import (
    LONGEST_LINE,
    Accepting,
    Claiming,
    Opening,
    RecordLine,
    format_line,
    parse_line,
)

LARGEST = 1 << 20
"""Bytes: some five thousand moves."""
MOST_LINES = LARGEST // 64
"""Nobody who means to say something writes shorter ones."""
READABLE = 0o644
AHEAD_SECONDS = 1.0
"""What says when time began or is up, and is stamped later than so much after now, is not taken before then."""


class RecordTrouble(OnlymoveError):
    """A record cannot be read or written."""


def fault_of(found: os.stat_result) -> str:
    """Why a file cannot be a record; empty for a plain file of bounded size that only its owner writes."""
    if not stat.S_ISREG(found.st_mode):
        return "is not a plain file"
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "can be written by others"
    return "is too long" if found.st_size > LARGEST else ""


class RecordReader:
    """What one record says so far. `lines` has `None` for a line that says nothing that is known; they keep their
    numbers. `uid` is the account that the record belongs to, `touched` when its owner last gave a sign of life; `whole`
    counts the bytes of whole lines."""

    def __init__(self, path: Path, uid: int | None = None, clock: Callable[[], float] = time) -> None:
        self.path = path
        self.lines: list[RecordLine | None] = []
        self.touched = 0.0
        self._clock = clock
        self._rest = b""
        self.whole = 0
        try:
            self._file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            raise RecordTrouble(f"a record at this table cannot be read: {error.strerror}") from None
        with closed_on_error(self):
            self.uid = self._checked().st_uid
            if uid is not None and self.uid != uid:
                raise RecordTrouble("a record at this table belongs to somebody else")

    def _checked(self) -> os.stat_result:
        """Raises RecordTrouble unless this is a plain file that only its owner writes."""
        found = os.fstat(self._file)
        wrong = fault_of(found) or ("was cut" if found.st_size < self.whole else "")
        if wrong:
            raise RecordTrouble(f"a record at this table {wrong}")
        return found

    @property
    def damaged(self) -> int | None:
        """The first line that says nothing that is known, counted from 1."""
        return self.lines.index(None) + 1 if None in self.lines else None

    def look(self, most: int = LARGEST) -> bool:
        """Read what is new, up to so many bytes from the beginning of the record. Returns whether there are new lines.
        Raises RecordTrouble."""
        found = self._checked()
        self.touched = found.st_mtime
        end = min(found.st_size, most)
        if end > self.whole:
            some = os.pread(self._file, end - self.whole, self.whole)
            whole = some[: some.rfind(b"\n") + 1]
            self.whole += len(whole)
            self._rest += whole
        return self._take()

    def _take(self) -> bool:
        """The next lines that are whole, and may be taken now. Returns whether there are any. Raises RecordTrouble."""
        begin, latest = 0, self._clock() + AHEAD_SECONDS
        while (end := self._rest.find(b"\n", begin)) >= 0:
            line = parse_line(self._rest[begin:end]) if end - begin < LONGEST_LINE else None
            if line is not None and line.time > latest and self._tells_time(line):
                break
            if len(self.lines) == MOST_LINES:
                raise RecordTrouble("a record at this table is too long")
            self.lines.append(line)
            begin = end + 1
        self._rest = self._rest[begin:]
        return begin > 0

    def _tells_time(self, line: RecordLine) -> bool:
        """Whether it matters to the other side when a line was written: of all others only one's own clock hears, and
        they are to be read where the host's time was put back."""
        opening = self.lines[0] if self.lines else None
        has_clock = isinstance(opening, Opening) and bool(opening.clock)
        return isinstance(line, Claiming) or (has_clock and isinstance(line, Accepting))

    def close(self) -> None:
        os.close(self._file)


@contextmanager
def closed_on_error(reader: RecordReader) -> Iterator[None]:
    """Nobody looks at a record in which something is wrong: its file does not stay open."""
    try:
        yield
    except BaseException:
        reader.close()
        raise


class RecordWriter:
    """Appends to one's own record. A line is on disk when `say` returns, and in one piece or not at all."""

    def __init__(self, file: int) -> None:
        self._file = file

    @classmethod
    def create(cls, path: Path, first: RecordLine) -> RecordWriter:
        """A new record. Raises RecordTrouble, also when there is one of this name; then it is not there."""
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with _told():
            file = os.open(path, flags, READABLE)
            os.fchmod(file, READABLE)  # whatever the account masks
        writer = cls(file)
        try:
            writer.say(first)
        except RecordTrouble:
            writer.close()
            path.unlink()
            raise
        return writer

    @classmethod
    def reopen(cls, path: Path, whole: int) -> RecordWriter:
        """The record that one keeps already, of which so many bytes are whole lines: what a killed process has left
        of a line is cut off. Nobody has taken it. Raises RecordTrouble."""
        with _told():
            file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC)
            os.ftruncate(file, whole)
        return cls(file)

    def say(self, spoken: RecordLine) -> None:
        """Append a line. Raises RecordTrouble, and the line is not there then."""
        line = format_line(spoken)
        if len(line) > LONGEST_LINE or parse_line(line) is None:
            raise RecordTrouble("this cannot be written at a table: nobody could read it")
        with _told():
            before = os.fstat(self._file).st_size
            if before + len(line) > LARGEST:
                raise RecordTrouble("the record of this table is full")
            written = os.write(self._file, line)
            if written < len(line):
                os.ftruncate(self._file, before)
                raise RecordTrouble("this table cannot be written to: the disk is full")
            os.fdatasync(self._file)

    def beat(self, now: float) -> None:
        with _told():
            os.utime(self._file, (now, now))

    def close(self) -> None:
        os.close(self._file)


@contextmanager
def _told() -> Iterator[None]:
    """Turns what can go wrong with a file into one clear line, without folders: a kiosk shows none."""
    try:
        yield
    except OSError as error:
        raise RecordTrouble(f"this table cannot be written to: {error.strerror}") from None

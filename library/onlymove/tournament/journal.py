"""The file of a match. Every game is appended as it ends, and a match that was stopped continues from the file.

Players may edit the file, and a match may be killed while it writes. So the file is read record by record, by the same
reader as all records. A complete game stays in the file and counts. Whatever does not count is moved to a file beside
it, and nothing leaves the file before both files are on disk.

Only one match at a time writes to a file. It holds a lock that the system releases when the process ends.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count, pairwise
from pathlib import Path
from typing import Final, TypeAlias

from onlymove_engines import games
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.files import open_regular
from onlymove_engines.core.text import clean_line, decode_text
from onlymove_engines.records.record import TAG, Reader, Record, list_tags, quote, unescape
from onlymove_tables import lock
from onlymove_tables.file_format import name_file, open_whole

from onlymove.tournament.referee import Plan

Tags: TypeAlias = Mapping[str, str]
"""The tags of a record."""

SKIPPED: Final = re.compile(r"(?:\s|(?<![^\n])%[^\n]*)*")
"""What the reader skips between records: blank space and lines for other programs."""

TAGS: Final = re.compile(rf"(?<!\\){TAG}", re.DOTALL)
"""Finds tags, but not those in a comment, which have a backslash before them."""
PAIR: Final = re.compile(r"[1-9]\d{0,8}", re.ASCII)
FORMS: Final = {
    "Fault": re.compile(r"(?:[01] [a-z]+(?:, [01] [a-z]+)*)?"),
    "Clocks": re.compile(r"(?:(?:cpu|wall), (?:cpu|wall))?"),
}
"""What the referee writes into two tags that games often lack."""
NOT_UTF8: Final = re.compile(r"[\udc80-\udcff]")
"""A byte that is not UTF-8, as the error handler `surrogateescape` decodes it."""

APART: Final = "\n"
"""The blank line after a record."""

ENOUGH: Final = 3
"""How many pieces of a file are named when they are moved away. The others are counted."""


class OtherMatch(OnlymoveError):
    """The file contains something other than this match."""


class FileInUse(OnlymoveError):
    """Another match is writing to this file."""


class NotCounted(OnlymoveError):
    """A piece of a file is not a complete game of the match, or is one that the file already has."""


@dataclass(frozen=True, slots=True)
class Moved:
    """What was moved out of a match's file: where it is now, and why each piece does not count. The line numbers are
    those of the file at `path`."""

    path: Path
    reasons: tuple[str, ...]

    def __str__(self) -> str:
        more = len(self.reasons) - ENOUGH
        named = "; ".join(self.reasons[:ENOUGH])
        return f"moved what does not count to '{self.path}': {named}" + (f"; and {more} more" if more > 0 else "")


def tags_of(record: str) -> Tags:
    """Return the tags of a record, even if it is damaged."""
    return {name: unescape(text) for name, text in TAGS.findall(clean(record))}


def split_records(text: str) -> list[str]:
    """Return the pieces of a file, which add up to it. Each record begins a piece, so that no damage reaches further
    than to the next record. A record begins with a block of tags, or with its own `Game` if the one before was cut
    within its tags."""
    starts: list[int] = []
    end, has_game = 0, False
    for found in TAGS.finditer(text):
        is_game = found[1] == "Game"
        if not starts or text[end : found.start()].strip() or (is_game and has_game):
            starts.append(found.start())
            has_game = False
        end, has_game = found.end(), has_game or is_game
    if starts and SKIPPED.fullmatch(text, 0, starts[0]):
        starts[0] = 0
    elif text.strip():
        starts.insert(0, 0)
    return [text[begin:following] for begin, following in pairwise([*starts, len(text)])]


@dataclass(eq=False)
class Journal:
    """Appends the records of a match to a file, if there is one. `same` are the tags that all its records share."""

    path: Path | None
    plan: Plan
    same: Tags
    found: dict[int, Tags] = field(default_factory=dict)
    """The tags of the games that were in the file before, by the number of the game."""
    _lock: int | None = None

    def resume(self) -> Moved | None:
        """Read the complete games in the file. Return what was moved out of it, or `None` if all of it counts. Raises
        FileInUse, OSError, and OtherMatch if the file is not from this match. The file is then unchanged."""
        if self.path is None:
            return None
        self._lock = hold_file(self.path)
        # Bytes that are not UTF-8 stay what they are.
        text = decode_text(self.path.read_bytes(), "surrogateescape")
        pieces = split_records(text)
        self._check_match(pieces)
        kept: list[str] = []
        dropped: list[str] = []
        reasons: list[str] = []
        for piece in pieces:
            rest = piece
            while rest:
                lines, end = "".join(dropped).count("\n"), len(rest)
                try:
                    record, end = take_record(rest, lines)
                    number, tags = self._identify(record)
                except NotCounted as refusal:
                    reasons.append(f"line {lines + 1}: {refusal}")
                    dropped.append(end_with_blank_line(rest[:end]))
                except OnlymoveError as refusal:
                    reasons.append(str(refusal))
                    dropped.append(end_with_blank_line(rest[:end]))
                else:
                    self.found[number] = tags
                    kept.append(end_with_blank_line(rest[:end]))
                rest = rest[end:]
        moved = Moved(set_aside(self.path, encode(dropped)), tuple(reasons)) if dropped else None
        if "".join(kept) != text:
            self._replace(self.path.resolve(), encode(kept))
        return moved

    def _check_match(self, pieces: Sequence[str]) -> None:
        """Raise OtherMatch if any piece is from another match, or if none is from a match."""
        heads = [tags_of(piece) for piece in pieces]
        begun = f'[Game "{self.plan.game}"]'
        if pieces and not any("Game" in tags for tags in heads) and not begun.startswith("".join(pieces).strip()):
            raise OtherMatch(f"'{self.path}' is not a match file")
        for tags in heads:
            for name, wanted in self.same.items():
                # A record that was cut may lack tags. It does not count, but it is not from another match.
                if quote(other := tags.get(name, wanted)) != quote(wanted):
                    raise OtherMatch(f"'{self.path}' contains another match: {name} '{other}' instead of '{wanted}'")

    def _identify(self, record: Record) -> tuple[int, Tags]:
        """Return a game's number and its tags. Raises NotCounted."""
        tags = list_tags(record)
        pair = tags.get("Pair", "")
        if PAIR.fullmatch(pair) is None or not all(form.fullmatch(tags.get(name, "")) for name, form in FORMS.items()):
            raise NotCounted("the tags are not those of a game in a match")
        if any(quote(tags.get(name, "")) != quote(wanted) for name, wanted in self.same.items()):
            raise NotCounted("the tags are not those of this match")
        if record.is_cut or record.tree.result is None:
            raise NotCounted(f"a game of pair {pair} without its result")
        players = [quote(tags[name]) for name in ("First", "Second")]
        second = 2 * int(pair) - 1
        numbers = [
            number for number in (second - 1, second) if [*map(quote, self.plan.seat_players(number))] == players
        ]
        if not numbers:
            raise NotCounted(f"a game of pair {pair} with other players")
        for number in numbers:
            if number not in self.found:
                return number, tags
        raise NotCounted(f"a game of pair {pair} that the match already has")

    def _replace(self, path: Path, data: bytes) -> None:
        """Replace the file as a whole, and lock the new one before it can be opened under its name."""
        with open_whole(path, stat.S_IMODE(path.stat().st_mode)) as file:
            file.write(data)
            successor = os.dup(file.fileno())
            lock.try_lock(successor)
        self.close()
        self._lock = successor

    def append(self, record: str) -> None:
        """Append a record to the file, if there is one. If that fails, the file stays as it was. Raises OSError."""
        if self.path is None:
            return
        file = open_regular(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        try:
            before, rest = os.fstat(file).st_size, (record + APART).encode()
            try:
                with name_file(self.path):
                    while rest:
                        rest = rest[os.write(file, rest) :]
            except OSError:
                os.ftruncate(file, before)
                raise
        finally:
            os.close(file)

    def close(self) -> None:
        """Release the file, so that another match can continue it."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def hold_file(path: Path) -> int:
    """Lock a file, which is created if it is missing, and return its descriptor. Raises FileInUse and OSError."""
    while True:
        file = lock.hold(path, 0o666)
        if file is None:
            raise FileInUse(f"another match is writing to {path}")
        # Another match may have replaced the file after it was opened here.
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(file), path.stat()):
                return file
        os.close(file)


def set_aside(path: Path, data: bytes) -> Path:
    """Write this data to a new file beside `path`, `NAME.bak` or the next free name, and return it once it is on disk.
    Raises OSError."""
    mode = stat.S_IMODE(path.stat().st_mode)
    for number in count(1):
        aside = path.with_name(f"{path.name}.bak{number if number > 1 else ''}")
        with suppress(FileExistsError):
            file = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
            break
    try:
        with os.fdopen(file, "wb") as opened:
            opened.write(data)
            opened.flush()
            os.fsync(file)
        folder = os.open(aside.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except BaseException:
        aside.unlink()
        raise
    return aside


def take_record(text: str, lines: int) -> tuple[Record, int]:
    """Read the record at the beginning of a text. Return it and where it ends. The line numbers in errors count `lines`
    before the text. Raises BadRecord, UnknownGame and NotCounted."""
    reader = Reader("\n" * lines + clean(text), games.load)
    if reader.ahead is None or (record := reader.read_record()) is None:
        raise NotCounted("not a record")
    return record, reader.ahead.start() - lines if reader.ahead is not None else len(text)


def clean(text: str) -> str:
    """Return a text as `review` reads it, without harmful characters and bytes that are not UTF-8. It has the same
    length."""
    return "\n".join(map(clean_line, NOT_UTF8.sub("\ufffd", text).split("\n")))


def encode(pieces: Iterable[str]) -> bytes:
    return "".join(pieces).encode("utf-8", "surrogateescape")


def end_with_blank_line(piece: str) -> str:
    blank = piece[len(piece.rstrip()) :]
    return piece + "\n" * (2 - blank.count("\n"))

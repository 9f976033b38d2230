"""What a table file says about itself, and the list of the tables in a folder.

A table file is two text lines and a compressed payload::

    onlymove-table 1 <sha256 of the next line>\\n
    {"count": ..., "digest": ..., "encoding": ..., "game": ..., ...}\\n
    <the payload, compressed by LZMA>

The payload is the sections one after another, little-endian, each padded with zeros to a multiple of 64 bytes,
so that it is the same on every platform. Knows formats and checksums; does not know where tables are kept or
how they are built.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from onlymove_engines.core.errors import TableMismatch
from onlymove_engines.core.game import GameId

MAGIC = "onlymove-table"
VERSION = 1
ALIGNMENT = 64
FILE_NAME = "MANIFEST.toml"
LONGEST_HEADER = 1 << 16


@dataclass(frozen=True, slots=True)
class SectionPlan:
    """Where one section lies in the payload: `length` integers of `dtype` (numpy's name) from byte `offset`."""

    name: str
    dtype: str
    length: int
    offset: int


@dataclass(frozen=True, slots=True)
class Header:
    """The second line of a table file.

    `digest` is of the drawer's sources that decide what the table means; `count` the length of the longest
    section; `sha256` and `size` are of the payload as it is mapped, `packed_sha256` and `packed_size` of its
    compressed form in the file.
    """

    game: GameId
    encoding: str
    digest: str
    count: int
    sections: tuple[SectionPlan, ...]
    sha256: str
    size: int
    packed_sha256: str
    packed_size: int

    def to_bytes(self) -> bytes:
        """The two header lines."""
        line = json.dumps(asdict(self), sort_keys=True, separators=(",", ":")).encode("ascii") + b"\n"
        return f"{MAGIC} {VERSION} {hashlib.sha256(line).hexdigest()}\n".encode("ascii") + line


def parse_header(text: bytes, name: str) -> tuple[Header, int]:
    """The header at the beginning of a file called `name`, and the offset of its payload. Raises TableMismatch."""
    first, _, rest = text.partition(b"\n")
    words = first.split(b" ")
    if len(words) != 3 or words[0] != MAGIC.encode():
        raise TableMismatch(f"{name}: not a table file")
    if words[1] != str(VERSION).encode():
        version = words[1].decode("ascii", "replace")
        raise TableMismatch(f"{name}: table format {version}, this program reads {VERSION}")
    line = rest.partition(b"\n")[0] + b"\n"
    if hashlib.sha256(line).hexdigest().encode() != words[2]:
        raise TableMismatch(f"{name}: the header is damaged or cut short")
    fields = json.loads(line)
    plans = tuple(SectionPlan(**plan) for plan in fields.pop("sections"))
    return Header(sections=plans, **fields), len(first) + 1 + len(line)


def read_header(path: Path) -> tuple[Header, int]:
    """The header of the table file at `path` and the offset of its payload. Raises TableMismatch."""
    try:
        with path.open("rb") as file:
            return parse_header(file.read(LONGEST_HEADER), str(path))
    except OSError as error:
        raise TableMismatch(f"{path}: {error.strerror}") from error


@dataclass(frozen=True, slots=True)
class Entry:
    """One table in the list of a folder: what was built, from what, and what was counted in it."""

    file: str
    encoding: str
    digest: str
    sha256: str
    size: int
    packed_size: int
    build: str
    counts: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, header: Header, counts: Mapping[str, int]) -> Entry:
        """The entry of a table that was just built."""
        return cls(
            file=f"{header.game}.tbl",
            encoding=header.encoding,
            digest=header.digest,
            sha256=header.sha256,
            size=header.size,
            packed_size=header.packed_size,
            build=f"onlymove tables build {header.game}",
            counts=dict(counts),
        )


def read_manifest(folder: Path) -> dict[GameId, Entry]:
    """The tables listed in `folder`, by game; empty without a list. Raises TableMismatch for an unreadable one."""
    path = folder / FILE_NAME
    try:
        return {game: Entry(**fields) for game, fields in tomllib.loads(path.read_text("utf-8")).items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise TableMismatch(f"{path}: unreadable: {error}") from error


def format_manifest(entries: Mapping[GameId, Entry]) -> str:
    """The text of a list: one TOML table a game, in alphabetical order."""
    lines = ["# Written by the table press; `onlymove tables verify GAME --full` proves every figure."]
    for game, entry in sorted(entries.items()):
        lines += ["", f"[{game}]"]
        plain = {name: value for name, value in asdict(entry).items() if name != "counts"}
        lines += [f"{name} = {json.dumps(value)}" for name, value in plain.items()]
        lines += ["", f"[{game}.counts]"]
        lines += [f"{json.dumps(name)} = {value}" for name, value in entry.counts.items()]
    return "\n".join(lines) + "\n"


def list_table(folder: Path, game: GameId, entry: Entry) -> None:
    """Put `entry` on the list of `folder`, replacing the game's former one."""
    entries = read_manifest(folder) | {game: entry}
    write_whole(folder / FILE_NAME, format_manifest(entries).encode())


def write_whole(path: Path, *pieces: bytes) -> None:
    """Write a file so that nobody ever sees half of it: a temporary name, fsync, rename."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise

"""The format of table files and manifests.

A table file is two lines of text and a compressed payload::

    onlymove-table 1 <sha256 of the next line>
    {"count": ..., "digest": ..., "encoding": ..., "game": ..., ...}
    <the payload, compressed by LZMA>

The payload holds the sections one after another, as little-endian integers. Each section is padded with zeros to a
multiple of 64 bytes. The payload is the same on every platform. This module does not know where tables are stored or
how they are built.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, BinaryIO, TypeAlias

import msgspec
from onlymove_engines.core.errors import TableMismatch, UnusableTable
from onlymove_engines.core.facts import GameId
from onlymove_engines.core.files import open_regular, read_regular
from onlymove_engines.core.text import clean_document, clean_line


@contextmanager
def name_file(path: Path) -> Iterator[None]:
    """Name the file in each OSError of the block that names none. The system names no file if a disk is full."""
    try:
        yield
    except OSError as error:
        if error.errno and error.filename is None:
            error.filename = str(path)
        raise


@contextmanager
def open_whole(path: Path, mode: int = 0o644) -> Iterator[BinaryIO]:
    """Open a file for atomic writing. The block writes to a temporary file, which then replaces the old one. If the
    block fails, the old file stays. Raises OSError, which names the file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with name_file(path), os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, mode)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def write_whole(path: Path, *pieces: bytes, mode: int = 0o644) -> None:
    """Write these pieces to a file. The file is replaced as a whole or not at all."""
    with open_whole(path, mode) as file:
        file.writelines(pieces)


def clear_unfinished(*paths: Path) -> None:
    """Remove the temporary files that were left behind when a process was killed while writing one of these files."""
    for path in paths:
        for piece in path.parent.glob(f".{path.name}.*"):
            piece.unlink(missing_ok=True)


MAGIC = "onlymove-table"
VERSION = 1
ALIGNMENT = 64
MAX_HEADER_LENGTH = 1 << 16

MAX_PACKING = 1000
"""How many times larger than its file a table may become. Ours become up to 21 times larger. LZMA packs zeros into a
seven-thousandth, so a small file could otherwise fill the memory."""

SMALL = 1 << 24
"""Up to so many bytes, a table may be packed in any way."""

Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=(1 << 63) - 1)]
Digest: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{64}\Z")]
DataType: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"\A(\|[iu]1|<[iu][248])\Z")]
"""The name of a type of integers in numpy: its byte order, whether it has a sign, and its number of bytes."""


@dataclass(frozen=True, slots=True)
class SectionPlan:
    """The place of a section in the payload: `length` integers of `dtype`, starting at byte `offset`."""

    name: str
    dtype: DataType
    length: Count
    offset: Count

    @property
    def end(self) -> int:
        """Return the offset after the section and its padding, where the next section starts."""
        end = self.offset + self.length * int(self.dtype[2:])
        return end + -end % ALIGNMENT

    def __str__(self) -> str:
        return f"{self.name} {self.dtype} {self.length} from {self.offset}"


@dataclass(frozen=True, slots=True)
class Header:
    """The second line of a table file. `digest` is the checksum of the sources that decide what the table means.
    `count` is the length of the longest section. `sha256` and `size` describe the payload after decompression,
    `packed_sha256` and `packed_size` the compressed payload in the file."""

    game: GameId
    encoding: str
    digest: Digest
    count: Count
    sections: tuple[SectionPlan, ...]
    sha256: Digest
    size: Count
    packed_sha256: Digest
    packed_size: Count

    def to_bytes(self) -> bytes:
        line = json.dumps(asdict(self), sort_keys=True, separators=(",", ":")).encode("ascii") + b"\n"
        return f"{MAGIC} {VERSION} {hashlib.sha256(line).hexdigest()}\n".encode("ascii") + line


def read_header(path: Path) -> tuple[Header, int]:
    """Return the header of the table file at `path` and the offset of its payload. The type and range of each field are
    checked, and that the fields fit together. Raises UnusableTable."""
    try:
        with os.fdopen(open_regular(path), "rb") as file:
            text = file.read(MAX_HEADER_LENGTH)
    except OSError as error:
        raise UnusableTable(f"{path}: {error.strerror}") from error
    first, _, rest = text.partition(b"\n")
    words = first.split(b" ")
    if len(words) != 3 or words[0] != MAGIC.encode():
        raise UnusableTable(f"{path}: this is not a table file")
    if words[1] != str(VERSION).encode():
        version = clean_line(words[1].decode("ascii", "replace"))
        raise UnusableTable(f"{path}: the table has format {version}, but this program reads {VERSION}")
    line = rest.partition(b"\n")[0] + b"\n"
    if hashlib.sha256(line).hexdigest().encode() != words[2]:
        raise UnusableTable(f"{path}: the header is damaged or cut short")
    try:
        header = msgspec.convert(clean_document(json.loads(line)), Header)
    except (ValueError, RecursionError, msgspec.ValidationError) as error:
        raise UnusableTable(f"{path}: the header cannot be read: {error}") from error
    for fault in find_header_faults(header):
        raise UnusableTable(f"{path}: the header is wrong: {fault}")
    return header, len(first) + 1 + len(line)


def find_header_faults(header: Header) -> Iterator[str]:
    """Yield how the fields of a header contradict each other, or why its payload is too large for its file."""
    end, names = 0, [plan.name for plan in header.sections]
    for plan in header.sections:
        if plan.offset != end:
            yield f"section '{plan.name}' does not start where the one before it ends"
        end = plan.end
    if names != sorted(set(names)):
        yield "the sections are not in order"
    if header.size != end:
        yield f"the sections need {end:,} bytes, but the size is {header.size:,}"
    if header.count != max((plan.length for plan in header.sections), default=0):
        yield "the count is not the length of the longest section"
    if header.size > max(SMALL, MAX_PACKING * header.packed_size) or header.packed_size > max(SMALL, 2 * header.size):
        yield f"{header.packed_size:,} bytes cannot be a packed table of {header.size:,} bytes"


FILE_NAME = "MANIFEST.toml"

MAX_MANIFEST = 1 << 20
"""The most bytes of a manifest. An entry has about one thousand."""

IDENTITY = ("encoding", "digest", "sha256", "size", "sections")
"""The fields that are equal in every build of the same table."""


@dataclass(frozen=True, slots=True)
class TableEntry:
    """A table's entry in the manifest of a folder: what was built, from which sources, and what was counted in it."""

    file: str
    encoding: str
    digest: str
    sha256: str
    size: int
    packed_size: int
    build: str
    sections: tuple[str, ...]
    """The place of each section in the payload, one line each."""
    counts: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def from_header(cls, header: Header, counts: Mapping[str, int]) -> TableEntry:
        shared = {name: getattr(header, name) for name in ("encoding", "digest", "sha256", "size", "packed_size")}
        command = f"onlymove tables build {header.game}"
        plans = tuple(map(str, header.sections))
        return cls(file=f"{header.game}.tbl", build=command, sections=plans, counts=dict(counts), **shared)

    def list_differences(self, header: Header) -> Iterator[str]:
        """Yield each difference between a table's header and this entry. A different compression is not a
        difference."""
        found = TableEntry.from_header(header, {})
        for name in IDENTITY:
            if getattr(self, name) != getattr(found, name):
                yield f"{name} is {getattr(found, name)}, but the manifest says {getattr(self, name)}"


def read_manifest(folder: Path) -> dict[GameId, TableEntry]:
    """Return the tables listed in the manifest of `folder`, by game. Empty if there is no manifest. Raises
    TableMismatch if the manifest cannot be read."""
    path = folder / FILE_NAME
    try:
        text = read_regular(path, MAX_MANIFEST).decode()
        return msgspec.convert(clean_document(tomllib.loads(text)), dict[GameId, TableEntry])
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError, msgspec.ValidationError) as error:
        raise TableMismatch(f"{path}: unreadable: {error}") from error


def list_table(folder: Path, game: GameId, entry: TableEntry) -> None:
    """Write `entry` into the manifest of `folder`, in place of the game's former one. Games are sorted by name."""
    lines = ["# Written by the table builder; `onlymove tables verify GAME --full` proves every figure."]
    for name, listed in sorted((read_manifest(folder) | {game: entry}).items()):
        facts = asdict(listed)
        counts = facts.pop("counts")
        lines += ["", f"[{name}]", *(f"{key} = {json.dumps(value)}" for key, value in facts.items())]
        lines += ["", f"[{name}.counts]", *(f"{json.dumps(key)} = {count}" for key, count in counts.items())]
    write_whole(folder / FILE_NAME, ("\n".join(lines) + "\n").encode())

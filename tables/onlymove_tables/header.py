"""What a table file says about itself.

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
import stat
from dataclasses import asdict, dataclass
from pathlib import Path

from onlymove_engines.core.errors import UnusableTable
from onlymove_engines.core.game import GameId

MAGIC = "onlymove-table"
VERSION = 1
ALIGNMENT = 64
LONGEST_HEADER = 1 << 16


@dataclass(frozen=True, slots=True)
class SectionPlan:
    """Where one section lies in the payload: `length` integers of `dtype` (numpy's name) from byte `offset`."""

    name: str
    dtype: str
    length: int
    offset: int

    def __str__(self) -> str:
        return f"{self.name} {self.dtype} {self.length} from {self.offset}"


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
    """The header at the beginning of a file called `name`, and the offset of its payload. Raises UnusableTable."""
    first, _, rest = text.partition(b"\n")
    words = first.split(b" ")
    if len(words) != 3 or words[0] != MAGIC.encode():
        raise UnusableTable(f"{name}: not a table file")
    if words[1] != str(VERSION).encode():
        version = words[1].decode("ascii", "replace")
        raise UnusableTable(f"{name}: table format {version}, this program reads {VERSION}")
    line = rest.partition(b"\n")[0] + b"\n"
    if hashlib.sha256(line).hexdigest().encode() != words[2]:
        raise UnusableTable(f"{name}: the header is damaged or cut short")
    try:
        fields = json.loads(line)
        plans = tuple(SectionPlan(**plan) for plan in fields.pop("sections"))
        return Header(sections=plans, **fields), len(first) + 1 + len(line)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise UnusableTable(f"{name}: the header is not understood: {error}") from error


def read_header(path: Path) -> tuple[Header, int]:
    """The header of the table file at `path` and the offset of its payload. Raises UnusableTable."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise UnusableTable(f"{path}: not a file")
        with path.open("rb") as file:
            return parse_header(file.read(LONGEST_HEADER), str(path))
    except OSError as error:
        raise UnusableTable(f"{path}: {error.strerror}") from error

"""The list of the tables in a folder: what was built, from what, and what was counted in it."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from onlymove_engines.core.errors import TableMismatch
from onlymove_engines.core.game import GameId

from onlymove_tables.files import write_whole
from onlymove_tables.header import Header

FILE_NAME = "MANIFEST.toml"

IDENTITY = ("encoding", "digest", "sha256", "size", "sections")
"""What the entries of two builds of the same table have alike."""


@dataclass(frozen=True, slots=True)
class TableEntry:
    """One table in the list of a folder: what was built, from what, and what was counted in it."""

    file: str
    encoding: str
    digest: str
    sha256: str
    size: int
    packed_size: int
    build: str
    sections: tuple[str, ...] = ()
    """What lies where in the payload, a line for each section; none in a list of earlier versions."""
    counts: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, header: Header, counts: Mapping[str, int]) -> TableEntry:
        """The entry of a table that was just built."""
        return cls(
            file=f"{header.game}.tbl",
            encoding=header.encoding,
            digest=header.digest,
            sha256=header.sha256,
            size=header.size,
            packed_size=header.packed_size,
            build=f"onlymove tables build {header.game}",
            sections=tuple(map(str, header.sections)),
            counts=dict(counts),
        )

    def differences(self, header: Header) -> Iterator[str]:
        """Where the header of a table contradicts this entry, how it was compressed aside."""
        found = TableEntry.of(header, {})
        for name in IDENTITY if self.sections else IDENTITY[:-1]:
            if getattr(self, name) != getattr(found, name):
                yield f"{name} is {getattr(found, name)}, the manifest says {getattr(self, name)}"


def read_manifest(folder: Path) -> dict[GameId, TableEntry]:
    """The tables listed in `folder`, by game; empty without a list. Raises TableMismatch for an unreadable one."""
    path = folder / FILE_NAME
    try:
        listed = tomllib.loads(path.read_text("utf-8"))
        return {
            game: TableEntry(**fields | {"sections": tuple(fields.get("sections", ()))})
            for game, fields in listed.items()
        }
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise TableMismatch(f"{path}: unreadable: {error}") from error


def format_manifest(entries: Mapping[GameId, TableEntry]) -> str:
    """The text of a list: one TOML table a game, in alphabetical order."""
    lines = ["# Written by the table builder; `onlymove tables verify GAME --full` proves every figure."]
    for game, entry in sorted(entries.items()):
        lines += ["", f"[{game}]"]
        plain = {name: value for name, value in asdict(entry).items() if name != "counts"}
        lines += [f"{name} = {json.dumps(value)}" for name, value in plain.items()]
        lines += ["", f"[{game}.counts]"]
        lines += [f"{json.dumps(name)} = {value}" for name, value in entry.counts.items()]
    return "\n".join(lines) + "\n"


def list_table(folder: Path, game: GameId, entry: TableEntry) -> None:
    """Put `entry` on the list of `folder`, replacing the game's former one."""
    entries = read_manifest(folder) | {game: entry}
    write_whole(folder / FILE_NAME, format_manifest(entries).encode())

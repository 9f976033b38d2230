"""Finds, opens and maps tables.

A shipped table is compressed. When it is first used, it is decompressed into the user's cache, and every process maps
that copy read-only. If no cache can be written, the table stays in memory. The header, the compressed payload and the
decompressed payload are compared with their checksums before anything is used. A table that was built from the same
rules as the shipped one must be equal to it, because the rules determine the values.
"""

from __future__ import annotations

import hashlib
import lzma
import mmap
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Literal

import numpy as np
from onlymove_engines import games
from onlymove_engines.compiled.jit import require_compiler
from onlymove_engines.core.analysis import AnyAnalyst, Columns, Sections, Tell, ignore_line
from onlymove_engines.core.errors import (
    MissingTable,
    OnlymoveError,
    OutdatedTable,
    RefusedRules,
    TableMismatch,
    UnusableTable,
)
from onlymove_engines.core.files import open_regular, read_regular
from onlymove_engines.core.game import AnyGame, find_solution
from onlymove_engines.core.solution import Solution, parse_solution, solution_file
from onlymove_engines.core.text import clean_lines
from onlymove_engines.search.deepening import LiveAnalyst
from onlymove_engines.search.rules_analyst import PointsAnalyst, RulesAnalyst, find_misfit, is_solved_by_rules
from onlymove_engines.search.rules_solver import find_solver
from platformdirs import user_cache_path, user_data_path

from onlymove_tables import lock
from onlymove_tables.digest import source_digest
from onlymove_tables.file_format import Header, read_header, read_manifest, write_whole

SEARCH_VARIABLE = "ONLYMOVE_TABLES"

UNPACKING_MEMORY = 1 << 27
"""The most memory that decompressing may take besides the result. The largest window that `build` uses takes half of
that. A table from elsewhere could ask for 4 GB."""

LETTERS: dict[str, Literal["b", "B", "h", "H", "i", "I", "q", "Q"]]
LETTERS = {"i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "i8": "q", "u8": "Q"}
"""The type codes of `memoryview` for numpy's integer types."""


def package_folder() -> Path:
    return Path(str(resources.files(__package__) / "data"))


MAX_NOTE = 1 << 20
"""The most bytes of a file of statistics, or of one that says why a game was not solved. They have about 8,000."""


def shipped_folder(game: AnyGame) -> Path:
    """Return the folder of the tables shipped with a game: onlymove's own, or one in the game's package."""
    is_ours = game.facts.package.startswith(f"{games.__name__}.") or not game.facts.package
    return package_folder() if is_ours else Path(str(resources.files(game.facts.package) / "tables"))


def user_folder() -> Path:
    return user_data_path("onlymove") / "tables"


def cache_folder() -> Path:
    return user_cache_path("onlymove") / "tables"


def search_path() -> list[Path]:
    """Return the folders to search, in this order: $ONLYMOVE_TABLES, the user's data, the package's data."""
    named = [Path(name) for name in os.environ.get(SEARCH_VARIABLE, "").split(os.pathsep) if name]
    return [*named, user_folder(), package_folder()]


def find_tables(game: AnyGame) -> list[Path]:
    """Return all files on the search path with the name of the game's table, in order and unchecked. A file in the
    user's data folder that was built for other rules is left out, unless there is no other file. Raises
    MissingTable."""
    if find_solver(game) is None:
        raise MissingTable(f"{game.facts.title} has no table; it is played by search")
    folders = dict.fromkeys((*search_path(), shipped_folder(game)))
    found = [path for folder in folders if is_there(path := folder / f"{game.id}.tbl")]
    if not found:
        raise MissingTable(f"found no table of {game.id}; build it with `onlymove tables build {game.id}`")

    def is_outdated(path: Path) -> bool:
        try:
            checked_header(game, path)
        except TableMismatch as refusal:
            return isinstance(refusal, OutdatedTable)
        return False

    return [path for path in found if path.parent != user_folder() or not is_outdated(path)] or found


def is_there(path: Path) -> bool:
    """Whether this file exists, even if it cannot be read."""
    try:
        path.lstat()
    except OSError as error:
        return not isinstance(error, FileNotFoundError | NotADirectoryError)
    return True


def checked_header(game: AnyGame, path: Path) -> tuple[Header, int]:
    """Return the header of a table file and the offset of its payload. Raises TableMismatch if the file is not a table
    of this game, or not the table that its rules give."""
    header, offset = own_header(game, path)
    for contradiction in find_contradictions(game, path, header):
        raise TableMismatch(contradiction)
    return header, offset


def own_header(game: AnyGame, path: Path) -> tuple[Header, int]:
    """Return the header and payload offset of a file whose header names this game and its current rules. Raises
    OutdatedTable or UnusableTable."""
    header, offset = read_header(path)
    if header.game != game.id:
        raise UnusableTable(f"{path}: this is a table of {header.game}, not of {game.id}")
    solver = find_solver(game)
    if solver is not None and header.encoding != solver.encoding:
        raise OutdatedTable(
            f"{path}: the table has encoding {header.encoding}, but this program reads {solver.encoding}"
        )
    if header.digest != source_digest(game):
        raise OutdatedTable(f"{path}: it was built for other rules; rebuild it with `onlymove tables build {game.id}`")
    lengths = {plan.name: plan.length for plan in header.sections}
    if is_solved_by_rules(game) and (misfit := find_misfit(game, lengths)):
        raise UnusableTable(f"{path}: this is no table made from the rules: {misfit}")
    return header, offset


def find_contradictions(game: AnyGame, path: Path, header: Header) -> Iterator[str]:
    """Yield each way in which a table differs from the shipped one, if both were built from the same rules."""
    shipped = read_manifest(shipped_folder(game)).get(game.id)
    if shipped is not None and (shipped.encoding, shipped.digest) == (header.encoding, header.digest):
        for difference in shipped.list_differences(header):
            yield f"{path}: this table does not match the rules: {difference}"


def packed_payload(path: Path, header: Header, offset: int) -> bytes:
    """Read the compressed payload and compare it with its checksum. Raises TableMismatch."""
    try:
        with os.fdopen(open_regular(path), "rb") as file:
            length = os.fstat(file.fileno()).st_size - offset
            file.seek(offset)
            packed = file.read(header.packed_size) if length == header.packed_size else b""
    except OSError as error:
        raise UnusableTable(f"{path}: {error.strerror}") from error
    except MemoryError:
        raise UnusableTable(f"{path}: the payload has {length:,} bytes, which do not fit into memory") from None
    if len(packed) != header.packed_size:
        raise UnusableTable(f"{path}: the payload has {length:,} bytes instead of {header.packed_size:,}")
    if hashlib.sha256(packed).hexdigest() != header.packed_sha256:
        raise TableMismatch(f"{path}: the payload is damaged (checksum differs)")
    return packed


def inflate(path: Path, header: Header, packed: bytes) -> bytes:
    """Decompress the payload and compare it with its checksum. No more is decompressed than one byte beyond the size in
    the header. Raises TableMismatch."""
    pieces: list[bytes] = []
    left = header.size
    try:
        # Each section is a stream of its own. Even an empty table may be one.
        for _ in range(max(len(header.sections), 1)):
            stream = lzma.LZMADecompressor(lzma.FORMAT_XZ, UNPACKING_MEMORY)
            pieces.append(stream.decompress(packed, left + 1))
            left -= len(pieces[-1])
            packed = stream.unused_data
            if left < 0 or not packed:
                break
    except (lzma.LZMAError, MemoryError) as error:
        raise TableMismatch(f"{path}: the payload cannot be unpacked: {error}") from error
    payload = b"".join(pieces)
    if left or packed or hashlib.sha256(payload).hexdigest() != header.sha256:
        raise TableMismatch(f"{path}: the unpacked payload is damaged (checksum differs)")
    return payload


def copy_name(header: Header) -> str:
    return f"{header.game}-{header.sha256[:16]}.bin"


def map_copy(path: Path, header: Header) -> mmap.mmap | None:
    """Map the decompressed copy at `path` read-only. Its time is set to now, so `clean_up` can tell when it was last
    used. Return `None` if the copy is missing or does not match the header."""
    try:
        with os.fdopen(open_regular(path), "rb") as file:
            if os.fstat(file.fileno()).st_size != header.size or not header.size:
                return None
            if hashlib.file_digest(file, "sha256").hexdigest() != header.sha256:
                return None
            with suppress(OSError):
                os.utime(path)
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError:
        return None


def payload_of(path: Path, header: Header, offset: int) -> mmap.mmap | bytes:
    """Return the payload of the table at `path`, mapped from the cache. If no cache can be written, it is in memory."""
    packed = packed_payload(path, header, offset)
    copy = cache_folder() / copy_name(header)
    if (view := map_copy(copy, header)) is not None:
        return view
    payload = inflate(path, header, packed)
    with suppress(OSError):
        write_whole(copy, payload)
        return map_copy(copy, header) or payload
    return payload


def sections_of(header: Header, payload: mmap.mmap | bytes) -> Sections:
    """Return the named arrays of the payload, read-only and without copying."""
    return {
        plan.name: np.frombuffer(payload, plan.dtype, plan.length, plan.offset)
        if plan.length
        else np.empty(0, plan.dtype)
        for plan in header.sections
    }


def columns_of(header: Header, payload: mmap.mmap | bytes) -> Columns:
    """Return the columns of a payload for single look-ups. They do not need numpy, which takes longer to load than a
    look-up takes."""
    if sys.byteorder != "little":
        return sections_of(header, payload)
    whole = memoryview(payload)
    return {
        plan.name: whole[plan.offset :][: plan.length * int(plan.dtype[2:])].cast(LETTERS[plan.dtype[1:]])
        for plan in header.sections
    }


def open_table(game: AnyGame, tell: Tell = ignore_line) -> Columns:
    """Return the columns of the game's table, mapped read-only. Raises MissingTable or TableMismatch."""
    return columns_of(*load_first(game, tell))


def load_first(game: AnyGame, tell: Tell = ignore_line) -> tuple[Header, mmap.mmap | bytes]:
    """Return the header and payload of the first usable table on the search path. `tell` receives a line if an unusable
    table comes before it. Raises MissingTable, or TableMismatch if no table is usable."""
    refused: TableMismatch | None = None
    for path in find_tables(game):
        try:
            loaded = load_table(game, path)
        except TableMismatch as refusal:
            refused = refused or refusal
            continue
        if refused is not None:
            tell(f"{refused}. Using {'the shipped table' if path.parent == shipped_folder(game) else path} instead")
        return loaded
    assert refused is not None, "nothing is found only where MissingTable is raised"
    raise refused


def load_table(game: AnyGame, path: Path) -> tuple[Header, mmap.mmap | bytes]:
    """Return the header and payload of a table file after checking them. Raises TableMismatch."""
    header, offset = checked_header(game, path)
    return header, payload_of(path, header, offset)


def open_analyst(game: AnyGame, sections: Columns | None) -> AnyAnalyst:
    """Return the game package's own analyst for a table's sections. If the package has none, return look-ups in a table
    made from the rules, or a search by the plain rules if there is no table."""
    if game.solved.open_analyst is not None:
        return game.solved.open_analyst(sections)
    if sections is None:
        return LiveAnalyst(game)
    return RulesAnalyst(game, sections) if game.play.points is None else PointsAnalyst(game, sections)


@dataclass(frozen=True, slots=True)
class Opened:
    """A game's analyst, the columns of the table that it reads (`None` if it reads none), and why there is no table
    although there should be one (`None` if there is one or none is needed)."""

    game: AnyGame
    analyst: AnyAnalyst
    sections: Columns | None
    refusal: OnlymoveError | None

    @property
    def note(self) -> str:
        """Why there is no table, in one line. Empty if there is one or none is needed."""
        return "" if self.refusal is None else str(self.refusal)

    def open_another(self) -> AnyAnalyst:
        """Return another analyst with the same table. It knows nothing that this one has found by searching."""
        return open_analyst(self.game, self.sections)


def open_game(game: AnyGame, tell: Tell = ignore_line) -> Opened:
    """Open the analyst of a game with what is there now, without waiting. `tell` receives a line if a table on the
    search path cannot be used and another one replaces it. Raises NoCompiler if only a compiled search could find the
    values and there is no compiler, and RefusedRules if the rules are wrong or not supported."""
    require_sound_rules(game)
    sections: Columns | None = None
    refusal: OnlymoveError | None = None
    if find_solver(game) is not None:
        try:
            sections = open_table(game, tell)
        except MissingTable as missing:
            refusal = describe_missing(game, missing)
        except OutdatedTable as outdated:
            refusal = describe_outdated(game, outdated)
        except TableMismatch as mismatch:
            refusal = mismatch
    if (sections is None or game.facts.plays_by_search) and has_kernels(game):
        require_compiler()
    try:
        return Opened(game, open_analyst(game, sections), sections, refusal)
    except TableMismatch as mismatch:
        return Opened(game, open_analyst(game, None), None, mismatch)


def describe_missing(game: AnyGame, missing: MissingTable) -> MissingTable | None:
    """Return why a game has no table. `None` if it needs none, because it is nothing but its rules. If it was tried to
    solve such a game, its verdict says why that was not possible."""
    if not is_solved_by_rules(game):
        return missing
    verdict = find_verdict(game)
    return None if verdict is None else MissingTable(verdict)


def describe_outdated(game: AnyGame, outdated: OutdatedTable) -> OutdatedTable:
    """Return why a game's table is not used: it is being built again, or the verdict on the game, or what is wrong with
    the table."""
    if lock.is_held(solving_file(game)):
        path = user_folder() / f"{game.id}.tbl"
        return OutdatedTable(f"{path}: it was built for other rules, and is being built again")
    return OutdatedTable(find_verdict(game) or str(outdated))


def find_counted(game: AnyGame) -> Solution | None:
    """Return the figures that were counted in the game's table. For a game solved from its rules, the table must be one
    that was made here and is still in use. Raises UnreadableSolution."""
    if not is_solved_by_rules(game):
        return find_solution(game)
    try:
        path = find_tables(game)[0]
        header, _ = checked_header(game, path)
        solution = parse_solution(read_regular(path.parent / solution_file(game.id), MAX_NOTE).decode())
        return solution if solution.digest == header.sha256 else None
    except (MissingTable, TableMismatch, OSError):
        return None


def solving_file(game: AnyGame) -> Path:
    """Return the file that is locked while a process in the background builds the game's table."""
    return cache_folder() / f"{game.id}.solving"


def verdict_file(game: AnyGame) -> Path:
    """Return the file that says why a game was not solved. It holds the digest of the game's rules, a line for the
    player, and `REFUSED` if its rules are wrong."""
    return cache_folder() / f"{game.id}.unsolved"


REFUSED = "refused"
"""The last line of that file if the rules are wrong or not supported. Then nothing may be said about the values."""


def write_verdict(game: AnyGame, line: str, is_refusal: bool = False) -> None:
    """Store why the game cannot be solved with its current rules. Raises OSError."""
    kind = REFUSED if is_refusal else ""
    verdict_file(game).parent.mkdir(parents=True, exist_ok=True)
    write_whole(verdict_file(game), f"{source_digest(game)}\n{' '.join(line.split())}\n{kind}\n".encode())


def find_verdict(game: AnyGame) -> str | None:
    """Return why the game could not be solved with its current rules, or `None` if nobody has tried."""
    return read_verdict(game)[0]


def require_sound_rules(game: AnyGame) -> None:
    """Raise RefusedRules if the game's current rules were found to be wrong or not supported when it was solved."""
    line, is_refusal = read_verdict(game) if is_solved_by_rules(game) else (None, False)
    if line is not None and is_refusal:
        raise RefusedRules(line)


def read_verdict(game: AnyGame) -> tuple[str | None, bool]:
    """Return why the game could not be solved with its current rules, and whether the reason is in the rules."""
    try:
        text = clean_lines(read_regular(verdict_file(game), MAX_NOTE).decode())
        digest, line, kind, *_ = [*text.splitlines(), "", "", ""]
    except (OSError, ValueError):
        digest = line = kind = ""
    try:
        return (line.strip(), kind == REFUSED) if digest == source_digest(game) else (None, False)
    except TableMismatch as refusal:
        return str(refusal), False


def has_kernels(game: AnyGame) -> bool:
    return bool(game.facts.package) and any(
        entry.name.startswith("_kernel") for entry in resources.files(game.facts.package).iterdir()
    )

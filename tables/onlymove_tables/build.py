"""Builds tables with any game package's solver, without knowing what they contain.

`python -m onlymove_tables.build [GAME ...]` builds the shipped tables into their packages.
"""

from __future__ import annotations

import hashlib
import lzma
import os
import resource
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import numpy as np
from onlymove_engines import games
from onlymove_engines.compiled.jit import require_compiler
from onlymove_engines.core.analysis import Report, Sections, Solver, Tell, ignore_line, ignore_report
from onlymove_engines.core.errors import MissingTable, OnlymoveError, RefusedRules, Unsolvable
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.solution import format_solution, solution_file
from onlymove_engines.search.rules_solver import RulesSolver, find_solver

from onlymove_tables import lock
from onlymove_tables.digest import source_digest
from onlymove_tables.file_format import (
    FILE_NAME,
    Header,
    SectionPlan,
    TableEntry,
    clear_unfinished,
    list_table,
    write_whole,
)
from onlymove_tables.kernels import prepare
from onlymove_tables.open import has_kernels, shipped_folder, verdict_file, write_verdict

MIN_WINDOW = 1 << 20
MAX_WINDOW = 1 << 26
"""LZMA's window grows with the section up to this size, so a small table takes little memory to read."""

WIDE = 4
"""For integers of at least this many bytes, LZMA's `EXTREME` preset saves almost nothing."""

LOCK = ".building"
"""The name of the file that is locked while a table is written into a folder."""

LARGE = 1 << 22
"""In a section of single bytes that is at least this large, the search for matches is kept short."""


def build_table(
    game: AnyGame,
    path: Path,
    jobs: int = 1,
    report: Report = ignore_report,
    most: int | None = None,
    tell: Tell = ignore_line,
) -> TableEntry:
    """Solve `game` and write its table to `path`. The file is written completely or not at all. Raises MissingTable if
    the game has no table, and NoCompiler if its kernels cannot be compiled. Raises Unsolvable if the game cannot be
    solved from its rules, has more positions than `most`, or does not fit into memory. `tell` receives a line for each
    start of the game's options that is left out for that reason."""
    solver = solver_of(game, most)
    header, packed, sections = pack_table(game, solver, jobs, report)
    tell_left_out(game, solver, tell)
    write_whole(path, header.to_bytes(), packed)
    return TableEntry.from_header(header, solver.counts(sections))


def build_into(
    game: AnyGame,
    folder: Path,
    jobs: int = 1,
    report: Report = ignore_report,
    most: int | None = None,
    tell: Tell = ignore_line,
) -> TableEntry:
    """Build the table of `game` as `<id>.tbl` in `folder`, and list it in that folder's manifest. A table
    that was made from the rules also gets a file with the counts of its values. Raises what `build_table` raises.

    The table is written last. If the process is killed before that, the next start finds no table, or an outdated one,
    and builds it again. A table that was written first could contradict the manifest for ever.
    """
    solver = solver_of(game, most)
    header, packed, sections = pack_table(game, solver, jobs, report)
    tell_left_out(game, solver, tell)
    entry, counted = TableEntry.from_header(header, solver.counts(sections)), b""
    if isinstance(solver, RulesSolver):
        from onlymove_tables.solution import count_rules_table  # noqa: PLC0415 - only for games solved from their rules

        report("counting positions", 1.0)
        counted = format_solution(count_rules_table(solver, header, sections)).encode()
    path = folder / f"{game.id}.tbl"
    folder.mkdir(parents=True, exist_ok=True)
    counts = folder / solution_file(game.id)
    with lock.hold_if_free(folder / LOCK) as is_alone:
        if is_alone:
            clear_unfinished(folder / FILE_NAME, counts, path)
        list_table(folder, game.id, entry)
        if counted:
            write_whole(counts, counted)
        write_whole(path, header.to_bytes(), packed)
    return entry


def tell_left_out(game: AnyGame, solver: Solver, tell: Tell) -> None:
    """Pass a line for each start to `tell` that is not solved because it leads to too many positions."""
    for start in solver.left_out if isinstance(solver, RulesSolver) else ():
        tell(f"{game.id}: the start {game.notation.format_position(start)} is not solved: it has too many positions")


def pack_table(game: AnyGame, solver: Solver, jobs: int, report: Report) -> tuple[Header, bytes, Sections]:
    """Build a game's table. Return its header, its compressed payload and its sections. If its rules are refused, that
    is stored, so that nothing answers from them."""
    if has_kernels(game):
        require_compiler()
    try:
        sections = solver.build(jobs, with_rate(report) if isinstance(solver, RulesSolver) else report)
    except RefusedRules as refusal:
        if game.facts.package:
            with suppress(OSError):
                write_verdict(game, str(refusal), is_refusal=True)
        raise
    except MemoryError as error:
        raise Unsolvable(f"{game.id} does not fit into the memory that this process may use") from error
    if isinstance(solver, RulesSolver):
        with suppress(OSError):
            verdict_file(game).unlink(missing_ok=True)
    report("packing", 1.0)
    plans, payload = lay_out(sections)
    packed = compress(plans, payload, jobs)
    header = Header(
        game=game.id,
        encoding=solver.encoding,
        digest=source_digest(game),
        count=max((plan.length for plan in plans), default=0),
        sections=plans,
        sha256=hashlib.sha256(payload).hexdigest(),
        size=len(payload),
        packed_sha256=hashlib.sha256(packed).hexdigest(),
        packed_size=len(packed),
    )
    return header, packed, sections


def with_rate(report: Report) -> Report:
    """Return a report that passes everything on to `report` and adds the positions found per second and the memory in
    use."""
    begun = time.monotonic()

    def report_rate(what: str, share: float) -> None:
        count, _, rest = what.partition(" ")
        if rest == "positions":
            rate = int(count.replace(",", "")) / max(time.monotonic() - begun, 0.001)
            used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1 << (20 if sys.platform == "darwin" else 10))
            what = f"{what}, {rate:,.0f} a second, {used:,} MB"
        report(what, share)

    return report_rate


def solver_of(game: AnyGame, most: int | None = None) -> Solver:
    """Return the solver that builds a game's table. `most` limits the positions of a game solved from its rules. Raises
    MissingTable if the game has none."""
    solver = find_solver(game, most)
    if solver is None:
        raise MissingTable(f"{game.facts.title} has no table; it is played by search")
    return solver


def lay_out(sections: Sections) -> tuple[tuple[SectionPlan, ...], bytes]:
    """Join the sections in alphabetical order into one payload of little-endian integers. Return the plan of each
    section, and the payload. Raises TypeError for a section that is not a one-dimensional array of integers."""
    plans: list[SectionPlan] = []
    pieces: list[bytes] = []
    offset = 0
    for name in sorted(sections):
        section = sections[name]
        if section.ndim != 1 or section.dtype.kind not in "iu":
            raise TypeError(f"section '{name}' must be a one-dimensional integer array, not {section.dtype}")
        data = np.ascontiguousarray(section, dtype=section.dtype.newbyteorder("<"))
        plans.append(SectionPlan(name, data.dtype.str, len(data), offset))
        pieces += [data.tobytes(), bytes(plans[-1].end - offset - data.nbytes)]
        offset = plans[-1].end
    return tuple(plans), b"".join(pieces)


def compress(plans: Sequence[SectionPlan], payload: bytes, jobs: int = 1) -> bytes:
    """Compress the payload with LZMA, as one stream for each section with its padding. `jobs` does not change the
    result."""
    begins = [plan.offset for plan in plans]
    pieces = [payload[begin:end] for begin, end in pairwise([*begins, len(payload)])]
    with ThreadPoolExecutor(jobs) as pool:
        return b"".join(pool.map(stream, pieces, [np.dtype(plan.dtype).itemsize for plan in plans]))


def stream(piece: bytes, width: int) -> bytes:
    """Compress one section, whose integers are `width` bytes wide. The window is no larger than needed.

    The compressor predicts a byte from its place in the integer. Trying harder (`EXTREME`) saves up to an eighth of a
    small section of narrow integers, and almost nothing of wide ones. In a large section of single bytes it would take
    longer than solving the game, so there the search for each match is short. This makes our largest table a fifth
    larger, but cuts the time to compress it to a third.
    """
    window = min(max(MIN_WINDOW, 1 << max(len(piece) - 1, 1).bit_length()), MAX_WINDOW)
    preset = 6 if width >= WIDE else 6 | lzma.PRESET_EXTREME
    effort = {"nice_len": 32, "depth": 8} if width == 1 and len(piece) >= LARGE else {}
    place = width.bit_length() - 1
    places = {"pb": place, "lp": place, "lc": min(3, 4 - place)}
    filters = [{"id": lzma.FILTER_LZMA2, "preset": preset, "dict_size": window, **effort, **places}]
    return lzma.compress(piece, lzma.FORMAT_XZ, lzma.CHECK_CRC32, filters=filters)


def main(names: Sequence[str]) -> int:
    """Build the tables of the named games into their packages, or those of all shipped games. Return the exit code."""
    prepare()
    ids = names or [facts.id for facts in games.list_own_games()]
    try:
        for game in map(games.load, ids):
            if game.solved.solver is not None or names:
                entry = build_into(game, shipped_folder(game), jobs=os.cpu_count() or 1)
                sys.stderr.write(f"{entry.file}: {entry.packed_size:,} bytes, {entry.size:,} unpacked\n")
    except OnlymoveError as refusal:
        sys.stderr.write(f"{refusal}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

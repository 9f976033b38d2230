"""Writes the positions of a solved game as rows of numbers, in CSV or as numpy arrays. docs/formats.md says what each
column means."""

from __future__ import annotations

import csv
import io
import shutil
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO, Final, Literal, TypeAlias

import numpy as np
from onlymove_engines.core.analysis import AnyAnalyst
from onlymove_engines.core.encoding import find_encoding
from onlymove_engines.core.game import AnyGame
from onlymove_engines.search.dataset import Rows, list_move_texts, make_planes, make_rows, mark_numbers
from onlymove_tables.file_format import name_file, open_whole

Form: TypeAlias = Literal["csv", "npz"]
Write: TypeAlias = Callable[[Rows], None]
NUMBERS = ("value", "remoteness", "score")
NO_PLIES: Final = -1
NO_SCORE: Final = int(np.iinfo(np.int64).min)
"""The entries in an array for a number of plies, and for a score, that is not known."""


def ignore_progress(rows: int, share: float) -> None:
    """A report that goes nowhere."""


def write_dataset(
    game: AnyGame,
    analyst: AnyAnalyst,
    out: Path | BinaryIO,
    form: Form = "csv",
    where: str | None = None,
    sample: int | None = None,
    seed: int | None = None,
    report: Callable[[int, float], None] = ignore_progress,
) -> int:
    """Write the positions of the game's table to a file, and return how many there were. `where`, `sample` and `seed`
    choose positions as for `make_rows`. `report` receives the number of rows so far, and the share of the work that is
    done. A file is complete or stays as it was. An open file can only be CSV. Raises NoTable, OSError, and NoEncoding
    for the arrays of a game that does not number its moves."""
    count = 0
    with open_arrays(game, out) if form == "npz" and isinstance(out, Path) else open_csv(game, out) as write:
        for rows, share in make_rows(game, analyst, where, sample, seed):
            write(rows)
            count += len(rows)
            report(count, share)
    return count


@contextmanager
def open_csv(game: AnyGame, out: Path | BinaryIO) -> Iterator[Write]:
    """Yield a function that writes rows as CSV to a file."""
    encoding = game.solved.encoding and game.solved.encoding()
    header = ["position", "seat", *NUMBERS, "legal", "best"]
    if encoding:
        _, height, width = encoding.shape
        header += [
            f"{channel.replace(' ', '_')}_{row}_{column}"
            for channel in encoding.channels
            for row in range(height)
            for column in range(width)
        ]
    with ExitStack() as stack:
        file = stack.enter_context(open_whole(out.resolve())) if isinstance(out, Path) else out
        text = io.TextIOWrapper(file, "utf-8", newline="", write_through=True)
        stack.callback(text.detach)
        writer = csv.writer(text, lineterminator="\n")

        def write(rows: Rows) -> None:
            positions = map(game.notation.format_position, rows.states)
            legal, best = ([" ".join(map(str, moves)) for moves in column] for column in (rows.legal, rows.best))
            columns = (positions, rows.seats, rows.values, rows.remoteness, rows.scores, legal, best)
            planes = make_planes(game, rows.states).reshape(len(rows), -1).tolist() if encoding and rows.states else []
            lines = zip(zip(*columns, strict=True), planes or [[]] * len(rows), strict=True)
            writer.writerows([*facts, *shown] for facts, shown in lines)

        writer.writerow(header)
        yield write


@contextmanager
def open_arrays(game: AnyGame, out: Path) -> Iterator[Write]:
    """Yield a function that writes rows into the arrays of an `.npz` file. Each grows in a file of its own and is
    packed at the end. Raises NoEncoding."""
    encoding, target = find_encoding(game), out.resolve()
    packed = (-(-encoding.actions // 8),)

    def pack(moves: list[Any]) -> Any:
        return np.packbits(mark_numbers(moves, encoding.actions), axis=1)

    columns: dict[str, tuple[str, tuple[int, ...], Callable[[Rows], Any]]] = {
        "seat": ("|u1", (), lambda rows: rows.seats),
        "value": ("|i1", (), lambda rows: rows.values),
        "remoteness": ("<i8", (), lambda rows: [NO_PLIES if plies is None else plies for plies in rows.remoteness]),
        "score": ("<i8", (), lambda rows: [NO_SCORE if score is None else score for score in rows.scores]),
        "planes": ("|u1", encoding.shape, lambda rows: make_planes(game, rows.states)),
        "legal": ("|u1", packed, lambda rows: pack(rows.legal)),
        "best": ("|u1", packed, lambda rows: pack(rows.best)),
    }
    count, width = 0, 1
    target.parent.mkdir(parents=True, exist_ok=True)
    with name_file(target), ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent)))
        parts = {name: stack.enter_context((folder / name).open("w+b")) for name in ("position", *columns)}

        def write(rows: Rows) -> None:
            nonlocal count, width
            if not rows.states:
                return
            count += len(rows)
            texts = [game.notation.format_position(state).encode() for state in rows.states]
            width = max([width, *map(len, texts)])
            parts["position"].writelines(text + b"\n" for text in texts)
            for name, (dtype, _, column) in columns.items():
                parts[name].write(np.asarray(column(rows)).astype(dtype).tobytes())

        yield write
        with (
            open_whole(target) as file,
            zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        ):
            for name, part in parts.items():
                part.seek(0)
                dtype, shape = columns[name][:2] if name in columns else (f"|S{width}", ())
                head = {"descr": dtype, "fortran_order": False, "shape": (count, *shape)}
                with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                    np.lib.format.write_array_header_1_0(member, head)
                    if name in columns:
                        shutil.copyfileobj(part, member, 1 << 20)
                    else:
                        member.writelines(line[:-1].ljust(width, b"\0") for line in part)
            for name, listed in (("moves", list_move_texts(game, encoding)), ("channels", encoding.channels)):
                with archive.open(f"{name}.npy", "w") as member:
                    np.lib.format.write_array(member, np.array(listed))

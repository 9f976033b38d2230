"""The command `dataset`: writes the positions of a solved game as rows of numbers, in CSV or as numpy arrays."""

from __future__ import annotations

import csv
import io
import shutil
import sys
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
import numpy as np
from onlymove_engines.core.encoding import find_encoding
from onlymove_engines.core.game import AnyGame
from onlymove_engines.search.dataset import Rows, list_move_texts, make_planes, make_rows, mark_numbers, require_table
from onlymove_tables.file_format import open_whole

from onlymove_tui import SIGNALLED
from onlymove_tui.cli.console import FILE, GAME, Stopped, Whole, raise_on_signal, seek_analyst, show_progress, tell

NUMBERS = ("value", "remoteness", "score")


@click.command("dataset")
@click.argument("game", type=GAME)
@click.option("--format", "form", type=click.Choice(["csv", "npz"]), default="csv", show_default=True)
@click.option(
    "--where",
    type=click.Choice(["win", "draw", "loss", "only"]),
    help="Write only positions that are won, drawn or lost for the side to move, or that have an only move.",
)
@click.option("--sample", type=Whole(min=1), metavar="N", help="Write only N positions, chosen at random.")
@click.option("--seed", type=Whole(min=0), metavar="S", help="Random seed: the same seed gives the same sample.")
@click.option("--out", type=FILE, help="Write to this file (default: stdout).")
def dataset_command(
    game: AnyGame, form: str, where: str | None, sample: int | None, seed: int | None, out: Path | None
) -> int:
    """Write the positions of GAME with their planes, legal moves, value, remoteness and best moves.

    There is one row for each position of the table. It stands for its mirror images, too.
    docs/formats.md says what each column means.
    """
    if seed is not None and sample is None:
        raise click.UsageError("--seed needs --sample N")
    if form == "npz" and out is None:
        raise click.UsageError("--format npz needs --out FILE")
    if out is not None and out.exists() and not out.is_file():
        raise click.UsageError(f"--out {out}: this is not a regular file")
    analyst, _ = seek_analyst(game, waits=False)
    require_table(game, analyst)
    sink = open_arrays(game, out) if form == "npz" and out is not None else open_csv(game, out)
    count = 0
    try:
        with raise_on_signal(), show_progress() as report, sink as write:
            for rows, share in make_rows(game, analyst, where, sample, seed):
                write(rows)
                count += len(rows)
                report(f"{count:,} rows", share)
    except Stopped as stop:
        tell(f"stopped after {count:,} rows" + ("" if out is None else f". {out} was not written"))
        return SIGNALLED + stop.number
    if sample is not None and count < sample:
        tell(f"there are only {count:,} such positions")
    return 0


@contextmanager
def open_csv(game: AnyGame, out: Path | None) -> Iterator[Callable[[Rows], None]]:
    """Yield a function that writes rows as CSV to a file or to stdout."""
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
        sys.stdout.flush()  # What was printed before comes first.
        file = sys.stdout.buffer if out is None else stack.enter_context(open_whole(out.resolve()))
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
def open_arrays(game: AnyGame, out: Path) -> Iterator[Callable[[Rows], None]]:
    """Yield a function that writes rows into the arrays of an `.npz` file. Each grows in a file of its own and is
    packed at the end. Raises NoEncoding."""
    encoding, target = find_encoding(game), out.resolve()
    packed = (-(-encoding.actions // 8),)

    def pack(moves: list[Any]) -> Any:
        return np.packbits(mark_numbers(moves, encoding.actions), axis=1)

    columns: dict[str, tuple[str, tuple[int, ...], Callable[[Rows], Any]]] = {
        "seat": ("|u1", (), lambda rows: rows.seats),
        "value": ("|i1", (), lambda rows: rows.values),
        "remoteness": ("<i2", (), lambda rows: [-1 if plies is None else plies for plies in rows.remoteness]),
        "score": ("<i2", (), lambda rows: [NO_SCORE if score is None else score for score in rows.scores]),
        "planes": ("|u1", encoding.shape, lambda rows: make_planes(game, rows.states)),
        "legal": ("|u1", packed, lambda rows: pack(rows.legal)),
        "best": ("|u1", packed, lambda rows: pack(rows.best)),
    }
    count, width = 0, 1
    target.parent.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
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


NO_SCORE = -(1 << 15)
"""The entry in an array for a position without a score."""

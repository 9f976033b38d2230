"""`prove`: the argument for a game's value, checked as it is printed, and as a certificate that others can check."""

from __future__ import annotations

import lzma
import os
import time
from collections.abc import Iterator
from pathlib import Path

import click
from onlymove_engines.core.errors import Refuted
from onlymove_engines.core.game import AnyGame
from onlymove_engines.records.certificate import lines_of
from onlymove_tables.file_format import write_whole
from onlymove_tables.verify import Argument

from .console import GAME, complain, json_option, progress, ready_kernels, show, show_json

PACKED = ".xz"


def write_certificate(argument: Argument, path: Path) -> str:
    """Write the certificate, packed if its name says so; what was written."""
    text = "".join(f"{line}\n" for line in lines_of(argument.game.id, argument.value, argument.strategies)).encode()
    data = lzma.compress(text, preset=9) if path.suffix == PACKED else text
    write_whole(path, data)
    return f"{path}: {len(data):,} bytes; how anybody checks it is said in docs/proofs.md"


def steps(argument: Argument, certificate: Path | None) -> Iterator[str]:
    """Each step as it is done; what does not hold is the last, and raises Refuted again."""
    try:
        yield from argument.lines()
    except Refuted as refusal:
        yield f"It does not hold: {refusal}"
        raise
    if certificate is not None:
        yield write_certificate(argument, certificate)


@click.command("prove")
@click.argument("game", type=GAME)
@click.option(
    "--certificate",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write what anybody needs to check the value by the rules alone to this file (.xz: packed).",
)
@json_option
def prove_command(game: AnyGame, certificate: Path | None, as_json: bool) -> int:
    """Prove the start value of GAME, each step checked as it is printed; exit code 1 where one does not hold."""
    holds: bool | None = None
    if certificate is not None and not os.access(certificate.parent, os.W_OK):
        return complain(f"{certificate}: nothing can be written there")
    lines = [f"{game.id} is not solved, it is searched: `onlymove analyse {game.id}`"]
    if game.solver is not None:
        lines, holds = argued(game, certificate, as_json)
    elif certificate is not None:
        return complain(f"there is no certificate: {lines[0]}")
    elif not as_json:
        show(lines[0])
    if as_json:
        show_json({"game": game.id, "lines": lines, "holds": holds})
    return 1 if holds is False else 0


def argued(game: AnyGame, certificate: Path | None, in_silence: bool) -> tuple[list[str], bool]:
    """The lines of the argument, shown as they come, and whether it holds."""
    if game.facts.plays_by_search:
        ready_kernels(game)
    lines: list[str] = []
    with progress() as report:
        try:
            for line in steps(Argument(game, time.perf_counter, report), certificate):
                lines.append(line)
                if not in_silence:
                    show(line)
        except Refuted:
            return lines, False
    return lines, True

"""The commands `tables`, `prove` and `dataset`: list, build, verify and prove tables, compile what searches need, and
write the positions of a solved game as rows of numbers."""

from __future__ import annotations

import lzma
import os
import sys
import time
from pathlib import Path

import click
from onlymove.dataset import Form, write_dataset
from onlymove_engines.core.errors import MissingTable, Refuted, TableMismatch
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.words import choose_number, format_count
from onlymove_engines.search.dataset import require_table
from onlymove_engines.search.rules_solver import find_solver
from onlymove_engines.search.strategy import format_certificate
from onlymove_tables.analysts import Wait, prepare_for
from onlymove_tables.build import build_into, build_table
from onlymove_tables.file_format import write_whole
from onlymove_tables.kernels import cache, compiler
from onlymove_tables.open import (
    checked_header,
    find_tables,
    find_verdict,
    inflate,
    packed_payload,
    user_folder,
)
from onlymove_tables.verify import Argument, verify_table

from onlymove_tui import SIGNALLED
from onlymove_tui.cli.console import (
    GAME,
    OUT_FILE,
    Stopped,
    Whole,
    json_option,
    load_games,
    raise_on_signal,
    seek_analyst,
    show,
    show_either,
    show_json,
    show_preparation,
    show_progress,
    tell,
)

OTHERS_READ = 0o022
"""The permission that other users must not have on a folder that all accounts trust: to write."""


@click.group("tables", invoke_without_command=True)
@click.pass_context
def tables_command(ctx: click.Context) -> None:
    """List, build and verify the tables of solved games; compile the engines."""
    if ctx.invoked_subcommand is None:
        raise click.UsageError(f"Missing command: {', '.join(tables_command.list_commands(ctx))}.")


def describe_table(game: AnyGame) -> dict[str, str | int | None]:
    facts: dict[str, str | int | None] = {"game": game.id, "status": "ok", "file": None}
    try:
        path = find_tables(game)[0]
        header, offset = checked_header(game, path)
        inflate(path, header, packed_payload(path, header, offset))
    except MissingTable as refusal:
        if find_solver(game) is None:
            return facts | {"status": "none"}
        return facts | {"status": "missing", "why": find_verdict(game) or str(refusal)}
    except TableMismatch as refusal:
        return facts | {"status": "refused", "why": str(refusal)}
    return facts | {
        "file": str(path),
        "encoding": header.encoding,
        "entries": header.count,
        "size": header.size,
        "packed_size": header.packed_size,
        "sha256": header.sha256,
    }


@tables_command.command("list")
@json_option
def list_command(form: str) -> None:
    """List the tables and where they are."""
    found = list(map(describe_table, load_games()))
    rows: list[tuple[str, ...]] = [("game", "status", "entries", "bytes", "packed", "file")]
    for facts in found:
        numbers = (f"{facts[name]:,}" if name in facts else "-" for name in ("entries", "size", "packed_size"))
        where = facts.get("why") or facts["file"] or "-"
        rows.append((str(facts["game"]), str(facts["status"]), *numbers, str(where)))
    show_either(form, found, rows)


@tables_command.command("build", short_help="Solve GAME and write its table.")
@click.argument("game", type=GAME)
@click.option("--jobs", type=Whole(min=1), default=os.cpu_count() or 1, help="Processor cores to use.")
@click.option(
    "--max-positions",
    type=Whole(min=1),
    help="Stop at this many positions, for a game solved from its rules (default: what fits into memory).",
)
@click.option("--out", type=OUT_FILE, help="Write the table to this file.")
@json_option
def build_command(game: AnyGame, jobs: int, max_positions: int | None, out: Path | None, form: str) -> None:
    """Solve GAME and write its table to a file, or to your own folder of tables."""
    with show_progress() as report:
        if out:
            entry = build_table(game, out, jobs, report, max_positions, tell)
        else:
            entry = build_into(game, user_folder(), jobs, report, max_positions, tell)
    path = out or user_folder() / entry.file
    facts = {"game": game.id, "file": str(path), "sha256": entry.sha256, "counts": dict(entry.counts)}
    lines = [f"{path}: {entry.packed_size:,} bytes, {entry.size:,} unpacked, sha256 {entry.sha256}"]
    lines += [f"  {name}: {count:,}" for name, count in entry.counts.items()]
    show_either(form, facts, [(line,) for line in lines])


@tables_command.command("verify", short_help="Check the table of GAME.")
@click.argument("game", type=GAME)
@click.option("--full", is_flag=True, help="Check every value and every count, and rebuild the table.")
@json_option
def verify_command(game: AnyGame, full: bool, form: str) -> int:
    """Check the table of GAME. The exit code is 1 if anything in it is wrong, 2 if the file is not a table."""
    with show_progress() as report:
        findings = list(verify_table(game, full, report))
    if form == "json":
        show_json({"game": game.id, "full": full, "ok": not findings, "findings": findings})
    else:
        for finding in findings:
            show(finding)
        if find_solver(game) is None:
            click.echo(f"{game.id}: this game has no table to verify, because it is played by search")
            return 0
        checked = "every entry, every count and a rebuild" if full else "checksums and a sample"
        count = format_count(len(findings), "finding")
        click.echo(f"{game.id}: {count}" if findings else f"{game.id}: ok ({checked})")
    return 1 if findings else 0


@tables_command.command("warm", short_help="Compile the engine of GAME, or of every game.")
@click.argument("game", type=GAME, required=False)
@click.option(
    "--shared",
    type=click.Path(file_okay=False, path_type=Path),
    help="Store the engine in this folder. Accounts whose $ONLYMOVE_KERNELS names it use the engine from there.",
)
def warm_command(game: AnyGame | None, shared: Path | None) -> None:
    """Compile the engine of GAME, or of every game, so that nobody has to wait for it."""
    if shared is not None:
        os.umask(OTHERS_READ)
        os.environ |= dict.fromkeys((cache.VARIABLE, cache.SHARED_VARIABLE), str(shared.absolute()))
    for one in [game] if game else load_games():
        if one.facts.plays_by_search:
            try:
                with show_progress() as report:
                    compiler.warm(one, report)
            except OSError as refusal:
                raise click.ClickException(f"cannot store the engine there: {refusal}") from None
            show(f"{one.id}: {cache.own_folder(compiler.package_of(one))}")


PACKED = ".xz"


@click.command("prove")
@click.argument("game", type=GAME)
@click.option(
    "--certificate",
    type=OUT_FILE,
    help="Write a certificate to this file, from which anyone can check the value (.xz: compressed).",
)
@json_option
def prove_command(game: AnyGame, certificate: Path | None, form: str) -> int:
    """Prove the value of GAME's start. Each step is checked as it is printed; the exit code is 1 if one fails."""
    holds: bool | None = None
    if certificate is not None and not os.access(certificate.parent, os.W_OK):
        raise click.ClickException(f"{certificate}: cannot write this file")
    lines = [f"{game.facts.title} is not solved; it is played by search (`onlymove analyse {game.id}`)"]
    if find_solver(game) is not None:
        with show_preparation() as report:
            prepare_for(game, Wait.KERNELS, tell=tell, report=report)
        lines, holds = prove(game, certificate, form == "json")
    elif certificate is not None:
        raise click.ClickException(f"no certificate: {lines[0]}")
    elif form != "json":
        click.echo(lines[0])
    if form == "json":
        show_json({"game": game.id, "lines": lines, "holds": holds})
    return 1 if holds is False else 0


def prove(game: AnyGame, certificate: Path | None, in_silence: bool) -> tuple[list[str], bool]:
    """Print the lines of the proof as they come, then write the certificate. Return the lines, and whether it holds."""
    lines: list[str] = []

    def tell_step(line: str) -> None:
        lines.append(line)
        if not in_silence:
            show(line)

    with show_progress() as report:
        argument = Argument(game, time.perf_counter, report)
        try:
            for line in argument.lines():
                tell_step(line)
        except Refuted as refusal:
            tell_step(f"The proof fails: {refusal}")
            return lines, False
        if certificate is not None:
            steps = format_certificate(game.id, argument.value, argument.strategies)
            data = "".join(f"{line}\n" for line in steps).encode()
            data = lzma.compress(data, preset=9) if certificate.suffix == PACKED else data
            write_whole(certificate, data)
            tell_step(f"{certificate}: wrote {len(data):,} bytes. docs/proofs.md says how to check them")
    return lines, True


FORMS: dict[str, Form] = {".csv": "csv", ".npz": "npz"}
"""The format of a dataset by the ending of its file."""


def choose_form(given: Form | None, out: Path | None) -> Form:
    """Return the format that the name of the file asks for, or of what is written to stdout. Raises UsageError."""
    if out is None:
        if given == "npz":
            raise click.UsageError("--format npz needs --out FILE.npz")
        return "csv"
    form = FORMS.get(out.suffix.lower())
    if form is None:
        raise click.UsageError(f"'{out}' must end in {' or '.join(FORMS)}")
    if given not in (None, form):
        raise click.UsageError(f"--format {given} contradicts the ending of '{out}'")
    return form


@click.command("dataset")
@click.argument("game", type=GAME)
@click.option("--format", "form", type=click.Choice(["csv", "npz"]), help="Only csv can be written to stdout.")
@click.option(
    "--where",
    type=click.Choice(["win", "draw", "loss", "only"]),
    help="Write only positions that are won, drawn or lost for the side to move, or that have an only move.",
)
@click.option("--sample", type=Whole(min=1), metavar="N", help="Write only N positions, chosen at random.")
@click.option("--seed", type=Whole(min=0), metavar="S", help="Random seed: the same seed gives the same sample.")
@click.option("--out", type=OUT_FILE, help="Write to this file, whose name ends in .csv or .npz (default: stdout).")
def dataset_command(
    game: AnyGame, form: Form | None, where: str | None, sample: int | None, seed: int | None, out: Path | None
) -> int:
    """Write the positions of GAME with their planes, legal moves, value, remoteness and best moves.

    There is one row for each position of the table. It stands for its mirror images, too.
    docs/formats.md says what each column means.
    """
    if seed is not None and sample is None:
        raise click.UsageError("--seed needs --sample N")
    form = choose_form(form, out)
    analyst, _ = seek_analyst(game, waits=False)
    require_table(game, analyst)
    count = 0
    try:
        with raise_on_signal(), show_progress() as report:

            def take_note(rows: int, share: float) -> None:
                nonlocal count
                count = rows
                report(f"{rows:,} {choose_number(rows, 'row')}", share)

            if out is None:
                sys.stdout.flush()  # What was printed before comes first.
            write_dataset(game, analyst, out or sys.stdout.buffer, form, where, sample, seed, take_note)
    except Stopped as stop:
        tell(
            f"stopped after {count:,} {choose_number(count, 'row')}"
            + ("" if out is None else f". {out} was not written")
        )
        return SIGNALLED + stop.number
    if sample is not None and count < sample:
        tell(f"there are only {count:,} such positions")
    return 0

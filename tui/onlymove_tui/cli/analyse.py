"""The command `analyse`: exact values of positions, as text for people and as TSV or JSON for programs."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

import click
from onlymove_engines.core.analysis import AnyAnalyst, Expanding, Summary
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.errors import BadNotation, NoCompiler, OnlymoveError, Unreachable
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.value import Mixed, Value
from onlymove_engines.match.limits import POSITION_SECONDS
from onlymove_engines.search.deepening import summarise_position

from onlymove_tui.cli.console import (
    GAME,
    Limit,
    Seconds,
    compile_when_needed,
    draws_ascii,
    format_options,
    one_line,
    seek_analyst,
    show_json,
    split_lines,
)
from onlymove_tui.cli.positions import position_facts, remoteness_of, report, score_of, write_expanded

BATCH = 4096
CHUNK = 1 << 18

Numbered = tuple[int, str]
"""The number of a line, counted from 1, and its text."""

Placed = tuple[int, AnyPosition]
"""The number of a line and its position."""


def read_stdin() -> Iterator[list[Numbered]]:
    """Yield the lines of stdin in batches, each with the lines that have arrived so far."""
    if sys.stdin is None:
        return
    number = 0
    stream = cast(io.BufferedReader, sys.stdin.buffer)
    for whole in split_lines(iter(lambda: stream.read1(CHUNK), b"")):
        for first in range(0, len(whole), BATCH):
            batch = whole[first : first + BATCH]
            yield [(number + i + 1, line.decode("utf-8", "replace")) for i, line in enumerate(batch)]
            number += len(batch)


def read_batches(texts: tuple[str, ...]) -> Iterator[list[Numbered]]:
    """Yield the positions on the command line. `-` stands for the lines of stdin."""
    named = [text for text in texts if text != "-"]
    if named:
        yield [(number, text) for number, text in enumerate(named, 1)]
    if "-" in texts:
        yield from read_stdin()


class Reader:
    """Parses lines into positions and reports bad lines on stderr. `failed` says whether there were any. `limit` makes
    the budget for each position. Without `limit` there is no budget."""

    def __init__(self, game: AnyGame, analyst: AnyAnalyst, limit: Callable[[], Budget] | None = None) -> None:
        self.game = game
        self.analyst = analyst
        self.limit = limit
        self.failed = False

    def positions(self, lines: Iterable[Numbered]) -> list[Placed]:
        """Return the positions of the good lines with their line numbers, in order. Blank lines are skipped."""
        found = []
        for number, line in lines:
            text = line.strip()
            if not text:
                continue
            try:
                found.append((number, self.read(text)))
            except BadNotation as refusal:
                why = str(refusal)
                says_why = not isinstance(refusal, Unreachable) or "unreachable" in why
                self.refuse(number, why if says_why else f"unreachable: {why}")
        return found

    def read(self, text: str) -> AnyPosition:
        """Parse a position. Raises BadNotation. Raises Unreachable if the game has values only for positions that a
        game can reach, and this is not one of them."""
        position: AnyPosition = self.game.notation.parse_position(text)
        if not self.analyst.is_reachable(position):
            raise Unreachable("unreachable: no game leads here")
        return position

    def refuse(self, number: int, why: str) -> None:
        self.failed = True
        click.echo(f"# error: {number}: {one_line(why)}", err=True)

    def rows(self, placed: Sequence[Placed]) -> Iterator[tuple[AnyPosition, Summary]]:
        """Yield each position with its row. A position whose value cannot be found is reported, and the others of its
        batch are still given."""
        positions = [position for _, position in placed]
        try:
            if self.limit is None:  # Looking them up together is faster.
                found = self.analyst.summarise(positions)
            else:
                found = [summarise_position(self.game, self.analyst, one, self.limit()) for one in positions]
            yield from list(zip(positions, found, strict=True))
        except (LookupError, OnlymoveError) as unsettled:
            if isinstance(unsettled, KeyError | IndexError | NoCompiler):
                raise
            if len(placed) == 1:
                why = str(unsettled)
                self.refuse(placed[0][0], why if "not proven" in why else f"not proven: {why}")
                return
            for one in placed:
                yield from self.rows([one])


DECIMALS = 9
HEADER = "#position\tvalue\tremoteness\tscore\tmoves\tkeeping\tbest\n"


def tsv_row(game: AnyGame, position: AnyPosition, row: Summary) -> str:
    value = row.value
    if isinstance(value, Mixed):
        spelled = f"{round(value.expected, DECIMALS) + 0.0:.{DECIMALS}f} {'exact' if value.exact else 'estimate'}"
    else:
        spelled = value.outcome.word if isinstance(value, Value) else "-"
    remoteness, score = remoteness_of(game, value, 0 if row.moves == "0" else None), score_of(game, position, value)
    columns = (
        game.notation.format_position(position),
        spelled,
        "-" if remoteness is None else str(remoteness),
        "-" if score is None else str(score),
        row.moves,
        row.keeping,
        row.best,
    )
    return "\t".join(columns)


@click.command("analyse")
@click.argument("game", type=GAME)
@click.argument("positions", nargs=-1, metavar="[POSITION ...|-]")
@format_options("text", "tsv", "json")
@click.option(
    "--seconds",
    type=Seconds(min=0.0),
    help=f"Search time for positions without a table (default: {POSITION_SECONDS:.0f}, or no limit with --format tsv).",
)
@click.option("--depth", type=Limit(), help="Maximum search depth in plies or rounds.")
@click.pass_context
def analyse_command(ctx: click.Context, /, game: AnyGame, positions: tuple[str, ...], **options: Any) -> int:
    """Show exact values of positions and their moves.

    `-` reads one position a line from stdin. Without POSITION the start is analysed. A line that cannot be used is
    reported on stderr, and the exit code is then 2.
    """
    if any(not text.strip() for text in positions):
        raise BadNotation("a POSITION is empty")
    analyst, note = seek_analyst(game, waits=False)
    clock = ctx.with_resource(compile_when_needed(game))
    form = options["form"]

    def limit() -> Budget:
        seconds = POSITION_SECONDS if options["seconds"] is None else options["seconds"]
        return replace(Budget.seconds(seconds, clock), depth=options["depth"])

    is_asked = options["seconds"] is not None or options["depth"] is not None
    is_searching = bool(note) or game.facts.plays_by_search
    reader = Reader(game, analyst, limit if is_asked and is_searching else None)

    if form == "tsv":
        sys.stdout.write(HEADER)
    texts = positions or (game.notation.format_position(game.default_start()),)
    for lines in read_batches(texts):
        found = reader.positions(lines)
        if form == "tsv":
            sys.stdout.write("".join(f"{tsv_row(game, position, row)}\n" for position, row in reader.rows(found)))
            sys.stdout.flush()
            continue
        places = [position for _, position in found]
        if form == "json" and isinstance(analyst, Expanding) and (expanded := analyst.expand(places)) is not None:
            write_expanded(game, zip(places, expanded, strict=True))
            continue
        for number, position in found:
            try:
                if form == "json":
                    show_json(position_facts(game, analyst, position, limit()))
                else:
                    report(game, analyst, position, limit(), draws_ascii(ctx.obj))
            except OnlymoveError as refusal:
                reader.refuse(number, str(refusal))
    return 2 if reader.failed else 0

"""`analyse`: exact values of positions, as text for people, as TSV or JSON for programs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import click
from onlymove_engines.core.analysis import AnyAnalyst, Expanding
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.match.limits import POSITION_SECONDS

from .console import GAME, Limit, Seconds, draws_ascii, kernels_when_needed, seek_analyst, show_json
from .objects import facts
from .reading import Placed, Reader, batches
from .tsv import HEADER, write_tsv


@click.command("analyse")
@click.argument("game", type=GAME)
@click.argument("positions", nargs=-1, metavar="[POSITION ...|-]")
@click.option("--format", "form", type=click.Choice(["text", "tsv", "json"]), default="text", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option(
    "--seconds",
    type=Seconds(min=0.0),
    help=f"Search time where no table answers; else {POSITION_SECONDS:.0f}, in tables as long as it takes.",
)
@click.option("--depth", type=Limit(), help="Plies or rounds a search looks ahead at most.")
@click.pass_context
def analyse_command(ctx: click.Context, /, game: AnyGame, positions: tuple[str, ...], **options: Any) -> int:
    """Exact values of positions and of their moves.

    `-` reads one position a line from stdin; without a POSITION it is the start. A line that cannot be used is
    reported on stderr and the exit code is 2 at the end.
    """
    analyst, note = seek_analyst(game, waits=False)
    clock = ctx.with_resource(kernels_when_needed(game))
    form = "json" if options["as_json"] else options["form"]
    ascii_only = draws_ascii(ctx.obj)

    def limit() -> Budget:
        seconds = POSITION_SECONDS if options["seconds"] is None else options["seconds"]
        return replace(Budget.seconds(seconds, clock), depth=options["depth"])

    is_asked = options["seconds"] is not None or options["depth"] is not None
    is_searching = bool(note) or game.facts.plays_by_search
    reader = Reader(game, analyst, limit if is_asked and is_searching else None)

    def tell_one(position: AnyPosition, budget: Budget) -> None:
        if form == "json":
            show_json(facts(game, analyst, position, budget))
        else:
            from .report import report  # noqa: PLC0415 - only for people

            report(game, analyst, position, budget, ascii_only)

    if form == "tsv":
        sys.stdout.write(HEADER)
    texts = positions or (game.notation.format_position(game.default_start()),)
    for lines in batches(texts):
        found = reader.positions(lines)
        if form == "tsv":
            write_tsv(reader, found)
            continue
        if form == "json" and is_expanded(game, analyst, found):
            continue
        for number, position in found:
            try:
                tell_one(position, limit())
            except OnlymoveError as refusal:
                reader.refuse(number, str(refusal))
    return 2 if reader.failed else 0


def is_expanded(game: AnyGame, analyst: AnyAnalyst, found: Sequence[Placed]) -> bool:
    """Whether many positions were analysed and written as one batch."""
    positions = [position for _, position in found]
    expanded = analyst.expand(positions) if isinstance(analyst, Expanding) else None
    if expanded is not None:
        from .expanded import write_expanded  # noqa: PLC0415 - its encoder is for many

        write_expanded(game, zip(positions, expanded, strict=True))
    return expanded is not None

"""The command `perft`: counts sequences of moves by the plain rules, to check another program's rules."""

from __future__ import annotations

import re

import click
from onlymove_engines.core.game import AnyGame
from onlymove_engines.search.perft import perft

from .console import GAME, Whole, json_option, show_json, show_progress


class PerftCommand(click.Command):
    """Reports a negative depth as too small. Click would report an unknown option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption:
            negative = next((word for word in given if re.fullmatch(r"-\d+", word)), None)
            if negative is not None:
                depth = next(parameter for parameter in self.params if parameter.name == "depth")
                depth.type.convert(negative, depth, ctx)
            raise


@click.command("perft", cls=PerftCommand)
@click.argument("game", type=GAME)
@click.argument("depth", type=Whole(min=0))
@click.option("--from", "start", metavar="POSITION", help="Position to count from (default: the start position).")
@json_option
def perft_command(game: AnyGame, depth: int, start: str | None, form: str) -> None:
    """Count the sequences of DEPTH legal moves."""
    position = game.default_start() if start is None else game.notation.parse_position(start.strip())
    with show_progress() as report:
        count = perft(game, position, depth, report)
    if form == "json":
        spelled = game.notation.format_position(position)
        show_json({"game": game.id, "position": spelled, "depth": depth, "paths": count})
    else:
        click.echo(str(count))

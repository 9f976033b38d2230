"""The command `perft`: counts sequences of moves by the plain rules, to check another program's rules."""

from __future__ import annotations

import re

import click
from onlymove_engines.core.game import AnyGame
from onlymove_engines.search.perft import perft

from .console import GAME, Whole, json_option, show_either, show_progress


class PerftCommand(click.Command):
    """Reports a negative depth as too small. Click would report an unknown option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.ignore_unknown_options = any(re.fullmatch(r"-\d+", word) for word in args)
        return super().parse_args(ctx, args)


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
    spelled = game.notation.format_position(position)
    show_either(form, {"game": game.id, "position": spelled, "depth": depth, "paths": count}, [(str(count),)])

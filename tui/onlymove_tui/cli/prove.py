"""`prove`: a game's own derivation of its start value."""

from __future__ import annotations

import time

import click
from onlymove_engines.core.game import AnyGame

from .console import GAME, json_option, progress, show, show_json


def instead(game: AnyGame) -> str:
    """What there is in place of a derivation, with the command that shows it."""
    nothing = f"{game.id} has no derivation of its own"
    if game.solver is None:
        return f"{nothing}, it is searched: `onlymove analyse {game.id}`"
    return f"{nothing}, its table is the proof: `onlymove tables verify {game.id} --full`"


@click.command("prove")
@click.argument("game", type=GAME)
@json_option
def prove_command(game: AnyGame, as_json: bool) -> None:
    """Derive the start value of GAME and print the argument's figures, or say what there is instead."""
    lines: list[str] = []
    with progress():
        for line in [instead(game)] if game.prove is None else game.prove(time.perf_counter):
            lines.append(line)
            if not as_json:
                show(line)
    if as_json:
        show_json({"game": game.id, "lines": lines})

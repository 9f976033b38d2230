"""The command `explore`: a position as a node of the solved game, as text for people and as JSON for programs."""

from __future__ import annotations

from collections.abc import Sequence

import click
from onlymove_engines.coach.explore import AnyExplored, Below, Choice, explore, explore_below
from onlymove_engines.core.analysis import AlternatingAnalyst, SimultaneousAnalyst
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.game import AnyGame
from onlymove_engines.match.limits import POSITION_SECONDS

from onlymove_tui.cli.analyse import Reader
from onlymove_tui.play.phrases import describe_below, describe_keeping, format_replies, format_sentence

from .console import GAME, Seconds, compile_when_needed, draws_ascii, json_option, seek_analyst, show, show_json
from .positions import (
    measures_of,
    position_facts,
    report,
    report_board,
    report_end,
    report_groups,
    report_value,
    search_facts,
    value_facts,
)

Lower = Sequence[Below | None]
"""What is one ply and two plies below a position."""


@click.command("explore")
@click.argument("game", type=GAME)
@click.argument("position", required=False)
@json_option
@click.option("--seconds", type=Seconds(min=0.0), default=POSITION_SECONDS, show_default=True,
              help="Search time for positions without a table.")  # fmt: skip
@click.pass_context
def explore_command(ctx: click.Context, /, game: AnyGame, position: str | None, form: str, seconds: float) -> None:
    """Show what each move from a position leads to.

    The best moves come first. You see after each move how many replies keep the result, and how often only one move
    keeps it further on. Without POSITION, it shows the start.
    """
    analyst, _ = seek_analyst(game, waits=False)
    clock = ctx.with_resource(compile_when_needed(game))
    text = game.notation.format_position(game.default_start()) if position is None else position.strip()
    place, budget = Reader(game, analyst).read(text), Budget.seconds(seconds, clock)
    if isinstance(analyst, SimultaneousAnalyst):
        if form == "json":
            show_json(position_facts(game, analyst, place, budget))
        else:
            report(game, analyst, place, budget, draws_ascii(ctx.obj))
        return
    node = explore(game.rules, place, analyst, budget)
    lower = explore_below(game.rules, node, analyst, budget)
    if form == "json":
        show_json(node_facts(game, analyst, node, lower))
    else:
        report_board(game, place, draws_ascii(ctx.obj))
        report_node(game, node, lower)


def node_facts(game: AnyGame, analyst: AlternatingAnalyst, node: AnyExplored, lower: Lower) -> dict[str, object]:
    position, spell = node.position, game.notation
    groups = []
    for value, alike in node.analysis.group_moves():
        moves = [
            {"move": spell.format_move(position, move), "position": spell.format_position(node.children[move])}
            | choice_facts("replies", node.get_replies(move))
            | measures_of(analyst, node.children[move])
            for move in alike
        ]
        # If every move of a group ends the game, even a draw has a distance.
        is_last = all(node.get_replies(move) == Choice(0, 0) for move in alike)
        groups.append(value_facts(game, position, value, 1 if is_last else None) | {"moves": moves})
    figures = ("positions", "choices", "only", "share")
    below = [
        {"plies": plies} | {name: getattr(found, name, None) for name in figures}
        for plies, found in enumerate(lower, 1)
    ]
    return (
        {"game": game.id, "position": spell.format_position(position), "over": not node.children}
        | value_facts(game, position, node.analysis.value, None if node.children else 0)
        | choice_facts("moves", node.choice)
        | {"groups": groups, "below": below}
        | measures_of(analyst, position)
        | search_facts(node.analysis.note, node.analysis.depth)
    )


def choice_facts(name: str, choice: Choice | None) -> dict[str, int | None]:
    return {name: None, "holding": None} if choice is None else {name: choice.moves, "holding": choice.keeping}


def report_node(game: AnyGame, node: AnyExplored, lower: Lower) -> None:
    """Print a node for a person, with an empty line after it."""
    if node.children:
        report_value(game, node.position, node.analysis)
        keeping = describe_keeping(node.choice, game.facts.has_margin)
        show(f"{keeping} The numbers say how many of your opponent's replies keep the result.".strip())
        groups = []
        for value, alike in node.analysis.group_moves():
            moves = [
                f"{game.describe_move(node.position, move)} {format_replies(node.get_replies(move))} " for move in alike
            ]
            groups.append((format_sentence(value), moves))
        report_groups(groups)
        if text := describe_below(lower):
            show(text)
    else:
        report_end(game, node.position)
    show("")

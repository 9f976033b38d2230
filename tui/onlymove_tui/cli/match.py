"""The command `match`: plays matches between styles, levels and other programs, and reports the result."""

from __future__ import annotations

import math
import re
import time
from typing import Any

import click
from onlymove.tournament.contestants import Limits
from onlymove.tournament.match import Standing, describe_result, run_match
from onlymove.tournament.referee import MAX_PLIES, Plan, check_plan
from onlymove.tournament.statistics import MAX_ELO, Sprt, elo_difference, elo_error, mean_score, score_error
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.words import format_count
from onlymove_engines.live.clock import TimeControl, read_time
from onlymove_engines.play.players import list_player_names
from onlymove_engines.records.record import MAX_MOVES

from onlymove_tui import SIGNALLED
from onlymove_tui.cli.console import (
    GAME,
    OUT_FILE,
    Limit,
    Seconds,
    Stopped,
    Whole,
    complete_from,
    json_option,
    raise_on_signal,
    rule_names,
    show,
    show_json,
    show_progress,
    tell,
)

A_DAY = 86400.0
"""The longest time for a move or a bank, in seconds."""

NUMBER = r"(-?\d+(?:\.\d*)?)"


class Numbers(click.ParamType["tuple[float, float]"]):
    """The type of an option whose value is two numbers with a separator between them."""

    def __init__(self, name: str, between: str, least: float, most: float) -> None:
        self.name = name
        self.pattern = re.compile(NUMBER + re.escape(between) + NUMBER)
        self.least, self.most = least, most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, float]:
        found = self.pattern.fullmatch(value)
        if found is None or not all(self.least <= float(each) <= self.most for each in found.groups()):
            bounds = f"each number from {self.least:g} to {self.most:g}"
            self.fail(f"'{value}' is not valid. Write it like {self.name}, with {bounds}.", param, ctx)
        return float(found[1]), float(found[2])


class Bank(click.ParamType["tuple[float, float]"]):
    """The type of an option that gives each player a bank of time, and adds time for each move, both in seconds."""

    name = "10+0.2"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, float]:
        first, _, second = value.partition("+")
        bank, added = read_time(first, "s"), read_time(second, "s")
        if bank is None or added is None or not max(bank, added) <= A_DAY:
            how = f"{self.name} (seconds) or 5m+3s, with each time from 0 to {A_DAY:g} seconds"
            self.fail(f"'{value}' is not valid. Write it like {how}.", param, ctx)
        return bank, added


@click.command("match")
@click.argument("game", type=GAME)
@click.option(
    "--first",
    required=True,
    metavar="PLAYER",
    help="STYLE, STYLE@STRENGTH, random, a level, cmd:COMMAND.",
    shell_complete=complete_from(list_player_names),
)
@click.option(
    "--second",
    required=True,
    metavar="PLAYER",
    help="The second player, written like the first. They swap sides after every game.",
    shell_complete=complete_from(list_player_names),
)
@click.option("--games", type=Whole(min=1), default=100, show_default=True, help="Number of games, played in pairs.")
@click.option("--seed", type=Whole(min=0), default=0, show_default=True, help="Random seed.")
@click.option(
    "--executor",
    default="local:1",
    show_default=True,
    metavar="WHERE",
    help="Where to play: local:N uses N processes, dask://HOST:PORT uses a cluster.",
)
@click.option("--nodes", type=Limit(), help="Nodes a move.")
@click.option("--seconds", type=Seconds(0.001, A_DAY), help="Seconds a move.")
@click.option(
    "--clock", type=Bank(), help="Seconds on the clock, and seconds added for each move. Minutes are written 5m+3s."
)
@click.option(
    "--sprt",
    type=Numbers("0,10", ",", -MAX_ELO, MAX_ELO),
    help="Stop as soon as it is clear which of two Elo differences fits better.",
)
@click.option(
    "--rule",
    default="",
    metavar="ID",
    help="Play by this house rule of the game.",
    shell_complete=complete_from(rule_names),
)
@click.option("--from", "start", default="", metavar="POSITION", help="Start every game from this position.")
@click.option("--opening-moves", type=Whole(min=0), default=0, help="Begin every game with this many random moves.")
@click.option(
    "--adjudicate",
    type=Whole(min=0),
    metavar="MOVES",
    help="Stop a game when the table shows that it ends within this many moves.",
)
@click.option(
    "--max-moves",
    type=Whole(1, MAX_MOVES),
    default=MAX_PLIES,
    show_default=True,
    help="Call a game a draw after this many moves of both sides.",
)
@click.option("--out", type=OUT_FILE, help="Append the records to this file, or continue the match that is in it.")
@json_option
def match_command(game: AnyGame, games: int, executor: str, **options: Any) -> int:
    """Play a match between two players.

    Two games are played from each start, with sides swapped. The same arguments play the same games, unless there is
    a clock.
    """
    plan = plan_of(game, options)
    check_plan(plan)
    if options["sprt"] is not None and options["sprt"][0] >= options["sprt"][1]:
        raise click.UsageError("--sprt E0,E1: E1 must be the larger number")
    sprt, out = options["sprt"] and Sprt(*options["sprt"]), options["out"]
    pairs = (games + 1) // 2
    if options["clock"] is not None:
        tell(f"clock: {TimeControl(*options['clock']).describe()}")
    if games % 2:
        tell(f"rounded up to {2 * pairs} games (played in pairs)")
    began = time.monotonic()
    latest = Standing()
    try:
        with raise_on_signal(), show_progress() as report:

            def watch(standing: Standing) -> None:
                nonlocal latest
                latest = standing
                report(result_words(plan, standing), standing.games / (2 * pairs))

            run_match(plan, pairs, executor, out, sprt, watch, tell)
    except Stopped as stop:
        tell(f"stopped, {result_words(plan, latest)}" + (f". To continue, use --out {out}" if out else ""))
        return SIGNALLED + stop.number
    if options["form"] == "json":
        show_json(describe_result(plan, latest, sprt, time.monotonic() - began))
        if latest.clocks is not None:
            tell(clock_words(plan, latest.clocks))
    else:
        show(summary(plan, latest, sprt))
    return 1 if latest.lost_pairs else 0


def plan_of(game: AnyGame, options: dict[str, Any]) -> Plan:
    if sum(options[name] is not None for name in ("nodes", "seconds", "clock")) > 1:
        raise click.UsageError("use only one of --nodes, --seconds and --clock")
    if options["rule"] and options["adjudicate"] is not None:
        raise click.UsageError("the table ignores house rules: use either --rule or --adjudicate")
    bank, increment = options["clock"] or (None, 0.0)
    return Plan(
        game=game.id,
        players=(options["first"], options["second"]),
        limits=Limits(options["nodes"], options["seconds"], bank, increment),
        house_rule=options["rule"],
        adjudicate=options["adjudicate"],
        max_plies=options["max_moves"],
        seed=options["seed"],
        start=options["start"],
        opening_plies=options["opening_moves"],
    )


def result_words(plan: Plan, standing: Standing) -> str:
    """Return a result such as `exact against random: 9 won, 1 drawn, 0 lost; random lost 2 on time`."""
    first, second = plan.players
    wins, draws, losses = standing.results
    parts = [f"{first} against {second}: {wins} won, {draws} drawn, {losses} lost"]
    for name, timeouts, faults in zip(plan.players, standing.timeouts, standing.faults, strict=True):
        parts += [f"{name} lost {timeouts} on time"] if timeouts else []
        parts += [f"{name} lost {faults} by a fault"] if faults else []
    return "; ".join(parts)


def clock_words(plan: Plan, clocks: tuple[str, str]) -> str:
    words = {"cpu": "CPU time", "wall": "wall-clock time"}
    if clocks[0] == clocks[1]:
        return f"both timed by {words[clocks[0]]}"
    return "; ".join(f"{name} by {words[clock]}" for name, clock in zip(plan.players, clocks, strict=True))


def summary(plan: Plan, standing: Standing, sprt: Sprt | None) -> str:
    lost = [f"{format_count(standing.lost_pairs, 'pair')} could not be played"] if standing.lost_pairs else []
    if not standing.games:
        return "; ".join((result_words(plan, standing), *lost))
    score, error = mean_score(standing.pairs), score_error(standing.pairs)
    parts = [f"{100 * score:.1f} %" + ("" if error is None else f" ± {100 * error:.1f}")]
    elo, spread = elo_difference(score), elo_error(standing.pairs)
    if math.isfinite(elo):
        parts.append(f"Elo {elo:+.0f}" + ("" if spread is None else f" ± {spread:.0f}"))
    if sprt is not None:
        parts.append(f"SPRT {sprt.decision(standing.pairs) or 'open'} at {sprt.compute_ratio(standing.pairs):+.2f}")
    parts += [] if standing.clocks is None else [clock_words(plan, standing.clocks)]
    parts += lost
    parts += [f"by seat {' and '.join('-'.join(map(str, results)) for results in standing.by_seat)}"]
    return f"{result_words(plan, standing)}; {'; '.join(parts)}"

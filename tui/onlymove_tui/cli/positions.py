"""The commands `analyse`, `explore` and `perft`: positions and their values, for people and for programs."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, repeat
from typing import Any, TypeAlias

import click
from msgspec import json
from onlymove_engines.coach.explore import AnyExplored, Choice, OnlyMoveStats, explore, explore_below
from onlymove_engines.coach.judge import find_regret, is_certain
from onlymove_engines.core.analysis import (
    AlternatingAnalyst,
    AnyAnalysis,
    AnyAnalyst,
    Expanded,
    Expanding,
    Measuring,
    SimultaneousAnalyst,
    Summary,
)
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.errors import BadNotation, OnlymoveError, Unreachable
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.scene import View
from onlymove_engines.core.value import Draw, Estimate, Mixed, Move, Value, other
from onlymove_engines.core.words import fill_lines
from onlymove_engines.live.limits import POSITION_SECONDS
from onlymove_engines.play.typed import read_position as parse_spelled
from onlymove_engines.search.perft import perft
from onlymove_engines.search.summaries import Unproven, require_reachable, summarise_many

from onlymove_tui.play import phrases

from .console import (
    GAME,
    Caller,
    Limit,
    Seconds,
    Whole,
    clean_typed,
    compile_when_needed,
    format_options,
    json_option,
    one_line,
    read_batches,
    seek_analyst,
    show_either,
    show_json,
    show_progress,
)


def read_lines(texts: tuple[str, ...]) -> Iterator[list[tuple[int, str]]]:
    """Yield the positions on the command line, numbered from 1. `-` stands for the lines of stdin, in batches. The
    lines may be rows of `--format tsv`, whose first column is the position."""
    if named := [text.strip() for text in texts if text != "-"]:
        yield list(enumerate(named, 1))
    if "-" in texts:
        number = 1
        for batch in read_batches(clean=lambda line: clean_typed(line.partition("\t")[0])):
            yield list(enumerate(batch, number))
            number += len(batch)


def read_position(game: AnyGame, analyst: AnyAnalyst, text: str) -> AnyPosition:
    """Parse a position. Raises BadNotation, or Unreachable if the game has no values for what no game can reach."""
    position = parse_spelled(game, text)
    require_reachable(analyst, position)
    return position


@dataclass
class Reader:
    """Parses lines into positions and reports bad lines on stderr. `failed` says whether there were any. `limit` makes
    the budget for each position. Without `limit` there is no budget."""

    game: AnyGame
    analyst: AnyAnalyst
    limit: Callable[[], Budget] | None
    failed: bool = False

    def positions(self, lines: Iterable[tuple[int, str]]) -> list[tuple[int, AnyPosition]]:
        """Return the positions of the good lines with their line numbers, in order. Blank lines and headers are
        skipped."""
        found = []
        for number, text in lines:
            if not text or text == HEADER.partition("\t")[0]:
                continue
            try:
                found.append((number, read_position(self.game, self.analyst, text)))
            except BadNotation as refusal:
                why = str(refusal)
                says_why = not isinstance(refusal, Unreachable) or "unreachable" in why
                self.refuse(number, why if says_why else f"unreachable: {why}")
        return found

    def refuse(self, number: int, why: str) -> None:
        self.failed = True
        click.echo(f"# error: {number}: {one_line(why)}", err=True)

    def rows(self, placed: Sequence[tuple[int, AnyPosition]]) -> Iterator[tuple[AnyPosition, Summary]]:
        """Yield each position with its row. If a value cannot be found, that is reported, and the others still come."""
        rows = summarise_many(self.game, self.analyst, [position for _, position in placed], self.limit)
        for (number, position), row in zip(placed, rows, strict=True):
            if isinstance(row, Unproven):
                self.refuse(number, row.why)
            else:
                yield position, row


@click.command("analyse")
@click.argument("game", type=GAME)
@click.argument("positions", nargs=-1, metavar="[POSITION ...|-]")
@format_options("text", "tsv", "json")
@click.option(
    "--seconds",
    type=Seconds(min=0.0),
    help=f"Search time for positions without a table (default: {POSITION_SECONDS:.0f}, or no limit with --format tsv).",
)
@click.option("--depth", type=Limit(), help="Maximum search depth in moves, for positions without a table.")
@click.pass_context
def analyse_command(ctx: click.Context, /, game: AnyGame, positions: tuple[str, ...], **options: Any) -> int:
    """Show exact values of positions and their moves.

    `-` reads one position a line from stdin, or the rows that `--format tsv` writes. Without POSITION the start is
    analysed. A line that cannot be used is reported on stderr, and the exit code is then 2.
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
    for lines in read_lines(positions or (game.notation.format_position(game.default_start()),)):
        found = reader.positions(lines)
        if form == "tsv":
            sys.stdout.write("".join(f"{tsv_row(game, position, row)}\n" for position, row in reader.rows(found)))
            sys.stdout.flush()
            continue
        places = [position for _, position in found]
        if form == "json" and isinstance(analyst, Expanding) and (expanded := analyst.expand(places)) is not None:
            rows = (f"{expanded_line(game, *pair)}\n" for pair in zip(places, expanded, strict=True))
            while text := "".join(islice(rows, AT_ONCE)):
                sys.stdout.write(text)
            sys.stdout.flush()
            continue
        for number, position in found:
            try:
                show_position(ctx.obj, form, game, analyst, position, limit())
            except OnlymoveError as refusal:
                reader.refuse(number, str(refusal))
    return 2 if reader.failed else 0


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
    place, budget = read_position(game, analyst, text), Budget.seconds(seconds, clock)
    if isinstance(analyst, SimultaneousAnalyst):
        show_position(ctx.obj, form, game, analyst, place, budget)
        return
    node = explore(game.rules, place, analyst, budget)
    lower = explore_below(game.rules, node, analyst, budget)
    if form == "json":
        show_json(node_facts(game, analyst, node, lower))
    else:
        report_board(game, place, ctx.obj.draws_ascii)
        report_node(game, node, lower)


class PerftCommand(click.Command):
    """Reports a negative depth as too small. Click would report an unknown option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as unknown:
            if not re.fullmatch(r"-\d+", unknown.option_name):
                raise
            ctx.ignore_unknown_options = True
            return super().parse_args(ctx, given)


@click.command("perft", cls=PerftCommand)
@click.argument("game", type=GAME)
@click.argument("depth", type=Whole(min=0))
@click.option("--from", "start", metavar="POSITION", help="Position to count from (default: the start position).")
@json_option
def perft_command(game: AnyGame, depth: int, start: str | None, form: str) -> None:
    """Count the sequences of DEPTH legal moves."""
    position = game.default_start() if start is None else parse_spelled(game, start)
    with show_progress() as report:
        count = perft(game, position, depth, report)
    spelled = game.notation.format_position(position)
    show_either(form, {"game": game.id, "position": spelled, "depth": depth, "paths": count}, [(str(count),)])


COLUMNS = 76


def show_position(
    caller: Caller, form: str, game: AnyGame, analyst: AnyAnalyst, position: AnyPosition, budget: Budget
) -> None:
    """Print everything that is known about `position`, as JSON or for a person, with an empty line after it."""
    if form == "json":
        show_json(position_facts(game, analyst, position, budget))
        return
    report_board(game, position, caller.draws_ascii)
    if game.rules.result(position) is not None:
        report_end(game, position)
    elif isinstance(analyst, SimultaneousAnalyst):
        report_mixed(game, analyst.mixed(position, budget))
    else:
        analysis = analyst.analyse(position, budget)
        report_value(game, position, analysis)
        report_groups(phrases.group_by_value(game, position, analysis, lambda _, value: value.sentence()).items())
    click.echo("")


def report_board(game: AnyGame, position: AnyPosition, ascii_only: bool) -> None:
    click.echo(f"{game.facts.title}  {game.notation.format_position(position)}")
    click.echo(game.painter.scene(View(positions=(position,), ascii_only=ascii_only)).text())


def report_end(game: AnyGame, position: AnyPosition) -> None:
    if (result := game.rules.result(position)) is not None:
        winner = "a draw" if result.winner is None else f"{game.seats[result.winner]} has won"
        score = "" if result.score is None else f" {result.score[0]}-{result.score[1]}"
        click.echo(f"Over: {winner}{score}. {result.reason}".rstrip())


def report_groups(groups: Collection[tuple[str, Sequence[str]]]) -> None:
    """Print each group on its own lines: its name, then its moves side by side."""
    width = max((len(name) for name, _ in groups), default=0)
    for name, moves in groups:
        for row, line in enumerate(fill_lines(moves, COLUMNS - width)):
            click.echo(f"  {name if row == 0 else '':{width}}  {line}".rstrip())


def report_value(game: AnyGame, position: AnyPosition, analysis: AnyAnalysis) -> None:
    """Print whose move it is, what the position is worth, and how that was found."""
    seat = game.rules.to_move(position) or 0
    final = phrases.describe_final_lead(game, position, analysis.value)
    click.echo(f"{game.seats[seat]} to move: {phrases.format_sentence(analysis.value)}{final and f' ({final})'}")
    if analysis.note:
        click.echo(f"({analysis.note})")


def report_mixed(game: AnyGame, mixed: Mixed) -> None:
    """Print the payoff matrix, with the mixed strategies of both sides."""
    proven = "proven" if mixed.exact else f"an estimate, searched to depth {mixed.depth}"
    click.echo(f"Expected result for {game.seats[0]}: {mixed.expected:+z.3f} ({proven})")
    own, theirs = mixed.strategies
    click.echo(f"Rows: {game.seats[0]}. Columns: {game.seats[1]}. Percentages: how often in best play.")
    click.echo("           " + "".join(f"{move!s:>8}" for move in theirs))
    click.echo("           " + "".join(f"{share:8.0%}" for share in theirs.values()))
    for move, row in mixed.matrix.items():
        cells = (f"{_mark_estimate(mixed, move, reply)}{row[reply]:+z.2f}" for reply in theirs)
        click.echo(f"  {move!s:2} {own.get(move, 0.0):5.0%}" + "".join(f"{cell:>8}" for cell in cells))
    if mixed.exact and mixed.has_estimates:
        click.echo(f"~: an estimate, searched to depth {mixed.depth}. It does not matter for the expected result.")


def _mark_estimate(mixed: Mixed, own: Move, theirs: Move) -> str:
    return "~" if mixed.exact and not mixed.is_proven(0, own, theirs) else ""


def report_node(game: AnyGame, node: AnyExplored, lower: Lower) -> None:
    """Print a node for a person, with an empty line after it."""
    if node.children:
        report_value(game, node.position, node.analysis)
        keeping = phrases.describe_keeping(node.choice, game.facts.has_margin)
        click.echo(f"{keeping} The numbers say how many of your opponent's replies keep the result.".strip())
        groups = []
        for value, alike in node.analysis.group_moves():
            moves = [
                f"{game.describe_move(node.position, move)} {phrases.format_replies(node.get_replies(move))} "
                for move in alike
            ]
            groups.append((phrases.format_sentence(value), moves))
        report_groups(groups)
        if text := phrases.describe_below(lower):
            click.echo(text)
    else:
        report_end(game, node.position)
    click.echo("")


AnyValue: TypeAlias = "Value | Estimate | Mixed | None"
Worth: TypeAlias = tuple[str | None, int | None, int | None]
"""The word for a value, the plies to the end, and the score. What is not known is `None`."""
WORTH = ("value", "remoteness", "score")


def find_worth(game: AnyGame, position: AnyPosition, value: AnyValue, drawn_in: int | None) -> Worth:
    """Return what a value says. Games with points do not count the plies to the end. For a draw these are `drawn_in`,
    which is known only near the end of the game."""
    if not isinstance(value, Value):
        return None, None, None
    remoteness = drawn_in if isinstance(value, Draw) else value.remoteness
    score = game.find_score(position, value)
    return value.outcome.word, None if game.facts.has_margin else remoteness, score


DECIMALS = 9
HEADER = "#position\tvalue\tremoteness\tscore\tmoves\tkeeping\tbest\n"


def tsv_row(game: AnyGame, position: AnyPosition, row: Summary) -> str:
    value = row.value
    spelled, *numbers = find_worth(game, position, value, 0 if row.moves == "0" else None)
    if isinstance(value, Mixed):
        spelled = f"{round(value.expected, DECIMALS) + 0.0:.{DECIMALS}f} {'exact' if value.exact else 'estimate'}"
    columns = (game.notation.format_position(position), spelled, *numbers, row.moves, row.keeping, row.best)
    return "\t".join("-" if column is None else str(column) for column in columns)


def position_facts(game: AnyGame, analyst: AnyAnalyst, position: AnyPosition, budget: Budget) -> dict[str, object]:
    head = {
        "game": game.id,
        "position": game.notation.format_position(position),
        "over": game.rules.result(position) is not None,
    }
    if isinstance(analyst, SimultaneousAnalyst):
        return head | mixed_facts(analyst.mixed(position, budget)) | measures_of(analyst, position)
    analysis, moves = analyst.analyse(position, budget), []
    for move, value in analysis.moves.items():
        child = game.rules.play(position, move)
        spelled = {"move": game.notation.format_move(position, move), "position": game.notation.format_position(child)}
        ends_in = None if game.rules.result(child) is None else 1
        moves.append(spelled | value_facts(game, position, value, ends_in) | measures_of(analyst, child))
    own = value_facts(game, position, analysis.value, None if moves else 0)
    return head | own | {"moves": moves} | measures_of(analyst, position) | search_facts(analysis.note, analysis.depth)


def value_facts(game: AnyGame, position: AnyPosition, value: AnyValue, drawn_in: int | None) -> dict[str, object]:
    return dict(zip(WORTH, find_worth(game, position, value, drawn_in), strict=True))


def measures_of(analyst: AnyAnalyst, position: AnyPosition) -> dict[str, object]:
    return dict(analyst.measures(position)) if isinstance(analyst, Measuring) else {}


def search_facts(note: str, depth: int | None) -> dict[str, object]:
    return {name: fact for name, fact in (("depth", depth), ("note", note)) if fact is not None and fact != ""}


def mixed_facts(mixed: Mixed) -> dict[str, object]:
    """Return the value, strategies and matrix of a position in which both sides move at once. The facts about one
    side's move are its share of the mix, what it gives away, and its value against the best reply."""
    moves = [
        {
            "seat": seat,
            "move": str(move),
            "share": share,
            "regret": find_regret(mixed, seat, move),
            "worst": min(mixed.payoff(seat, move, reply) for reply in mixed.strategies[other(seat)]),
            "certain": is_certain(mixed, seat, move),
        }
        for seat in (0, 1)
        for move, share in mixed.strategies[seat].items()
    ]
    return {
        "value": mixed.expected,
        "remoteness": None,
        "score": None,
        "exact": mixed.exact,
        "strategies": [{str(move): share for move, share in side.items()} for side in mixed.strategies],
        "matrix": {str(own): {str(b): value for b, value in row.items()} for own, row in mixed.matrix.items()},
        "moves": moves,
    } | _search_of(mixed)


def _search_of(mixed: Mixed) -> dict[str, object]:
    """Return how far a search looked if it did not prove everything, and which payoffs it estimated beside a proven
    value."""
    if not mixed.has_estimates:
        return {}
    if not mixed.exact:
        return search_facts(f"estimate: searched to depth {mixed.depth}", mixed.depth)
    pairs = [[str(a), str(b)] for a, row in mixed.matrix.items() for b in row if not mixed.is_proven(0, a, b)]
    return search_facts("some payoffs are estimates", mixed.depth) | {"estimated": pairs}


Lower: TypeAlias = Sequence[OnlyMoveStats | None]
"""What is one ply and two plies below a position."""


def node_facts(game: AnyGame, analyst: AlternatingAnalyst, node: AnyExplored, lower: Lower) -> dict[str, object]:
    position, to_text = node.position, game.notation
    groups = []
    for value, alike in node.analysis.group_moves():
        moves = [
            {"move": to_text.format_move(position, move), "position": to_text.format_position(node.children[move])}
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
        {"game": game.id, "position": to_text.format_position(position), "over": not node.children}
        | value_facts(game, position, node.analysis.value, None if node.children else 0)
        | choice_facts("moves", node.choice)
        | {"groups": groups, "below": below}
        | measures_of(analyst, position)
        | search_facts(node.analysis.note, node.analysis.depth)
    )


def choice_facts(name: str, choice: Choice | None) -> dict[str, int | None]:
    return {name: None, "holding": None} if choice is None else {name: choice.moves, "holding": choice.keeping}


AT_ONCE = 64
"""How many lines are written together. A whole batch would be megabytes."""
MAX_TEXTS = 1 << 16
"""The most texts in the cache, which take some twenty megabytes."""


def expanded_line(game: AnyGame, position: AnyPosition, expanded: Expanded) -> str:
    """Return the JSON object of one position, with the same fields as `position_facts`. Nothing needs to be escaped,
    because moves and positions contain no such characters."""
    codes, worth = expanded.codes, {}
    for code in set(codes):
        value, is_end = expanded.worth[code]
        worth[code] = worth_text(*find_worth(game, position, value, 1 if is_end else None))
    texts = texts_of(expanded.measured)
    measures = map(texts, expanded.measures) if expanded.measures else repeat("", len(codes))
    moves = [
        f'{{"move": "{move}", "position": "{child}"{worth[code]}{measured}}}'
        for move, child, code, measured in zip(expanded.moves, expanded.positions, codes, measures, strict=True)
    ]
    is_over = "false" if moves else "true"
    head = f'"game": "{game.id}", "position": "{game.notation.format_position(position)}", "over": {is_over}'
    own = worth_text(*find_worth(game, position, expanded.value, None if moves else 0))
    own_measured = "" if expanded.own_measures is None else texts(expanded.own_measures)
    return f'{{{head}{own}, "moves": [{", ".join(moves)}]{own_measured}}}'


@lru_cache(maxsize=1 << 12)
def worth_text(*worth: object) -> str:
    """Return a Worth as JSON text. The text is cached, because the same facts come up again and again."""
    return format_fields(dict(zip(WORTH, worth, strict=True)))


@lru_cache(maxsize=1)
def texts_of(measured: Callable[[int], Mapping[str, Any]]) -> Callable[[int], str]:
    """Return a function that gives measures as JSON text, by code. A few thousand positions have mostly the same
    codes."""
    return lru_cache(maxsize=MAX_TEXTS)(lambda code: format_fields(measured(code)))


def format_fields(facts: Mapping[str, object]) -> str:
    """Return facts as JSON text that can be appended to the fields of an object."""
    return f", {json.format(json.encode(facts), indent=0)[1:-1].decode()}" if facts else ""

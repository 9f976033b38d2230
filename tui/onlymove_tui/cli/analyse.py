"""`analyse`: exact values of positions, as text for people, as TSV or JSON for programs."""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeAlias, cast

import click
from onlymove_engines.coach.judge import is_certain, regret_of
from onlymove_engines.core.analysis import AlternatingAnalyst, AnyAnalyst, Measuring, SimultaneousAnalyst, Summary
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.errors import BadNotation, NoCompiler, OnlymoveError, Unreachable
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.value import Draw, Estimate, Mixed, Move, Seat, Value, other
from onlymove_engines.search.deepening import summary_of, summary_of_mix

from .console import GAME, Seconds, draws_ascii, one_line, seek_analyst, show_json
from .report import report

BATCH = 4096
CHUNK = 1 << 18
DECIMALS = 9
SECONDS = 10.0
HEADER = "#position\tvalue\tremoteness\tscore\tmoves\tkeeping\tbest\n"

Numbered = tuple[int, str]
"""A line's number, from 1, and its text."""


Known: TypeAlias = "Value | Estimate | Mixed | None"

Placed = tuple[int, AnyPosition]
"""A line's number and its position."""


def stdin_lines() -> Iterator[list[Numbered]]:
    """The lines of stdin in batches: as many as are there, never waiting for more once some have come."""
    if sys.stdin is None:
        return
    rest, number = b"", 0
    stream = cast(io.BufferedReader, sys.stdin.buffer)
    while chunk := stream.read1(CHUNK):
        *whole, rest = (rest + chunk).split(b"\n")
        for first in range(0, len(whole), BATCH):
            batch = whole[first : first + BATCH]
            yield [(number + i + 1, line.decode("utf-8", "replace")) for i, line in enumerate(batch)]
            number += len(batch)
    if rest:
        yield [(number + 1, rest.decode("utf-8", "replace"))]


def batches(texts: tuple[str, ...]) -> Iterator[list[Numbered]]:
    """The positions named on the command line, with `-` standing for stdin."""
    named = [text for text in texts if text != "-"]
    if named:
        yield [(number, text) for number, text in enumerate(named, 1)]
    if "-" in texts:
        yield from stdin_lines()


class Reader:
    """Turns lines into positions; says on stderr what is wrong with the others, and remembers that it did. `limit`
    is the budget of every position, `None` where rows may take what they need."""

    def __init__(self, game: AnyGame, analyst: AnyAnalyst, limit: Callable[[], Budget] | None = None) -> None:
        self.game = game
        self.analyst = analyst
        self.limit = limit
        self.failed = False

    def positions(self, lines: Iterable[Numbered]) -> list[Placed]:
        """The positions of the good lines with their numbers, in order; blank lines are skipped."""
        found = []
        parse, reachable = self.game.notation.parse_position, self.analyst.is_reachable
        for number, line in lines:
            text = line.strip()
            if not text:
                continue
            try:
                position = parse(text)
                if not reachable(position):
                    raise Unreachable("unreachable: no game leads here")
            except BadNotation as refusal:
                why = str(refusal)
                is_told = not isinstance(refusal, Unreachable) or "unreachable" in why
                self.refuse(number, why if is_told else f"unreachable: {why}")
            else:
                found.append((number, position))
        return found

    def refuse(self, number: int, why: str) -> None:
        """Say why a line gets no row."""
        self.failed = True
        click.echo(f"# error: {number}: {one_line(why)}", err=True)

    def rows(self, placed: Sequence[Placed]) -> Iterator[tuple[AnyPosition, Summary]]:
        """Each position with its row; where one of a batch cannot be settled the others still are."""
        positions = [position for _, position in placed]
        try:
            yield from list(zip(positions, self.summaries(positions), strict=True))
        except (LookupError, OnlymoveError) as unsettled:
            if isinstance(unsettled, KeyError | IndexError | NoCompiler):
                raise
            if len(placed) == 1:
                self.refuse(placed[0][0], f"not proven: {str(unsettled).removeprefix('not proven: ')}")
                return
            for one in placed:
                yield from self.rows([one])

    def summaries(self, positions: Sequence[AnyPosition]) -> Iterable[Summary]:
        """All at once at the speed of the kernels; where a search is limited, one by one."""
        analyst, limit = self.analyst, self.limit
        if limit is None:
            return analyst.summarise(positions)
        if isinstance(analyst, SimultaneousAnalyst):
            return (summary_of_mix(analyst.mixed(position, limit())) for position in positions)
        notation = self.game.notation
        return (summary_of(notation, position, analyst.analyse(position, limit())) for position in positions)


def spell_value(value: Known) -> str:
    """The column `value`."""
    if isinstance(value, Mixed):
        return f"{round(value.expected, DECIMALS) + 0.0:.{DECIMALS}f} {'exact' if value.exact else 'estimate'}"
    return value.outcome.word if isinstance(value, Value) else "-"


def remoteness_of(game: AnyGame, value: Known, drawn_in: int | None = None) -> int | None:
    """Plies to the end; `None` for games that do not count them. A draw has an end only where the game is over: then
    it is so many plies away as `drawn_in` says."""
    if not isinstance(value, Value) or game.facts.has_margin:
        return None
    return drawn_in if isinstance(value, Draw) else value.remoteness


def score_of(game: AnyGame, position: AnyPosition, value: Known) -> int | None:
    """The game's score for a value, where it has one."""
    return game.score(position, value) if game.score is not None and isinstance(value, Value) else None


def or_dash(number: int | None) -> str:
    """A number, or `-` for none."""
    return "-" if number is None else str(number)


def tsv_row(game: AnyGame, position: AnyPosition, row: Summary) -> str:
    """One line of the table."""
    value = row.value
    columns = (
        game.notation.format_position(position),
        spell_value(value),
        or_dash(remoteness_of(game, value, 0 if row.moves == "0" else None)),
        or_dash(score_of(game, position, value)),
        row.moves,
        row.keeping,
        row.best,
    )
    return "\t".join(columns)


def write_tsv(reader: Reader, placed: list[Placed]) -> None:
    """A row for each position."""
    rows = (tsv_row(reader.game, position, row) for position, row in reader.rows(placed))
    sys.stdout.write("".join(f"{row}\n" for row in rows))
    sys.stdout.flush()


def facts(game: AnyGame, analyst: AnyAnalyst, position: AnyPosition, budget: Budget) -> dict[str, object]:
    """The JSON object of one position."""
    head = {
        "game": game.id,
        "position": game.notation.format_position(position),
        "over": game.rules.result(position) is not None,
    }
    if isinstance(analyst, SimultaneousAnalyst):
        return head | mixed_facts(analyst.mixed(position, budget)) | measures_of(analyst, position)
    return head | analysis_facts(game, position, analyst, budget)


def value_facts(game: AnyGame, position: AnyPosition, value: Known, drawn_in: int | None) -> dict[str, object]:
    """A value, its remoteness and its score; `null` for what is not known."""
    return {
        "value": value.outcome.word if isinstance(value, Value) else None,
        "remoteness": remoteness_of(game, value, drawn_in),
        "score": score_of(game, position, value),
    }


def measures_of(analyst: AnyAnalyst, position: AnyPosition) -> dict[str, object]:
    """What the game measures besides."""
    return dict(analyst.measures(position)) if isinstance(analyst, Measuring) else {}


def analysis_facts(
    game: AnyGame, position: AnyPosition, analyst: AlternatingAnalyst, budget: Budget
) -> dict[str, object]:
    """Value and moves of a position in which one side moves."""
    analysis, moves = analyst.analyse(position, budget), []
    for move, value in analysis.moves.items():
        child = game.rules.play(position, move)
        spelled = {
            "move": game.notation.format_move(position, move),
            "position": game.notation.format_position(child),
        }
        ends_in = None if game.rules.result(child) is None else 1
        worth = value_facts(game, position, value, ends_in)
        moves.append(spelled | worth | measures_of(analyst, child))
    own = value_facts(game, position, analysis.value, None if moves else 0)
    return own | {"moves": moves} | measures_of(analyst, position) | search_facts(analysis.note, analysis.depth)


def search_facts(note: str, depth: int | None) -> dict[str, object]:
    """How a search found the answer, and how far it looked where it was cut off."""
    return {name: fact for name, fact in (("depth", depth), ("note", note)) if fact is not None and fact != ""}


def mixed_facts(mixed: Mixed) -> dict[str, object]:
    """Value, strategies and matrix of a position in which both sides move at once."""
    return {
        "value": mixed.expected,
        "remoteness": None,
        "score": None,
        "exact": mixed.exact,
        "strategies": [{str(move): share for move, share in side.items()} for side in mixed.strategies],
        "matrix": {str(own): {str(b): value for b, value in row.items()} for own, row in mixed.matrix.items()},
        "moves": [seat_facts(mixed, seat, move) for seat in (0, 1) for move in mixed.strategies[seat]],
    } | ({} if mixed.exact else search_facts(f"estimate: searched to depth {mixed.depth}", mixed.depth))


def seat_facts(mixed: Mixed, seat: Seat, move: Move) -> dict[str, object]:
    """One side's move: its share of the mix, what it gives away, and what it gets against the reply that hurts most."""
    return {
        "seat": seat,
        "move": str(move),
        "share": mixed.strategies[seat][move],
        "regret": regret_of(mixed, seat, move),
        "worst": min(mixed.payoff(seat, move, reply) for reply in mixed.strategies[other(seat)]),
        "certain": is_certain(mixed, seat, move),
    }


@click.command("analyse")
@click.argument("game", type=GAME)
@click.argument("positions", nargs=-1, metavar="[POSITION ...|-]")
@click.option("--format", "form", type=click.Choice(["text", "tsv", "json"]), default="text", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option(
    "--seconds",
    type=Seconds(min=0.0),
    help=f"Search time where no table answers; else {SECONDS:.0f}, in tables as long as it takes.",
)
@click.option("--depth", type=click.IntRange(min=1), help="Plies or rounds a search looks ahead at most.")
@click.pass_context
def analyse_command(ctx: click.Context, /, game: AnyGame, positions: tuple[str, ...], **options: Any) -> int:
    """Exact values of positions and of their moves.

    `-` reads one position a line from stdin; without a POSITION it is the start. A line that cannot be used is
    reported on stderr and the exit code is 2 at the end.
    """
    analyst, note = seek_analyst(game)
    form = "json" if options["as_json"] else options["form"]
    ascii_only = draws_ascii(ctx.obj)

    def limit() -> Budget:
        seconds = SECONDS if options["seconds"] is None else options["seconds"]
        return replace(Budget.seconds(seconds, time.monotonic), depth=options["depth"])

    is_asked = options["seconds"] is not None or options["depth"] is not None
    is_searching = bool(note) or game.facts.plays_by_search
    reader = Reader(game, analyst, limit if is_asked and is_searching else None)

    def tell_one(position: AnyPosition, budget: Budget) -> None:
        if form == "json":
            show_json(facts(game, analyst, position, budget))
        else:
            report(game, analyst, position, budget, ascii_only)

    if form == "tsv":
        sys.stdout.write(HEADER)
    texts = positions or (game.notation.format_position(game.default_start()),)
    for lines in batches(texts):
        found = reader.positions(lines)
        if form == "tsv":
            write_tsv(reader, found)
            continue
        for number, position in found:
            try:
                tell_one(position, limit())
            except OnlymoveError as refusal:
                reader.refuse(number, str(refusal))
    return 2 if reader.failed else 0

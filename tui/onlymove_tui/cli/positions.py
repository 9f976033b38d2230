"""Positions and their values, as text for people and as JSON for programs. `analyse` and `explore` print them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import islice, repeat
from typing import Any, TypeAlias

from onlymove_engines.coach.judge import find_regret, is_certain
from onlymove_engines.core.analysis import (
    AlternatingAnalyst,
    AnyAnalysis,
    AnyAnalyst,
    Expanded,
    Measuring,
    SimultaneousAnalyst,
)
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.scene import View
from onlymove_engines.core.value import Draw, Estimate, Mixed, Move, Outcome, Seat, Value, other
from onlymove_engines.records.record import fill_lines

from onlymove_tui.play.phrases import format_sentence, group_by_value

from .console import show

COLUMNS = 76


def report(game: AnyGame, analyst: AnyAnalyst, position: AnyPosition, budget: Budget, ascii_only: bool = False) -> None:
    """Print everything that is known about `position`, with an empty line after it."""
    report_board(game, position, ascii_only)
    if game.rules.result(position) is not None:
        report_end(game, position)
    elif isinstance(analyst, SimultaneousAnalyst):
        report_mixed(game, analyst.mixed(position, budget))
    else:
        analysis = analyst.analyse(position, budget)
        report_value(game, position, analysis)
        report_groups(group_by_value(game, position, analysis, lambda _, value: value.sentence()).items())
    show("")


def report_board(game: AnyGame, position: AnyPosition, ascii_only: bool) -> None:
    show(f"{game.facts.title}  {game.notation.format_position(position)}")
    show(game.painter.scene(View(positions=(position,), ascii_only=ascii_only)).text())


def report_end(game: AnyGame, position: AnyPosition) -> None:
    if (result := game.rules.result(position)) is not None:
        winner = "a draw" if result.winner is None else f"{game.seats[result.winner]} has won"
        show(f"Over: {winner}. {result.reason}".rstrip())


def report_groups(groups: Collection[tuple[str, Sequence[str]]]) -> None:
    """Print each group on its own lines: its name, then its moves side by side."""
    width = max((len(name) for name, _ in groups), default=0)
    for name, moves in groups:
        for row, line in enumerate(fill_lines(moves, COLUMNS - width)):
            show(f"  {name if row == 0 else '':{width}}  {line}".rstrip())


def report_value(game: AnyGame, position: AnyPosition, analysis: AnyAnalysis) -> None:
    """Print whose move it is, what the position is worth, and how that was found."""
    seat = game.rules.to_move(position) or 0
    show(f"{game.seats[seat]} to move: {format_sentence(analysis.value)}")
    if analysis.note:
        show(f"({analysis.note})")


def report_mixed(game: AnyGame, mixed: Mixed) -> None:
    """Print the payoff matrix, with the mixed strategies of both sides."""
    proven = "proven" if mixed.exact else f"an estimate, searched to depth {mixed.depth}"
    show(f"Expected result for {game.seats[0]}: {mixed.expected:+z.3f} ({proven})")
    own, theirs = mixed.strategies
    show(f"Rows: {game.seats[0]}. Columns: {game.seats[1]}. Percentages: how often in best play.")
    show("           " + "".join(f"{move!s:>8}" for move in theirs))
    show("           " + "".join(f"{share:8.0%}" for share in theirs.values()))
    for move, row in mixed.matrix.items():
        show(f"  {move!s:2} {own.get(move, 0.0):5.0%}" + "".join(f"{row[reply]:+z8.2f}" for reply in theirs))


AnyValue: TypeAlias = "Value | Estimate | Mixed | None"


def remoteness_of(game: AnyGame, value: AnyValue, drawn_in: int | None = None) -> int | None:
    """Return the plies to the end, or `None` for games that do not count them. For a draw, return `drawn_in`, which is
    known only near the end of the game."""
    if not isinstance(value, Value) or game.facts.has_margin:
        return None
    return drawn_in if isinstance(value, Draw) else value.remoteness


def score_of(game: AnyGame, position: AnyPosition, value: AnyValue) -> int | None:
    return game.solved.score(position, value) if game.solved.score is not None and isinstance(value, Value) else None


def position_facts(game: AnyGame, analyst: AnyAnalyst, position: AnyPosition, budget: Budget) -> dict[str, object]:
    head = {
        "game": game.id,
        "position": game.notation.format_position(position),
        "over": game.rules.result(position) is not None,
    }
    if isinstance(analyst, SimultaneousAnalyst):
        return head | mixed_facts(analyst.mixed(position, budget)) | measures_of(analyst, position)
    return head | analysis_facts(game, position, analyst, budget)


def value_facts(game: AnyGame, position: AnyPosition, value: AnyValue, drawn_in: int | None) -> dict[str, object]:
    """Return a value, its remoteness and its score as JSON fields. A field that is not known is `null`."""
    outcome = value.outcome if isinstance(value, Value) else None
    return worth_facts(outcome, remoteness_of(game, value, drawn_in), score_of(game, position, value))


def worth_facts(outcome: Outcome | None, remoteness: int | None, score: int | None) -> dict[str, object]:
    return {"value": None if outcome is None else outcome.word, "remoteness": remoteness, "score": score}


def measures_of(analyst: AnyAnalyst, position: AnyPosition) -> dict[str, object]:
    return dict(analyst.measures(position)) if isinstance(analyst, Measuring) else {}


def analysis_facts(
    game: AnyGame, position: AnyPosition, analyst: AlternatingAnalyst, budget: Budget
) -> dict[str, object]:
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
    return {name: fact for name, fact in (("depth", depth), ("note", note)) if fact is not None and fact != ""}


def mixed_facts(mixed: Mixed) -> dict[str, object]:
    """Return the value, strategies and matrix of a position in which both sides move at once."""
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
    """Return the facts about one side's move: its share of the mix, what it gives away, and its value against the best
    reply."""
    return {
        "seat": seat,
        "move": str(move),
        "share": mixed.strategies[seat][move],
        "regret": find_regret(mixed, seat, move),
        "worst": min(mixed.payoff(seat, move, reply) for reply in mixed.strategies[other(seat)]),
        "certain": is_certain(mixed, seat, move),
    }


AT_ONCE = 64
"""How many lines are written together. A whole batch would be megabytes."""
MOST_TEXTS = 1 << 16
"""The most texts in the cache, which take some twenty megabytes."""


def write_expanded(game: AnyGame, expanded: Iterable[tuple[AnyPosition, Expanded]]) -> None:
    """Write one line for each position, with the same fields as `position_facts`."""
    lines = (f"{expanded_line(game, *pair)}\n" for pair in expanded)
    while text := "".join(islice(lines, AT_ONCE)):
        sys.stdout.write(text)
    sys.stdout.flush()


def expanded_line(game: AnyGame, position: AnyPosition, expanded: Expanded) -> str:
    """Return the JSON object of one position. Nothing needs to be escaped, because moves and positions contain no such
    characters."""
    codes, worth = expanded.codes, {}
    for code in set(codes):
        value, is_end = expanded.worth[code]
        worth[code] = value_text(game, position, value, 1 if is_end else None)
    texts = texts_of(expanded.measured)
    measures = map(texts, expanded.measures) if expanded.measures else repeat("", len(codes))
    moves = [
        f'{{"move": "{move}", "position": "{child}"{worth[code]}{measured}}}'
        for move, child, code, measured in zip(expanded.moves, expanded.positions, codes, measures, strict=True)
    ]
    is_over = "false" if moves else "true"
    head = f'"game": "{game.id}", "position": "{game.notation.format_position(position)}", "over": {is_over}'
    own = value_text(game, position, expanded.value, None if moves else 0)
    own_measured = "" if expanded.own_measures is None else texts(expanded.own_measures)
    return f'{{{head}{own}, "moves": [{", ".join(moves)}]{own_measured}}}'


def value_text(game: AnyGame, position: AnyPosition, value: Value, drawn_in: int | None) -> str:
    return worth_text(value.outcome, remoteness_of(game, value, drawn_in), score_of(game, position, value))


@lru_cache(maxsize=1 << 12)
def worth_text(*facts: Any) -> str:
    """Return `worth_facts` as JSON text. The text is cached, because the same facts come up again and again."""
    return format_fields(worth_facts(*facts))


@lru_cache(maxsize=1)
def texts_of(measured: Callable[[int], Mapping[str, Any]]) -> Callable[[int], str]:
    """Return a function that gives measures as JSON text, by code. Its texts are cached, because most codes repeat
    among a few thousand positions."""
    return lru_cache(maxsize=MOST_TEXTS)(lambda code: format_fields(measured(code)))


def format_fields(facts: Mapping[str, object]) -> str:
    """Return facts as JSON text that can be appended to the fields of an object."""
    from msgspec import json  # noqa: PLC0415 - an encoder for many

    return f", {json.format(json.encode(facts), indent=0)[1:-1].decode()}" if facts else ""

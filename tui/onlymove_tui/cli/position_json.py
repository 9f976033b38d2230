"""Positions and their values as JSON, as printed by `analyse --format json` and `explore --json`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import islice, repeat
from typing import Any, TypeAlias

from onlymove_engines.coach.judge import find_regret, is_certain
from onlymove_engines.core.analysis import AlternatingAnalyst, AnyAnalyst, Expanded, Measuring, SimultaneousAnalyst
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.value import Draw, Estimate, Mixed, Move, Outcome, Seat, Value, other

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

"""Objects for programs: `analyse --format json`, a line a position."""

from __future__ import annotations

from onlymove_engines.coach.judge import is_certain, regret_of
from onlymove_engines.core.analysis import (
    AlternatingAnalyst,
    AnyAnalyst,
    Measuring,
    SimultaneousAnalyst,
)
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.value import Mixed, Move, Outcome, Seat, Value, other

from .worth import AnyValue, remoteness_of, score_of


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


def value_facts(game: AnyGame, position: AnyPosition, value: AnyValue, drawn_in: int | None) -> dict[str, object]:
    """A value, its remoteness and its score; `null` for what is not known."""
    outcome = value.outcome if isinstance(value, Value) else None
    return worth_facts(outcome, remoteness_of(game, value, drawn_in), score_of(game, position, value))


def worth_facts(outcome: Outcome | None, remoteness: int | None, score: int | None) -> dict[str, object]:
    """What three facts of a value are called."""
    return {"value": None if outcome is None else outcome.word, "remoteness": remoteness, "score": score}


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

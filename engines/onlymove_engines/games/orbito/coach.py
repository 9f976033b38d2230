"""What the coach says in Orbito: when moving the opponent's marble is the point, and where the marbles end up."""

from __future__ import annotations

from collections.abc import Iterable

from onlymove_engines.coach.hint import MOST_TOLD, Trait, all_of, telling
from onlymove_engines.coach.values import losing_replies, replies_said
from onlymove_engines.core.analysis import Analysis, AnyAnalyst, Remarks
from onlymove_engines.core.game import Turn
from onlymove_engines.core.value import Loss, Outcome, Value

from .rules import INNER, OUTER, RULES, Move, Position, extra_shifts
from .scene import PAINTER
from .styles import PRACTICAL

MOST_COUNTED = 9
"""Moves whose replies are counted: as many as are numbered."""
CORNERS = ("a1", "a4", "d1", "d4")


def remarks(position: Position, analysis: Analysis[Move], analyst: AnyAnalyst) -> Remarks[Move]:
    """Why to push or not to, without naming a cell; for each best move how many replies lose in a draw, else where the
    shift takes its marbles."""
    top = analysis.best_value()
    if top is None:
        return Remarks()
    ranked = tuple(PRACTICAL.chances(Turn(position, RULES.to_move(position), analysis, analyst)))
    best = analysis.best()
    order = [move for move in ranked if move in best] or best
    counted = order[:MOST_COUNTED] if top.outcome is Outcome.DRAW else ()
    return Remarks(
        area=area(position, analysis, top),
        moves={move: _said(position, move, analyst if move in counted else None) for move in best},
        ranked=ranked,
    )


def area(position: Position, analysis: Analysis[Move], top: Value) -> tuple[str, ...]:
    """Whether to push, and then what else sets the moves that keep the value apart."""
    keeping, moves = analysis.keeping(), tuple(analysis.moves)
    push = Trait(
        "first moves a marble of the opponent",
        "first move a marble of the opponent",
        is_push,
        _purpose(position, analysis, top),
        "Leave the opponent's marbles where they are.",
    )
    return (*telling((push,), keeping, moves), *telling(TRAITS, keeping, moves))[:MOST_TOLD]


def is_push(move: Move) -> bool:
    """Whether an opponent's marble is moved first."""
    return len(move) > 1


def _is_inward(move: Move) -> bool:
    """Whether an opponent's marble is moved from the outer ring to the inner one."""
    return is_push(move) and move[0] in OUTER and move[1] in INNER


TRAITS: tuple[Trait[Move], ...] = (
    Trait(
        "goes to the outer ring",
        "go to the outer ring",
        lambda move: move[-1] in OUTER,
        "Your own marble belongs on the outer ring.",
        "Your own marble belongs on the inner ring.",
    ),
    Trait("goes into a corner", "go into a corner", lambda move: move[-1] in CORNERS),
    Trait("moves theirs inwards", "move theirs inwards", _is_inward),
)
"""What a move may do, without a cell."""


def _purpose(position: Position, analysis: Analysis[Move], top: Value) -> str:
    """What the push is for where all moves that keep the value push, told from what is best without one."""
    keeping = analysis.keeping()
    alone = {move: value for move, value in analysis.moves.items() if not is_push(move) and value is not None}
    if not all(map(is_push, keeping)) or not alone:
        return ""
    best = max(alone.values())
    some_are_worse = any(value.outcome < best.outcome for value in alone.values())
    why = f"placing alone is {'at best ' if some_are_worse else ''}a {best.outcome.word}"
    if top.outcome is Outcome.WIN and top.remoteness == 1 and _shift_shows_a_line(position, keeping):
        why = "only so does the shift complete a line at once"
    elif best == Loss(1) and _shift_shows_a_line(position, alone):
        why = "else their line comes with this shift"
    elif best == Loss(2):
        why = "else their line comes with the next turn"
    verb = "moves" if len(keeping) == 1 else "move"
    return f"{all_of(len(keeping))} first {verb} a marble of the opponent: {why}."


def _shift_shows_a_line(position: Position, moves: Iterable[Move]) -> bool:
    """Whether each of these moves, which end the game, does so without the extra shifts of a full board."""
    return all(extra_shifts(RULES.play(position, move)) == 0 for move in moves)


def _said(position: Position, move: Move, analyst: AnyAnalyst | None) -> tuple[str, ...]:
    found = None if analyst is None else losing_replies(RULES, RULES.play(position, move), analyst)
    return (() if found is None else replies_said(*found)) or _after_the_shift(position, move)


def _after_the_shift(position: Position, move: Move) -> tuple[str, ...]:
    """Where the marbles of a move end up."""
    *pushed, placed = PAINTER.trace(position, move)
    own = f"ends on {placed}"
    return (f"{own}, theirs on {pushed[0]}", own) if pushed else (own,)

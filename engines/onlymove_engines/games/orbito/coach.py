"""What the coach says in Orbito: when moving the opponent's marble is the point, and where the marbles end up."""

from __future__ import annotations

from onlymove_engines.core.analysis import Analysis, AnyAnalyst, Remarks
from onlymove_engines.core.value import Outcome, Value

from .rules import NEXT, OUTER, Move, Position
from .styles import by_chances

VERBS = {Outcome.WIN: "keep the win", Outcome.DRAW: "hold the draw", Outcome.LOSS: "are left"}


def remarks(position: Position, analysis: Analysis[Move], analyst: AnyAnalyst) -> Remarks[Move]:
    """Why to push or not to, without naming a cell; for each best move where the shift takes its marbles."""
    top = analysis.best_value()
    if top is None:
        return Remarks()
    keeping, best = analysis.keeping(), analysis.best()
    said = [_about_pushing(analysis, top, keeping), _about_rings(keeping)]
    return Remarks(
        area=tuple(line for line in said if line),
        moves={move: _after_the_shift(move) for move in best},
        ranked=tuple(by_chances(position, analysis, analyst)),
    )


def _about_pushing(analysis: Analysis[Move], top: Value, keeping: tuple[Move, ...]) -> str:
    """How many keeping moves first move an opponent's marble, and what is lost without doing so."""
    pushes = [move for move in keeping if len(move) > 1]
    possible = any(len(move) > 1 for move in analysis.moves)
    if not possible or top.outcome is Outcome.LOSS:
        return ""
    verb = VERBS[top.outcome]
    if not pushes:
        return f"Leave the opponent's marbles where they are: only moves without a push {verb}."
    if len(pushes) < len(keeping):
        return f"{len(pushes)} of the {len(keeping)} moves that {verb} first move a marble of the opponent."
    alone = max((value for move, value in analysis.moves.items() if len(move) == 1 and value is not None))
    subject = {1: "The only move that keeps", 2: "Both moves that keep"}
    one = subject.get(len(keeping), f"All {len(keeping)} moves that keep")
    what = "the win" if top.outcome is Outcome.WIN else "the draw"
    return f"{one} {what} first move{'s' * (len(keeping) == 1)} a marble of the opponent: {_purpose(top, alone)}"


def _purpose(top: Value, alone: Value) -> str:
    """What the push is for, told from what is best without one."""
    if top.outcome is Outcome.WIN and top.remoteness == 1:
        return "only so does the shift complete a line at once."
    if alone.outcome is Outcome.LOSS and alone.remoteness is not None and alone.remoteness <= 2:
        when = "with this shift" if alone.remoteness == 1 else "with the next turn"
        return f"otherwise the opponent's line comes {when}."
    return f"placing alone is a {alone.outcome.word}."


def _about_rings(keeping: tuple[Move, ...]) -> str:
    """Whether the own marble always belongs on the same ring."""
    outside = {move[-1] in OUTER for move in keeping}
    if len(outside) > 1:
        return ""
    return f"Your own marble belongs on the {'outer' if outside == {True} else 'inner'} ring."


def _after_the_shift(move: Move) -> str:
    """Where the marbles of a move end up."""
    own = f"yours ends up on {NEXT[move[-1]]}"
    return own if len(move) == 1 else f"{own}, theirs on {NEXT[move[1]]}"

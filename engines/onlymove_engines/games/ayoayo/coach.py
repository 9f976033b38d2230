"""What the coach adds to a hint: who captures, where the last seed ends, and which keeping move comes nearer."""

from __future__ import annotations

from onlymove_engines.core.analysis import Analysis, AnyAnalyst, Remarks
from onlymove_engines.core.value import other

from . import rules, styles
from .analyst import AyoayoAnalyst
from .preview import preview
from .rules import Cell, Position


def remarks(position: Position, analysis: Analysis[Cell], analyst: AnyAnalyst) -> Remarks[Cell]:
    """Remarks on the best moves. `area` names no pit."""
    best = analysis.best()
    if not best:
        return Remarks()
    assert isinstance(analyst, AyoayoAnalyst)
    progress = styles.exact(position, analysis, analyst)
    ranked = (*progress, *(move for move in best if move not in progress))
    return Remarks(area(position, ranked[0]), {move: describe(position, move) for move in analysis.moves}, ranked)


def area(position: Position, move: Cell) -> tuple[str, ...]:
    """What to look for, without saying where."""
    look, mover = preview(position, move), position.to_move
    own, theirs = look.captured(mover), look.captured(other(mover))
    if own > theirs:
        captures = f"There are {own} seeds to be had at once."
    elif theirs:
        captures = f"Even the best move gives away {theirs} seeds" + (f" for {own}." if own else ".")
    else:
        captures = "No capture yet: the right move prepares or prevents one."
    ends = "your own row" if rules.owner(look.last) == mover else "the other row"
    return (captures, f"Let the last seed fall in {ends}.")


def describe(position: Position, move: Cell) -> str:
    """`+8 -4, last seed in 5 across`: what the move does at once."""
    look, mover = preview(position, move), position.to_move
    own, theirs = look.captured(mover), look.captured(other(mover))
    gains = f"+{own} -{theirs}" if own or theirs else "no capture"
    side = "" if rules.owner(look.last) == mover else " across"
    return f"{gains}, last seed in {rules.cell_of(look.last) + 1}{side}"

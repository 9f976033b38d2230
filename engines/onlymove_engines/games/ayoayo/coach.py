"""What the coach adds to a hint: who captures, where to sow from, and which keeping move comes nearer."""

from __future__ import annotations

from onlymove_engines.coach.traits import Trait, telling
from onlymove_engines.core.analysis import Analysis, AnyAnalyst, Remarks
from onlymove_engines.core.value import other

from . import rules, styles
from .analyst import AyoayoAnalyst
from .preview import preview
from .rules import CELLS, Cell, Position

HALF = len(CELLS) // 2


def remarks(position: Position, analysis: Analysis[Cell], analyst: AnyAnalyst) -> Remarks[Cell]:
    """Remarks on the moves. `area` names no single pit."""
    best = analysis.best()
    if not best:
        return Remarks()
    assert isinstance(analyst, AyoayoAnalyst)
    progress = styles.exact(position, analysis, analyst)
    ranked = (*progress, *(move for move in best if move not in progress))
    area = (captures(position, ranked[0]), *telling(traits(position), analysis.keeping(), tuple(analysis.moves)))
    return Remarks(area, {move: describe(position, move) for move in analysis.moves}, ranked)


def captures(position: Position, move: Cell) -> str:
    """What is to be had, without saying where."""
    look, mover = preview(position, move), position.to_move
    own, theirs = look.captured(mover), look.captured(other(mover))
    if own > theirs:
        return f"There are {own} seeds to be had at once."
    if theirs:
        return f"Even the best move gives away {theirs} seeds" + (f" for {own}." if own else ".")
    return "No capture yet: the right move prepares or prevents one."


def traits(position: Position) -> tuple[Trait[Cell], ...]:
    """What a move may do, without its pit."""
    mover = position.to_move
    looks = {cell: preview(position, cell) for cell in rules.legal_moves(position)}
    return (
        Trait(
            "starts in pits 1 to 3",
            "start in pits 1 to 3",
            lambda cell: cell < HALF,
            "Sow from pits 1 to 3.",
            "Sow from pits 4 to 6.",
        ),
        Trait(
            "ends in your own row",
            "end in your own row",
            lambda cell: rules.owner(looks[cell].last) == mover,
            "Let the last seed fall in your own row.",
            "Let the last seed fall in the other row.",
        ),
        Trait("captures", "capture", lambda cell: looks[cell].captured(mover) > 0),
        Trait("gives seeds away", "give seeds away", lambda cell: looks[cell].captured(other(mover)) > 0),
        Trait("goes on in a relay", "go on in a relay", lambda cell: looks[cell].relays > 0),
    )


def describe(position: Position, move: Cell) -> tuple[str, ...]:
    """`takes 8, gives 4, ends across`: what the move does at once, and the same in fewer words."""
    look, mover = preview(position, move), position.to_move
    own, theirs = look.captured(mover), look.captured(other(mover))
    parts = [f"takes {own}"] * (own > 0) + [f"gives {theirs}"] * (theirs > 0) or ["no capture"]
    ends = "ends at home" if rules.owner(look.last) == mover else "ends across"
    return ", ".join((*parts, ends)), ", ".join(parts)

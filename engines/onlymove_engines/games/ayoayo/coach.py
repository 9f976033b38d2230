"""What the coach adds to a hint: who captures, where to sow from, and which keeping move comes nearer."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeAlias

from onlymove_engines.coach.hint import Trait, telling
from onlymove_engines.core.analysis import Analysis, AnyAnalyst, Remarks
from onlymove_engines.core.value import other

from . import rules, styles
from .analyst import AyoayoAnalyst
from .preview import preview
from .rules import CELLS, Cell, Position

HALF = len(CELLS) // 2
CAPTURES, GIVES = "captures", "gives seeds away"

Gain: TypeAlias = tuple[int, int]
"""How many seeds a move captures at once, for the side that plays it and for the other side."""


def remarks(position: Position, analysis: Analysis[Cell], analyst: AnyAnalyst) -> Remarks[Cell]:
    """Remarks on the moves. `area` names no single pit."""
    best = analysis.best()
    if not best:
        return Remarks()
    assert isinstance(analyst, AyoayoAnalyst)
    progress = styles.exact(position, analysis, analyst)
    ranked = (*progress, *(move for move in best if move not in progress))
    gains = {move: gain(position, move) for move in analysis.moves}
    shown = [gains[move] for move in {*best, *analysis.ends_won}]
    said = {CAPTURES: not any(own for own, _ in shown), GIVES: all(theirs for _, theirs in shown)}
    open_traits = [trait for trait in traits(position) if not said.get(trait.does)]
    told = telling(open_traits, analysis.keeping(), tuple(analysis.moves))
    return Remarks(
        (capture_said(shown, gains.values()), *told),
        {move: describe(position, move) for move in analysis.moves},
        ranked,
    )


def gain(position: Position, move: Cell) -> Gain:
    """What a permitted move captures at once."""
    look, mover = preview(position, move), position.to_move
    return look.captured(mover), look.captured(other(mover))


def capture_said(best: Collection[Gain], every: Collection[Gain]) -> str:
    """What the best moves capture at once, and whether any move does, without saying where."""
    own, theirs = max(best, key=lambda gain: (gain[0] - gain[1], gain[0]))
    if own > theirs:
        which = "The best move" if len(best) == 1 else "One of the best moves"
        return f"{which} captures {own} seeds" + (f" and gives {theirs} away." if theirs else ".")
    if own < theirs and len(best) == 1:
        return f"Even the best move gives away {theirs} seeds" + (f" for {own}." if own else ".")
    if own < theirs:
        least = min(theirs for _, theirs in best)
        return f"Even the best moves give away {least} seeds or more."
    if any(own for own, _ in best):
        return "No best move captures more than it gives away."
    return "No best move captures anything." if any(own for own, _ in every) else "No move captures anything yet."


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
        Trait(CAPTURES, "capture", lambda cell: looks[cell].captured(mover) > 0),
        Trait(GIVES, "give seeds away", lambda cell: looks[cell].captured(other(mover)) > 0),
        Trait("goes on in a relay", "go on in a relay", lambda cell: looks[cell].relays > 0),
    )


def describe(position: Position, move: Cell) -> tuple[str, ...]:
    """`takes 8, gives 4, ends across`: what the move does at once, and the same in fewer words."""
    look, mover = preview(position, move), position.to_move
    own, theirs = look.captured(mover), look.captured(other(mover))
    parts = [f"takes {own}"] * (own > 0) + [f"gives {theirs}"] * (theirs > 0) or ["no capture"]
    ends = "ends at home" if rules.owner(look.last) == mover else "ends across"
    return ", ".join((*parts, ends)), ", ".join(parts)

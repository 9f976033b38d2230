"""How Ayòayò is played by the engine: exactly, or like the seed's minimax."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.game import Style
from onlymove_engines.core.value import other

from . import rules
from .rules import Cell, Position

DEPTHS = range(1, 8)


def exact(
    position: Position,
    analysis: Analysis[Cell],
    analyst: Any,
    budget: Budget = UNLIMITED,  # noqa: ARG001 - every style is asked with one
) -> tuple[Cell, ...]:
    """The moves that keep the margin and, when one is owed, come nearer to it."""
    best = analysis.best()
    if not best:
        return promising(analysis)
    return tuple(move for move in best if makes_progress(position, move, analyst)) or best


def makes_progress(position: Position, move: Cell, analyst: Any) -> bool:
    """Whether a margin-keeping move captures, or lowers the table's rank; true where there is no margin to win.

    Above the table play cannot circle, so every move is progress there.
    """
    seat = position.to_move
    margin, rank = analyst.margin(position.pits, seat), analyst.rank(position.pits, seat)
    sown = rules.sow(position.pits, seat, move)
    if rank is None or margin is None or margin <= 0 or sown is None or any(sown.captured):
        return True
    after = analyst.rank(sown.pits, other(seat))
    return after is not None and after < rank


def promising(analysis: Analysis[Cell]) -> tuple[Cell, ...]:
    """The moves that look best where not all are proven."""
    hopes = {move: guess.expected for move, guess in analysis.estimates.items()}
    hopes |= {move: float(value.outcome) for move, value in analysis.moves.items() if value is not None}
    top = max(hopes.values(), default=0.0)
    return tuple(move for move in analysis.moves if hopes.get(move, 0.0) == top)


def minimax(depth: int) -> Callable[..., tuple[Cell, ...]]:
    """The seed's opponent of this depth."""

    def best(position: Position, analysis: Any, analyst: Any, budget: Budget = UNLIMITED) -> tuple[Cell, ...]:  # noqa: ARG001
        from .twin import minimax_move  # noqa: PLC0415 - numba comes with the first such opponent

        return (minimax_move(position, depth),)

    return best


STYLES: tuple[Style[Position, Cell], ...] = (
    Style("exact", "Exact", "Keeps every seed the position is worth, and makes progress.", exact),
    *(
        Style(
            f"minimax-{depth}",
            f"Minimax {depth}",
            f"The classic program: looks {depth} {'ply' if depth == 1 else 'plies'} ahead and counts captured seeds.",
            minimax(depth),
            needs_analysis=False,
        )
        for depth in DEPTHS
    ),
)

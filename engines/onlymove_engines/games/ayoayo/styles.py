"""The engine's ways of playing Ayòayò: exact play, and the minimax of the original program."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.game import Style, Turn, alike
from onlymove_engines.core.value import other
from onlymove_engines.core.words import format_count
from onlymove_engines.search.chances import ProblemSetter, choose_worth_trying

from . import rules
from ._kernel import search
from ._kernel.moves import pack
from .analyst import AyoayoAnalyst
from .index import seen_by
from .rules import Cell, Position

DEPTHS = range(1, 8)


def find_exact_moves(position: Position, analysis: Analysis[Cell], analyst: AyoayoAnalyst) -> Sequence[Cell]:
    """Return the moves that keep the margin. If the side still has points to gain, they also bring the next capture
    nearer."""
    best = analysis.list_best_moves()
    if not best:
        return choose_worth_trying(analysis)
    return tuple(move for move in best if makes_progress(position, move, analyst)) or best


def list_candidates(turn: Turn[Position, Cell]) -> Sequence[Cell]:
    assert isinstance(turn.analyst, AyoayoAnalyst)
    return find_exact_moves(turn.position, turn.analysis, turn.analyst)


def makes_progress(position: Position, move: Cell, analyst: AyoayoAnalyst) -> bool:
    """Whether a move that keeps the margin also captures, or leads to a lower rank in the table. True if there is no
    margin to gain. Outside the table play cannot repeat, so every move is progress there."""
    margin, rank = analyst.margin(position.pits, position.to_move), analyst.rank(position)
    child = rules.play(position, move)
    if rank is None or margin is None or margin <= 0 or child.captured != position.captured:
        return True
    after = analyst.rank(child)
    return after is not None and after < rank


PRACTICAL: ProblemSetter[Position, Cell] = ProblemSetter(rules, candidates=list_candidates)


def minimax_move(position: Position, depth: int) -> Cell:
    """Choose the move of the original program's minimax at this depth. The game must not be over."""
    seat = position.to_move
    board = np.array(seen_by(position.pits, seat), np.int64)
    taken = pack(position.captured[seat], position.captured[other(seat)])
    rows = [np.zeros((depth + 1, *row), np.int64) for row in ((6, 12), (6,), (6,))]
    # Pits 0 to 5 of a board are cells 0 to 5 of player 1, or cells 5 to 0 of player 0.
    pit = int(search.choose(board, taken, depth, seat == 0, *rows))
    return rules.cell_of(pit if seat == 1 else 6 + pit)


def make_minimax(depth: int) -> Style[Position, Cell]:
    looks = f"looks {format_count(depth, 'move')} ahead"
    return Style(
        f"minimax-{depth}",
        f"Minimax {depth}",
        f"The classic program: {looks} and counts captured seeds.",
        lambda turn: alike([minimax_move(turn.position, depth)]),
        needs_analysis=False,
    )


STYLES: tuple[Style[Position, Cell], ...] = (
    Style(
        "practical",
        "Practical",
        "Like Exact, but among equal moves it picks the one that is hardest to answer.",
        PRACTICAL.choose,
    ),
    Style("exact", "Exact", "Gives no seeds away and makes progress.", lambda turn: alike(list_candidates(turn))),
    *map(make_minimax, DEPTHS),
)

"""Builds answers from table look-ups, for one position or for batches."""

from __future__ import annotations

from collections.abc import Sequence

from onlymove_engines.core.analysis import Analysis, Column, Section
from onlymove_engines.core.rules import M
from onlymove_engines.core.value import Value

from .jit import Array

PLY = 1 / 1000
"""How much each ply lowers the hope for a win. It is too little to make another result look better."""


def step_back(child: Value | None) -> Value | None:
    """Turn the value after a move into the value of the move: seen by the side that plays it, and counted from one ply
    earlier."""
    return None if child is None else (-child).stepped_back()


def choose_worth_trying(analysis: Analysis[M]) -> Sequence[M]:
    """Return the best moves. If not all values are proven, return the quickest wins, or otherwise the most promising
    moves."""
    if best := analysis.list_best_moves():
        return best
    # Proven wins are above every estimate, and quick ones come first. A move without either counts as a draw.
    hopes = dict.fromkeys(analysis.moves, 0.0)
    hopes |= {move: guess.expected for move, guess in analysis.estimates.items()}
    for move, value in analysis.moves.items():
        if value is not None:
            hopes[move] = float(value.outcome) * (2 - (value.remoteness or 0) * PLY)
    top = max(hopes.values(), default=0.0)
    return [move for move, hope in hopes.items() if hope == top]


def read_only(section: Column) -> Section:
    """Return the section as a read-only array, for kernels that read tables.

    Tables are mapped read-only, and numba would compile a second kernel for writable arrays.
    """
    import numpy as np  # noqa: PLC0415 - who reads it opens a table; who looks up may be a menu that waits for none

    view = np.asarray(section).view()
    view.flags.writeable = False
    return view


def mark_greatest(row: Array, score: Array) -> Array:
    """Mark the moves with the greatest score among the moves of their position. `row` is the index of each move's
    position."""
    import numpy as np  # noqa: PLC0415 - as above

    top = np.full(int(row.max(initial=0)) + 1, np.iinfo(np.int64).min)
    np.maximum.at(top, row, score)
    found: Array = score == top[row]
    return found

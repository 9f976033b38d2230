"""Answers above the table while the compiled search is not loaded: from the book of the opening, or by plain search.

To load it takes as long as it takes plain code to look at some 7,000 boards. Both say to the ply what it would say.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from onlymove_engines.core.analysis import Column
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.value import Seat

from .book import BOOK
from .live import Interval, is_loaded
from .plain import PlainSearch, Spent
from .rules import Cell, Pits, Position

MOST_NODES = 4000
"""Boards that plain search looks at in a process: a quarter of a second. More in all is left to the compiled search."""

LEAST_SECONDS = 1.0
"""With less time to think none is spent here."""


class Unloaded:
    """Answers until the compiled search is loaded, or as many boards have been looked at as may be."""

    def __init__(self, margins: Column) -> None:
        self.margins = margins
        self._left = MOST_NODES

    def intervals(self, position: Position, boards: Mapping[Cell, Pits], budget: Budget) -> dict[Cell, Interval] | None:
        """The margins to come of the boards after some moves of a position, each seen by its side to move; `None` where
        that is left to the compiled search."""
        if is_loaded() or not is_ample(budget):
            return None
        if (known := opening_book().get((position.pits, position.to_move))) is not None:
            depth, margins = known
            return {move: Interval(margin, margin, depth) for move, margin in zip(boards, margins, strict=True)}
        search = PlainSearch(self.margins, self._left)
        try:
            found = {move: search.pin(board) for move, board in boards.items()}
        except Spent:
            return None
        finally:
            self._left -= search.nodes
        return {move: Interval(margin, margin, depth) for move, (margin, depth) in found.items()}


def is_ample(budget: Budget) -> bool:
    """Whether a budget leaves a search all the time that it may need here."""
    if budget.depth is not None or budget.nodes is not None or budget.should_stop():
        return False
    seconds = budget.remaining()
    return seconds is None or seconds >= LEAST_SECONDS


@cache
def opening_book() -> dict[tuple[Pits, Seat], tuple[int, tuple[int, ...]]]:
    """The book: of a board and who is to move how deep was searched, and the margins to come after each
    move that leads above the table."""
    found = {}
    for line in BOOK.split("\n"):
        pits, seat, depth, *margins = line.split()
        found[tuple(int(seeds, 36) for seeds in pits), int(seat)] = int(depth), tuple(map(int, margins))
    return found

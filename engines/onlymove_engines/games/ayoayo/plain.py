"""The proof-number search of `_kernel.proof` once more, in plain Python: the same boards in the same order.

For a few small questions, which it answers in less time than it takes to load the compiled search. It follows that
one to the slot in which something is remembered, so that both tell the same depth. Knows no budget but its nodes.
"""

from __future__ import annotations

from functools import lru_cache

from onlymove_engines.core.analysis import Column

from . import rules
from .codes import lead
from .index import closed_number, seen_by
from .rules import Pits

NEVER, LONGEST = 1 << 30, 119
SCATTER = -7046029254386353131
REMEMBERED, QUESTIONS = 1 << 18, 1 << 16
"""As in `_kernel.proof` and `_kernel.memory`."""

Child = tuple[Pits, int]
"""A board after a move, seen by its side to move, and what the move captures, less what it gives."""


class Spent(Exception):
    """The search has looked at as many boards as it may."""


class PlainSearch:
    """One search above the table of `margins`. `nodes` counts the boards expanded, `limit` says how many may be."""

    def __init__(self, margins: Column, limit: int) -> None:
        self.margins, self.limit, self.nodes, self.deepest = margins, limit, 0, 0
        self._bounds: dict[int, tuple[Pits, int, int]] = {}
        self._numbers: dict[int, tuple[Pits, int, int, int]] = {}

    def pin(self, board: Pits) -> tuple[int, int]:
        """The margin to come of `board`, and the deepest ply looked at. Raises Spent."""
        self.deepest = 0
        low, high = self._known(board)
        while low < high:
            before = low, high
            _, _, low, high = self._prove(board, low + (high - low) // 2 + 1, NEVER, NEVER, 0)
            if (low, high) == before:
                raise Spent
        return low, self.deepest + 1

    def _prove(self, board: Pits, t: int, yes_limit: int, no_limit: int, ply: int) -> tuple[int, int, int, int]:
        """Look into "is this board worth at least t?" until as many boards are missing for an answer as the limits say:
        how many are for a yes and for a no, and the board's interval."""
        if self.nodes >= self.limit or ply >= LONGEST:
            raise Spent
        self.nodes, self.deepest = self.nodes + 1, max(self.deepest, ply)
        moves = children(board)
        if not moves:
            swept = rules.seeds_of(board, 1)
            return self._answer(board, t, *((0, NEVER) if swept >= t else (NEVER, 0)), swept, swept)
        bounds = [self._from_child(*child) for child in moves]
        missing = [self._asked(child, t, *bound) for child, bound in zip(moves, bounds, strict=True)]
        while True:
            yes, no = min(no for _, no in missing), min(NEVER, sum(yes for yes, _ in missing))
            low, high = max(low for low, _ in bounds), max(high for _, high in bounds)
            low, high = max(low, t) if yes == 0 else low, min(high, t - 1) if no == 0 else high
            if yes == 0 or no == 0 or yes >= yes_limit or no >= no_limit:
                return self._answer(board, t, yes, no, low, high)
            pick = next(m for m, (_, left) in enumerate(missing) if left == yes)
            second = min((left for m, (_, left) in enumerate(missing) if m != pick), default=NEVER)
            child, gain = moves[pick]
            limits = min(NEVER, no_limit - no + missing[pick][0]), min(yes_limit, second + 1)
            child_yes, child_no, child_low, child_high = self._prove(child, gain - t + 1, *limits, ply + 1)
            missing[pick] = child_yes, child_no
            low, high = bounds[pick]
            bounds[pick] = max(low, gain - child_high), min(high, gain - child_low)

    def _from_child(self, child: Pits, gain: int) -> tuple[int, int]:
        """What the move is worth, as far as is known."""
        low, high = self._known(child)
        return gain - high, gain - low

    def _asked(self, child: Child, t: int, low: int, high: int) -> tuple[int, int]:
        """How many boards are missing for the answers about the board after a move that is worth low..high."""
        if low >= t:
            return NEVER, 0
        if high < t:
            return 0, NEVER
        board, asked = child[0], child[1] - t + 1
        found = self._numbers.get(slot_of(key(board) * 128 + (asked + 64), QUESTIONS))
        return found[2:] if found is not None and found[:2] == (board, asked) else (1, 1)

    def _answer(self, board: Pits, t: int, yes: int, no: int, low: int, high: int) -> tuple[int, int, int, int]:
        """Remember what is missing for the answers, and the interval, joined with what was known."""
        self._numbers[slot_of(key(board) * 128 + (t + 64), QUESTIONS)] = board, t, yes, no
        old_low, old_high = self._known(board)
        low, high = max(low, old_low), min(high, old_high)
        self._bounds[slot_of(key(board), REMEMBERED)] = board, low, high
        return yes, no, low, high

    def _known(self, board: Pits) -> tuple[int, int]:
        """What is known of a board without looking further."""
        number = closed_number(board)
        if number is not None:
            return (margin := int(self.margins[number])), margin
        found = self._bounds.get(slot_of(key(board), REMEMBERED))
        return found[1:] if found is not None and found[0] == board else (-sum(board), sum(board))


@lru_cache(maxsize=1 << 14)
def children(board: Pits) -> tuple[Child, ...]:
    """The permitted moves of a board, by ascending pit."""
    found = []
    for cell in rules.permitted(board, 1):
        sown = rules.sow(board, 1, cell)
        assert sown is not None, "permitted moves end"
        found.append((seen_by(sown.pits, 0), lead(sown.captured, 1)))
    return tuple(found)


@lru_cache(maxsize=1 << 14)
def key(board: Pits) -> int:
    """A number that no other board has, as in `_kernel.sow`."""
    bits = 1
    for seeds in board:
        bits = bits << seeds + 1 | 1
    return bits


def slot_of(bits: int, slots: int) -> int:
    """Where something with this key is remembered."""
    return bits * SCATTER >> 30 & slots - 1

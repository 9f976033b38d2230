"""Proves the value of the start position again: the closed boards, a lower and an upper bound, and a line of best
play."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

import numpy as np

from onlymove_engines.core.analysis import Sections
from onlymove_engines.core.budget import Clock
from onlymove_engines.core.errors import Refuted

from . import rules, styles
from ._kernel import search as kernel
from .analyst import AyoayoAnalyst
from .index import BOARDS
from .live import MarginSearch
from .notation import format_move
from .rules import START, Position
from .table import AyoayoSolver

CLAIM = -4
WIDTH = 78
MAX_LINE_LENGTH = 200


def prove(clock: Clock) -> Iterator[str]:
    """Yield the steps of the proof as lines. It takes a few seconds, and as long again to compile the first time.
    Raises Refuted."""
    begun = clock()
    solver = AyoayoSolver()
    yield "1. A pit that has been emptied never holds more than 3 again: its fourth seed captures all of them."
    yield "   So boards with at most 3 in every pit lead only to such boards, and more than 3 lie only where"
    yield "   nothing has been sown yet. On a closed board, a game without further captures is worth 0 to come."
    sections = solver.build()
    wrong = sum(np.count_nonzero(section != sections[name]) for name, section in solver.derive().items())
    yield f"2. Two programs solved {BOARDS:,} closed boards each. {wrong} of their margins and ranks differ."
    if wrong:
        raise Refuted("the two programs do not agree on the closed boards")
    yield f"   {clock() - begun:.1f} s"
    yield f"3. A search from the start down to closed boards shows that the start is worth {CLAIM} to the side to move:"
    yield from prove_bounds(sections, clock)
    yield "4. Best play by both sides: no move gives anything away. The numbers are pits, 1 to 6."
    moves, final = find_variation(AyoayoAnalyst(sections))
    yield from wrap(" ".join(moves), WIDTH, initial_indent="   ", subsequent_indent="   ")
    result = rules.result(final)
    yield f"   The end: {'the position came back' if result is None else result.reason}."
    first, second = final.captured
    yield f"The second player wins {second}-{first}. The proof took {clock() - begun:.1f} s."


def prove_bounds(sections: Sections, clock: Clock) -> Iterator[str]:
    """Prove that the start is worth at least the claim, and then that it is worth at most the claim. Each half starts
    with an empty memory. Raises Refuted."""
    for what, margin in (("at least", CLAIM), ("at most", CLAIM + 1)):
        begun, search = clock(), MarginSearch(sections["margin"])
        low, high = kernel.prove(np.array(START.pits, np.int64), margin, search.memory)
        holds = low >= CLAIM if what == "at least" else high <= CLAIM
        if not holds:
            raise Refuted(f"the start is not worth {what} {CLAIM}")
        yield (
            f"   {what:8} {CLAIM}: proven, {search.nodes:,} boards, "
            f"at most {search.count[kernel.DEEPEST] + 1} moves deep, {clock() - begun:.2f} s"
        )


def find_variation(analyst: AyoayoAnalyst) -> tuple[list[str], Position]:
    """Return one line of best play from the start, and its last position. The line stops where the game ends or a
    position comes back."""
    position, seen = START, {START}
    moves: list[str] = []
    while rules.result(position) is None and len(moves) < MAX_LINE_LENGTH:
        move = styles.find_exact_moves(position, analyst.analyse(position), analyst)[0]
        moves.append(format_move(position, move))
        position = rules.play(position, move)
        if position in seen:
            break
        seen.add(position)
    return moves, position

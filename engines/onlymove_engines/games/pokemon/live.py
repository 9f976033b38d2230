"""Values without a table: iterative deepening by the compiled search, every move on its own.

What it says is proven, with the exact distance; what the depth does not settle stays unknown.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.budget import UNLIMITED, Budget, never
from onlymove_engines.core.value import Draw, Loss, Outcome, Value, Win
from onlymove_engines.search.deepening import best_reply

from .codes import MOST_PLIES
from .index import plain_number
from .rules import RULES, Placement, Position
from .twin import kernels

DEFAULT_NODES = 20_000_000
"""Without a limit of its own a search stops here: some seconds."""

SLOTS = 1 << 18
POLL_SECONDS = 0.01

Control = npt.NDArray[np.int64]


class LiveSearch:
    """One search: the transposition table serves all moves and depths of one position."""

    def __init__(self, control: Control) -> None:
        self.control = control
        self.keys = np.zeros(SLOTS, np.int64)
        self.infos = np.zeros(SLOTS, np.int32)

    def value(self, position: Position, depth: int) -> Value | None:
        """The proven value within `depth` plies for the side to move; `None` if they settle nothing."""
        twin = kernels("search")
        result = RULES.result(position)
        if result is not None:
            return result.value_for(position.seat)
        number, ply = plain_number(position), MOST_PLIES - sum(position.hands)
        score = int(twin.look(number, ply, depth, self.keys, self.infos, self.control))
        if self.stopped:
            return None
        if score:
            remoteness = twin.WON - abs(score) - ply
            return Win(remoteness) if score > 0 else Loss(remoteness)
        return Draw() if ply + depth >= MOST_PLIES else None

    @property
    def stopped(self) -> bool:
        """Whether the budget ran out."""
        return bool(self.control[0])


def search(position: Position, budget: Budget = UNLIMITED) -> Analysis[Placement]:
    """Every move with its value where it can be proven within the budget, and the depth that was reached."""
    children = {move: RULES.play(position, move) for move in RULES.legal_moves(position)}
    found: dict[Position, Value | None] = dict.fromkeys(children.values())
    deepest = sum(position.hands) if budget.depth is None else min(budget.depth, sum(position.hands))
    depth = 0
    with watched(budget) as control:
        live = LiveSearch(control)
        while depth < deepest and not live.stopped and None in found.values():
            for child in [child for child, value in found.items() if value is None]:
                found[child] = live.value(child, depth)
            depth += not live.stopped
    moves = {move: seen_before(found[child]) for move, child in children.items()}
    value = best_reply([found[child] for child in children.values()], depth)
    if value is not None and value.outcome is Outcome.DRAW:
        value = Draw()
    return Analysis(value, moves, note=f"no table: searched to depth {depth}")


def seen_before(child: Value | None) -> Value | None:
    """A child's value for the side that moved there; a draw that is still to come has no distance."""
    if child is None:
        return None
    return Draw() if child.outcome is Outcome.DRAW else (-child).stepped_back()


@contextmanager
def watched(budget: Budget) -> Iterator[Control]:
    """The kernel's control array (stop, nodes, limit); a thread sets stop when the budget says so."""
    control: Any = np.array(
        [budget.should_stop(), 0, DEFAULT_NODES if budget.nodes is None else budget.nodes], np.int64
    )
    if budget.deadline is None and budget.stop is never:
        yield control
        return
    done = threading.Event()

    def watch() -> None:
        while not done.wait(POLL_SECONDS):
            if budget.should_stop():
                control[0] = 1

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield control
    finally:
        done.set()
        watcher.join()

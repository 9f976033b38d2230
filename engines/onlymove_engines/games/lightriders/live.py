"""Answers by search on a larger field, deepened round by round within a budget.

Knows how a position becomes a board of bits for the compiled searches, and keeps their transposition table between
the moves of a game, so that the next move starts from what the last one learnt. Values are believed, not proven,
except where they are 1 or -1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.value import Seat, other
from onlymove_engines.search.matrix_game import Equilibrium, solve
from onlymove_engines.search.stop import Allowed, allowed_nodes, watched

from ._kernel import nash, node, saddle, serial, smab
from ._kernel.evaluations import FITTED, LAST
from ._kernel.tools import ALLOWED, BELIEVED, BEST, FILLS, GAVE_UP, LEAVES, NODES, OPEN, make_tools
from .rules import CRASH, EMPTY, RULES, Cell, Position, Step

ENTRIES = 1 << 18
"""Entries of the transposition table, 20 bytes each."""

DEEPEST = 60

LEAST_FILLS, FILLS_GROW, MOST_FILLS = 64, 4, 1 << 16
"""Nodes of a fill where a search ends with the riders apart; so many times more when it has been searched so."""

Floats: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Depth:
    """What a search knows after a completed depth: the seat's mix over its steps, the value for the seat."""

    rounds: int
    value: float
    mix: dict[Step, float]
    evaluations: int
    alone: dict[Step, float] = field(default_factory=dict)
    """What each of the seat's steps guarantees by itself, where the mix has several."""


class Lookahead:
    """The compiled searches on fields of one size. Not safe for two threads at once."""

    def __init__(self, width: int, height: int, entries: int = ENTRIES) -> None:
        self.tools = make_tools(width, height, entries)
        self.size = (width, height)
        self.plan: list[tuple[int, ...]] = [(), ()]
        """For each seat the path on which it last meant to fill its territory."""
        self.all_evaluations = 0
        """Leaves of every depth of the last deepened search, the one it gave up included."""
        self.latest: Depth | None = None
        """What the deepest completed depth of the last deepened search found."""
        self.horizon = 0
        """So many rounds ahead the table may know positions from earlier searches."""

    def forget(self) -> None:
        """Empty the transposition table and what was learnt about good cells."""
        self.tools.keys[:] = 0
        self.tools.history[:] = 0
        self.horizon = 0

    def load(self, position: Position) -> None:
        """Put the empty cells of `position` on the first board."""
        signs = np.frombuffer(position.cells.encode(), np.uint8)
        raw = np.packbits(signs == ord(EMPTY), bitorder="little").tobytes()
        self.tools.boards[0] = np.frombuffer(raw.ljust(8 * len(self.tools.dark), b"\0"), np.dtype("<u8"))

    def key(self) -> np.uint64:
        """The hash of the loaded board."""
        return np.uint64(node.board_key(self.tools.boards[0], self.tools))

    def reset(self, nodes: int) -> None:
        """Allow so many nodes and count from 0."""
        self.tools.stat[:] = 0
        self.tools.stat[ALLOWED] = nodes

    @property
    def allowed(self) -> Allowed:
        """The nodes that the search may still visit: what a watcher takes away."""
        return self.tools.stat[ALLOWED : ALLOWED + 1]

    @property
    def nodes(self) -> int:
        """Nodes of the last search."""
        return int(self.tools.stat[NODES])

    @property
    def gave_up(self) -> bool:
        """Whether the last search was stopped before its end."""
        return bool(self.tools.stat[GAVE_UP])

    @property
    def evaluations(self) -> int:
        """Leaves of the last search."""
        return int(self.tools.stat[LEAVES])

    @property
    def believed(self) -> int:
        """How many of them were estimates."""
        return int(self.tools.stat[BELIEVED])

    def serial_value(self, position: Position, leader: Seat, rounds: int, mode: int = FITTED) -> float:
        """The value for `leader` when it shows its choices: at most what the simultaneous game is worth to it."""
        self.load(position)
        me, you = heads(position, leader)
        return float(serial.at_root(me, you, rounds, self.key(), mode, self.tools))

    def nash_value(self, position: Position, seat: Seat, rounds: int, mode: int = FITTED) -> float:
        """The value for `seat` by backward induction."""
        self.load(position)
        me, you = heads(position, seat)
        return float(nash.nash(0, me, you, rounds, mode, self.tools))

    def smab_value(self, position: Position, seat: Seat, rounds: int, mode: int = FITTED) -> float:
        """The same value by SMAB."""
        return self._smab(position, seat, rounds, mode, np.zeros(4))

    def _smab(self, position: Position, seat: Seat, rounds: int, mode: int, mix: Floats) -> float:
        """The value for `seat`; `mix` gets its shares, in the order of its steps."""
        self.load(position)
        me, you = heads(position, seat)
        return float(smab.smab(0, me, you, rounds, -1.0, 1.0, self.key(), mode, self.tools, mix, np.zeros(4)))

    def deepened(self, once: Callable[[int], Depth | None], budget: Budget) -> Iterator[Depth]:
        """Depth after depth until the budget is spent or nothing is left to find out."""
        nodes = allowed_nodes(budget)
        self.all_evaluations, self.latest = 0, None
        self.tools.history[:] //= 8  # what was good moves ago fades
        self.horizon = max(0, self.horizon - 1)
        fills = 0
        most_fills = LEAST_FILLS if budget.deadline is None and budget.nodes is None else MOST_FILLS
        for rounds in range(1, 1 + min(DEEPEST, budget.depth or DEEPEST)):
            self.reset(nodes)
            self.tools.stat[FILLS] = fills
            with watched(budget, self.allowed):
                found = once(rounds)
            nodes -= self.nodes
            self.all_evaluations += self.evaluations
            if found is not None:
                self.latest = found
                yield found
            if self.gave_up or nodes <= 0 or self.believed == 0 or (found is not None and abs(found.value) == 1.0):
                return
            if self.tools.stat[OPEN] == 0 and rounds > self.horizon:  # only who fills longer is left to find out
                self.horizon = 0
                fills = min(FILLS_GROW * fills, most_fills) or LEAST_FILLS
                self.tools.keys[:] = 0
            self.horizon = max(self.horizon, rounds)

    def serial(self, position: Position, seat: Seat, budget: Budget = UNLIMITED, mode: int = FITTED) -> Iterator[Depth]:
        """Serialised alpha-beta: the one step that is best when the other sees it."""
        steps = steps_onto(position, seat)

        def once(rounds: int) -> Depth | None:
            self.tools.stat[BEST] = -1
            value = self.serial_value(position, seat, rounds, mode)
            best = int(self.tools.stat[BEST])
            if self.gave_up:  # what was best so far still counts: the last depth's choice was searched first
                value = float(self.tools.result[0])
                if best < 0:
                    return None
            return Depth(rounds, value, {steps.get(best, CRASH): 1.0}, self.evaluations)

        return self.deepened(once, budget)

    def nash(self, position: Position, seat: Seat, budget: Budget = UNLIMITED, mode: int = FITTED) -> Iterator[Depth]:
        """Backward induction: an equilibrium of the root matrix."""
        moves = RULES.moves_of(position, seat)
        replies = RULES.moves_of(position, other(seat))
        lead = float(moves != (CRASH,)) - float(replies != (CRASH,))
        payoff = np.full((4, 4), lead)  # what stands where a rider has no step: no search goes on from there

        def once(rounds: int) -> Depth | None:
            self.load(position)
            nash.nash_matrix(*heads(position, seat), rounds, mode, self.tools, payoff)
            if self.gave_up:
                return None
            found = solve(payoff[: len(moves), : len(replies)].tolist())
            return Depth(rounds, found.value, mix_of(moves, found), self.evaluations)

        return self.deepened(once, budget)

    def saddle_value(self, position: Position, seat: Seat, rounds: int, mode: int = FITTED) -> float:
        """The same value by saddle points, as near as their one approximation allows."""
        self.load(position)
        me, you = heads(position, seat)
        self.tools.mixes[:] = 0.0
        self.tools.result[:] = 0.0  # a search that ends at its root writes none
        return float(saddle.at_root(me, you, rounds, self.key(), mode, self.tools))

    def saddle(self, position: Position, seat: Seat, budget: Budget = UNLIMITED, mode: int = FITTED) -> Iterator[Depth]:
        """Backward induction by saddle points: an equilibrium of the root matrix, mixed only where it must be.

        No mix where the root is a leaf: a rider is stuck, or the riders are apart.
        """
        steps = steps_onto(position, seat)
        mine, yours = (len(RULES.moves_of(position, one)) for one in (seat, other(seat)))
        value = 0.0

        def once(rounds: int) -> Depth | None:
            nonlocal value
            self.tools.stat[BEST] = -1
            found = self.saddle_value(position, seat, rounds, mode)
            better = int(self.tools.stat[BEST])
            if self.gave_up:  # a step that turned out better than the last depth's still counts
                return Depth(rounds, value, {steps[better]: 1.0}, self.evaluations) if better in steps else None
            value = found
            alone = self.guarantees(steps, mine, yours)
            return Depth(rounds, value, self.root_mix(steps), self.evaluations, alone)

        return self.deepened(once, budget)

    def last(self, position: Position, seat: Seat, rounds: int, budget: Budget = UNLIMITED) -> Depth | None:
        """An equilibrium when the game is drawn after so many rounds.

        `None` where the budget is too small, and where a rider is stuck: then there is nothing to search.
        """
        self.forget()  # what is remembered has more rounds to go
        self.reset(allowed_nodes(budget))
        with watched(budget, self.allowed):
            value = self.saddle_value(position, seat, rounds, LAST)
        found = Depth(rounds, value, self.root_mix(steps_onto(position, seat)), self.evaluations)
        self.forget()
        return None if self.gave_up or not found.mix else found

    def root_mix(self, steps: dict[Cell, Step]) -> dict[Step, float]:
        """The mix that the last search by saddle points found; none if it ended at its root."""
        cells, shares = self.tools.lists[0, 0], self.tools.result[1:]
        return {steps[int(cell)]: float(p) for cell, p in zip(cells, shares, strict=True) if p > 0.0}

    def guarantees(self, steps: dict[Cell, Step], mine: int, yours: int) -> dict[Step, float]:
        """What each step is worth alone in the matrix that the last search by saddle points mixed; else nothing."""
        if np.count_nonzero(self.tools.result[1:]) < 2:
            return {}
        cells, rows = self.tools.lists[0, 0, :mine], self.tools.low[0, :mine, :yours]
        return {steps[int(cell)]: float(row.min()) for cell, row in zip(cells, rows, strict=True)}

    def smab(self, position: Position, seat: Seat, budget: Budget = UNLIMITED, mode: int = FITTED) -> Iterator[Depth]:
        """SMAB: an equilibrium of what its pruning leaves of the root."""
        moves, shares = RULES.moves_of(position, seat), np.zeros(4)
        self.forget()  # bounds of two depths need not hold the value of either between them

        def once(rounds: int) -> Depth | None:
            value = self._smab(position, seat, rounds, mode, shares)
            if self.gave_up:
                return None
            mix = {move: float(share) for move, share in zip(moves, shares, strict=False) if share > 0.0}
            return Depth(rounds, value, mix, self.evaluations)

        return self.deepened(once, budget)


def heads(position: Position, seat: Seat) -> tuple[int, int]:
    """The cells of `seat`'s rider and the other's. Raises ValueError when one has crashed."""
    me, you = position.head(seat), position.head(other(seat))
    if me is None or you is None:
        raise ValueError("the game is over: a rider has crashed")
    return me, you


def steps_onto(position: Position, seat: Seat) -> dict[Cell, Step]:
    """The cells beside the rider's head with the step onto each."""
    head = position.head(seat)
    return {} if head is None else position.around(head)


def mix_of(moves: Sequence[Step], found: Equilibrium) -> dict[Step, float]:
    """The row player's mix by step, without the steps it never plays."""
    return {move: share for move, share in zip(moves, found.rows, strict=True) if share > 0.0}

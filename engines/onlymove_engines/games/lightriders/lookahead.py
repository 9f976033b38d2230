"""The searches of a larger field, each deepened round by round within a budget.

Knows how a position becomes a board of bits for the compiled searches, and keeps their transposition table between
the moves of a game, so that the next move starts from what the last one learnt. Values are believed, not proven,
except where they are 1 or -1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.value import Seat, other
from onlymove_engines.search.matrix_game import Equilibrium, solve

from .evaluations import FITTED, LAST
from .rules import CRASH, EMPTY, STEPS, Cell, LightRidersRules, Position, Step
from .watch import watched

ENTRIES = 1 << 18
"""Entries of the transposition table, 20 bytes each."""

DEEPEST = 60
RULES = LightRidersRules()
ENDLESS = 1 << 62


@dataclass(frozen=True)
class Depth:
    """What a search knows after a completed depth: the seat's mix over its steps, the value for the seat."""

    rounds: int
    value: float
    mix: dict[Step, float]
    evaluations: int


class Lookahead:
    """The compiled searches on fields of one size. Not safe for two threads at once."""

    def __init__(self, width: int, height: int, entries: int = ENTRIES) -> None:
        from . import _kernel  # noqa: PLC0415  (numba loads only when needed)
        from ._kernel import nash, node, saddle, serial, smab, tools  # noqa: F401, PLC0415

        self._kernel: Any = _kernel
        self.tools: Any = self._kernel.tools.make_tools(width, height, entries)
        self.size = (width, height)
        self.plan: list[tuple[int, ...]] = [(), ()]
        """For each seat the path on which it last meant to fill its territory."""
        self.all_evaluations = 0
        """Leaves of every depth of the last deepened search, the one it gave up included."""

    def forget(self) -> None:
        """Empty the transposition table and what was learnt about good cells."""
        self.tools.keys[:] = 0
        self.tools.history[:] = 0

    def load(self, position: Position) -> None:
        """Put the empty cells of `position` on the first board."""
        bits = sum(1 << cell for cell, sign in enumerate(position.cells) if sign == EMPTY)
        words = len(self.tools.dark)
        raw = bits.to_bytes(8 * words, "little")
        self.tools.boards[0] = np.frombuffer(raw, np.dtype("<u8"))

    def key(self) -> Any:
        """The hash of the loaded board."""
        return np.uint64(self._kernel.node.board_key(self.tools.boards[0], self.tools))

    def reset(self, nodes: int) -> None:
        """Allow so many nodes and count from 0."""
        self.tools.stat[:] = 0
        self.tools.stat[self._kernel.tools.ALLOWED] = nodes

    @property
    def gave_up(self) -> bool:
        """Whether the last search was stopped before its end."""
        return bool(self.tools.stat[self._kernel.tools.GAVE_UP])

    @property
    def evaluations(self) -> int:
        """Leaves of the last search."""
        return int(self.tools.stat[self._kernel.tools.LEAVES])

    @property
    def believed(self) -> int:
        """How many of them were estimates."""
        return int(self.tools.stat[self._kernel.tools.BELIEVED])

    def serial_value(self, position: Position, leader: Seat, rounds: int, mode: int = FITTED) -> float:
        """The value for `leader` when it shows its choices: at most what the simultaneous game is worth to it."""
        self.load(position)
        me, you = heads(position, leader)
        return float(self._kernel.serial.serial(0, me, you, rounds, -1.0, 1.0, self.key(), mode, self.tools))

    def nash_value(self, position: Position, seat: Seat, rounds: int, mode: int = FITTED) -> float:
        """The value for `seat` by backward induction."""
        self.load(position)
        me, you = heads(position, seat)
        return float(self._kernel.nash.nash(0, me, you, rounds, mode, self.tools))

    def smab_value(self, position: Position, seat: Seat, rounds: int, mode: int = FITTED) -> float:
        """The same value by SMAB."""
        self.load(position)
        me, you = heads(position, seat)
        x, y, key = np.zeros(4), np.zeros(4), self.key()
        return float(self._kernel.smab.smab(0, me, you, rounds, -1.0, 1.0, key, mode, self.tools, x, y))

    def deepened(self, once: Callable[[int], Depth | None], budget: Budget) -> Iterator[Depth]:
        """Depth after depth until the budget is spent or nothing is left to find out."""
        nodes = ENDLESS if budget.nodes is None else budget.nodes
        self.all_evaluations = 0
        self.tools.history[:] //= 8  # what was good moves ago fades
        for rounds in range(1, 1 + min(DEEPEST, budget.depth or DEEPEST)):
            self.reset(nodes)
            with watched(budget, self.tools.stat[self._kernel.tools.ALLOWED : self._kernel.tools.ALLOWED + 1]):
                found = once(rounds)
            nodes -= int(self.tools.stat[self._kernel.tools.NODES])
            self.all_evaluations += self.evaluations
            if found is not None:
                yield found
            if self.gave_up or nodes <= 0 or self.believed == 0 or (found is not None and abs(found.value) == 1.0):
                return

    def serial(self, position: Position, seat: Seat, budget: Budget = UNLIMITED, mode: int = FITTED) -> Iterator[Depth]:
        """Serialised alpha-beta: the one step that is best when the other sees it."""

        def once(rounds: int) -> Depth | None:
            self.tools.stat[self._kernel.tools.BEST] = -1
            value = self.serial_value(position, seat, rounds, mode)
            best = int(self.tools.stat[self._kernel.tools.BEST])
            if self.gave_up:  # what was best so far still counts: the last depth's choice was searched first
                value = float(self.tools.result[0])
                if best < 0:
                    return None
            head = position.head(seat)
            step = next((s for s in STEPS if head is not None and position.beside(head, s) == best), CRASH)
            return Depth(rounds, value, {step: 1.0}, self.evaluations)

        return self.deepened(once, budget)

    def nash(self, position: Position, seat: Seat, budget: Budget = UNLIMITED, mode: int = FITTED) -> Iterator[Depth]:
        """Backward induction: an equilibrium of the root matrix."""
        moves = RULES.moves_of(position, seat)
        replies = RULES.moves_of(position, other(seat))
        payoff = np.zeros((4, 4))

        def once(rounds: int) -> Depth | None:
            self.load(position)
            self._kernel.nash.nash_matrix(*heads(position, seat), rounds, mode, self.tools, payoff)
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
        return float(self._kernel.saddle.saddle(0, me, you, rounds, -1.0, 1.0, self.key(), mode, self.tools))

    def saddle(self, position: Position, seat: Seat, budget: Budget = UNLIMITED, mode: int = FITTED) -> Iterator[Depth]:
        """Backward induction by saddle points: an equilibrium of the root matrix, mixed only where it must be."""
        steps = steps_onto(position, seat)
        value = 0.0

        def once(rounds: int) -> Depth | None:
            nonlocal value
            self.tools.stat[self._kernel.tools.BEST] = -1
            found = self.saddle_value(position, seat, rounds, mode)
            better = int(self.tools.stat[self._kernel.tools.BEST])
            if self.gave_up:  # a step that turned out better than the last depth's still counts
                return Depth(rounds, value, {steps[better]: 1.0}, self.evaluations) if better in steps else None
            value = found
            return Depth(rounds, value, self.root_mix(steps), self.evaluations)

        return self.deepened(once, budget)

    def last(self, position: Position, seat: Seat, rounds: int, budget: Budget = UNLIMITED) -> Depth | None:
        """An equilibrium when the game is drawn after so many rounds, or `None` where the budget is too small."""
        self.forget()  # what is remembered has more rounds to go
        self.reset(ENDLESS if budget.nodes is None else budget.nodes)
        with watched(budget, self.tools.stat[self._kernel.tools.ALLOWED : self._kernel.tools.ALLOWED + 1]):
            value = self.saddle_value(position, seat, rounds, LAST)
        found = Depth(rounds, value, self.root_mix(steps_onto(position, seat)), self.evaluations)
        self.forget()
        return None if self.gave_up else found

    def root_mix(self, steps: dict[Cell, Step]) -> dict[Step, float]:
        """The mix that the last search by saddle points found."""
        cells, shares = self.tools.lists[0, 0], self.tools.result[1:]
        return {steps[int(cell)]: float(p) for cell, p in zip(cells, shares, strict=True) if p > 0.0}

    def smab(self, position: Position, seat: Seat, budget: Budget = UNLIMITED, mode: int = FITTED) -> Iterator[Depth]:
        """SMAB: an equilibrium of what its pruning leaves of the root."""
        moves = RULES.moves_of(position, seat)
        x, y = np.zeros(4), np.zeros(4)

        def once(rounds: int) -> Depth | None:
            self.load(position)
            value = float(
                self._kernel.smab.smab(0, *heads(position, seat), rounds, -1.0, 1.0, self.key(), mode, self.tools, x, y)
            )
            if self.gave_up:
                return None
            mix = {move: float(share) for move, share in zip(moves, x, strict=False) if share > 0.0}
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
    return {} if head is None else {cell: s for s in STEPS if (cell := position.beside(head, s)) is not None}


def mix_of(moves: Any, found: Equilibrium) -> dict[Step, float]:
    """The row player's mix by step, without the steps it never plays."""
    return {move: share for move, share in zip(moves, found.rows, strict=True) if share > 0.0}

"""Finds the values of positions. They are proven on small fields, for separated riders and by forced lines, and
otherwise estimated. This module only decides which search answers."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import TypeAlias

from onlymove_engines.core.analysis import Summary
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.value import Mixed, Value
from onlymove_engines.search.deepening import make_mixed_summary
from onlymove_engines.search.matrix_game import TINY, find_guarantees, solve
from onlymove_engines.search.stop import ENDLESS, bound_budget, limit_nodes, ready

from ._kernel.field import BELIEVED, GAVE_UP, NODES
from ._kernel.search import saddle_at_root, serial_at_root
from .live import FILL_NODES, ExactSearch, Lookahead, compare_lengths, measure_fills
from .rules import RULES, Position, Round
from .territory import are_separated, find_reachable, find_regions

SOLVED_AREA = 36
"""Fields with at most this many cells are always solved. The start of a 6 x 6 field takes 0.2 s."""

TRIED_CELLS = 44
"""On larger fields, solving is tried if at most this many cells can still be reached."""

TRIED_VISITS = 2_000_000
"""Such a search may visit this many states, which takes about 0.2 s."""

APART = 3
"""An estimate is compared with the one two rounds before, the third from the end."""

DEFAULT_ROUNDS = 6
DEFAULT_NODES = 120_000
"""How far an estimate looks without a budget. It takes about two seconds."""


Payoff: TypeAlias = dict[Round, float]
"""What every pair of steps is worth to rider 0."""


def solve_round(
    position: Position,
    payoff: Payoff,
    estimated: Collection[Round] = (),
    rounds: int = 0,
    earlier: Mixed | None = None,
) -> Mixed:
    """Return an equilibrium of a round's matrix. Both strategies list every legal step. `estimated` are the pairs of
    steps whose payoffs are not proven. `earlier` is the result of a shallower search, for estimates only.

    The value is proven if the estimated payoffs do not matter: it is the same if all of them are losses and if all are
    wins. The strategies are then those that guarantee it: rider 0's in the first case, rider 1's in the second.
    """
    rows, columns = RULES.moves_of(position, 0), RULES.moves_of(position, 1)

    def fill_matrix(unproven: float | None) -> list[list[float]]:
        return [
            [unproven if unproven is not None and (a, b) in estimated else payoff[a, b] for b in columns] for a in rows
        ]

    matrix = fill_matrix(None)
    found = solve(matrix)
    mixes, exact = (found.rows, found.columns), True
    low, high = find_guarantees(matrix, *mixes)
    if estimated:
        worst, best = fill_matrix(-1.0), fill_matrix(1.0)
        sure = solve(worst).rows, solve(best).columns
        least, most = find_guarantees(worst, *sure)[0], find_guarantees(best, *sure)[1]
        exact = most - least <= TINY
        if exact:
            mixes, low, high = sure, least, most
    value = (low + high) / 2 if estimated and exact else found.value
    return Mixed(
        expected=value,
        strategies=(dict(zip(rows, mixes[0], strict=True)), dict(zip(columns, mixes[1], strict=True))),
        matrix={a: dict(zip(columns, line, strict=True)) for a, line in zip(rows, matrix, strict=True)},
        exact=exact,
        gap=max(0.0, high - low),
        depth=rounds,
        earlier=earlier,
        estimated=frozenset(estimated),
    )


class LightRidersAnalyst:
    """Answers questions about positions, one at a time. A second thread has to wait. A position that is not small is
    given up after `tried_visits` states."""

    def __init__(self, tried_visits: int = TRIED_VISITS) -> None:
        self.tried_visits = tried_visits
        self.lock = threading.RLock()
        """Protects the searches from other threads."""
        self.exact = ExactSearch()
        self._lookahead: Lookahead | None = None
        self._judging: Lookahead | None = None

    def afresh(self) -> LightRidersAnalyst:
        return LightRidersAnalyst(self.tried_visits)

    def lookahead(self, position: Position) -> Lookahead:
        """Return the searches for fields of this size. They remember what they have found as long as the size stays the
        same."""
        self._lookahead = fit_to(self._lookahead, position)
        return self._lookahead

    def measures(self, position: Position) -> Mapping[str, tuple[int, int]]:
        first, second = find_regions(position)
        return {"territory": (len(first), len(second))}

    def is_reachable(self, position: Position) -> bool:
        return True

    def probe(self, position: Position) -> Value | None:
        """Return the value for rider 0 of a finished game, or `None` for any other position."""
        result = RULES.result(position)
        return None if result is None else result.value_for(0)

    def mixed(self, position: Position, budget: Budget = UNLIMITED) -> Mixed:
        """Solve the matrix of the next round, from the first method that can answer."""
        result = RULES.result(position)
        if result is not None:
            return Mixed(float(result.outcome_for(0)), ({}, {}), {}, exact=True)
        with self.lock:
            budget = ready(budget, load_grader, load_endgame, load_fill)
            search = self.compare_fills if are_separated(position) else self.estimate
            return self.solve_exactly(position, budget, remembers=False) or search(position, budget)

    def solve_exactly(self, position: Position, budget: Budget, remembers: bool = True) -> Mixed | None:
        """Solve a small position. Return `None` if it is too large or the budget runs out. With `remembers`, the search
        keeps what it found, so that a second call gets further."""
        small = position.width * position.height <= SOLVED_AREA
        if not small and len(find_reachable(position)) > TRIED_CELLS:
            return None
        # Without what earlier questions left in the memo, no judgement depends on them.
        search = self.exact if small or remembers else ExactSearch()
        found = search.matrix(position, ENDLESS if small else self.tried_visits, budget)
        return None if found is None else solve_round(position, found)

    def compare_fills(self, position: Position, budget: Budget) -> Mixed:
        """Compare which of the separated riders can fill for more rounds after each pair of steps."""
        searches, nodes = self.lookahead(position), limit_nodes(budget, FILL_NODES)
        mine, theirs = (measure_fills(searches, position, seat, nodes, budget) for seat in (0, 1))
        found = {(a, b): compare_lengths(mine[a], theirs[b]) for a in mine for b in theirs}
        payoff = {move: value for move, (value, _) in found.items()}
        estimated = [move for move, (_, sure) in found.items() if not sure]
        if not estimated:
            return solve_round(position, payoff, rounds=1)
        leads = {(a, b): mine[a].least - theirs[b].least for a, b in found}  # as if no path is longer than those found
        by_paths = {move: float(lead > 0) - float(lead < 0) for move, lead in leads.items()}
        return solve_round(position, payoff, estimated, 1, solve_round(position, by_paths, estimated, 1))

    def estimate(self, position: Position, budget: Budget) -> Mixed:
        """Estimate every pair of steps from its two serialised bounds, deepening until the budget is spent."""
        self._judging = fit_to(self._judging, position)
        self._judging.forget()  # so that no judgement depends on earlier questions
        self._judging.tools.killers[:] = 0
        looks = list(deepen(self._judging, position, bound_budget(budget, DEFAULT_ROUNDS, DEFAULT_NODES)))
        if not looks:
            unknown = dict.fromkeys(RULES.legal_moves(position), 0.0)
            return solve_round(position, unknown, unknown.keys())
        # Depths that are two rounds apart are less often wrong together than neighbouring ones
        # (docs/engines/lightriders.md).
        earlier = solve_round(position, *looks[-APART]) if len(looks) >= APART else None
        return solve_round(position, *looks[-1], earlier)

    def summarise(self, positions: Sequence[Position]) -> Iterator[Summary]:
        for position in positions:
            yield make_mixed_summary(self.mixed(position))


def fit_to(searches: Lookahead | None, position: Position) -> Lookahead:
    size = (position.width, position.height)
    return searches if searches is not None and searches.size == size else Lookahead(*size)


def deepen(searches: Lookahead, position: Position, budget: Budget) -> Iterator[tuple[Payoff, Collection[Round], int]]:
    """Yield the payoffs of a round, which of them are estimates, and how many rounds were searched: one more each time,
    while the budget lasts. The first depth is always completed."""
    nodes, stat = limit_nodes(budget), searches.tools.stat
    settled: Payoff = {}
    for rounds in range(1, 1 + min(40, budget.depth or 40)):
        found = dict(settled)
        for move in RULES.legal_moves(position):
            if move in settled:
                continue
            limits = (ENDLESS, UNLIMITED) if rounds == 1 else (max(0, nodes), budget)
            with searches.limit(*limits):
                found[move], is_proven = bound_round(searches, RULES.play(position, move), rounds - 1)
            nodes -= int(stat[NODES])
            if stat[GAVE_UP]:
                return
            if is_proven:
                settled[move] = found[move]
        estimated = found.keys() - settled.keys()
        yield found, estimated, rounds
        if not estimated or nodes <= 0 or budget.should_stop():
            return


def bound_round(searches: Lookahead, after: Position, rounds: int) -> tuple[float, bool]:
    """Return what the position after a round is worth to rider 0, and whether that is proven. An estimate is the mean
    of both serialised bounds."""
    result = RULES.result(after)
    if result is not None:
        return float(result.outcome_for(0)), True
    low, high = (searches.value(serial_at_root, after, seat, rounds) for seat in (0, 1))
    is_proven = low == 1.0 or high == 1.0 or (low == -high and searches.tools.stat[BELIEVED] == 0)
    return (low - high) / 2, is_proven


SMALL = Position(4, 3, "0..1........")


@cache
def load_engine() -> None:
    LightRidersAnalyst().lookahead(SMALL).value(saddle_at_root, SMALL, 0, 1)


@cache
def load_grader() -> None:
    """Compile or load the search that hints and judgements use."""
    LightRidersAnalyst().estimate(SMALL, Budget(depth=1))


@cache
def load_endgame() -> None:
    LightRidersAnalyst().solve_exactly(SMALL, UNLIMITED)


@cache
def load_fill() -> None:
    LightRidersAnalyst().compare_fills(Position(3, 3, "0x1.x..x."), UNLIMITED)


UNITS = (load_endgame, load_fill, load_grader, load_engine)
"""The small ones come first, so that progress is visible. What they share is compiled with the first that needs it."""

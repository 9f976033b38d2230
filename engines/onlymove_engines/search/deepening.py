"""Proves values without a table, by iterative deepening, in any game with alternating moves.

An answer is either proven, with the exact remoteness, or `None`. The search never guesses. `deepen` can use any search
for the positions after the moves. `Deepening` is the search over the plain rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic

from onlymove_engines.core.analysis import Analysis, AnyAnalyst, SimultaneousAnalyst, Summary
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.game import Game
from onlymove_engines.core.rules import M, Notation, P, Rules
from onlymove_engines.core.value import Mixed, Outcome, Value

from .stop import limit_nodes

DEFAULT_NODES = 30_000
"""The node limit of a search over the plain rules if the budget has none. It takes about a second."""

DEEPEST = 64
"""The most plies it looks ahead if no depth is set."""

PLAYED = 1e-9
"""Smaller probabilities in a mix are rounding errors and count as 0."""


@dataclass
class Deepening(Generic[P, M]):
    """A search over the plain rules of a game. `proven` holds exact values, and `tried` the depths to which unproven
    positions were searched.

    A value that is not `None` is exact: the shortest win or the longest loss within the depth, or a draw if every line
    ends within the depth. `None` means that the depth was not enough or that the budget ran out (`stopped`).
    """

    rules: Rules[P, M]
    budget: Budget = UNLIMITED
    proven: dict[P, Value] = field(default_factory=dict)
    tried: dict[P, int] = field(default_factory=dict)
    nodes: int = 0
    stopped: bool = False

    def value(self, position: P, depth: int) -> Value | None:
        """Return the value for the side to move, looking `depth` plies ahead. Return `None` if that is not far enough
        to prove it."""
        if (known := self.proven.get(position)) is not None:
            return known
        if self.stopped or depth < self.tried.get(position, -1) + 1:
            return None
        value = self._search(position, depth)
        if value is not None:
            self.proven[position] = value
        elif not self.stopped:
            self.tried[position] = depth
        return value

    def _search(self, position: P, depth: int) -> Value | None:
        result = self.rules.result(position)
        if result is not None:
            seat = self.rules.to_move(position)
            return result.value_for(0 if seat is None else seat)
        self.nodes += 1
        if self.nodes > limit_nodes(self.budget, DEFAULT_NODES) or self.budget.should_stop():
            self.stopped = True
        if depth <= 0 or self.stopped:
            return None
        values = [self.value(self.rules.play(position, move), depth - 1) for move in self.rules.legal_moves(position)]
        return best_reply(values, 1 if self.stopped else depth)


def step_back(child: Value | None) -> Value | None:
    """Turn the value after a move into the value of the move: seen by the side that plays it, and counted from one ply
    earlier."""
    return None if child is None else (-child).stepped_back()


def best_reply(children: Sequence[Value | None], horizon: int) -> Value | None:
    """Return the value of a position from the values after its moves. Each of these is seen by the side to move there,
    or `None` if it is unknown.

    If some values are unknown, only a win within `horizon` plies is certain to be the shortest, because the search
    finds all wins within `horizon` plies.
    """
    known = [(-child).stepped_back() for child in children if child is not None]
    best = max(known, default=None)
    if best is None or len(known) == len(children):
        return best
    is_shortest = best.outcome is Outcome.WIN and best.remoteness is not None and best.remoteness <= horizon
    return best if is_shortest else None


def deepen(
    positions: Iterable[P], look: Callable[[P, int], Value | None], deepest: int, is_spent: Callable[[], bool]
) -> tuple[dict[P, Value | None], int]:
    """Search each position one ply deeper at a time, up to `deepest` plies, until all are proven. Return the values and
    the number of plies completed.

    `look(position, depth)` must return an exact value or `None`. Once `is_spent` returns true, it must return `None`
    unless it knows the value without a search.
    """
    found: dict[P, Value | None] = dict.fromkeys(positions)
    depth = 0
    while depth < deepest and not is_spent() and None in found.values():
        for position in [position for position, value in found.items() if value is None]:
            found[position] = look(position, depth)
        depth += not is_spent()
    return found, depth


def make_analysis(children: Mapping[M, P], found: Mapping[P, Value | None], depth: int) -> Analysis[M]:
    """Describe a position from the values after its moves, found by looking `depth` plies ahead.

    If all of them are proven, the analysis has no depth, because the depth no longer limits it.
    """
    known = {move: found[child] for move, child in children.items()}
    values = {move: step_back(value) for move, value in known.items()}
    value = best_reply(list(known.values()), depth)
    if None not in known.values():
        return Analysis(value, values, note="there is no table, but a search has proven this")
    return Analysis(value, values, note=f"there is no table, so this was searched to depth {depth}", depth=depth)


@dataclass(eq=False)
class LiveAnalyst(Generic[P, M]):
    game: Game[P, M]

    def is_reachable(self, position: P) -> bool:
        return True  # only a table could tell that no game leads to a position

    def probe(self, position: P) -> Value | None:
        result = self.game.rules.result(position)
        seat = self.game.rules.to_move(position)
        return None if result is None or seat is None else result.value_for(seat)

    def analyse(self, position: P, budget: Budget = UNLIMITED) -> Analysis[M]:
        """Return every move, with its value if iterative deepening proves it within the budget."""
        moves = self.game.rules.legal_moves(position)
        if not moves:
            return Analysis(self.probe(position), {})
        search = Deepening(self.game.rules, budget)
        children = {move: self.game.rules.play(position, move) for move in moves}
        deepest = DEEPEST if budget.depth is None else budget.depth
        return make_analysis(children, *deepen(children.values(), search.value, deepest, lambda: search.stopped))

    def summarise(self, positions: Sequence[P]) -> Iterable[Summary]:
        for position in positions:
            yield make_summary(self.game.notation, position, self.analyse(position))


def make_summary(notation: Notation[P, M], position: P, analysis: Analysis[M]) -> Summary:
    """Return the row of batch analysis for a position in a game with alternating moves. Raises LookupError if its value
    is not proven."""
    if not isinstance(analysis.value, Value) or not analysis.is_complete:
        raise LookupError(analysis.note)
    best = " ".join(sorted(notation.format_move(position, move) for move in analysis.list_best_moves())) or "-"
    return Summary(analysis.value, str(len(analysis.moves)), str(len(analysis.list_good_moves())), best)


def summarise_position(game: Game[P, M], analyst: AnyAnalyst, position: P, budget: Budget) -> Summary:
    """Return the row of batch analysis for one position. Raises LookupError or OnlymoveError if the budget is too small
    to prove its value."""
    if isinstance(analyst, SimultaneousAnalyst):
        return make_mixed_summary(analyst.mixed(position, budget))
    return make_summary(game.notation, position, analyst.analyse(position, budget))


def make_mixed_summary(found: Mixed) -> Summary:
    """Return the row of batch analysis for a position in which both sides move at once."""
    if not found.matrix:
        return Summary(found, "0", "0", "-")
    supports = (sorted(str(move) for move, share in side.items() if share > PLAYED) for side in found.strategies)
    return Summary(
        found,
        "x".join(str(len(side)) for side in found.strategies),
        "x".join(str(len(found.list_sound_moves(seat))) for seat in (0, 1)),
        "/".join(map(" ".join, supports)),
    )

"""Proves values without a table, by iterative deepening, in any game in which one side moves at a time.

An answer is either proven, with the exact remoteness or margin, or `None`. The search never guesses. `deepen` can use
any search for the positions after the moves. `Deepening` is the search over the plain rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic

from onlymove_engines.core.analysis import Analysis, AnyAnalyst, SimultaneousAnalyst, Summary, Tally
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.game import Game
from onlymove_engines.core.rules import M, Notation, P, Result
from onlymove_engines.core.value import Margin, Mixed, Outcome, Seat, Value, Win, proven, value_before

from .stop import ENDLESS, limit_nodes

DEFAULT_NODES = 30_000
"""The node limit of a search over the plain rules whose budget has neither nodes nor a deadline. It takes about a
second."""

DEEPEST = 64
"""The most plies it looks ahead if no depth is set."""

NO_TABLE = "there is no table"


def describe_depth(depth: int) -> str:
    """Return the note of an answer that was searched to this depth because there is no table."""
    return f"{NO_TABLE}, so this was searched to depth {depth}"


PLAYED = 1e-9
"""Smaller probabilities in a mix are rounding errors and count as 0."""


def find_end_value(game: Game[P, M], position: P, result: Result, seat: Seat) -> Value:
    """Return what a game that ended at `position` is worth to `seat`. In a game with points, the margin is what the
    result adds to the points made so far. A draw without a score makes the final points equal."""
    outcome = result.outcome_for(seat)
    if game.play.points is None:
        return proven(outcome, 0)
    lead = game.lead(position, seat)
    if result.score is not None:
        return Margin(outcome, (result.score[0] - result.score[1]) * (-1 if seat else 1) - lead)
    return Margin(outcome, -lead if result.winner is None else 0)


def find_move_value(game: Game[P, M], position: P, child: P, after: Value | None) -> Value | None:
    """Return what a move from `position` to `child` is worth to the side that plays it, if the child is worth `after`
    to the side to move there. With points, this includes what the move makes. `None` if the value is unknown."""
    if after is None:
        return None
    seat, next_seat = game.rules.to_move(position) or 0, game.rules.to_move(child) or 0
    gain = 0 if game.play.points is None else game.lead(child, seat) - game.lead(position, seat)
    return value_before(after, seat, next_seat, gain)


@dataclass
class Deepening(Generic[P, M]):
    """A search over the plain rules of a game. `proven` holds exact values, and `tried` the depths to which unproven
    positions were searched.

    A value that is not `None` is exact: the shortest win or the longest loss within the depth, or the result or margin
    of best play if every line ends within the depth. `None` means that the depth was not enough or that the budget ran
    out (`stopped`).
    """

    game: Game[P, M]
    budget: Budget = UNLIMITED
    proven: dict[P, Value] = field(default_factory=dict)
    tried: dict[P, int] = field(default_factory=dict)
    nodes: int = 0
    stopped: bool = False

    def __post_init__(self) -> None:
        self.most = limit_nodes(self.budget, DEFAULT_NODES if self.budget.deadline is None else ENDLESS)

    def value(self, position: P, depth: int) -> Value | None:
        """Return the value for the side to move, looking `depth` plies ahead. Return `None` if that is not far enough
        to prove it."""
        if (known := self.proven.get(position)) is not None:
            return known
        if self.stopped or depth <= self.tried.get(position, -1):
            return None
        value = self._search(position, depth)
        if value is not None:
            self.proven[position] = value
        elif not self.stopped:
            self.tried[position] = depth
        return value

    def _search(self, position: P, depth: int) -> Value | None:
        game, rules = self.game, self.game.rules
        if (result := rules.result(position)) is not None:
            return find_end_value(game, position, result, rules.to_move(position) or 0)
        self.nodes += 1
        if self.nodes > self.most or self.budget.should_stop():
            self.stopped = True
        if depth <= 0 or self.stopped:
            return None
        values: list[Value | None] = []
        horizon = depth
        for move in rules.legal_moves(position):
            child = rules.play(position, move)
            value = find_move_value(game, position, child, self.value(child, horizon - 1))
            values.append(value)
            if isinstance(value, Win) and value.remoteness is not None and value.remoteness <= horizon:
                # Other moves matter only if they win sooner.
                horizon = value.remoteness - 1
                if horizon <= self.tried.get(position, 0):
                    return value
        return find_best(values, 1 if self.stopped else depth)


def find_best(moves: Sequence[Value | None], horizon: int) -> Value | None:
    """Return the value of a position from the values of its moves, which the side to move sees, or `None` if it is
    unknown.

    If some values are unknown, only a win within `horizon` plies is certain to be the shortest, because the search
    finds all wins within `horizon` plies.
    """
    best = max((value for value in moves if value is not None), default=None)
    if best is None or None not in moves:
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


def make_analysis(
    game: Game[P, M], position: P, children: Mapping[M, P], found: Mapping[P, Value | None], depth: int
) -> Analysis[M]:
    """Describe a position from the values after its moves, found by looking `depth` plies ahead.

    If all of them are proven, the analysis has no depth, because the depth no longer limits it.
    """
    values = {move: find_move_value(game, position, child, found[child]) for move, child in children.items()}
    value = find_best(list(values.values()), depth)
    if None not in values.values():
        return Analysis(value, values, note=f"{NO_TABLE}, but a search has proven this")
    return Analysis(value, values, note=describe_depth(depth), depth=depth)


@dataclass(eq=False)
class LiveAnalyst(Generic[P, M]):
    game: Game[P, M]

    def is_reachable(self, position: P) -> bool:
        return True  # only a table could tell that no game leads to a position

    def probe(self, position: P) -> Value | None:
        result = self.game.rules.result(position)
        seat = self.game.rules.to_move(position)
        return None if result is None or seat is None else find_end_value(self.game, position, result, seat)

    def analyse(self, position: P, budget: Budget = UNLIMITED) -> Analysis[M]:
        """Return every move, with its value if iterative deepening proves it within the budget."""
        moves = self.game.rules.legal_moves(position)
        if not moves:
            return Analysis(self.probe(position), {})
        search = Deepening(self.game, budget)
        children = {move: self.game.rules.play(position, move) for move in moves}
        deepest = DEEPEST if budget.depth is None else budget.depth
        found, depth = deepen(children.values(), search.value, deepest, lambda: search.stopped)
        return make_analysis(self.game, position, children, found, depth)

    def tallies(self, positions: Sequence[P], budget: Budget = UNLIMITED) -> list[Tally | None]:
        """Count the moves of each position whose values are known without a search."""
        rules, found = self.game.rules, list[Tally | None]()
        for position in positions:
            children = {move: rules.play(position, move) for move in rules.legal_moves(position)}
            values = {m: find_move_value(self.game, position, to, self.probe(to)) for m, to in children.items()}
            found.append(count_moves(Analysis(None, values)))
        return found

    def summarise(self, positions: Sequence[P]) -> Iterable[Summary]:
        for position in positions:
            yield make_summary(self.game.notation, position, self.analyse(position))


def count_moves(moves: Analysis[M]) -> Tally | None:
    """Count the moves of a position by their values. Return `None` if a value is not known."""
    if not moves.is_complete:
        return None
    outcomes = [value.outcome for value in moves.moves.values() if value is not None]
    wins, draws, losses = (outcomes.count(outcome) for outcome in (Outcome.WIN, Outcome.DRAW, Outcome.LOSS))
    return Tally(wins, draws, losses, len(moves.list_best_moves()))


def make_summary(notation: Notation[P, M], position: P, analysis: Analysis[M]) -> Summary:
    """Return the row of batch analysis for a position in which one side moves. Raises LookupError if its value
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

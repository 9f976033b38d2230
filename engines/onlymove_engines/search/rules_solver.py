"""Solves a game from its rules alone: it finds all positions and their exact values, and makes a table of them.

In games without points, wins and losses count the plies to the end, and endless play is a draw. In games with points, a
value is the margin still to come. There, positions are solved in layers by the points already made, the most points
first, so that the value after a capture is known. Play that never leaves a layer has the value that the rule about
repetition gives. Within a layer, margins that differ most from that value are settled first, because a smaller
difference cannot prevent them.

Source: retrograde analysis as in `retrograde`. The layers are from J. Romein and H. Bal, "Solving Awari with Parallel
Retrograde Analysis", IEEE Computer 36(10), 2003.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from onlymove_engines.compiled.jit import Array
from onlymove_engines.core.analysis import Report, Sections, Solver, ignore_report
from onlymove_engines.core.errors import RefusedRules
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.solution import Batch
from onlymove_engines.search.position_keys import Keys, make_sections, narrow
from onlymove_engines.search.retrograde import Graph, Retrograde, find_edges
from onlymove_engines.search.rules_analyst import LOST, WON, is_solved_by_rules
from onlymove_engines.search.rules_faults import refuse_failing_rules
from onlymove_engines.search.starts import list_starts

DRAWN, ENDED_DRAWN = 0, 1
"""Two codes for a draw: the game goes on, or it has ended."""
NOTHING: Final = -(1 << 62)
"""Below any margin. It stands for a move that does not exist."""
UNSETTLED: Final = 1 << 62
"""Marks a position whose margin is not settled yet."""
LISTED: Final = 2048
"""How many positions are listed together."""


def solve_outcomes(graph: Graph, report: Report = ignore_report) -> Array:
    """Return the code of every position in a game without points."""
    analysis = Retrograde(graph)
    while analysis.settle_wave():
        report(f"working backwards from the end, {analysis.depth} moves so far", 1.0)
    outcome, twice = analysis.outcome, 2 * analysis.remoteness.astype(np.int32)
    over = np.diff(graph.first) == 0
    return np.select((outcome == -1, outcome == 1, over), (LOST + twice, WON + twice, ENDED_DRAWN), default=DRAWN)


def solve_layer(graph: Graph, exits: Array) -> tuple[Array, Array]:
    """Solve the unfinished positions of a game with points in which both sides together have made the same number of
    points. Return the margin to come for the side to move, and the rank: the number of plies until a side makes points
    or the game ends. All margins count from the one that endless play gives.

    The graph has the moves that stay among these positions. All other moves lead to positions that are already solved,
    and `exits` is the best value of those moves. Margins are settled from the largest difference down. The rank is 0 if
    neither side can force more than endless play gives.
    """
    parents = graph.reverse()
    margins = np.full(graph.size, UNSETTLED)
    ranks = np.zeros(graph.size, np.int64)
    left = np.diff(graph.first)
    """For each position, how many moves within the layer may still gain more than `-size`."""
    sizes = np.unique(np.abs(exits[exits != NOTHING]))
    for size in sizes[sizes > 0][::-1].tolist():
        is_open, rank = margins == UNSETTLED, 1
        winners = np.flatnonzero(is_open & (exits == size))
        losers = np.flatnonzero(is_open & (left == 0) & (exits == -size))
        while len(winners) or len(losers):
            margins[winners], margins[losers] = size, -size
            ranks[winners], ranks[losers] = rank, rank
            winning, losing = parents.find(winners, losers)
            np.subtract.at(left, losing, 1)
            winners = np.unique(winning[margins[winning] == UNSETTLED])
            held = np.unique(losing[(left[losing] == 0) & (margins[losing] == UNSETTLED)])
            losers = np.setdiff1d(held[exits[held] <= -size], winners)
            rank += 1
    return np.where(margins == UNSETTLED, 0, margins), ranks


def solve_points(
    game: AnyGame,
    graph: Graph,
    points: Array,
    endless: Array,
    to_text: Callable[[int], str],
    report: Report = ignore_report,
) -> tuple[Array, Array]:
    """Return the margin to come for the side to move in every position, and its rank. `endless` is the margin to come
    if positions repeat, and `to_text` returns the text of a position. Raises RefusedRules if points can be lost again,
    or if endless play has no definite value."""
    points = points.astype(np.int64)
    total, lead = points.sum(axis=1), points[:, 0] - points[:, 1]
    degrees = np.diff(graph.first)
    margins, ranks = np.zeros(graph.size, np.int64), np.zeros(graph.size, np.int64)
    place = np.zeros(graph.size, np.int64)
    levels = np.unique(total)[::-1]
    for done, level in enumerate(levels.tolist()):
        report(f"working backwards from the end, at {level} points", done / len(levels))
        here = np.flatnonzero((total == level) & (degrees > 0))
        place[here] = np.arange(len(here))
        row = np.repeat(np.arange(len(here)), degrees[here])
        edges = find_edges(graph.first, here)
        children, again = graph.children[edges], None if graph.again is None else graph.again[edges]
        sign = -1 if again is None else np.where(again, 1, -1)
        gain = sign * lead[children] - lead[here][row]
        # The points of the side to move come first, so they change places when the other side moves next.
        after = (
            points[children, ::-1]
            if again is None
            else np.where(again[:, None], points[children], points[children, ::-1])
        )
        falls = (after < points[here][row]).any(axis=1)
        if falls.any():
            raise RefusedRules(
                f"{game.id}: from {to_text(here[row[falls.argmax()]])}, a move takes points away from a player"
            )
        stays = (total[children] == level) & (degrees[children] > 0)
        changes = stays & (sign * endless[children] != endless[here][row])
        if changes.any():
            raise RefusedRules(
                f"{game.id}: from {to_text(here[row[changes.argmax()]])}, a move that makes no points changes the "
                "result of a repetition, which this solver does not support"
            )
        exits = np.full(len(here), NOTHING, np.int64)
        np.maximum.at(exits, row[~stays], (gain + sign * margins[children] - endless[here][row])[~stays])
        inner = Graph.build(
            np.bincount(row[stays], minlength=len(here)),
            place[children[stays]],
            np.zeros(len(here), np.int8),
            None if again is None else again[stays],
        )
        margins[here], ranks[here] = solve_layer(inner, exits)
        margins[here] += endless[here]
    return margins, ranks


@dataclass
class RulesSolver:
    """Makes, checks and counts the table of a game in which one side moves at a time. It solves at most `most`
    positions or, without a limit, as many as fit into this machine's memory. They are the positions that the starts of
    all options lead to, or those in `starts`. Starts that lead to too many are left out, but not the first."""

    game: AnyGame
    most: int | None = None
    starts: Sequence[AnyPosition] | None = None
    left_out: Sequence[AnyPosition] = ()
    """The starts that `build` left out."""
    graph: Graph = field(init=False)
    """The positions in the order in which `build` found them, and the columns of its table in that order."""
    columns: dict[str, Array] = field(init=False)
    order: Array = field(init=False)
    """The positions in the order of the table."""

    @property
    def encoding(self) -> str:
        return "rules-points-1" if self.game.play.points is not None else "rules-1"

    def build(self, jobs: int = 1, report: Report = ignore_report) -> dict[str, Array]:
        """Return all positions and their values. Raises Unsolvable."""
        from onlymove_engines.search.rules_graph import Exploration  # noqa: PLC0415 - only to build

        starts = self.list_starts()
        try:
            exploration = Exploration(self.game, starts, self.most, report)
            found = exploration.explore(jobs)
        except OverflowError:
            exploration = Exploration(self.game, starts, self.most, report, as_text=True)
            found = exploration.explore(jobs)
        self.left_out = exploration.left_out
        sections, self.order = make_sections(exploration.sorted), exploration.numbers
        del exploration
        self.graph = Graph.build(found.degrees, found.edges, found.ended, found.again)
        self.columns = {"orbits": found.orbits} if self.game.solved.symmetries else {}
        if self.game.play.points is None:
            self.columns["codes"] = solve_outcomes(self.graph, report)
        else:
            self.columns["lead"] = found.points[:, 0].astype(np.int64) - found.points[:, 1]

            def to_text(number: int) -> str:
                return self.to_text(sections, "", int(np.flatnonzero(self.order == number)[0]))

            found_margins = solve_points(self.game, self.graph, found.points, found.endless, to_text, report)
            self.columns["margins"], self.columns["ranks"] = found_margins
        return sections | {
            name: narrow(column[self.order], is_signed=name == "margins")
            for name, column in self.columns.items()
            if name != "lead"
        }

    def list_batches(self, one_in: int = 1) -> Iterator[Batch]:
        """Yield the positions of the table that was built, or one in `one_in`, in the order of the table."""
        graph, columns = self.graph, self.columns
        if "codes" in columns:
            codes = columns["codes"]
            values, ranks = np.where(codes < LOST, 0, np.where(codes % 2 == 1, 1, -1)), np.maximum(codes - LOST, 0) // 2
        else:
            values, ranks = columns["margins"], columns["ranks"]
        chosen = np.arange(0, graph.size, one_in)
        for begin in range(0, len(chosen), LISTED):
            numbers = chosen[begin : begin + LISTED]
            nodes = self.order[numbers]
            moves = graph.first[nodes + 1] - graph.first[nodes]
            row = np.repeat(np.arange(len(nodes)), moves)
            edges = find_edges(graph.first, nodes)
            children = graph.children[edges]
            sign = -1 if graph.again is None else np.where(graph.again[edges], 1, -1)
            worth = sign * values[children]
            if "lead" in columns:
                worth = worth + sign * columns["lead"][children] - columns["lead"][nodes][row]
            weight = columns["orbits"][nodes].astype(np.int64) if "orbits" in columns else np.ones(len(nodes), np.int64)
            yield Batch(numbers, weight, values[nodes], ranks[nodes], moves > 0, row, worth)

    def derive(self, report: Report = ignore_report) -> Sections:
        """Solve the table again with other code, depth first and in sweeps over all values until nothing changes."""
        from onlymove_engines.search.rules_check import derive_table  # noqa: PLC0415 - only to verify

        starts = [start for start in self.list_starts() if start not in self.left_out]
        return derive_table(self.game, starts, self.most, report)

    def list_starts(self) -> Sequence[AnyPosition]:
        """Return the starts to solve, the default one first. Raises Unsolvable."""
        if self.starts is not None:
            return self.starts
        with refuse_failing_rules(self.game):
            return list_starts(self.game)

    def to_text(self, sections: Sections, name: str, entry: int) -> str:
        keys = Keys(sections)
        if name not in ("codes", "margins", "ranks", "orbits"):
            entry = min(entry, len(keys.words[0]) - 1)
        (known,) = keys.read([entry])
        return known if isinstance(known, str) else self.game.notation.format_position(known)

    def counts(self, sections: Sections) -> dict[str, int]:
        has_points = self.game.play.points is not None
        numbers = np.asarray(sections["margins" if has_points else "codes"]).astype(np.int64)
        weight = np.asarray(sections.get("orbits", np.ones(len(numbers), np.uint8))).astype(np.int64)
        figures = {"positions": int(weight.sum()), "classes": len(numbers)}
        if has_points:
            groups = {"ahead": numbers > 0, "level": numbers == 0, "behind": numbers < 0}
            longest = {"most_to_come": numbers, "highest_rank": np.asarray(sections["ranks"])}
        else:
            over = (numbers >= ENDED_DRAWN) & (numbers <= WON)
            won, lost = ((numbers >= LOST) & (numbers % 2 == parity) for parity in (WON % 2, LOST % 2))
            groups = {"finished": over, "wins": won & ~over, "draws": numbers == DRAWN, "losses": lost & ~over}
            longest = {"longest_win": (numbers[won] - WON) // 2, "longest_loss": (numbers[lost] - LOST) // 2}
        figures |= {name: int(weight[chosen].sum()) for name, chosen in groups.items()}
        return figures | {name: int(found.max(initial=0)) for name, found in longest.items()}


def find_solver(game: AnyGame, most: int | None = None) -> Solver | None:
    """Return the solver of a game, which is this one, with the limit `most`, if the game is solved from its rules.
    Return `None` for a game without a table."""
    return RulesSolver(game, most) if is_solved_by_rules(game) else game.solved.solver

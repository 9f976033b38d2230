"""Solves a game from its rules alone: it finds all positions and their exact values, and makes a table of them.

In games without points, wins and losses count the plies to the end, and endless play is a draw. In games with points, a
value is the margin still to come, and endless play gains nothing for either side. There, positions are solved in layers
by the points already made, the most points first, so that the value after a capture is known. Within a layer, the
largest margins are settled first, because a smaller one cannot prevent them.

Source: retrograde analysis as in `retrograde`. The layers are from J. Romein and H. Bal, "Solving Awari with Parallel
Retrograde Analysis", IEEE Computer 36(10), 2003.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from onlymove_engines.core.analysis import Report, Sections, Solver, ignore_report
from onlymove_engines.core.errors import Unsolvable
from onlymove_engines.core.game import AnyGame
from onlymove_engines.search.jit import Array
from onlymove_engines.search.position_keys import read_keys
from onlymove_engines.search.retrograde import OPEN, Graph, Retrograde, find_edges
from onlymove_engines.search.rules_analyst import LOST, WON, is_solved_by_rules

if TYPE_CHECKING:
    from onlymove_engines.search.rules_graph import RulesGraph

DRAWN, ENDED_DRAWN = 0, 1
"""Two codes for a draw: the game goes on, or it has ended."""
SMALL_TYPES: Final = ("u1", "u2", "u4")
SIGNED_TYPES: Final = ("i1", "i2", "i4")

NOTHING: Final = -(1 << 30)
"""Below any margin. It stands for a move that does not exist."""
UNSETTLED: Final = 1 << 30
"""Marks a position whose margin is not settled yet."""


def narrow(numbers: Array, types: Sequence[str]) -> Array:
    """Return the integers in the first of the types that can hold them."""
    low, high = (int(numbers.min()), int(numbers.max())) if len(numbers) else (0, 0)
    narrow: Array = numbers.astype(
        next(kind for kind in types if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max)
    )
    return narrow


def solve_outcomes(graph: Graph, report: Report = ignore_report) -> Array:
    """Return the code of every position in a game without points."""
    analysis = Retrograde(graph)
    over = np.diff(graph.first) == 0
    while analysis.settle_wave():
        report(f"working backwards from the end, {analysis.depth} plies so far", 1.0)
    outcome, plies = analysis.outcome, analysis.remoteness.astype(np.int32)
    codes = np.where(over, ENDED_DRAWN, DRAWN) + np.zeros(graph.size, np.int32)
    lost, won = outcome == -1, outcome == 1
    codes[lost] = LOST + 2 * plies[lost]
    codes[won] = WON + 2 * plies[won]
    assert not ((outcome == OPEN) & over).any(), "what is over is settled from the beginning"
    return codes


class Layer:
    """The positions of a game with points in which both sides together have made the same number of points. Moves that
    make no points stay in this layer. All other moves lead to positions that are already solved. `exits` is the best
    value of those moves."""

    def __init__(self, graph: Graph, exits: Array, is_over: Array) -> None:
        self.graph, self.exits = graph, exits
        degrees = np.diff(graph.first)
        self.first, self.parents = graph.reverse()
        self.open = degrees.astype(np.int64)
        """For each position, how many moves within the layer may still gain more than the margin under
        consideration."""
        self.margins = np.full(graph.size, UNSETTLED, np.int64)
        self.ranks = np.zeros(graph.size, np.int64)
        self.margins[is_over] = 0

    def solve(self) -> tuple[Array, Array]:
        """Return the margin to come for the side to move, and the rank, which is the number of plies to the next
        points.

        Margins are settled from the largest down. A side makes points as soon as neither side can force a larger
        margin.
        """
        sizes = np.unique(np.abs(self.exits[self.exits != NOTHING]))
        for size in sizes[sizes > 0][::-1].tolist():
            self._settle(size)
        ranks = np.where(self.margins == UNSETTLED, 0, self.ranks)
        return np.where(self.margins == UNSETTLED, 0, self.margins), ranks

    def _settle(self, size: int) -> None:
        """Settle every position that is worth `size` points to either side, in waves."""
        is_open = self.margins == UNSETTLED
        winners = np.flatnonzero(is_open & (self.exits == size))
        losers = np.flatnonzero(is_open & (self.open == 0) & (self.exits == -size))
        rank = 1
        while len(winners) or len(losers):
            self.margins[winners], self.ranks[winners] = size, rank
            self.margins[losers], self.ranks[losers] = -size, rank
            beaten, beating = self._parents_of(losers), self._parents_of(winners)
            np.subtract.at(self.open, beating, 1)
            winners = np.unique(beaten[self.margins[beaten] == UNSETTLED])
            held = np.unique(beating[(self.open[beating] == 0) & (self.margins[beating] == UNSETTLED)])
            losers = np.setdiff1d(held[self.exits[held] <= -size], winners)
            rank += 1

    def _parents_of(self, nodes: Array) -> Array:
        found: Array = self.parents[find_edges(self.first, nodes)]
        return found


def solve_points(game: AnyGame, graph: Graph, points: Array, report: Report = ignore_report) -> tuple[Array, Array]:
    """Return the margin to come for the side to move in every position, and its rank. Raises Unsolvable if points can
    be lost again."""
    total, lead = points.sum(axis=1), points[:, 0] - points[:, 1]
    degrees = np.diff(graph.first)
    margins, ranks = np.zeros(graph.size, np.int64), np.zeros(graph.size, np.int64)
    place = np.zeros(graph.size, np.int64)
    levels = np.unique(total)[::-1]
    for done, level in enumerate(levels.tolist()):
        report(f"working backwards from the end, at {level} points", done / len(levels))
        here = np.flatnonzero(total == level)
        place[here] = np.arange(len(here))
        counts = degrees[here]
        row = np.repeat(np.arange(len(here)), counts)
        children = graph.children[find_edges(graph.first, here)]
        gain = -lead[children] - lead[here][row]
        stays = total[children] == level
        if (total[children] < level).any() or gain[stays].any():
            raise Unsolvable(f"{game.id}: a player can lose points, which this solver does not support")
        exits = np.full(len(here), NOTHING, np.int64)
        np.maximum.at(exits, row[~stays], (gain - margins[children])[~stays])
        inner = Graph.build(
            np.bincount(row[stays], minlength=len(here)), place[children[stays]], np.zeros(len(here), np.int8)
        )
        margins[here], ranks[here] = Layer(inner, exits, counts == 0).solve()
    return margins, ranks


@dataclass(frozen=True)
class RulesSolver:
    """Makes, checks and counts the table of a game with alternating moves. It solves at most `most` positions or,
    without a limit, as many as fit into this machine's memory."""

    game: AnyGame
    most: int | None = None

    @property
    def encoding(self) -> str:
        return "rules-points-1" if self.game.play.points is not None else "rules-1"

    def build(self, jobs: int = 1, report: Report = ignore_report) -> dict[str, Array]:
        """Return all positions and their values. Raises Unsolvable."""
        from onlymove_engines.search.rules_graph import Exploration  # noqa: PLC0415 - only to build

        try:
            found = Exploration(self.game, self.most, report).explore(jobs)
        except OverflowError:
            found = Exploration(self.game, self.most, report, as_text=True).explore(jobs)
        graph = Graph.build(found.degrees, found.children, found.ended)
        if self.game.play.points is None:
            values = {"codes": solve_outcomes(graph, report)}
        else:
            margins, ranks = solve_points(self.game, graph, found.points, report)
            values = {"margins": margins, "ranks": ranks}
        return self._sections(found, values)

    def _sections(self, found: RulesGraph, values: dict[str, Array]) -> dict[str, Array]:
        sections = found.codec.sections(found.keys)
        for name, column in values.items():
            types = SIGNED_TYPES if name == "margins" else SMALL_TYPES
            sections[name] = narrow(column[found.by_key], types)
        if self.game.solved.symmetries:
            sections["orbits"] = narrow(found.orbits[found.by_key], SMALL_TYPES)
        return sections

    def derive(self, report: Report = ignore_report) -> Sections:
        """Solve the table again with other code. It visits positions one at a time, depth first, and sweeps over all
        values until nothing changes."""
        from onlymove_engines.search.rules_check import derive_table  # noqa: PLC0415 - only to verify

        return derive_table(self.game, self.most, report)

    def spell(self, sections: Sections, name: str, entry: int) -> str:
        codec, keys = read_keys(sections)
        if name not in ("codes", "margins", "ranks", "orbits"):
            entry = min(entry, len(keys) - 1)
        known = codec.decode(keys[entry : entry + 1])[0]
        return known if isinstance(known, str) else self.game.notation.format_position(known)

    def counts(self, sections: Sections) -> dict[str, int]:
        count = len(sections["margins" if self.game.play.points is not None else "codes"])
        weight = np.asarray(sections.get("orbits", np.ones(count, np.uint8))).astype(np.int64)
        figures = {"positions": int(weight.sum()), "classes": count}
        if self.game.play.points is not None:
            margins = np.asarray(sections["margins"])
            signs = (("ahead", margins > 0), ("level", margins == 0), ("behind", margins < 0))
            figures |= {name: int(weight[chosen].sum()) for name, chosen in signs}
            return figures | {
                "most_to_come": int(margins.max(initial=0)),
                "highest_rank": int(np.asarray(sections["ranks"]).max(initial=0)),
            }
        codes = np.asarray(sections["codes"]).astype(np.int64)
        over = (codes >= ENDED_DRAWN) & (codes <= WON)
        won, lost = (codes >= LOST) & (codes % 2 == 1), (codes >= LOST) & (codes % 2 == 0)
        figures |= {
            name: int(weight[chosen].sum())
            for name, chosen in (
                ("finished", over),
                ("wins", won & ~over),
                ("draws", codes == DRAWN),
                ("losses", lost & ~over),
            )
        }
        return figures | {
            "longest_win": (int(codes[won].max(initial=WON)) - WON) // 2,
            "longest_loss": (int(codes[lost].max(initial=LOST)) - LOST) // 2,
        }


def find_solver(game: AnyGame) -> Solver | None:
    """Return the solver of a game, which is this one if the game is solved from its rules. Return `None` for a game
    without a table."""
    return RulesSolver(game) if is_solved_by_rules(game) else game.solved.solver

"""Solves a game from its rules alone: it finds all positions and their exact values, and makes a table of them.

In games without points, wins and losses count the plies to the end, and endless play is a draw. In games with points, a
value is the margin still to come, and endless play gains nothing for either side. There, positions are solved in layers
by the points already made, the most points first, so that the value after a capture is known. Within a layer, the
largest margins are settled first, because a smaller one cannot prevent them.

Source: retrograde analysis as in `retrograde`. The layers are from J. Romein and H. Bal, "Solving Awari with Parallel
Retrograde Analysis", IEEE Computer 36(10), 2003.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from onlymove_engines.core.analysis import Report, Sections, Solver, ignore_report
from onlymove_engines.core.errors import Unsolvable
from onlymove_engines.core.game import AnyGame
from onlymove_engines.search.jit import Array
from onlymove_engines.search.position_keys import read_keys
from onlymove_engines.search.retrograde import Graph, Retrograde, find_edges
from onlymove_engines.search.rules_analyst import LOST, WON, is_solved_by_rules

DRAWN, ENDED_DRAWN = 0, 1
"""Two codes for a draw: the game goes on, or it has ended."""
NOTHING: Final = -(1 << 30)
"""Below any margin. It stands for a move that does not exist."""
UNSETTLED: Final = 1 << 30
"""Marks a position whose margin is not settled yet."""


def narrow(numbers: Array, is_signed: bool = False) -> Array:
    """Store the integers in the smallest type that can hold them."""
    low, high = int(numbers.min(initial=0)), int(numbers.max(initial=0))
    # numpy finds a signed type only for negative numbers.
    ends = (min(low, -1), -1 - high) if is_signed else (low, high)
    return numbers.astype(np.result_type(*map(np.min_scalar_type, ends)))


def solve_outcomes(graph: Graph, report: Report = ignore_report) -> Array:
    """Return the code of every position in a game without points."""
    analysis = Retrograde(graph)
    while analysis.settle_wave():
        report(f"working backwards from the end, {analysis.depth} plies so far", 1.0)
    outcome, twice = analysis.outcome, 2 * analysis.remoteness.astype(np.int32)
    over = np.diff(graph.first) == 0
    return np.select((outcome == -1, outcome == 1, over), (LOST + twice, WON + twice, ENDED_DRAWN), default=DRAWN)


def solve_layer(graph: Graph, exits: Array, is_over: Array) -> tuple[Array, Array]:
    """Solve the positions of a game with points in which both sides together have made the same number of points.
    Return the margin to come for the side to move, and the rank, which is the number of plies to the next points.

    The graph has the moves that make no points and so stay among these positions. All other moves lead to positions
    that are already solved, and `exits` is the best value of those moves. Margins are settled from the largest down. A
    side makes points as soon as neither side can force a larger margin.
    """
    first, parents = graph.reverse()
    margins = np.where(is_over, 0, UNSETTLED)
    ranks = np.zeros(graph.size, np.int64)
    left = np.diff(graph.first)
    """For each position, how many moves within the layer may still gain more than `size`."""
    sizes = np.unique(np.abs(exits[exits != NOTHING]))
    for size in sizes[sizes > 0][::-1].tolist():
        is_open, rank = margins == UNSETTLED, 1
        winners = np.flatnonzero(is_open & (exits == size))
        losers = np.flatnonzero(is_open & (left == 0) & (exits == -size))
        while len(winners) or len(losers):
            margins[winners], margins[losers] = size, -size
            ranks[winners], ranks[losers] = rank, rank
            beaten, beating = (parents[find_edges(first, nodes)] for nodes in (losers, winners))
            np.subtract.at(left, beating, 1)
            winners = np.unique(beaten[margins[beaten] == UNSETTLED])
            held = np.unique(beating[(left[beating] == 0) & (margins[beating] == UNSETTLED)])
            losers = np.setdiff1d(held[exits[held] <= -size], winners)
            rank += 1
    return np.where(margins == UNSETTLED, 0, margins), ranks


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
        margins[here], ranks[here] = solve_layer(inner, exits, counts == 0)
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
        columns = {"orbits": found.orbits} if self.game.solved.symmetries else {}
        if self.game.play.points is None:
            columns["codes"] = solve_outcomes(graph, report)
        else:
            columns["margins"], columns["ranks"] = solve_points(self.game, graph, found.points, report)
        return found.codec.sections(found.keys) | {
            name: narrow(column[found.by_key], is_signed=name == "margins") for name, column in columns.items()
        }

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


def find_solver(game: AnyGame) -> Solver | None:
    """Return the solver of a game, which is this one if the game is solved from its rules. Return `None` for a game
    without a table."""
    return RulesSolver(game) if is_solved_by_rules(game) else game.solved.solver

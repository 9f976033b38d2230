"""Builds, checks and counts the table of Tobito or Haneto.

A table is built in short steps, so that live search can stop after any step and use what is known by then. It lists all
moves, marks the positions that play can reach, works backwards from the final positions in waves, and computes heat.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeAlias

import numpy as np

from onlymove_engines.compiled.jit import Array
from onlymove_engines.core.analysis import Report, Section, Sections, ignore_report
from onlymove_engines.search.retrograde import Graph, Retrograde, distances

from . import _kernel
from .codes import DRAW, REACHABLE, SETTLED, UNIT, UNUSED, VALUE, WON_HEAT, encode
from .index import TobitoIndex
from .notation import TobitoNotation
from .rules import GOAL, HOME, MIDDLE, TOP, Variant

Step: TypeAlias = tuple[str, float]
"""The current step and the share of the work that is done, from 0 to 1."""

Map: TypeAlias = Callable[[Callable[[int], int], range], Iterable[int]]
"""Calls a function with every number of a range, like `map`, perhaps in several threads."""

CHUNK = 1 << 14
"""How many positions are listed in one step. It takes about 20 ms."""

LISTED, MARKED, SOLVED = 0.5, 0.55, 0.9
"""The share of the work that is done, roughly, after each stage."""


class TobitoSolver:
    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.encoding = f"{variant.name}-1"

    def build(self, jobs: int = 1, report: Report = ignore_report) -> dict[str, Section]:
        """Solve the game. Heat, which takes most of the time, is computed in `jobs` threads."""
        building = Building(self.variant)
        with ThreadPoolExecutor(jobs) as workers:
            for what, share in building.run(workers.map):
                report(what, share)
        return building.sections()

    def derive(self, report: Report = ignore_report) -> Sections:
        variant, root = self.variant, TobitoIndex(self.variant).number(self.variant.start_for(TOP))
        meaning = DRAW, REACHABLE, UNIT, WON_HEAT
        sections: Sections = _kernel.cross_check.derive(variant.neutrals > 0, root, *meaning, report)
        return sections

    def to_text(self, sections: Sections, name: str, entry: int) -> str:
        """Return the position with this number, or the number itself if it is not in use."""
        try:
            return TobitoNotation(self.variant).format_position(TobitoIndex(self.variant).position(entry))
        except ValueError:
            return f"number {entry}"

    def counts(self, sections: Sections) -> dict[str, int]:
        """Count reachable positions, with either side to move and with mirror images counted separately, and find the
        longest games in plies."""
        codes = np.asarray(sections["codes"])
        reachable = codes & REACHABLE > 0
        value, weight = codes[reachable] & VALUE, count_images(list_positions(self.variant))[reachable]
        is_won, is_lost = (value > DRAW) & (value % 2 == 1), (value > DRAW) & (value % 2 == 0)
        return {
            "positions": int(weight.sum()),
            "classes": int(reachable.sum()),
            "finished": int(weight[value == SETTLED].sum()),
            "wins": int(weight[is_won].sum()),
            "draws": int(weight[value == DRAW].sum()),
            "losses": int(weight[is_lost].sum()),
            "longest_win": int(value[is_won].max()) - SETTLED,
            "longest_loss": int(value[is_lost].max()) - SETTLED,
        }


class Building:
    """The table of one variant while it is being built. In `codes`, 0 means that the value is not known yet.

    Once it `is_marked`, it is known which positions a game can reach. After `depth` waves, all wins and losses in at
    most that many plies are known. Once it `is_solved`, all values are known, and once it `is_complete`, all heats as
    well.
    """

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.index = TobitoIndex(variant)
        self.codes = np.zeros(self.index.size, np.uint8)
        self.heats: tuple[Array, Array] | None = None
        self.depth = 0
        self.is_marked = False
        self.is_solved = False
        self.is_complete = False

    def run(self, each: Map = map) -> Iterator[Step]:
        """Compute the whole table in short steps, with a yield after each. `each` is `map`, or a function like it that
        uses several threads."""
        boards = list_positions(self.variant)
        graph = yield from list_graph(boards, True, "listing moves", 0.0, LISTED)
        in_use = number_positions(boards) == np.arange(len(boards))
        root = self.index.number(self.variant.start_for(TOP))
        self.codes[distances(graph, [root]) >= 0] = REACHABLE
        self.is_marked = True
        yield "marking the positions that games can reach", MARKED
        yield from self._solve(graph, in_use)
        self.is_solved = True
        yield "solving", SOLVED
        graph = yield from list_graph(boards, False, "heat", SOLVED, SOLVED)
        yield from self._measure_heat(graph, in_use, each)
        self.is_complete = True
        yield "done", 1.0

    def sections(self) -> dict[str, Section]:
        """Return the part of the table that is built so far."""
        if self.heats is None:
            return {"codes": self.codes}
        return {"codes": self.codes, "heat_own": self.heats[0], "heat_other": self.heats[1]}

    def _solve(self, graph: Graph, in_use: Array) -> Iterator[Step]:
        """Settle wins and losses from the final positions backwards. Positions that no wave reaches are draws."""
        analysis, is_settling = Retrograde(graph), True
        while is_settling:
            settled = analysis.newly
            self.codes[settled] |= encode(analysis.outcome[settled], analysis.remoteness[settled])
            self.depth = analysis.depth
            yield "solving", MARKED + (SOLVED - MARKED) * self.depth / (self.depth + 10)
            is_settling = analysis.settle_wave()
        self.codes[in_use & (self.codes & VALUE == 0)] |= DRAW
        self.codes[~in_use] = UNUSED

    def _measure_heat(self, graph: Graph, in_use: Array, each: Map) -> Iterator[Step]:
        """Compute the heats of the side to move and of the other side, on a graph with mirror images as separate
        positions."""
        own, other = np.zeros(graph.size, np.int64), np.zeros(graph.size, np.int64)
        ends = np.flatnonzero(graph.ended == -1)
        for start in range(0, len(ends), _kernel.table.TOGETHER):
            for _ in spread_heat(graph, ends[start : start + _kernel.table.TOGETHER], own, other, each):
                yield "heat", SOLVED + (1 - SOLVED) * start / len(ends)
        other[graph.ended == -1] = WON_HEAT
        own[graph.ended == 1] = WON_HEAT
        self.heats = np.where(in_use, own, 0), np.where(in_use, other, 0)


def list_positions(variant: Variant) -> Array:
    """Return the masks (own, opp, neutral) of all positions with Top to move, in the order of the numbers that they
    have if mirror images have different ones."""
    triples = _kernel.moves.TRIPLES
    stones = 1 << np.array(MIDDLE) if variant.neutrals else np.zeros(1, np.int64)
    own, neutral = triples[:, None], stones[:, None, None]
    places = np.nonzero(own & neutral | triples & (own | neutral) == 0)
    return np.column_stack((triples[places[1]], triples[places[2]], stones[places[0]]))


def number_positions(boards: Array) -> Array:
    """Return the numbers of positions with Top to move in the index. Mirror images have the same one."""
    numbers: Array = _kernel.moves.number_positions(boards, np.full(len(boards), TOP))
    return numbers


def count_images(boards: Array) -> Array:
    """Return how many positions share each number: 4, 2 if they are their own mirror images, or 0 if it is not in
    use."""
    return 2 * np.bincount(number_positions(boards), minlength=len(boards))


def list_graph(boards: Array, is_folded: bool, what: str, begin: float, end: float) -> Generator[Step, None, Graph]:
    """List the positions after the moves of all positions, turned so that Top moves again.

    With `is_folded`, a position and its mirror image share a number, and the other number has no moves. Otherwise,
    mirror images are separate positions. This takes the share of the work from `begin` to `end`, and is called `what`.
    """
    degrees, children = np.zeros(len(boards), np.int32), []
    for start in range(0, len(boards), CHUNK):
        part = boards[start : start + CHUNK]
        in_use = not is_folded or number_positions(part) == np.arange(start, start + len(part))
        here = start + np.flatnonzero(np.broadcast_to(in_use, len(part)))
        moves = _kernel.moves.list_moves(boards[here], np.full(len(here), TOP), is_folded)
        degrees[here] = np.diff(moves.ends, prepend=0)
        children.append(moves.numbers.copy())  # frees the room that the moves left empty
        yield what, begin + (end - begin) * (start + len(part)) / len(boards)
    home, goal = (sum(1 << cell for cell in cells) for cells in (HOME[TOP], GOAL[TOP]))
    own, theirs, _ = boards.T
    ended = np.where(theirs & home == home, -1, own & goal == goal).astype(np.int8)
    return Graph.build(degrees, np.concatenate(children), ended)


def spread_heat(graph: Graph, ends: Array, own: Array, other: Array, each: Map) -> Iterator[int]:
    """Add the heat that these ends give to the positions before them. Each end has one bit. Yield each distance when it
    is done.

    The side that moved last has won. So an end at an odd distance is a win for the side to move, and an end at an even
    distance is a win for the other side. Each position has a set of bits for both, because it may reach the same end at
    odd and even distances. Each ply spreads the bits of one set to the other set of the parents.
    """
    kernel, bit = _kernel.table, np.arange(len(ends))
    even = np.zeros((graph.size, kernel.WORDS), np.uint64)
    even[ends, bit // 64] = np.uint64(1) << (bit % 64).astype(np.uint64)
    odd = np.zeros_like(even)
    grown = np.zeros(graph.size, np.bool_)
    grown[ends] = True
    growing = np.zeros_like(grown)
    distance, fresh = 0, 1
    while fresh:
        distance += 1
        source, reached, heat = (even, odd, own) if distance % 2 else (odd, even, other)
        ply = graph.first, graph.children, (UNIT // distance) ** 2, source, grown, reached, growing, heat
        fresh = sum(each(partial(kernel.spread, *ply), range(0, graph.size, kernel.PIECE)))
        if fresh and UNIT % distance:
            raise ValueError(f"one end of the game is {distance} plies away, which does not divide {UNIT}")
        grown, growing = growing, grown
        yield distance

"""Retrograde analysis: computes the exact values of a finite game backwards from its final positions, even if play can
repeat.

It works on graphs of numbered positions, with whole numpy arrays. The sides may alternate, or a side may move twice in
a row. A position that no wave reaches is a draw, because neither side can force an end.

Source: K. Thompson, "Retrograde Analysis of Certain Endgames", ICCA Journal 9(3), 1986. The waves and the counts of
open moves are from R. Gasser, "Solving Nine Men's Morris", Games of No Chance, 1996.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from onlymove_engines.compiled.jit import Array

SORTED_TOGETHER: Final = 1 << 24
"""How many edges are sorted at once."""

OPEN: Final = 2
"""The `outcome` of a node that no wave has reached."""


@dataclass(frozen=True)
class Graph:
    """Positions 0..n-1. The children of node k are `children[first[k]:first[k + 1]]`, where a child may be listed
    twice.

    A node without children is a final position. `ended` holds its outcome for the side to move: -1, 0 or 1. `again`
    marks the edges after which the same side moves again. It is `None` if the sides always alternate.
    """

    first: Array
    children: Array
    ended: Array
    again: Array | None = None

    @property
    def size(self) -> int:
        return len(self.ended)

    def reverse(self) -> Parents:
        """Return the same edges by child."""
        nodes = np.repeat(np.arange(self.size, dtype=np.int32), np.diff(self.first))
        if self.again is None:
            return Parents(*_sort_by_child(self.children, nodes, self.size))
        turns = _sort_by_child(self.children[~self.again], nodes[~self.again], self.size)
        return Parents(*turns, *_sort_by_child(self.children[self.again], nodes[self.again], self.size))

    @classmethod
    def build(cls, degrees: Array, children: Array, ended: Array, again: Array | None = None) -> Graph:
        """Build the graph in which node 0 has the first `degrees[0]` of `children`, node 1 the next `degrees[1]`, and
        so on."""
        return cls(_find_starts(degrees), children, ended, again if again is not None and again.any() else None)


@dataclass(frozen=True)
class Parents:
    """The edges of a graph by child. After the edges to `parents` the other side moves, and after those to `again` the
    same side does."""

    first: Array
    parents: Array
    first_again: Array | None = None
    again: Array | None = None

    def find(self, won: Array, lost: Array) -> tuple[Array, Array]:
        """Return the parents that win by moving to one of these nodes, and the parents for which such a move loses. The
        nodes are won or lost for the side to move there. A parent is listed once for each move."""
        winning, losing = self.parents[find_edges(self.first, lost)], self.parents[find_edges(self.first, won)]
        if self.again is None or self.first_again is None:
            return winning, losing
        own_wins, own_losses = (self.again[find_edges(self.first_again, nodes)] for nodes in (won, lost))
        return np.concatenate((winning, own_wins)), np.concatenate((losing, own_losses))


@dataclass
class Retrograde:
    """An analysis in progress. After `depth` waves, all wins and losses in at most that many plies are settled.

    `outcome` is -1, 0 or 1 for the side to move, or OPEN. `remoteness` is the number of plies to the end for settled
    nodes. `newly` are the nodes that the last wave settled, and at first the final positions.
    """

    graph: Graph
    depth: int = 0
    outcome: Array = field(init=False)
    remoteness: Array = field(init=False)
    newly: Array = field(init=False)

    def __post_init__(self) -> None:
        degrees = np.diff(self.graph.first)
        self._parents = self.graph.reverse()
        self._hopes = degrees.astype(np.int32)
        self.outcome = np.where(degrees == 0, self.graph.ended, OPEN).astype(np.int8)
        self.remoteness = np.zeros(self.graph.size, np.int16)
        self.newly = np.flatnonzero(degrees == 0)

    def settle_wave(self) -> bool:
        """Settle all nodes one ply further from the end. Return False if nothing is left to settle."""
        self.depth += 1
        if self.depth > np.iinfo(self.remoteness.dtype).max:
            self.remoteness = self.remoteness.astype(np.int32)
        ends = self.outcome[self.newly]
        winning, losing = self._parents.find(self.newly[ends == 1], self.newly[ends == -1])
        winners = self._settle(winning, 1)
        np.subtract.at(self._hopes, losing, 1)
        losers = self._settle(losing[self._hopes[losing] == 0], -1)
        self.newly = np.concatenate((winners, losers))
        return len(self.newly) > 0

    def _settle(self, nodes: Array, outcome: int) -> Array:
        """Settle those of `nodes` that are not settled yet. Return them, each once. The counts of their moves are no
        longer needed."""
        unsettled: Array = nodes[self.outcome[nodes] == OPEN]
        places = np.arange(len(unsettled), dtype=np.int32)
        self._hopes[unsettled] = places
        first: Array = unsettled[self._hopes[unsettled] == places]
        self.outcome[first] = outcome
        self.remoteness[first] = self.depth
        return first


def distances(graph: Graph, roots: Sequence[int]) -> Array:
    """Return the least number of plies from any of `roots` to each node, however the sides play. -1 if no line leads
    there."""
    reached = np.full(graph.size, -1, np.int32)
    front = np.unique(np.asarray(roots, np.int64))
    plies = 0
    while len(front):
        reached[front] = plies
        children = graph.children[find_edges(graph.first, front)]
        front = np.unique(children[reached[children] < 0])
        plies += 1
    return reached


def _sort_by_child(children: Array, nodes: Array, size: int) -> tuple[Array, Array]:
    """Return the edges from `nodes` to `children`, sorted by child: where those of each child begin, and the nodes."""
    pieces = [slice(begin, begin + SORTED_TOGETHER) for begin in range(0, len(children), SORTED_TOGETHER)]
    counts = np.zeros(size, np.int64)
    for piece in pieces:
        counts += np.bincount(children[piece], minlength=size)
    first = _find_starts(counts)
    if len(pieces) == 1:
        return first, nodes[_sort_places(children)]
    # A counting sort in pieces needs less memory: sorting all edges at once would take twice the space of the edges.
    parents, ahead = np.empty(len(children), np.int32), first[:-1].copy()
    for piece in pieces:
        order, counts = _sort_places(children[piece]), np.bincount(children[piece], minlength=size)
        places = np.repeat(ahead - (np.cumsum(counts) - counts), counts)
        parents[places + np.arange(len(order))] = nodes[piece][order]
        ahead += counts
    return first, parents


def _find_starts(counts: Array) -> Array:
    """Return where each of the consecutive runs with these lengths begins, and where the last one ends."""
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)))


def _sort_places(nodes: Array) -> Array:
    """Return the order that sorts the nodes. The lower and upper 16 bits are sorted separately, because numpy sorts
    16-bit numbers many times as fast as larger ones."""
    low: Array = (nodes & 0xFFFF).astype(np.uint16).argsort(kind="stable")
    return low[(nodes >> 16).astype(np.uint16)[low].argsort(kind="stable")]


def find_edges(first: Array, nodes: Array) -> Array:
    """Return the indices in the edge list that belong to `nodes`, node by node."""
    counts = first[nodes + 1] - first[nodes]
    offset = first[nodes] - (np.cumsum(counts) - counts)
    return np.repeat(offset, counts) + np.arange(counts.sum())

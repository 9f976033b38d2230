"""Retrograde analysis: computes the exact values of a finite game backwards from its final positions, even if play can
repeat.

It works on graphs of numbered positions in which the sides alternate, with whole numpy arrays. A position that no wave
reaches is a draw, because neither side can force an end.

Source: K. Thompson, "Retrograde Analysis of Certain Endgames", ICCA Journal 9(3), 1986. The waves and the counts of
open moves are from R. Gasser, "Solving Nine Men's Morris", Games of No Chance, 1996.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from onlymove_engines.search.jit import Array

SORTED_TOGETHER: Final = 1 << 24
"""How many edges are sorted at once."""

OPEN: Final = 2
"""The `outcome` of a node that no wave has reached."""


@dataclass(frozen=True)
class Graph:
    """Positions 0..n-1. The children of node k are `children[first[k]:first[k + 1]]`, where a child may be listed
    twice.

    A node without children is a final position. `ended` holds its outcome for the side to move: -1, 0 or 1.
    """

    first: Array
    children: Array
    ended: Array

    @property
    def size(self) -> int:
        return len(self.ended)

    def reverse(self) -> tuple[Array, Array]:
        """Return the same edges by child, as (`first`, `parents`)."""
        pieces = [slice(begin, begin + SORTED_TOGETHER) for begin in range(0, len(self.children), SORTED_TOGETHER)]
        counts = np.zeros(self.size, np.int64)
        for piece in pieces:
            counts += np.bincount(self.children[piece], minlength=self.size)
        first = _find_starts(counts)
        nodes = np.repeat(np.arange(self.size, dtype=np.int32), np.diff(self.first))
        if len(pieces) == 1:
            return first, nodes[_sort_places(self.children)]
        # A counting sort in pieces needs less memory: sorting all edges at once would take twice the space of the
        # edges.
        parents, ahead = np.empty(len(self.children), np.int32), first[:-1].copy()
        for piece in pieces:
            order, counts = _sort_places(self.children[piece]), np.bincount(self.children[piece], minlength=self.size)
            places = np.repeat(ahead - (np.cumsum(counts) - counts), counts)
            parents[places + np.arange(len(order))] = nodes[piece][order]
            ahead += counts
        return first, parents

    @classmethod
    def build(cls, degrees: Array, children: Array, ended: Array) -> Graph:
        """Build the graph in which node 0 has the first `degrees[0]` of `children`, node 1 the next `degrees[1]`, and
        so on."""
        return cls(_find_starts(degrees), children, ended)


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
        self._first, self._parents = self.graph.reverse()
        self._hopes = degrees.astype(np.int32)
        self.outcome = np.where(degrees == 0, self.graph.ended, OPEN).astype(np.int8)
        self.remoteness = np.zeros(self.graph.size, np.int16)
        self.newly = np.flatnonzero(degrees == 0)

    def settle_wave(self) -> bool:
        """Settle all nodes one ply further from the end. Return False if nothing is left to settle."""
        self.depth += 1
        ends = self.outcome[self.newly]
        lost, won = (self._parents[find_edges(self._first, self.newly[ends == end])] for end in (-1, 1))
        winners = self._settle(lost, 1)
        np.subtract.at(self._hopes, won, 1)
        losers = self._settle(won[self._hopes[won] == 0], -1)
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

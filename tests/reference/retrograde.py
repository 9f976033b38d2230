"""Computes values from their definition, with dictionaries, and runs the product's retrograde analysis to its end."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

import numpy as np
from onlymove_engines.compiled.jit import Array
from onlymove_engines.core.value import Draw, Loss, Outcome, Value, Win, proven
from onlymove_engines.search.retrograde import OPEN, Graph, Retrograde

Node = TypeVar("Node", bound=Hashable)


def solve(graph: Graph) -> tuple[Array, Array]:
    """Return the outcome (-1, 0 or 1 for the side to move) and the remoteness of every node. The remoteness of a draw
    is 0."""
    analysis = Retrograde(graph)
    while analysis.settle_wave():
        pass
    return np.where(analysis.outcome == OPEN, 0, analysis.outcome).astype(np.int8), analysis.remoteness


def solve_plainly(children: Mapping[Node, Sequence[Node]], ended: Mapping[Node, Outcome]) -> dict[Node, Value]:
    """Return the value of every node. All unsettled nodes are looked at again until nothing changes. Finished nodes
    have no `children`."""
    values = {node: proven(outcome, 0) for node, outcome in ended.items()}
    depth = 0
    while True:
        depth += 1
        found: dict[Node, Value] = {}
        for node, nexts in children.items():
            if node in values:
                continue
            if any(values[c].outcome is Outcome.LOSS for c in nexts if c in values):
                found[node] = Win(depth)
            elif all(c in values and values[c].outcome is Outcome.WIN for c in nexts):
                found[node] = Loss(depth)
        if not found:
            return values | {node: Draw() for node in children if node not in values}
        values |= found

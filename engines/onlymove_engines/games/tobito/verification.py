"""Checks a finished table entry by entry. Needs numba.

Values are held against their children's by a kernel that probes the table itself, so that nothing of the solver
is trusted but the moves. Heats are measured the other way round than they were built: forwards from a position.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from onlymove_engines.core.analysis import Report, Sections
from onlymove_engines.search.retrograde import Graph, distances

from ._kernel.graph import check
from .building import whole_graph
from .encoding import REACHABLE, UNIT, UNUSED, VALUE, WON_HEAT, Codes, Numbers, read_only
from .index import TobitoIndex
from .notation import TobitoNotation
from .rules import TOP, Variant

NAMED: Final = 20
"""How many wrong entries are spelled out."""

SAMPLE: Final = 12
"""How many positions have their heat measured anew."""


def findings(variant: Variant, sections: Sections, full: bool, report: Report) -> Iterator[str]:
    """What is wrong with the table, a line each; `full`: also what can be reached, and the heats of a sample."""
    codes = read_only(sections["codes"])
    index = TobitoIndex(variant)
    if len(codes) != index.size:
        yield f"{variant.name}: {len(codes):,} codes instead of {index.size:,}"
        return
    report("checking every value", 0.1)
    yield from _wrong_values(variant, codes)
    if not full:
        return
    report("checking what can be reached", 0.4)
    graph = whole_graph(variant)
    in_use = codes & VALUE != UNUSED
    reached = distances(graph, [index.number(variant.start_for(TOP))]) >= 0
    for number in np.flatnonzero(in_use & (reached != (codes & REACHABLE > 0)))[:NAMED].tolist():
        yield f"{_spelled(variant, number)} is marked wrongly as reachable or not"
    if "heat_own" in sections:
        report("checking heats", 0.7)
        yield from _wrong_heats(variant, sections, graph, np.flatnonzero(in_use)[:: len(codes) // SAMPLE])


def _wrong_values(variant: Variant, codes: Codes) -> Iterator[str]:
    """Entries that do not follow from their children's."""
    wrong = np.empty(NAMED, np.int64)
    mistakes = check(codes, 0, len(codes), variant.neutrals > 0, wrong)
    for number in wrong[: min(mistakes, NAMED)].tolist():
        yield f"{_spelled(variant, number)}: the value does not follow from its moves"
    if mistakes > NAMED:
        yield f"{variant.name}: {mistakes:,} values in all do not follow from their moves"


def _wrong_heats(variant: Variant, sections: Sections, graph: Graph, sample: Numbers) -> Iterator[str]:
    """Entries of the sample whose heats a walk forwards does not confirm."""
    twofold = _with_sides(graph)
    for number in sample.tolist():
        found = heats_forwards(twofold, number)
        stored = (int(sections["heat_own"][number]), int(sections["heat_other"][number]))
        if found != stored:
            yield f"{_spelled(variant, number)}: its heats are {found}, stored are {stored}"


def _with_sides(graph: Graph) -> Graph:
    """Every node twice: with the side to move of the root, and (n later) with the other side to move."""
    degrees = np.diff(graph.first)
    children = np.concatenate((graph.children + graph.size, graph.children))
    return Graph.of(np.tile(degrees, 2), children, np.tile(graph.ended, 2))


def heats_forwards(twofold: Graph, number: int) -> tuple[int, int]:
    """The heats of the side to move and of the other, by the definition: walk to every end, add up.

    Exact: the distances are few, so ends are counted by distance first.
    """
    plies = distances(twofold, [number])
    heats = []
    for is_own in (True, False):
        half = slice(twofold.size // 2, None) if is_own else slice(0, twofold.size // 2)
        ends = plies[half][(twofold.ended[half] == -1) & (plies[half] >= 0)]
        if 0 in ends:
            return 0, WON_HEAT
        heats.append(sum(int(count) * (UNIT // d) ** 2 for d, count in enumerate(np.bincount(ends)) if d and count))
    if twofold.ended[number] == 1:
        return WON_HEAT, 0
    return heats[0], heats[1]


def _spelled(variant: Variant, number: int) -> str:
    """A numbered position as text, with the game's name before it."""
    try:
        position = TobitoIndex(variant).position(number)
    except ValueError:
        return f"{variant.name}: number {number}"
    return f"{variant.name}: {TobitoNotation(variant).format_position(position)}"

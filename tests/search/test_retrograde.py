"""Retrograde analysis on graphs that can be solved by hand, and compared with the definition on random graphs."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from onlymove_engines.core.value import Draw, Loss, Outcome, Value, Win
from onlymove_engines.search.retrograde import Graph, distances

from tests.reference.retrograde import solve, solve_plainly

# 0 can circle with 1 and 2 for ever, or move to 3, from where the other side wins by moving to 5.
#
#     0 <-> 1 <-> 2       0 -> 3 -> 5 lost for the side to move
#           4 -> 3        6 -> 3, 6 -> 4      7 drawn at once, 8 won by the side to move, 9 -> 8
LITERAL: dict[int, tuple[int, ...]] = {
    0: (1, 3),
    1: (0, 2),
    2: (1,),
    3: (5,),
    4: (3,),
    5: (),
    6: (3, 3),
    7: (),
    8: (),
    9: (8, 3),
}
ENDED = {5: Outcome.LOSS, 7: Outcome.DRAW, 8: Outcome.WIN}
BY_HAND: dict[int, Value] = {
    0: Draw(),
    1: Draw(),
    2: Draw(),
    3: Win(1),
    4: Loss(2),
    5: Loss(0),
    6: Loss(2),
    7: Draw(),
    8: Win(0),
    9: Loss(2),
}


def graph_of(children: Mapping[int, Sequence[int]], ended: Mapping[int, Outcome]) -> Graph:
    """Return the graph as arrays."""
    degrees = np.array([len(children[node]) for node in range(len(children))], np.int32)
    flat = np.array([child for node in range(len(children)) for child in children[node]], np.int32)
    return Graph.build(degrees, flat, np.array([ended.get(node, 0) for node in range(len(children))], np.int8))


def solve_as_arrays(children: Mapping[int, Sequence[int]], ended: Mapping[int, Outcome]) -> dict[int, tuple[int, int]]:
    """Solve the graph as arrays. Return the outcome and the remoteness of each node."""
    outcome, remoteness = solve(graph_of(children, ended))
    return {node: (int(outcome[node]), int(remoteness[node])) for node in children}


def plain(values: Mapping[int, Value]) -> dict[int, tuple[int, int]]:
    """Return values as outcome and remoteness, where a draw has remoteness 0."""
    return {node: (int(value.outcome), value.remoteness or 0) for node, value in values.items()}


def test_literal_graph_has_the_values_worked_out_by_hand() -> None:
    assert solve_plainly(LITERAL, ENDED) == BY_HAND
    assert solve_as_arrays(LITERAL, ENDED) == plain(BY_HAND)


def test_waves_agree_with_the_definition_on_random_graphs() -> None:
    rng = random.Random(7)
    for _ in range(60):
        size = rng.randrange(2, 60)
        children = {node: tuple(rng.choices(range(size), k=rng.choice((0, 1, 1, 2, 3)))) for node in range(size)}
        ended = {node: rng.choice(list(Outcome)) for node in children if not children[node]}
        assert solve_as_arrays(children, ended) == plain(solve_plainly(children, ended)), children


def test_a_side_that_moves_again_keeps_its_own_view() -> None:
    # 0 moves twice and wins, 1 passes and has to let 2 win, 3 may move again into a draw or a loss.
    degrees, children = np.array([1, 1, 1, 2, 0, 0]), np.array([2, 3, 4, 5, 4])
    graph = Graph.build(degrees, children, np.array([0, 0, 0, 0, -1, 0]), np.array([1, 0, 0, 1, 1], np.bool_))
    outcome, remoteness = solve(graph)
    assert outcome.tolist() == [1, 0, 1, 0, -1, 0]
    assert remoteness.tolist() == [2, 0, 1, 0, 0, 0]


@pytest.mark.slow
def test_a_forced_game_may_have_more_plies_than_fit_into_16_bits() -> None:
    size = 40_000
    graph = Graph.build(np.repeat([1, 0], [size, 1]), np.arange(1, size + 1), np.repeat([0, -1], [size, 1]))
    outcome, remoteness = solve(graph)
    assert (outcome[0], remoteness[0], remoteness[-1]) == (-1, size, 0)


def test_order_of_moves_does_not_change_a_value() -> None:
    turned = {node: children[::-1] for node, children in LITERAL.items()}
    assert solve_as_arrays(turned, ENDED) == solve_as_arrays(LITERAL, ENDED)


def test_distances_are_shortest_when_both_sides_help() -> None:
    graph = graph_of(LITERAL, ENDED)
    assert distances(graph, [0]).tolist() == [0, 1, 2, 1, -1, 2, -1, -1, -1, -1]
    assert distances(graph, [4, 9]).tolist() == [-1, -1, -1, 1, 0, 2, -1, -1, 1, 0]

"""Detours around closed positions, in graphs drawn by hand. The side ahead moves in positions with a capital letter."""

from __future__ import annotations

import pytest
from onlymove_engines.search.detour import Cost, DetourMove, Detours

PROMISED = Cost(-1, 0)
"""The cost of everything that has not been searched."""


class GaveUp(Exception):
    """No more positions may be searched."""


def detours(graph: dict[str, dict[str, int | None]], limit: int = 100) -> Detours[str]:
    """Return the detours in a graph. For each position, it gives the next positions with the cost of sure ways, or
    `None` for those that have to be searched."""
    looked: list[str] = []

    def look_into(position: str) -> tuple[bool, list[DetourMove[str]]]:
        if len(looked) == limit:
            raise GaveUp
        looked.append(position)
        ways = [
            DetourMove(to, PROMISED if plies is None else Cost(-1, plies), plies is not None)
            for to, plies in graph[position].items()
        ]
        return position.isupper(), ways

    return Detours(look_into)


@pytest.mark.parametrize(
    ("graph", "expected"),
    [
        ({"A": {"end": 4}}, 5),
        ({"A": {"b": None, "end": 6}, "b": {"near": 2}}, 4),
        ({"A": {"b": None, "end": 1}, "b": {"near": 2}}, 2),
        ({"A": {"b": None}, "b": {"near": 2, "far": 8}}, 10),
        ({"A": {"b": None}, "b": {"C": None, "far": 8}, "C": {"end": 2}}, 10),
        ({"A": {"b": None}, "b": {"C": None, "near": 2}, "C": {"end": 8}}, 11),
        ({"A": {"b": None, "d": None}, "b": {}, "d": {"end": 3}}, 5),
        ({"A": {"b": None}, "b": {}}, None),
        ({"A": {}}, None),
        ({"A": {"b": None}, "b": {"A": None, "end": 2}}, None),
        ({"A": {"b": None, "end": 9}, "b": {"A": None}}, 10),
        ({"A": {"b": None}, "b": {"C": None}, "C": {"d": None, "b": None}, "d": {"end": 1}}, 5),
    ],
)
def test_the_side_ahead_hurries_and_the_other_delays(
    graph: dict[str, dict[str, int | None]], expected: int | None
) -> None:
    found = detours(graph).cost(DetourMove("A", PROMISED, is_sure=False))
    assert found == (None if expected is None else Cost(-1, expected))


def test_known_values_are_not_searched() -> None:
    assert detours({}).cost(DetourMove("A", Cost(-4, 7), is_sure=True)) == Cost(-4, 7)


def test_answers_after_giving_up_are_still_true() -> None:
    graph: dict[str, dict[str, int | None]] = {"A": {"b": None}, "b": {"C": None}, "C": {"end": 3}, "D": {"end": 1}}
    search = detours(graph, limit=2)
    with pytest.raises(GaveUp):
        search.cost(DetourMove("A", PROMISED, is_sure=False))
    with pytest.raises(GaveUp):
        search.cost(DetourMove("C", PROMISED, is_sure=False))
    assert search.cost(DetourMove("D", Cost(-1, 1), is_sure=True)) == Cost(-1, 1)

"""Matrix games: known equilibria, and mixes that guarantee the stated value."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onlymove_engines.search.matrix_game import average, bound_row, find_guarantees, solve

payoffs = st.one_of(st.sampled_from([-1.0, -0.5, 0.0, 1 / 3, 1.0]), st.floats(-1, 1, allow_subnormal=False))


@st.composite
def matrices(draw: st.DrawFn) -> list[list[float]]:
    """Draw a matrix with one to four rows and columns."""
    width = draw(st.integers(1, 4))
    row = st.lists(payoffs, min_size=width, max_size=width)
    return draw(st.lists(row, min_size=1, max_size=4))


@settings(max_examples=100)
@given(matrices())
def test_both_mixes_guarantee_the_value(matrix: list[list[float]]) -> None:
    found = solve(matrix)
    low, high = find_guarantees(matrix, found.rows, found.columns)
    assert sum(found.rows) == pytest.approx(1)
    assert sum(found.columns) == pytest.approx(1)
    assert min(*found.rows, *found.columns) >= 0
    assert low >= found.value - 1e-9, matrix
    assert high <= found.value + 1e-9, matrix


@pytest.mark.parametrize("size", [(2, 2), (3, 3), (2, 4), (4, 3)])
def test_no_mix_within_the_slack_gives_a_row_more(size: tuple[int, int]) -> None:
    dice, slack, tried = Random(4), 0.1, 0
    for _ in range(5):
        matrix = [[dice.uniform(-1, 1) for _ in range(size[1])] for _ in range(size[0])]
        found = solve(matrix)
        most = [bound_row(matrix, row, slack) for row in range(size[0])]
        assert all(average(line, found.columns) - 1e-9 <= best for line, best in zip(matrix, most, strict=True)), matrix
        assert max(most) == pytest.approx(found.value + slack, abs=1e-7), matrix
        for _ in range(40):
            drawn, near = [dice.random() for _ in found.columns], dice.random()
            pairs = zip(found.columns, drawn, strict=True)
            mix = tuple((1 - near) * share + near * part / sum(drawn) for share, part in pairs)
            if max(average(line, mix) for line in matrix) <= found.value + slack:
                tried += 1
                assert all(average(line, mix) <= best + 1e-9 for line, best in zip(matrix, most, strict=True)), matrix
    assert tried > 10


@settings(max_examples=50)
@given(matrices())
def test_trading_the_players_negates_the_value(matrix: list[list[float]]) -> None:
    turned = [[-row[j] for row in matrix] for j in range(len(matrix[0]))]
    assert solve(turned).value == pytest.approx(-solve(matrix).value, abs=2e-9)


@pytest.mark.parametrize(
    ("matrix", "value", "rows"),
    [
        ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 0, (1 / 3, 1 / 3, 1 / 3)),  # rock, paper, scissors
        ([[1, 0], [0, 1]], 1 / 2, (1 / 2, 1 / 2)),
        ([[3, 0], [0, 1]], 3 / 4, (1 / 4, 3 / 4)),
        ([[2, 1], [1, 0]], 1, (1, 0)),  # a saddle point
        ([[5]], 5, (1,)),
        ([[1, 0, 0], [0, 1, 0], [0, 0, 1]], 1 / 3, (1 / 3, 1 / 3, 1 / 3)),
    ],
)
def test_games_whose_answer_is_known(matrix: list[list[float]], value: float, rows: tuple[float, ...]) -> None:
    found = solve(matrix)
    assert found.value == pytest.approx(value)
    assert found.rows == pytest.approx(rows)


def test_an_empty_matrix_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one row"):
        solve([])

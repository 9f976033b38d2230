"""Solves small zero-sum matrix games exactly, by support enumeration.

A matrix holds the payoffs for the row player. By Shapley and Snow (1950), every matrix game has an equilibrium on a
square submatrix whose cofactors give both mixes. The candidate with the smallest measured gap is chosen, so the answer
states its own error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import TypeAlias

Matrix: TypeAlias = Sequence[Sequence[float]]
Mix: TypeAlias = tuple[float, ...]

CLOSE_ENOUGH = 1e-14
"""The enumeration stops at a gap this small, which is a rounding error for payoffs of size 1."""

TINY = 1e-9
"""Shares and payoffs that differ by less count as equal."""


@dataclass(frozen=True, slots=True)
class Equilibrium:
    """The value for the row player, a mix for each side, and the gap between what the two mixes guarantee.

    `rows` guarantees at least `value - gap`, and `columns` at most `value + gap`.
    """

    value: float
    rows: Mix
    columns: Mix
    gap: float


def determinant(m: Matrix) -> float:
    """Compute a determinant by expansion along the first row. It is meant for at most 4 rows."""
    if not m:
        return 1.0
    if len(m) == 1:
        return m[0][0]
    if len(m) == 2:
        (a, b), (c, d) = m
        return a * d - b * c
    if len(m) == 3:
        (a, b, c), (d, e, f), (g, h, i) = m
        return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    return sum((-1.0 if j % 2 else 1.0) * m[0][j] * determinant(minor(m, 0, j)) for j in range(len(m)))


def minor(m: Matrix, row: int, column: int) -> list[list[float]]:
    return [[x for j, x in enumerate(line) if j != column] for i, line in enumerate(m) if i != row]


def normalise(weights: Sequence[float]) -> Mix | None:
    """Scale weights to shares that sum to 1. Return `None` if the weights have different signs or are all 0."""
    total = sum(weights)
    if total == 0.0 or any(w / total < -1e-9 for w in weights):
        return None
    kept = [max(0.0, w / total) for w in weights]
    whole = sum(kept)
    return tuple(w / whole for w in kept)


def spread_over(shares: Mix, support: Sequence[int], size: int) -> Mix:
    """Return a mix over all `size` strategies that has these shares on the support and 0 elsewhere."""
    at = dict(zip(support, shares, strict=True))
    return tuple(at.get(i, 0.0) for i in range(size))


def list_candidates(matrix: Matrix) -> Iterator[tuple[Mix, Mix]]:
    """Yield the pairs of mixes that square submatrices suggest, beginning with the smallest submatrices."""
    height, width = len(matrix), len(matrix[0])
    for size in range(1, min(height, width) + 1):
        for chosen_rows in combinations(range(height), size):
            for chosen_columns in combinations(range(width), size):
                part = [[matrix[i][j] for j in chosen_columns] for i in chosen_rows]
                cofactors = [
                    [(-1.0 if (i + j) % 2 else 1.0) * determinant(minor(part, i, j)) for j in range(size)]
                    for i in range(size)
                ]
                rows = normalise([sum(line) for line in cofactors])
                columns = normalise([sum(line[j] for line in cofactors) for j in range(size)])
                if rows is not None and columns is not None:
                    yield spread_over(rows, chosen_rows, height), spread_over(columns, chosen_columns, width)


def find_guarantees(matrix: Matrix, rows: Mix, columns: Mix) -> tuple[float, float]:
    """Return the least that the row mix can get, and the most that the column mix can allow."""
    lowest = min(sum(x * line[j] for x, line in zip(rows, matrix, strict=True)) for j in range(len(columns)))
    highest = max(sum(y * entry for y, entry in zip(columns, line, strict=True)) for line in matrix)
    return lowest, highest


def bound_row(matrix: Matrix, row: int, slack: float) -> float:
    """Return the most that a row can get against a column mix that holds every row to at most `slack` above the value.

    This is a linear program with at most four variables. Its vertices are tried one by one.
    """
    return max(average(matrix[row], mix) for mix in list_near_mixes(tuple(map(tuple, matrix)), slack))


@lru_cache(maxsize=64)
def list_near_mixes(matrix: Matrix, slack: float) -> list[Mix]:
    """Return the equilibrium mix of the columns, and the vertices of the set of mixes that hold every row to at most
    `slack` above the value. They are the same for every row."""
    found, width = solve(matrix), len(matrix[0])
    ceiling = found.value + slack
    mixes = [found.columns]
    units = [([float(i == j) for j in range(width)], 0.0) for i in range(width)]
    for chosen in combinations([*units, *((list(line), ceiling) for line in matrix)], width - 1):
        mix = solve_equations([([1.0] * width, 1.0), *chosen])
        if mix is not None and min(mix) > -TINY and all(average(line, mix) < ceiling + TINY for line in matrix):
            mixes.append(mix)
    return mixes


def average(payoffs: Sequence[float], mix: Mix) -> float:
    return sum(share * payoff for share, payoff in zip(mix, payoffs, strict=True))


def solve_equations(equations: Sequence[tuple[Sequence[float], float]]) -> Mix | None:
    """Solve a square system of linear equations by Cramer's rule. Return `None` if it does not have exactly one
    solution."""
    rows = [list(left) for left, _ in equations]
    whole = determinant(rows)
    if abs(whole) < TINY:
        return None
    swapped = [[[*left[:j], right, *left[j + 1 :]] for left, right in equations] for j in range(len(rows))]
    return tuple(determinant(each) / whole for each in swapped)


def solve(matrix: Matrix) -> Equilibrium:
    """Return an equilibrium of `matrix`, whose entries are payoffs for the row player. It is meant for at most 4 by 4.
    Raises ValueError for a matrix without rows or columns."""
    if not matrix or not matrix[0]:
        raise ValueError("a matrix game needs at least one row and one column")
    best: Equilibrium | None = None
    for rows, columns in list_candidates(matrix):
        low, high = find_guarantees(matrix, rows, columns)
        if best is None or high - low < best.gap:
            best = Equilibrium((low + high) / 2, rows, columns, max(0.0, high - low))
        if best.gap <= CLOSE_ENOUGH:
            break
    if best is None:
        raise ValueError("the matrix must contain only finite numbers")
    return best

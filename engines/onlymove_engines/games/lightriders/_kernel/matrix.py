"""Matrix games of at most 4 x 4, and the linear programs of SMAB, compiled. `search.matrix_game` does the same in plain
Python. A matrix is in the top left corner of a 4 x 4 array and holds payoffs for the row player."""

import numpy as np

from onlymove_engines.compiled.jit import Array, allocation_free, inlined

CLOSE_ENOUGH = 1e-14
WORK_ROWS = 6
"""How many rows of four numbers `solve_matrix` needs as working space."""

POPCOUNT = np.array([bin(i).count("1") for i in range(16)], dtype=np.int64)


@allocation_free
def _minor3(p, skip_row, skip_column, size):
    """Return the determinant of the top left `size` x `size` of `p` without one row and one column, for a size up to
    4."""
    r0 = 0 if skip_row > 0 else 1
    r1 = 1 if skip_row > 1 else 2
    r2 = 2 if skip_row > 2 else 3
    c0 = 0 if skip_column > 0 else 1
    c1 = 1 if skip_column > 1 else 2
    c2 = 2 if skip_column > 2 else 3
    if size == 1:
        return 1.0
    if size == 2:
        return p[r0, c0]
    if size == 3:
        return p[r0, c0] * p[r1, c1] - p[r0, c1] * p[r1, c0]
    return (
        p[r0, c0] * (p[r1, c1] * p[r2, c2] - p[r1, c2] * p[r2, c1])
        - p[r0, c1] * (p[r1, c0] * p[r2, c2] - p[r1, c2] * p[r2, c0])
        + p[r0, c2] * (p[r1, c0] * p[r2, c1] - p[r1, c1] * p[r2, c0])
    )


@allocation_free
def _find_saddle(a, m, n, x, y):
    """Write the best pure strategies to `x` and `y`. Return what each of them guarantees. If the two numbers are equal,
    this is an equilibrium."""
    best_row, low = 0, -np.inf
    for i in range(m):
        worst = a[i, 0]
        for j in range(1, n):
            worst = min(worst, a[i, j])
        if worst > low:
            best_row, low = i, worst
    best_column, high = 0, np.inf
    for j in range(n):
        most = a[0, j]
        for i in range(1, m):
            most = max(most, a[i, j])
        if most < high:
            best_column, high = j, most
    x[:] = 0.0
    y[:] = 0.0
    x[best_row] = 1.0
    y[best_column] = 1.0
    return low, high


@allocation_free
def _list_places(chosen):
    """List which of the lowest four bits are set, in ascending order. The list is packed into one number, with four
    bits for each."""
    places, shift = 0, 0
    for place in range(4):
        if chosen >> place & 1:
            places |= place << shift
            shift += 4
    return places


@inlined
def _equalize(a, rows, columns, size, part, x, y):
    """Write the mixes over these rows and columns with which each side makes the other's choices there equally good, by
    the cofactors of that part of the matrix. Return False if there are no such mixes."""
    for i in range(size):
        for j in range(size):
            part[i, j] = a[rows >> 4 * i & 15, columns >> 4 * j & 15]
    x[:] = 0.0
    y[:] = 0.0
    total = 0.0
    for i in range(size):
        for j in range(size):
            cofactor = _minor3(part, i, j, size)
            if (i + j) & 1:
                cofactor = -cofactor
            x[rows >> 4 * i & 15] += cofactor
            y[columns >> 4 * j & 15] += cofactor
            total += cofactor
    return total != 0.0 and _scale(x, total) and _scale(y, total)


@inlined
def _scale(mix, total):
    """Divide by `total` what is meant to be a mix. Return False if a share is negative. Shares just below 0 become
    0."""
    good = True
    whole = 0.0
    for i in range(4):
        mix[i] /= total
        good = good and mix[i] >= -1e-9
        mix[i] = max(0.0, mix[i])
        whole += mix[i]
    if not (good and whole > 0.0):
        return False
    for i in range(4):
        mix[i] /= whole
    return True


@inlined
def _guarantee(a, m, n, x, y):
    """Return the least that `x` guarantees the row player, and the most that `y` lets the row player get."""
    low, high = np.inf, -np.inf
    for j in range(n):
        reached = 0.0
        for i in range(m):
            reached += x[i] * a[i, j]
        low = min(low, reached)
    for i in range(m):
        reached = 0.0
        for j in range(n):
            reached += y[j] * a[i, j]
        high = max(high, reached)
    return low, high


@allocation_free
def solve_matrix(a: Array, m: int, n: int, x: Array, y: Array, work: Array) -> float:
    """Return the value of the game in the top left m x n of `a`, and write an equilibrium to x and y (length 4). `work`
    is working space, float64[WORK_ROWS, 4].

    By Shapley and Snow (1950), some equilibrium equalizes a square part of the matrix.
    """
    low, high = _find_saddle(a, m, n, x, y)
    gap = high - low
    value = 0.5 * (low + high)
    if gap <= CLOSE_ENOUGH:
        return value
    part, tried_x, tried_y = work[:4], work[4], work[5]
    for size in range(2, min(m, n) + 1):
        for row_set in range(1 << m):
            for column_set in range(1 << n):
                if POPCOUNT[row_set] != size or POPCOUNT[column_set] != size:
                    continue
                rows, columns = _list_places(row_set), _list_places(column_set)
                if not _equalize(a, rows, columns, size, part, tried_x, tried_y):
                    continue
                low, high = _guarantee(a, m, n, tried_x, tried_y)
                if high - low < gap:
                    gap = high - low
                    value = 0.5 * (low + high)
                    for i in range(4):  # assigning an array to another takes numba 1.8 s longer to compile
                        x[i], y[i] = tried_x[i], tried_y[i]
                if gap <= CLOSE_ENOUGH:
                    return value
    return value


@allocation_free
def best_mix_under(g, c, rows, columns, system):
    """Return the largest sum of x[i] * c[i] over mixes x of `rows` options with the sum of x[i] * g[i, j] >= 0 for
    every j. Return -inf if no mix fits.

    There are at most 4 options and 4 constraints. The optimum is at a vertex, where the number of binding constraints
    is one less than the number of options in the mix. So the vertices are tried one by one. `system` is working space,
    float64[4, 5].
    """
    best = -np.inf
    for j in range(columns):
        top = -np.inf
        for i in range(rows):
            top = max(top, g[i, j])
        if top < 0.0:
            return best
    for support in range(1, 1 << rows):
        size, chosen = POPCOUNT[support], _list_places(support)
        for tight in range(1 << columns):
            if POPCOUNT[tight] != size - 1:
                continue
            for i in range(size):
                system[0, i] = 1.0
            system[0, size] = 1.0
            line = 1
            for j in range(columns):
                if tight >> j & 1:
                    for i in range(size):
                        system[line, i] = g[chosen >> 4 * i & 15, j]
                    system[line, size] = 0.0
                    line += 1
            if not _eliminate(system, size):
                continue
            fits = True
            total = 0.0
            for i in range(size):
                if system[i, size] < -1e-13:
                    fits = False
                total += c[chosen >> 4 * i & 15] * system[i, size]
            for j in range(columns):
                reached = 0.0
                for i in range(size):
                    reached += system[i, size] * g[chosen >> 4 * i & 15, j]
                if reached < -1e-13:
                    fits = False
            if fits:
                best = max(best, total)
    return best


@allocation_free
def _eliminate(system, size):
    """Solve the `size` equations in place. The last column is the right side, and then the solution. Return False if
    the system is singular."""
    for k in range(size):
        pivot = k
        for i in range(k + 1, size):
            if abs(system[i, k]) > abs(system[pivot, k]):
                pivot = i
        if abs(system[pivot, k]) < 1e-12:
            return False
        for j in range(size + 1):
            system[k, j], system[pivot, j] = system[pivot, j], system[k, j]
        for i in range(size):
            if i != k:
                factor = system[i, k] / system[k, k]
                for j in range(k, size + 1):
                    system[i, j] -= factor * system[k, j]
    for k in range(size):
        system[k, size] /= system[k, k]
    return True

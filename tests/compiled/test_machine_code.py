"""Kernels that create no array are called as machine code, with the same results as in Python."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onlymove_engines.compiled.jit import allocation_free
from onlymove_engines.compiled.machine_code import Code, describe_arguments, link_code

from tests.numba_versions import install_numba

Numbers: TypeAlias = npt.NDArray[Any]

KEPT = """
import sys
from onlymove_tables.kernels import prepare
prepare()
from onlymove_engines.compiled.jit import allocation_free

@allocation_free
def factorial(number):
    return 1 if number < 2 else number * factorial(number - 1)

print(factorial(5), "numba" in sys.modules)
"""


class Pair(NamedTuple):
    board: Numbers
    found: Numbers


@allocation_free
def weigh(board: Numbers) -> int:
    total = 0
    for row in range(board.shape[0]):
        for column in range(board.shape[1]):
            total += (3 * row + column + 1) * board[row, column]
    return total


@allocation_free
def note_weight(pair: Pair, doubled: bool) -> None:
    pair.found[0] = weigh(pair.board) * (2 if doubled else 1)


@allocation_free
def change_each(small: int, large: np.uint64, share: float, is_odd: bool) -> tuple[int, np.uint64, float, bool]:
    return small - 1, large + np.uint64(1), share / 2, not is_odd


@allocation_free
def divide(number: int, by: int) -> int:
    return number // by


LAYOUTS: dict[str, Callable[[Numbers], Numbers]] = {
    "rows first": lambda board: board,
    "columns first": np.asfortranarray,
    "every second": lambda board: np.repeat(np.repeat(board, 2, axis=0), 2, axis=1)[::2, ::2],
    "backwards": lambda board: board[::-1, ::-1].copy()[::-1, ::-1],
    "read-only": lambda board: np.frombuffer(board.tobytes(), board.dtype).reshape(board.shape),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("number", [np.int8, np.int16, np.int64])
def test_an_array_is_read_in_any_memory_layout(layout: str, number: type[np.integer[Any]]) -> None:
    board = LAYOUTS[layout](np.arange(-3, 9, dtype=number).reshape(3, 4))
    found = np.zeros(1, np.int64)
    expected = sum((3 * r + c + 1) * int(board[r, c]) for r in range(3) for c in range(4))
    assert weigh(board) == expected
    note_weight(Pair(board, found), True)
    assert found[0] == 2 * expected


def test_two_tuples_of_arrays_of_the_same_kind_are_distinguished() -> None:
    found = np.zeros(1, np.int64)
    for first in range(5):
        note_weight(Pair(np.full((2, 2), first), found), False)
        assert found[0] == first * (1 + 2 + 4 + 5)


@given(
    st.integers(-(2**62), 2**62),
    st.integers(0, 2**64 - 2),
    st.floats(allow_nan=False, allow_infinity=False),
    st.booleans(),
)
def test_numbers_keep_their_types(small: int, large: int, share: float, is_odd: bool) -> None:
    expected: Any = small - 1, large + 1, share / 2, not is_odd
    assert change_each(small, np.uint64(large), share, is_odd) == expected


def test_numpy_s_numbers_are_taken_like_python_s() -> None:
    expected: Any = 4, 8, 0.25, False
    assert change_each(np.int16(5), np.uint8(7), np.float32(0.5), np.True_) == expected  # type: ignore[arg-type]


def test_a_failing_kernel_raises_an_error_with_its_name() -> None:
    assert divide(7, 2) == 3
    with pytest.raises(ArithmeticError, match="divide"):
        divide(7, 0)


def test_an_argument_of_an_unsupported_type_is_refused() -> None:
    with pytest.raises(TypeError, match="str"):
        describe_arguments(("seven",))


def test_code_with_missing_symbols_is_not_loaded() -> None:
    """Otherwise LLVM would end the process."""
    assert link_code(Code("f", ["int64"], False, ["no_such_function_anywhere"], b""), "i") is None


def test_stored_code_is_called_without_numba(tmp_path: Path) -> None:
    (tmp_path / "sums.py").write_text(KEPT)
    home = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "kept")}
    command = [sys.executable, str(tmp_path / "sums.py")]
    output = [subprocess.run(command, env=home, capture_output=True, text=True, check=True).stdout for _ in range(2)]
    assert output == ["120 True\n", "120 False\n"]


def test_a_numba_that_is_not_known_calls_kernels_itself(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    install_numba(tmp_path, monkeypatch)

    @allocation_free
    def thrice(number: int) -> int:
        return 3 * number

    @allocation_free
    def nine_times(number: int) -> int:
        return thrice(thrice(number))

    assert nine_times(2) == 18

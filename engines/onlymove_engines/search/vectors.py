"""Vectors for kernels: one instruction works on several words or numbers. Loads nothing heavy.

A board of four words is a vector of four lanes, and two boards side by side have eight. The operators `& | ^ ~` work
on words lane by lane, `+ - *` on words and on numbers. Every processor gives the same results: sums have a fixed
order, and no product is fused with a sum. Only kernels can use these operations; `vector_code` compiles them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar, cast

from .jit import Array, load

F = TypeVar("F", bound=Callable[..., Any])

Vector: TypeAlias = Any
"""uint64 in 4 or 8 lanes, or float32 in 32."""


class Operation:
    """Stands for an operation in kernels."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.name, self.__doc__ = function.__name__, function.__doc__

    @property
    def _numba_type_(self) -> Any:
        """Answer numba, which asks for the type of each name in a kernel."""
        return load("onlymove_engines.search.vector_code").find_operation(self.name)


def operation(function: F) -> F:
    return cast(F, Operation(function))


@operation
def load4(row: Array) -> Vector:
    """Load the first four words of a row."""


@operation
def load32(row: Array) -> Vector:
    """Load the first 32 numbers of a row, float32."""


@operation
def store4(vector: Vector, row: Array) -> None:
    """Store four words at the start of a row."""


@operation
def store32(vector: Vector, row: Array) -> None:
    """Store 32 numbers at the start of a row, float32."""


@operation
def prefetch(array: Array, row: int) -> None:
    """Begin to load the start of a row from memory, without waiting for it."""


@operation
def only4(number: int) -> Vector:
    """Return the board of four words on which only this bit is set."""


@operation
def fill32(number: float) -> Vector:
    """Return 32 lanes that all hold this number, float32."""


@operation
def join(low: Vector, high: Vector) -> Vector:
    """Return two boards side by side."""


@operation
def low_half(vector: Vector) -> Vector:
    """Return the first of two boards."""


@operation
def high_half(vector: Vector) -> Vector:
    """Return the second of two boards."""


@operation
def swap(vector: Vector) -> Vector:
    """Exchange two boards."""


@operation
def shift_up(vector: Vector, number: int) -> Vector:
    """Move each board's bits to higher places, across its words, by 1 to 63 places."""


@operation
def shift_down(vector: Vector, number: int) -> Vector:
    """Move each board's bits to lower places, across its words, by 1 to 63 places."""


@operation
def shift_words(vector: Vector, number: int) -> Vector:
    """Move each word's bits to lower places, by 0 to 63 places."""


@operation
def count_bits(vector: Vector) -> Vector:
    """Count the bits set in each word."""


@operation
def has_bits(vector: Vector) -> Any:
    """Return a truth value: whether any bit is set."""


@operation
def add_words(vector: Vector) -> Any:
    """Add up the words, as int64."""


@operation
def add_numbers(vector: Vector) -> Any:
    """Add up the numbers, float32: the halves of the vector first, then the halves of their sum, and so on."""


@operation
def clip32(vector: Vector) -> Vector:
    """Return max(0, x) of each number x."""

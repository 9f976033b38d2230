"""Operations on vectors, for kernels. One instruction works on several words or numbers.

A board of four words is a vector of four lanes, and two boards side by side have eight. The operators `& | ^ ~` work on
words lane by lane, and `+ - *` work on words and on numbers. Every processor gives the same results: sums have a fixed
order, and a product is rounded before it is added. Only kernels can use these operations, and `vector_code` compiles
them. Importing this module loads nothing heavy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar, cast

from .jit import Array, load

F = TypeVar("F", bound=Callable[..., Any])

Vector: TypeAlias = Any
"""uint64 in 4 or 8 lanes, or float32 in 32."""


class Operation:
    """A function that only kernels can call. `vector_code` knows its instructions."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.name, self.__doc__ = function.__name__, function.__doc__

    @property
    def _numba_type_(self) -> Any:
        """Return the type of this operation for numba, which asks for the type of each name in a kernel."""
        return load("onlymove_engines.search.vector_code").find_operation(self.name)


def operation(function: F) -> F:
    return cast(F, Operation(function))


@operation
def load4(row: Array) -> Vector:
    """Load the first four words of a row as a board."""


@operation
def load32(row: Array) -> Vector:
    """Load the first 32 numbers (float32) of a row."""


@operation
def store4(vector: Vector, row: Array) -> None:
    """Store a board in the first four words of a row."""


@operation
def store32(vector: Vector, row: Array) -> None:
    """Store 32 numbers (float32) at the start of a row."""


@operation
def prefetch(array: Array, row: int) -> None:
    """Make the processor load the start of a row into its cache, without waiting for it."""


@operation
def only4(number: int) -> Vector:
    """Return the board of four words on which only this bit is set."""


@operation
def fill32(number: float) -> Vector:
    """Return 32 numbers (float32) that all equal this one."""


@operation
def join(low: Vector, high: Vector) -> Vector:
    """Return a vector of two boards side by side."""


@operation
def low_half(vector: Vector) -> Vector:
    """Return the first of the two boards in a vector."""


@operation
def high_half(vector: Vector) -> Vector:
    """Return the second of the two boards in a vector."""


@operation
def swap(vector: Vector) -> Vector:
    """Exchange the two boards in a vector."""


@operation
def shift_up(vector: Vector, number: int) -> Vector:
    """Shift the bits of each board up by 1 to 63 places, from one word into the next."""


@operation
def shift_down(vector: Vector, number: int) -> Vector:
    """Shift the bits of each board down by 1 to 63 places, from one word into the one before."""


@operation
def shift_words(vector: Vector, number: int) -> Vector:
    """Shift the bits of each word down by 0 to 63 places. They do not move into other words."""


@operation
def count_bits(vector: Vector) -> Vector:
    """Return how many bits are set in each word."""


@operation
def has_bits(vector: Vector) -> Any:
    """Return whether any bit is set."""


@operation
def add_words(vector: Vector) -> Any:
    """Return the sum of the words, as int64."""


@operation
def add_numbers(vector: Vector) -> Any:
    """Return the sum of the numbers, as float32. The two halves of the vector are added first, then the halves of their
    sum, and so on."""


@operation
def clip32(vector: Vector) -> Vector:
    """Return max(0, x) for each number x."""

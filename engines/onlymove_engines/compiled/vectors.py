"""Operations on vectors, for kernels. One instruction works on several words or numbers.

A vector is uint64 in 4 or 8 lanes, or float32 in 32. A board of four words has four lanes, and two boards side by side
have eight. The operators `& | ^ ~` work on words lane by lane, and `+ - *` work on words and on numbers. Every
processor gives the same results: sums have a fixed order, and a product is rounded before it is added. Only kernels can
use these operations. `vector_code` has the types of their arguments and compiles them. Importing this module loads
nothing heavy.
"""

from __future__ import annotations

from typing import Any

from .jit import load


class Operation:
    """A function that only kernels can call. `vector_code` knows its instructions."""

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def _numba_type_(self) -> Any:
        """Return the type of this operation for numba, which asks for the type of each name in a kernel."""
        return load("onlymove_engines.compiled.vector_code").find_operation(self.name)


load4: Any = Operation("load4")
"""Load the first four words of a row as a board."""
load32: Any = Operation("load32")
"""Load the first 32 numbers (float32) of a row."""
load_twice16: Any = Operation("load_twice16")
"""Load the first 16 numbers (float32) of a row twice, for both halves of a vector."""
load_whole32: Any = Operation("load_whole32")
"""Load the first 32 numbers of a row of int16 as float32."""
store4: Any = Operation("store4")
"""Store a board in the first four words of a row."""
store32: Any = Operation("store32")
"""Store 32 numbers (float32) at the start of a row."""
prefetch: Any = Operation("prefetch")
"""Make the processor load the start of a row into its cache, without waiting for it."""
only4: Any = Operation("only4")
"""Return the board of four words on which only this bit is set."""
fill32: Any = Operation("fill32")
"""Return 32 numbers (float32) that all equal this one."""
fill_halves: Any = Operation("fill_halves")
"""Return 32 numbers (float32): the first 16 equal the first number, and the others equal the second one."""
fill_range: Any = Operation("fill_range")
"""Return 32 numbers (float32): those from one place up to before another equal the second number, and the others the
first one."""
join: Any = Operation("join")
"""Return a vector of two boards side by side."""
low_half: Any = Operation("low_half")
"""Return the first of the two boards in a vector."""
high_half: Any = Operation("high_half")
"""Return the second of the two boards in a vector."""
swap: Any = Operation("swap")
"""Exchange the two boards in a vector."""
shift_up: Any = Operation("shift_up")
"""Shift the bits of each board up by 1 to 63 places, from one word into the next."""
shift_down: Any = Operation("shift_down")
"""Shift the bits of each board down by 1 to 63 places, from one word into the one before."""
shift_words: Any = Operation("shift_words")
"""Shift the bits of each word down by 0 to 63 places. They do not move into other words."""
lift_words: Any = Operation("lift_words")
"""Shift the bits of each word up by 0 to 63 places. They do not move into other words."""
count_bits: Any = Operation("count_bits")
"""Return how many bits are set in each word."""
has_bits: Any = Operation("has_bits")
"""Return whether any bit is set."""
add_words: Any = Operation("add_words")
"""Return the sum of the words, as int64."""
add_numbers: Any = Operation("add_numbers")
"""Return the sum of the numbers, as float32. The two halves of the vector are added first, then the halves of their
sum, and so on."""
mark_positive: Any = Operation("mark_positive")
"""Return a word (uint64) in which bit k says whether number k is above 0."""
clip32: Any = Operation("clip32")
"""Return max(0, x) for each number x."""

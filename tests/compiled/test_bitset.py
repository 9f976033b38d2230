"""Operations on the bits of a word."""

from __future__ import annotations

import random

from onlymove_engines.compiled.bitset import popcount


def test_bits_are_counted_as_python_counts_them() -> None:
    rng = random.Random(5)
    for word in (0, 1, (1 << 62) - 1, *(rng.getrandbits(rng.randint(1, 62)) for _ in range(300))):
        assert popcount(word) == word.bit_count(), word
    assert popcount(-1) == 64

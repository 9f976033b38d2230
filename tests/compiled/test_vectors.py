"""Vectors in kernels, compared with the same arithmetic on Python's integers and numpy's numbers."""

from __future__ import annotations

import random

import numpy as np
from onlymove_engines.compiled.jit import Array, allocation_free, kernel
from onlymove_engines.compiled.vectors import (
    add_numbers,
    add_words,
    clip32,
    count_bits,
    fill32,
    fill_halves,
    has_bits,
    high_half,
    join,
    load4,
    load32,
    low_half,
    only4,
    prefetch,
    shift_down,
    shift_up,
    shift_words,
    store4,
    store32,
    swap,
)

ALL = (1 << 256) - 1
WORD = (1 << 64) - 1


def board_of(bits: int) -> Array:
    return np.array([bits >> 64 * k & WORD for k in range(4)], np.uint64)


def bits_of(board: Array) -> int:
    return sum(int(word) << 64 * k for k, word in enumerate(board))


@allocation_free
def combine(first: Array, second: Array, places: int, made: Array) -> None:
    """Write the results of the operations on two boards to the rows of `made`."""
    prefetch(made, 3)
    a, b = load4(first), load4(second)
    store4(shift_up(a, places), made[0])
    store4(shift_down(a, places), made[1])
    store4(shift_words(a, places), made[2])
    store4((a & b) | (~a ^ b), made[3])
    store4((a + b) * (a - b), made[4])
    store4(count_bits(a), made[5])
    store4(only4(3 * places), made[6])
    pair = shift_up(swap(join(a, b)), places)
    pair |= join(b, b)
    store4(low_half(pair), made[7])
    store4(high_half(pair), made[8])


def test_words_are_combined_like_integers() -> None:
    dice, made = random.Random(61), np.zeros((9, 4), np.uint64)
    for places in (1, 4, 16, 24, 63):
        a, b = dice.getrandbits(256), dice.getrandbits(256)
        combine(board_of(a), board_of(b), places, made)
        words = [(a >> at & WORD, b >> at & WORD) for at in range(0, 256, 64)]
        expected = [
            a << places & ALL,
            a >> places,
            sum((x >> places) << 64 * k for k, (x, _) in enumerate(words)),
            (a & b) | (~a & ALL ^ b),
            sum(((x + y) * (x - y) & WORD) << 64 * k for k, (x, y) in enumerate(words)),
            sum(x.bit_count() << 64 * k for k, (x, _) in enumerate(words)),
            1 << 3 * places,
            b << places & ALL | b,
            a << places & ALL | b,
        ]
        assert [bits_of(row) for row in made] == expected, places


@allocation_free
def measure(first: Array, second: Array) -> tuple[int, bool, bool]:
    a, b = load4(first), load4(second)
    return add_words(count_bits(join(a, b))), has_bits(a), has_bits(join(a ^ a, a & b))


def test_bits_are_counted_and_found_in_any_lane() -> None:
    for place in range(0, 256, 21):
        one, others = 1 << place, ALL ^ (1 << place)
        assert measure(board_of(one), board_of(others)) == (256, True, False)
        assert measure(board_of(0), board_of(one)) == (1, False, False)
        assert measure(board_of(ALL), board_of(one)) == (257, True, True)


@kernel
def weigh(first: Array, second: Array, factor: float, made: Array) -> float:
    products = load32(first) * load32(second) - fill32(factor)
    store32(clip32(products), made)
    return float(add_numbers(products))


@kernel
def fill(first: float, second: float, made: Array) -> None:
    store32(fill_halves(first, second), made)


def test_the_halves_of_a_vector_are_filled_with_two_numbers() -> None:
    made = np.zeros(32, np.float32)
    fill(0.5, -3.0, made)
    assert made.tolist() == [0.5] * 16 + [-3.0] * 16


def test_numbers_are_added_in_a_fixed_order() -> None:
    dice, made = np.random.default_rng(62), np.zeros(32, np.float32)
    for _ in range(20):
        first, second = dice.normal(size=(2, 32)).astype(np.float32)
        total = weigh(first, second, 0.25, made)
        products = first * second - np.float32(0.25)
        assert made.tolist() == np.maximum(products, 0).tolist()
        while len(products) > 1:
            products = products[: len(products) // 2] + products[len(products) // 2 :]
        assert total == products[0]

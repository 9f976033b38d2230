"""Builds, checks and counts the table.

Every turn adds a piece for good, so the positions form layers by the number of plies. Layer n + 1 contains all
positions after moves from layer n. Once a layer is valued, one pass values the layer before it.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from onlymove_engines.compiled.jit import Array
from onlymove_engines.core.analysis import Report, Section, Sections, ignore_report

from . import _kernel
from .codes import BLOCK, DRAWN, KEEPING_WEIGHT, MAX_PLIES, MAX_STEP, OPEN_DRAW, TRAP_SCALE, numbers_of, pack
from .index import IMAGES, INDEX, unpack_number
from .notation import NOTATION
from .rules import LINES, START

CHUNK = 100_000
ROWS = 1 << 14
MAX_LAYER = 1_372_807
"""The number of positions after nine plies."""

START_NUMBER = INDEX.number(START)


def count_slots(count: int) -> int:
    """Return the size of a hash set for this many numbers."""
    return 1 << max(count, 1).bit_length() + 1


def _next_layer(numbers: Array, jobs: int, workers: ThreadPoolExecutor) -> Array:
    """List the positions after moves from a layer, sorted and each once. Each worker handles a share of the layer."""

    def gather(part: Array) -> Array:
        slots = np.zeros(count_slots(min(len(part) * _kernel.moves.MAX_MOVES, MAX_LAYER)), np.uint32)
        _kernel.table.gather(part, slots)
        found: Array = slots[slots != 0]
        return found

    shares = np.sort(np.concatenate(list(workers.map(gather, np.array_split(numbers, jobs)))))
    kept: Array = shares[np.diff(shares, prepend=START_NUMBER) != 0]
    return kept


def _value_layer(numbers: Array, below: Array, workers: ThreadPoolExecutor) -> Array:
    """Return the positions with these numbers as words of the kernel, which hold their codes and lures. `below` are the
    words of the positions after their moves."""
    slots, words = np.zeros(count_slots(len(below)), np.int64), np.empty(len(numbers), np.int64)
    _kernel.table.keep(below, slots)

    def value(begin: int) -> None:
        part = slice(begin, begin + CHUNK)
        _kernel.table.value(numbers[part], slots, words[part])

    list(workers.map(value, range(0, len(numbers), CHUNK)))
    return words


class PokemonSolver:
    encoding = "pokemon-1"

    def build(self, jobs: int = 1, report: Report = ignore_report) -> dict[str, Section]:
        """Solve the game. It takes about 100 MB and some seconds."""
        with ThreadPoolExecutor(max(1, jobs)) as workers:
            layers = [np.array([START_NUMBER], np.uint32)]
            for ply in range(1, MAX_PLIES + 1):
                layers.append(_next_layer(layers[-1], max(1, jobs), workers))
                report("finding positions", ply / MAX_PLIES / 2)
            words, codes = np.empty(0, np.int64), []
            for ply in reversed(range(MAX_PLIES + 1)):
                words = _value_layer(layers[ply], words, workers)
                codes.append((words >> 32).astype(np.uint8))
                report("valuing positions", 1 - ply / MAX_PLIES / 2)
        numbers = np.concatenate(layers)
        order = np.argsort(numbers, kind="stable")
        return pack(numbers[order], np.concatenate(codes[::-1])[order])

    def derive(self, report: Report = ignore_report) -> Sections:
        report("playing everything again", 0.0)
        weights = KEEPING_WEIGHT, TRAP_SCALE, DRAWN, OPEN_DRAW
        sections: Sections = _kernel.cross_check.derive(IMAGES, LINES, weights, BLOCK, MAX_STEP)
        return sections

    def to_text(self, sections: Sections, name: str, entry: int) -> str:
        """Write the position of an entry. If the entry belongs to a block, write the first position of the block."""
        numbers = numbers_of(sections) if name in ("codes", "steps") else sections["firsts"]
        if entry == len(numbers):
            return "the data after the last position"
        return NOTATION.format_position(unpack_number(int(numbers[entry])))

    def counts(self, sections: Sections) -> dict[str, int]:
        """Count positions, both with and without counting symmetric ones once, and the canonical positions by value."""
        classes, raw, figures = count_classes(sections)
        named = {f"{'win' if code % 2 else 'loss'}_{code}": int(figures[code]) for code in range(1, DRAWN)}
        return {
            "positions": int(raw.sum()),
            "classes": int(classes.sum()),
            "lost_finished": int(figures[0]),
            "drawn_finished": int(figures[DRAWN]),
            "drawn": int(figures[OPEN_DRAW]),
            **{name: count for name, count in named.items() if count},
        }


def count_classes(sections: Sections) -> tuple[Array, Array, Array]:
    """Count the canonical positions by ply, all positions by ply, and the canonical positions by code. All unfinished
    draws count as one code."""
    classes, raw = np.zeros(MAX_PLIES + 1, np.int64), np.zeros(MAX_PLIES + 1, np.int64)
    by_code = np.zeros(OPEN_DRAW + 1, np.int64)
    numbers, codes = numbers_of(sections), np.asarray(sections["codes"])
    for begin in range(0, len(numbers), ROWS):
        _, hands, images = _kernel.table.lay_out(numbers[begin : begin + ROWS])
        plies = MAX_PLIES - hands.sum(axis=1)
        possible = (plies >= 0) & (plies <= MAX_PLIES)  # a number in a damaged table may describe no position
        classes += np.bincount(plies[possible], minlength=MAX_PLIES + 1)
        raw += np.bincount(plies[possible], images[possible], MAX_PLIES + 1).astype(np.int64)
        found = np.minimum(codes[begin : begin + ROWS][possible], OPEN_DRAW)
        by_code += np.bincount(found, minlength=OPEN_DRAW + 1)
    return classes, raw, by_code

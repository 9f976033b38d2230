"""The table builder: every reachable position by plies, then its value from the end backwards.

A turn adds one piece for good, so positions fall into layers by plies played: layer n + 1 is all children of layer
n, and once a layer is valued the one before follows in one pass.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from onlymove_engines.core.analysis import Report, Section, Sections, silent
from onlymove_engines.search.jit import Array

from . import _kernel
from .codes import DRAWN, MOST_PLIES, OPEN_DRAW, Book, pack
from .index import INDEX, unpack_number
from .notation import NOTATION
from .rules import START
from .witness import derived

if TYPE_CHECKING:
    import numpy.typing as npt

CHUNK = 100_000
LARGEST_LAYER = 1_372_807
"""The positions after nine plies."""

START_NUMBER = INDEX.number(START)


def _chunks(length: int) -> list[slice]:
    return [slice(low, low + CHUNK) for low in range(0, length, CHUNK)]


def _room(count: int, word: npt.DTypeLike) -> Array:
    """An empty hash set with room for so many words."""
    return np.zeros(1 << max(count, 1).bit_length() + 1, word)


def _next_layer(numbers: Array, jobs: int, workers: ThreadPoolExecutor) -> Array:
    """The children of a layer, ascending, each once: every worker gathers those of its share."""

    def born(part: Array) -> Array:
        slots = _room(min(len(part) * _kernel.law.MOST_MOVES, LARGEST_LAYER), np.uint32)
        found = np.empty(_kernel.layers.gather(part, slots), np.uint32)
        _kernel.layers.emptied(slots, found)
        return found

    shares = np.sort(np.concatenate(list(workers.map(born, np.array_split(numbers, jobs)))))
    kept: Array = shares[np.diff(shares, prepend=START_NUMBER) != 0]
    return kept


@dataclass(frozen=True)
class Layer:
    """The positions after so many plies, ascending, with code and lure."""

    numbers: Array
    codes: Array
    lures: Array


def _valued(numbers: Array, below: Layer, workers: ThreadPoolExecutor) -> Layer:
    """The layer of `numbers` from the one that holds their children."""
    slots = _room(len(below.numbers), np.int64)
    _kernel.layers.keep(below.numbers, below.codes, below.lures, slots)
    layer = Layer(numbers, np.empty(len(numbers), np.uint8), np.empty(len(numbers), np.uint8))

    def valued(part: slice) -> None:
        _kernel.layers.value(numbers[part], slots, layer.codes[part], layer.lures[part])

    list(workers.map(valued, _chunks(len(numbers))))
    return layer


class PokemonSolver:
    """Builds and counts the table."""

    encoding = "pokemon-1"

    def build(self, jobs: int = 1, report: Report = silent) -> dict[str, Section]:
        """Solve the game: about 100 MB and some seconds."""
        with ThreadPoolExecutor(max(1, jobs)) as workers:
            layers = [np.array([START_NUMBER], np.uint32)]
            for ply in range(1, MOST_PLIES + 1):
                layers.append(_next_layer(layers[-1], max(1, jobs), workers))
                report("finding positions", ply / MOST_PLIES / 2)
            empty = np.empty(0, np.uint8)
            layer = Layer(np.empty(0, np.uint32), empty, empty)
            codes: list[Array] = []
            for ply in reversed(range(MOST_PLIES + 1)):
                layer = _valued(layers[ply], layer, workers)
                codes.append(layer.codes)
                report("valuing positions", 1 - ply / MOST_PLIES / 2)
        numbers = np.concatenate(layers)
        order = np.argsort(numbers, kind="stable")
        return pack(numbers[order], np.concatenate(codes[::-1])[order])

    def derive(self, report: Report = silent) -> Sections:
        """Every section once more, depth first from the empty board."""
        return derived(report)

    def spell(self, sections: Sections, name: str, entry: int) -> str:
        """The position of this entry; of a block its first; behind the last one the end."""
        numbers = Book(sections).numbers if name in ("codes", "steps") else sections["firsts"]
        if entry == len(numbers):
            return "the end of the blocks"
        return NOTATION.format_position(unpack_number(int(numbers[entry])))

    def counts(self, sections: Sections) -> dict[str, int]:
        """Positions raw and up to symmetry, and the classes by value."""
        classes, raw, figures = self.census(sections)
        named = {f"{'win' if code % 2 else 'loss'}_{code}": int(figures[code]) for code in range(1, DRAWN)}
        return {
            "positions": int(raw.sum()),
            "classes": int(classes.sum()),
            "lost_finished": int(figures[0]),
            "drawn_finished": int(figures[DRAWN]),
            "drawn": int(figures[OPEN_DRAW]),
            **{name: count for name, count in named.items() if count},
        }

    def census(self, sections: Sections) -> tuple[Array, ...]:
        """Classes by ply, raw positions by ply, classes by code (all open draws as one)."""
        classes, raw = np.zeros(MOST_PLIES + 1, np.int64), np.zeros(MOST_PLIES + 1, np.int64)
        figures = np.zeros(OPEN_DRAW + 1, np.int64)
        book = Book(sections)
        _kernel.table.tally(book.numbers, book.codes, classes, raw, figures)
        return classes, raw, figures

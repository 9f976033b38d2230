"""Lists the whole table of a game without points that was solved from its rules, for the counts on its solution
page.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from onlymove_engines.core.analysis import Sections
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.solution import Batch
from onlymove_engines.search.jit import Array
from onlymove_engines.search.position_keys import keys_in
from onlymove_engines.search.rules_analyst import LOST
from onlymove_engines.search.rules_graph import CHUNK, Chunk, Looking


@dataclass
class RulesStatistics:
    """The positions of a table by their place in it, or all of them with their moves, batch by batch."""

    game: AnyGame
    sections: Sections

    def __post_init__(self) -> None:
        self.codec, self.keys = keys_in(self.sections)
        self.looking = Looking(self.game, self.codec)

    def position(self, number: int) -> AnyPosition:
        """Return the position at this place."""
        found: AnyPosition = self.looking.parse(self.codec.decode(self.keys[number : number + 1])[0])
        return found

    def batches(self) -> Iterator[Batch]:
        """Yield every position once, in the order of the table."""
        for begin in range(0, len(self.keys), CHUNK):
            keys = self.keys[begin : begin + CHUNK]
            yield self._batch(np.arange(begin, begin + len(keys)), self.looking.look(self.codec, keys))

    def _batch(self, numbers: Array, chunk: Chunk) -> Batch:
        row = np.repeat(np.arange(len(numbers)), chunk.degrees)
        children = self._numbers(chunk.children)[chunk.edges] if len(row) else np.empty(0, np.int64)
        codes = np.asarray(self.sections["codes"]).astype(np.int64)
        value, distance = outcomes_of(codes[numbers]), np.maximum(codes[numbers] - LOST, 0) // 2
        worth = -outcomes_of(codes[children])
        weight = np.asarray(self.sections.get("orbits", np.ones(len(self.keys), np.uint8)))[numbers]
        goes_on = chunk.degrees > 0
        return Batch(numbers, weight.astype(np.int64), value, distance, goes_on, row, worth)

    def _numbers(self, packed: Array) -> Array:
        """Return the places of positions that are in the table."""
        return np.searchsorted(self.keys, self.codec.encode(packed))


def outcomes_of(codes: Array) -> Array:
    """Return 1 for a won position, 0 for a drawn one, -1 for a lost one."""
    return np.where(codes < LOST, 0, np.where(codes % 2 == 1, 1, -1))

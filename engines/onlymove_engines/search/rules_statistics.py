"""Lists the table of a game that was solved from its rules, for the counts on its solution page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from onlymove_engines.core.analysis import Sections
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.solution import Batch
from onlymove_engines.search.jit import Array
from onlymove_engines.search.position_keys import read_keys
from onlymove_engines.search.rules_analyst import LOST
from onlymove_engines.search.rules_graph import CHUNK, Chunk, Looking


@dataclass
class RulesStatistics:
    """The positions of a table with their moves, in batches. If `one_in` is not 1, only one position in that many is
    listed."""

    game: AnyGame
    sections: Sections
    one_in: int = 1

    def __post_init__(self) -> None:
        self.codec, self.keys = read_keys(self.sections)
        self.looking = Looking(self.game, self.codec)

    def position(self, number: int) -> AnyPosition:
        found: AnyPosition = self.looking.parse(self.codec.decode(self.keys[number : number + 1])[0])
        return found

    def batches(self) -> Iterator[Batch]:
        """Yield each position once, in the order of the table."""
        numbers = np.arange(0, len(self.keys), self.one_in)
        for begin in range(0, len(numbers), CHUNK):
            here = numbers[begin : begin + CHUNK]
            yield self._batch(here, self.looking.look(self.codec, self.keys[here]))

    def _batch(self, numbers: Array, chunk: Chunk) -> Batch:
        row = np.repeat(np.arange(len(numbers)), chunk.degrees)
        codes_of_children = self.codec.encode(chunk.children) if len(row) else self.keys[:0]
        children = np.searchsorted(self.keys, codes_of_children)
        if "margins" in self.sections:
            value, distance = (self._column(name, numbers) for name in ("margins", "ranks"))
            lead = chunk.points[:, 0] - chunk.points[:, 1]
            worth = -(self._leads(children) + self._column("margins", children))[chunk.edges] - lead[row]
        else:
            codes = self._column("codes", numbers)
            value, distance = outcomes_of(codes), np.maximum(codes - LOST, 0) // 2
            worth = -outcomes_of(self._column("codes", children))[chunk.edges]
        weight = self._column("orbits", numbers) if "orbits" in self.sections else np.ones(len(numbers), np.int64)
        return Batch(numbers, weight, value, distance, chunk.degrees > 0, row, worth)

    def _column(self, name: str, numbers: Array) -> Array:
        """Return the entries of a section for the positions at these indices."""
        return np.asarray(self.sections[name])[numbers].astype(np.int64)

    def _leads(self, numbers: Array) -> Array:
        """Return by how many points the side to move leads in the positions at these indices."""
        points = self.looking.count_points([*map(self.looking.parse, self.codec.decode(self.keys[numbers]))])
        lead: Array = points[:, 0] - points[:, 1]
        return lead


def outcomes_of(codes: Array) -> Array:
    """Return 1 for a won position, 0 for a drawn one and -1 for a lost one."""
    return np.where(codes < LOST, 0, np.where(codes % 2 == 1, 1, -1))

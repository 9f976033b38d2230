"""In which order the lines of two records count, whoever reads them, and however much of them: one law for all.

A line comes after all that its writer had read. Of two lines that were written without knowing of each other a move
goes before anything else, so that nobody can answer a request that the game has left behind, or claim time against a
move; then whoever gives up; then answers; then requests. Of two alike the opener's goes first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import TypeAlias

from onlymove_tui.meeting.spoken_lines import (
    Answering,
    Asking,
    Claiming,
    Committing,
    Moving,
    Resigning,
    Revealing,
    Spoken,
    SpokenLine,
)

RANKS: dict[type[Spoken], int] = {
    Moving: 0,
    Committing: 0,
    Revealing: 0,
    Resigning: 1,
    Claiming: 2,
    Answering: 3,
    Asking: 4,
}
LAST = 5

Record: TypeAlias = Sequence[SpokenLine | None]
Told: TypeAlias = tuple[int, int, SpokenLine]
"""Whose record it is from (0: the opener's), the number of the line there, the line."""


def in_order(records: tuple[Record, Record], begin: tuple[int, int]) -> Iterator[Told]:
    """The lines of both from those numbers on, as far as they are read: a line that answers what has not been read yet
    waits, and so does all that follows it."""
    at, seen = list(begin), (seen_at_least(records[0]), seen_at_least(records[1]))
    while True:
        heads = [side for side in (0, 1) if at[side] < len(records[side])]
        ready = [side for side in heads if seen[side][at[side]] <= at[1 - side]]
        if not ready and len(heads) < 2:
            return
        # Two that each claim to answer the other cannot both be true; it goes on all the same.
        side = min(ready or heads, key=lambda side: (rank(records[side][at[side]]), side))
        said = records[side][at[side]]
        if said is not None:
            yield side, at[side], said
        at[side] += 1


def seen_at_least(record: Record) -> list[int]:
    """How many lines of the other side's record the writer of each line had read: no fewer than at any line before."""
    return list(accumulate((0 if said is None else said.seen for said in record), max))


def rank(said: SpokenLine | None) -> int:
    """Lower goes first."""
    return LAST if said is None else RANKS.get(type(said), LAST)

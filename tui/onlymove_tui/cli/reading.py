"""Positions that come a line each: read as they come, the bad ones refused with their line."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import cast

import click
from onlymove_engines.core.analysis import AnyAnalyst, SimultaneousAnalyst, Summary
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.errors import BadNotation, NoCompiler, OnlymoveError, Unreachable
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.search.deepening import summary_of, summary_of_mix

from .console import one_line, whole_lines

BATCH = 4096
CHUNK = 1 << 18

Numbered = tuple[int, str]
"""A line's number, from 1, and its text."""

Placed = tuple[int, AnyPosition]
"""A line's number and its position."""


def stdin_lines() -> Iterator[list[Numbered]]:
    """The lines of stdin in batches: as many as are there, never waiting for more once some have come."""
    if sys.stdin is None:
        return
    number = 0
    stream = cast(io.BufferedReader, sys.stdin.buffer)
    for whole in whole_lines(iter(lambda: stream.read1(CHUNK), b"")):
        for first in range(0, len(whole), BATCH):
            batch = whole[first : first + BATCH]
            yield [(number + i + 1, line.decode("utf-8", "replace")) for i, line in enumerate(batch)]
            number += len(batch)


def batches(texts: tuple[str, ...]) -> Iterator[list[Numbered]]:
    """The positions named on the command line, with `-` standing for stdin."""
    named = [text for text in texts if text != "-"]
    if named:
        yield [(number, text) for number, text in enumerate(named, 1)]
    if "-" in texts:
        yield from stdin_lines()


class Reader:
    """Turns lines into positions; says on stderr what is wrong with the others, and remembers that it did. `limit`
    is the budget of every position, `None` where rows may take what they need."""

    def __init__(self, game: AnyGame, analyst: AnyAnalyst, limit: Callable[[], Budget] | None = None) -> None:
        self.game = game
        self.analyst = analyst
        self.limit = limit
        self.failed = False

    def positions(self, lines: Iterable[Numbered]) -> list[Placed]:
        """The positions of the good lines with their numbers, in order; blank lines are skipped."""
        found = []
        for number, line in lines:
            text = line.strip()
            if not text:
                continue
            try:
                found.append((number, self.read(text)))
            except BadNotation as refusal:
                why = str(refusal)
                is_told = not isinstance(refusal, Unreachable) or "unreachable" in why
                self.refuse(number, why if is_told else f"unreachable: {why}")
        return found

    def read(self, text: str) -> AnyPosition:
        """The position spelled `text`. Raises BadNotation, or Unreachable where the game answers only what a game can
        lead to."""
        position: AnyPosition = self.game.notation.parse_position(text)
        if not self.analyst.is_reachable(position):
            raise Unreachable("unreachable: no game leads here")
        return position

    def refuse(self, number: int, why: str) -> None:
        """Say why a line gets no row."""
        self.failed = True
        click.echo(f"# error: {number}: {one_line(why)}", err=True)

    def rows(self, placed: Sequence[Placed]) -> Iterator[tuple[AnyPosition, Summary]]:
        """Each position with its row; where one of a batch cannot be settled the others still are."""
        positions = [position for _, position in placed]
        try:
            yield from list(zip(positions, self.summaries(positions), strict=True))
        except (LookupError, OnlymoveError) as unsettled:
            if isinstance(unsettled, KeyError | IndexError | NoCompiler):
                raise
            if len(placed) == 1:
                self.refuse(placed[0][0], f"not proven: {str(unsettled).removeprefix('not proven: ')}")
                return
            for one in placed:
                yield from self.rows([one])

    def summaries(self, positions: Sequence[AnyPosition]) -> Iterable[Summary]:
        """All at once at the speed of the kernels; where a search is limited, one by one."""
        analyst, limit = self.analyst, self.limit
        if limit is None:
            return analyst.summarise(positions)
        if isinstance(analyst, SimultaneousAnalyst):
            return (summary_of_mix(analyst.mixed(position, limit())) for position in positions)
        notation = self.game.notation
        return (summary_of(notation, position, analyst.analyse(position, limit())) for position in positions)

"""The argument for the value of a game's start, checked while it is told: the table, what it says of the start, and for
each side a strategy that holds. Knows no game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from textwrap import wrap

import numpy as np
from onlymove_engines.core.analysis import AlternatingAnalyst, Report, Sections, alternating, silent
from onlymove_engines.core.budget import Clock
from onlymove_engines.core.errors import Refuted, UnusableTable
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.value import Seat, other
from onlymove_engines.search.holding import Holding, Size
from onlymove_engines.search.strategy import Finder, Strategy, worth

from onlymove_tables.build import solver_of
from onlymove_tables.open import open_analyst, open_table
from onlymove_tables.verify import verify_table

MOST = 1
"""What a win is worth in a game without points: a side that may get less than nothing has nothing to prove."""

WIDTH = 100


@dataclass
class Argument:
    """What is proven of a game with a table. Each step raises Refuted where it does not hold."""

    game: AnyGame
    clock: Clock
    report: Report = silent
    value: int = 0
    """What the start is worth to the first player: in points, or 1, 0, -1."""
    strategies: list[Strategy] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """All steps, as they are done."""
        begun = self.clock()
        if self.game.prove is not None:
            yield from self.game.prove(self.clock)
        self._verify()
        sections = {name: np.asarray(column) for name, column in open_table(self.game).items()}
        yield "The table: each entry is what a second solution by other code finds, a rebuild gives the same bytes."
        yield from indented(", ".join(f"{name} {count:,}" for name, count in self._counts(sections).items()))
        analyst = alternating(open_analyst(self.game, sections))
        yield self._start(analyst)
        for seat in (0, 1):
            yield from self._strategy(analyst, seat)
        yield f"So the value of the start is proven: {self.game.solved}. {self.clock() - begun:.0f} s in all."

    def _verify(self) -> None:
        try:
            findings = list(verify_table(self.game, full=True, report=self.report))
        except UnusableTable as refusal:
            raise Refuted(str(refusal)) from refusal
        if findings:
            raise Refuted("; ".join(findings))

    def _counts(self, sections: Sections) -> dict[str, int]:
        return solver_of(self.game).counts(sections)

    def _start(self, analyst: AlternatingAnalyst) -> str:
        """What the table says of the start."""
        start = self.game.default_start()
        value, seat = analyst.analyse(start).best_value(), self.game.rules.to_move(start) or 0
        if value is None:
            raise Refuted(f"{self.game.id}: the value of the start is not known")
        worth_to_mover = worth(self.game, start, value)
        self.value = -worth_to_mover if seat else worth_to_mover
        spelled = self.game.notation.format_position(start)
        return f"The start: {spelled} is for {self.game.seats[seat]}, to move: {value.sentence()}."

    def _strategy(self, analyst: AlternatingAnalyst, seat: Seat) -> Iterator[str]:
        """Find and check what proves that a side gets its share; nothing where it has nothing to prove."""
        least = -self.value if seat else self.value
        if self.game.points is None and least == -MOST:
            return
        strategy = Finder(self.game, analyst, seat, least, self.report).find()
        size = Holding(self.game, strategy, self.report).checked()
        self.strategies.append(strategy)
        yield f"{self._claim(seat, least)}: a strategy, every reply to it followed by the plain rules."
        yield from indented(self._told(seat, size))

    def _claim(self, seat: Seat, least: int) -> str:
        name = self.game.seats[seat]
        if self.game.points is not None:
            return f"{name} ends with {least:+d} or more"
        return f"{name} wins" if least == MOST else f"{name} does not lose"

    def _told(self, seat: Seat, size: Size) -> str:
        mover, waiting = self.game.seats[seat], self.game.seats[other(seat)]
        longest = f", no line longer than {size.plies} plies" if size.plies else ""
        total = size.listed + size.at_once + size.others
        return (
            f"{total:,} positions, symmetric ones counted once: {size.listed:,} with a move of {mover}, "
            f"{size.at_once:,} in which one ends the game at once, {size.others:,} of {waiting} with {size.replies:,} "
            f"replies{longest}"
        )


def indented(text: str) -> list[str]:
    """Lines that fit, set off."""
    return wrap(text, WIDTH, initial_indent="   ", subsequent_indent="   ", break_on_hyphens=False)

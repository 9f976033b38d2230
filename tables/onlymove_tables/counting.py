"""Counts what a drawer shows of its whole table: outcomes, only moves, the most extreme positions. Knows no game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from onlymove_engines.core.analysis import Section
from onlymove_engines.core.solution import Kind
from onlymove_engines.core.survey import Batch

if TYPE_CHECKING:
    import numpy.typing as npt

Flags: TypeAlias = "npt.NDArray[np.bool_]"

OUTCOMES = {1: "win", 0: "draw", -1: "loss"}

SCALE = 1000
"""More than a position has moves, and than a win takes plies."""


@dataclass
class Extreme:
    """The positions with the greatest key there has been."""

    key: int = -1
    numbers: list[int] = field(default_factory=list)

    def offer(self, keys: Section, numbers: Section) -> None:
        """Positions that may be it, with their keys."""
        top = int(keys.max(initial=-1))
        if top > self.key:
            self.key, self.numbers = top, []
        if top == self.key >= 0:
            self.numbers += numbers[keys == top].tolist()


@dataclass(frozen=True)
class Choices:
    """The moves of each position of a batch, counted: all, those that keep the value, that win, that lose."""

    moves: Section
    keeping: Section
    winning: Section
    losing: Section

    @classmethod
    def of(cls, batch: Batch) -> Choices:
        """Of every position."""

        def counted(chosen: Flags | None = None) -> Section:
            return np.bincount(batch.row if chosen is None else batch.row[chosen], minlength=len(batch.numbers))

        keeps = batch.worth == batch.value[batch.row]
        return cls(counted(), counted(keeps), counted(batch.worth > 0), counted(batch.worth < 0))


@dataclass
class Trial:
    """A proverb under test: what has been counted of it so far, each position by its weight."""

    sentence: str
    positions: int = 0
    followed: float = 0.0
    base: float = 0.0
    failing: int = 0
    examples: list[int] = field(default_factory=list)

    def add(self, batch: Batch, counts: Flags, marks: Section) -> None:
        """The positions that count and in which it leaves a choice."""
        size, keeps = len(batch.numbers), batch.worth == batch.value[batch.row]

        def counted(chosen: Flags) -> Section:
            return np.bincount(batch.row[chosen], minlength=size)

        spoken, following = counted(marks >= 0), counted(marks == 1)
        kept, kept_following = counted(keeps & (marks >= 0)), counted(keeps & (marks == 1))
        here = counts & (following > 0) & (following < spoken) & (kept > 0) & (kept < spoken)
        weight = batch.weight[here]
        self.positions += int(weight.sum())
        self.followed += float((weight * kept_following[here] / following[here]).sum())
        self.base += float((weight * kept[here] / spoken[here]).sum())
        fails = here & (kept_following == 0)
        self.failing += int(batch.weight[fails].sum())
        keeps_result = np.sign(batch.worth) >= np.sign(batch.value[batch.row])
        self._pick(batch.numbers[fails & batch.shown & (counted(keeps_result & (marks == 1)) == 0)])

    def _pick(self, numbers: Section) -> None:
        """Keep those that come first when the numbers are shuffled: the same ones, whatever the batches."""
        self.examples = sorted([*self.examples, *numbers.tolist()], key=shuffled)[:EXAMPLES]


EXAMPLES = 12
"""So many positions in which a proverb fails are kept."""


def shuffled(number: int) -> int:
    """Orders numbers without an order that means anything (Knuth's multiplicative hash)."""
    return number * 2654435761 % (1 << 32)


@dataclass
class Counts:
    """What has been counted so far. Positions are weighed: all that share a number count."""

    has_points: bool
    classes: int = 0
    positions: int = 0
    finished: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    distances: dict[str, Counter[int]] = field(default_factory=lambda: {"win": Counter(), "loss": Counter()})
    choices: int = 0
    only_moves: int = 0
    kept: float = 0.0
    named: dict[Kind, Extreme] = field(default_factory=lambda: {kind: Extreme() for kind in Kind})
    facts: Counter[str] = field(default_factory=Counter)
    proverbs: dict[str, Trial] = field(default_factory=dict)

    def add(self, batches: Iterable[Batch]) -> None:
        """Count these positions."""
        for batch in batches:
            found = Choices.of(batch)
            self._add_outcomes(batch, found)
            self._add_choices(batch, found)
            self._add_extremes(batch, found)
            self._add_proverbs(batch)
            self.facts.update(batch.facts)

    def _add_outcomes(self, batch: Batch, found: Choices) -> None:
        goes_on = found.moves > 0
        self.classes += len(batch.numbers)
        self.positions += int(batch.weight.sum())
        self.finished += int(batch.weight[~goes_on].sum())
        measure = abs(batch.value) if self.has_points else batch.distance
        for sign, outcome in OUTCOMES.items():
            here = goes_on & (np.sign(batch.value) == sign)
            self.outcomes[outcome] += int(batch.weight[here].sum())
            if sign:
                counts = np.bincount(measure[here], batch.weight[here])
                self.distances[outcome].update({int(far): int(counts[far]) for far in np.flatnonzero(counts)})

    def _add_choices(self, batch: Batch, found: Choices) -> None:
        has_choice = (found.moves > 1) & (self.has_points | (batch.value >= 0))
        weight, keeping, moves = (each[has_choice] for each in (batch.weight, found.keeping, found.moves))
        self.choices += int(weight.sum())
        self.only_moves += int(weight[keeping == 1].sum())
        self.kept += float((weight * keeping / moves).sum())

    def _add_extremes(self, batch: Batch, found: Choices) -> None:
        """Offer what is shown; keys compare the first figure first."""
        is_won, is_drawn = batch.shown & (batch.value > 0), batch.shown & (batch.value == 0) & (found.keeping == 1)
        keys: Sequence[tuple[Kind, Flags, Section]] = (
            (Kind.LONGEST_WIN, is_won, batch.distance.astype(np.int64) * SCALE),
            (Kind.NARROWEST_DRAW, is_drawn & (found.moves > 1), found.moves * SCALE),
            (Kind.MOST_MISLEADING, is_won & (found.losing > 0), found.losing * SCALE + SCALE - 1 - found.winning),
        )
        for kind, chosen, key in keys:
            self.named[kind].offer(key[chosen], batch.numbers[chosen])

    def _add_proverbs(self, batch: Batch) -> None:
        """Where something can be lost, and the game is not won at once."""
        counts = np.ones(len(batch.numbers), np.bool_)
        if not self.has_points:
            counts = (batch.value >= 0) & (batch.distance != 1)
        for proverb in batch.proverbs:
            trial = self.proverbs.setdefault(proverb.id, Trial(proverb.sentence))
            trial.add(batch, counts, proverb.marks)

"""From positions to proven margins: the closed table, and the exact search above it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from onlymove_engines.core.analysis import Analysis, Report, Sections, Summary, silent
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.value import Estimate, Seat, Value, other

from . import rules
from .codes import lead, value_of
from .deep import Deep, Interval
from .index import BOARDS, closed_number, seen_by
from .notation import format_move
from .rules import Cell, Pits, Position, Sown

LAYERS = 10
"""Closed boards hold 0, 4, ... 36 seeds."""

CHUNK = BOARDS // 16
SAMPLED_CHUNKS = (0, 5, 10)
"""The sixteenths of the table that a quick verification looks at."""


class AyoayoAnalyst:
    """The authority on margins: probes closed boards, searches the others; without a table searches all."""

    def __init__(self, sections: Sections | None) -> None:
        self.margins = None if sections is None else sections["margin"]
        self.ranks = None if sections is None else sections["rank"]
        self.deep = Deep(self.margins)

    def is_reachable(self, position: Position) -> bool:
        """True: any position that passes the checks is answered."""
        return True

    def probe(self, position: Position) -> Value | None:
        """The value of a finished or closed position; `None` above the table."""
        result = rules.result(position)
        if result is not None:
            return result.value_for(position.to_move)
        margin = self.margin(position.pits, position.to_move)
        return None if margin is None else value_of(position, margin)

    def margin(self, pits: Pits, seat: Seat) -> int | None:
        """The margin to come for `seat`, to move, where it needs no search: the final sweep or the table."""
        if not rules.permitted(pits, seat):
            return rules.seeds_of(pits, seat)
        number = closed_number(seen_by(pits, seat))
        return None if number is None or self.margins is None else int(self.margins[number])

    def rank(self, pits: Pits, seat: Seat) -> int | None:
        """How many plies away the next capture is when a margin is forced; 0 where none is, `None` above the table."""
        number = closed_number(seen_by(pits, seat))
        return None if number is None or self.ranks is None else int(self.ranks[number])

    def analyse(self, position: Position, budget: Budget = UNLIMITED) -> Analysis[Cell]:
        """Every permitted move with its margin, what it captures included."""
        result = rules.result(position)
        if result is not None:
            return Analysis(result.value_for(position.to_move), {})
        worth = self.worths(position, budget)
        values = {m: value_of(position, w.low) if w.is_proven else None for m, w in worth.items()}
        estimates = {m: estimate(position, w) for m, w in worth.items() if not w.is_proven}
        bounds = (max(w.low for w in worth.values()), max(w.high for w in worth.values()))
        whole = Interval(*bounds, min((w.depth for w in worth.values() if not w.is_proven), default=0))
        value = value_of(position, whole.low) if whole.is_proven else estimate(position, whole)
        return Analysis(value, values, estimates, self.note(worth))

    def worths(self, position: Position, budget: Budget) -> dict[Cell, Interval]:
        """The margin of each permitted move as an interval."""
        seat = position.to_move
        worth: dict[Cell, Interval] = {}
        searched: dict[Cell, Sown] = {}
        for move in rules.legal_moves(position):
            sown = rules.sow(position.pits, seat, move)
            assert sown is not None, "permitted moves end"
            margin = self.margin(sown.pits, other(seat))
            if margin is None:
                searched[move] = sown
            gain = lead(sown.captured, seat) - (margin or 0)
            worth[move] = Interval(gain, gain, 0)
        if searched:
            budget = self.deep.ready(budget)
            with self.deep.session(budget):
                for move, sown in searched.items():
                    found = self.deep.interval(seen_by(sown.pits, other(seat)), budget)
                    gain = lead(sown.captured, seat)
                    worth[move] = Interval(gain - found.high, gain - found.low, found.depth + 1)
        return worth

    def note(self, worth: dict[Cell, Interval]) -> str:
        """How the answer was found, when that was not by the table alone."""
        open_moves = [w.depth for w in worth.values() if not w.is_proven]
        deepest = max(w.depth for w in worth.values())
        if self.margins is None:
            return f"no table: searched to depth {min(open_moves, default=deepest)}"
        if open_moves:
            return f"not proven: searched to depth {min(open_moves)}"
        return f"proven by search to depth {deepest}" if deepest else ""

    def summarise(self, positions: Sequence[Position]) -> Iterable[Summary]:
        """One row a position; raises LookupError for one that is not proven."""
        for position in positions:
            analysis = self.analyse(position)
            if not isinstance(analysis.value, Value) or not analysis.is_complete:
                raise LookupError(analysis.note)
            best = sorted(format_move(position, move) for move in analysis.best())
            counts = (str(len(analysis.moves)), str(len(analysis.keeping())))
            yield Summary(analysis.value, *counts, " ".join(best) or "-")


def estimate(position: Position, interval: Interval) -> Estimate:
    """What an open interval suggests: every final difference in it equally likely."""
    ahead = lead(position.captured, position.to_move)
    finals = range(interval.low + ahead, interval.high + ahead + 1)
    expected = sum((final > 0) - (final < 0) for final in finals) / len(finals)
    return Estimate(expected, interval.depth)


class AyoayoSolver:
    """Builds and checks the closed table and answers from it."""

    encoding = "ayoayo-1"

    def build(self, jobs: int = 1, report: Report = silent) -> dict[str, Any]:
        """`margin` (int8) and `rank` (uint8) of every closed board, by its number."""
        from ._kernel import table  # noqa: PLC0415 - numba comes only to build, verify and search

        margins, ranks = np.zeros(BOARDS, np.int8), np.zeros(BOARDS, np.uint8)
        place = np.zeros(BOARDS, np.int32)
        numbers, starts = table.layers(BOARDS)
        for layer in range(LAYERS):
            report(f"boards with {4 * layer} seeds", layer / LAYERS)
            here = numbers[starts[layer] : starts[layer + 1]]
            quiet = np.empty((len(here), 6), np.int32)
            best, left = np.empty(len(here), np.int8), np.empty(len(here), np.int8)
            table.expand(here, margins, place, quiet, best, left)
            value, rank = np.zeros(len(here), np.int8), np.zeros(len(here), np.uint8)
            table.settle(best, left, *table.parents(quiet), value, rank)
            margins[here], ranks[here] = value, rank
        return {"margin": margins, "rank": ranks}

    def verify(self, sections: Sections, full: bool, report: Report = silent) -> Iterable[str]:
        """The boards whose margin or rank does not follow from their children's, a few of them named."""
        from ._kernel import table  # noqa: PLC0415

        if any(len(sections[name]) != BOARDS for name in ("margin", "rank")):
            yield f"the table does not hold {BOARDS} boards"
            return
        chunks = range(16) if full else SAMPLED_CHUNKS
        for done, chunk in enumerate(chunks):
            report("comparing every board with its children", done / len(chunks))
            first = np.zeros(1, np.int64)
            span = (chunk * CHUNK, (chunk + 1) * CHUNK)
            wrong = table.disagreements(*span, sections["margin"], sections["rank"], first)
            if wrong:
                yield f"{wrong} of {CHUNK} boards from number {span[0]} on are wrong, the first is {first[0]}"

    def counts(self, sections: Sections) -> dict[str, int]:
        """Closed boards by what is to come for the side to move."""
        margins, ranks = np.asarray(sections["margin"]), np.asarray(sections["rank"])
        return {
            "boards": len(margins),
            "ahead": int((margins > 0).sum()),
            "level": int((margins == 0).sum()),
            "behind": int((margins < 0).sum()),
            "most_to_come": int(margins.max()),
            "highest_rank": int(ranks.max()),
        }

    def analyst(self, sections: Sections | None) -> AyoayoAnalyst:
        """The authority on this table, or on search alone."""
        return AyoayoAnalyst(sections)

    def kernel_children(self, position: Position) -> Sequence[tuple[Cell, Position]]:
        """Every legal move with the position after it, by the compiled twin of the rules."""
        from .twin import children  # noqa: PLC0415

        return children(position)

    def warm(self) -> None:
        """Compile or load the search and the minimax."""
        from .twin import warm  # noqa: PLC0415

        warm()

"""Answers for Ayòayò: closed boards (at most 3 seeds in every pit) are looked up in the table, and others are
searched."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from onlymove_engines.core.analysis import UNKNOWN, Analysis, Columns, Section, Summary, Tally, ValueColumns
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.value import Estimate, Seat, Value, other
from onlymove_engines.search.deepening import count_moves, describe_depth, make_summary
from onlymove_engines.search.stop import ready

from . import notation, rules
from .codes import lead, value_of
from .index import INDEX, SHARES, closed_board, closed_number, seen_by
from .live import Interval, MarginSearch, load_deepening, load_search, read_book
from .rules import Cell, Pits, Position


class AyoayoAnalyst:
    """Answers from the table for closed boards, and by search for others. Without a table, it searches for all of
    them."""

    def __init__(self, sections: Columns | None) -> None:
        self.sections = sections
        self.margins = None if sections is None else sections["margin"]
        self.ranks = None if sections is None else sections["rank"]

    def afresh(self) -> AyoayoAnalyst:
        return AyoayoAnalyst(self.sections)

    @cached_property
    def search(self) -> MarginSearch:
        """Return the compiled search. It is made at its first use, because it loads numpy."""
        return MarginSearch(self.margins)

    def is_reachable(self, position: Position) -> bool:
        return True

    @property
    def entries(self) -> int:
        return 0 if self.margins is None else len(self.margins)

    def positions_at(self, numbers: Sequence[int]) -> list[Position]:
        """Return the closed boards with these numbers, as positions with player 0 to move. The captured seeds are
        divided equally, or player 1 has four more, so that neither has won yet. The margin to come does not depend on
        earlier captures."""
        fours = [(rules.SEEDS - sum(closed_board(number))) // rules.CAPTURED_AT for number in numbers]
        return [INDEX.position(number * SHARES + four // 2) for number, four in zip(numbers, fours, strict=True)]

    def list_numbers(self) -> Section:
        """Return the numbers of the positions that `positions_at` makes from the closed boards, in ascending order."""
        import numpy as np  # noqa: PLC0415 - a board of the app needs no numpy for its values

        boards = np.arange(self.entries)
        numbers: Section = boards * SHARES + (rules.SEEDS - count_seeds(boards)) // rules.CAPTURED_AT // 2
        return numbers

    def read_values(self, numbers: Section) -> ValueColumns:
        import numpy as np  # noqa: PLC0415 - as above

        boards, own = np.divmod(numbers, SHARES)
        inside = (numbers >= 0) & (boards < self.entries)
        boards = np.where(inside, boards, 0)
        mine, seeds = own * rules.CAPTURED_AT, count_seeds(boards)
        theirs = rules.SEEDS - seeds - mine
        inside &= theirs >= 0
        margin = np.where(inside, np.asarray(self.margins)[boards].astype(np.int64), 0)
        value = np.where(inside, np.sign(mine - theirs + margin), UNKNOWN).astype(np.int8)
        return ValueColumns(value, None, margin)

    def number_many(self, positions: Sequence[Position]) -> Section:
        from onlymove_engines.search.batch import number_each  # noqa: PLC0415 - as above

        return number_each(INDEX.number, positions)

    def probe(self, position: Position) -> Value | None:
        result = rules.result(position)
        if result is not None:
            return result.value_for(position.to_move)
        margin = self.margin(position.pits, position.to_move)
        return None if margin is None else value_of(position, margin)

    def margin(self, pits: Pits, seat: Seat) -> int | None:
        """Return the margin to come for `seat`, which is to move, if it follows from the final sweep or the table."""
        if not rules.permitted(pits, seat):
            return rules.seeds_of(pits, seat)
        number = closed_number(seen_by(pits, seat))
        return None if number is None or self.margins is None else int(self.margins[number])

    def rank(self, position: Position) -> int | None:
        """Return how many plies away the next capture is. Return 0 if neither side can force a margin, and `None` if
        the board is not in the table."""
        number = closed_number(seen_by(position.pits, position.to_move))
        return None if number is None or self.ranks is None else int(self.ranks[number])

    def analyse(self, position: Position, budget: Budget = UNLIMITED) -> Analysis[Cell]:
        """Return the margin of every legal move, including what the move itself captures."""
        result = rules.result(position)
        if result is not None:
            return Analysis(result.value_for(position.to_move), {})
        worth = self.find_margins(position, budget)
        values = {m: value_of(position, w.low) if w.is_proven else None for m, w in worth.items()}
        estimates = {m: estimate_value(position, w) for m, w in worth.items() if not w.is_proven}
        bounds = (max(w.low for w in worth.values()), max(w.high for w in worth.values()))
        whole = Interval(*bounds, min((w.depth for w in worth.values() if not w.is_proven), default=0))
        value = value_of(position, whole.low) if whole.is_proven else estimate_value(position, whole)
        return Analysis(value, values, estimates, self.note(worth), depth=whole.depth or None)

    def tallies(self, positions: Sequence[Position], budget: Budget = UNLIMITED) -> Sequence[Tally | None]:
        """Count each position's moves by value, as far as the budget settles them. All counts are `None` without the
        table."""
        if self.margins is None:
            return [None] * len(positions)
        return [count_moves(self.analyse(position, budget)) for position in positions]

    def find_margins(self, position: Position, budget: Budget) -> dict[Cell, Interval]:
        seat, opponent = position.to_move, other(position.to_move)
        moves = {move: rules.sow(position.pits, seat, move) for move in rules.legal_moves(position)}
        after = {move: sown for move, sown in moves.items() if sown is not None}  # permitted moves end
        margins = {move: self.margin(sown.pits, opponent) for move, sown in after.items()}
        boards = {move: seen_by(after[move].pits, opponent) for move, margin in margins.items() if margin is None}
        found = self.intervals(position, boards, budget)
        found |= {move: Interval(margin, margin, -1) for move, margin in margins.items() if margin is not None}
        gains = {move: lead(sown.captured, seat) for move, sown in after.items()}
        return {m: Interval(gain - found[m].high, gain - found[m].low, found[m].depth + 1) for m, gain in gains.items()}

    def intervals(self, position: Position, boards: Mapping[Cell, Pits], budget: Budget) -> dict[Cell, Interval]:
        """Return what the book knows or the search proves about the boards after some moves. Each board is seen by its
        side to move."""
        if not boards:
            return {}
        is_limited = budget.depth is not None or budget.nodes is not None
        known = {} if self.margins is None or is_limited else read_book()
        if (found := known.get((position.pits, position.to_move))) is not None:
            depth, margins = found
            return {move: Interval(margin, margin, depth) for move, margin in zip(boards, margins, strict=True)}
        is_deepened = budget.depth is not None or self.margins is None
        if budget.depth is not None:
            budget = replace(budget, depth=max(0, budget.depth - 1))  # The move before the board is a ply, too.
        budget = ready(budget, load_deepening if is_deepened else load_search)
        return dict(zip(boards, self.search.intervals(boards.values(), budget), strict=True))

    def note(self, worth: Mapping[Cell, Interval]) -> str:
        """Say how the answer was found. Empty if it is from the table."""
        open_moves = [w.depth for w in worth.values() if not w.is_proven]
        deepest = max(w.depth for w in worth.values())
        if self.margins is None:
            return describe_depth(min(open_moves, default=deepest))
        if open_moves:
            return f"this is not proven, but was searched to depth {min(open_moves)}"
        return f"proven by search to depth {deepest}" if deepest else ""

    def summarise(self, positions: Sequence[Position]) -> Iterable[Summary]:
        return (make_summary(notation, position, self.analyse(position)) for position in positions)


def count_seeds(numbers: Section) -> Section:
    """Return how many seeds lie on the closed boards with these numbers."""
    known = numbers & 3
    for pit in range(1, 11):
        known = known + (numbers >> 2 * pit & 3)
    found: Section = known + -known % rules.CAPTURED_AT
    return found


def estimate_value(position: Position, interval: Interval) -> Estimate:
    """Estimate the value from bounds on the margin to come, as if every final difference within them were equally
    likely."""
    ahead = lead(position.captured, position.to_move)
    finals = range(interval.low + ahead, interval.high + ahead + 1)
    expected = sum((final > 0) - (final < 0) for final in finals) / len(finals)
    return Estimate(expected, interval.depth)

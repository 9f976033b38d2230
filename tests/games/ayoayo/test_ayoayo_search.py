"""The exact search for boards that are not in the table, its budgets, and what it says without a table."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, TypeAlias

import pytest
from onlymove_engines.core.analysis import Sections
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.value import Estimate, Outcome, Value, other, proven
from onlymove_engines.games.ayoayo import GAME, rules, styles
from onlymove_engines.games.ayoayo._kernel.search import MAX_PLY
from onlymove_engines.games.ayoayo.analyst import AyoayoAnalyst
from onlymove_engines.games.ayoayo.codes import lead
from onlymove_engines.games.ayoayo.index import seen_by
from onlymove_engines.games.ayoayo.live import MarginSearch
from onlymove_engines.games.ayoayo.notation import format_position, parse_position
from onlymove_engines.games.ayoayo.rules import START, Pits, Position
from onlymove_engines.search.deepening import NO_TABLE
from onlymove_laws.law import parametrize_amount

Playouts: TypeAlias = Callable[[int, int], Iterator[tuple[Position, int, Position]]]


def sample_open_positions(playouts: Playouts, count: int, seed: int) -> list[Position]:
    """Return different positions of random play that are not closed, from ply 3 on."""
    found: dict[Position, None] = {}
    ply = 0
    for before, _, _ in playouts(40 * count, seed):
        ply = 0 if before == START else ply + 1
        if ply > 2 and max(before.pits) > 3:
            found[before] = None
        if len(found) == count:
            break
    return list(found)


def test_the_start_and_its_moves(facts: dict[str, Any], analyst: AyoayoAnalyst) -> None:
    analysis = analyst.analyse(START)
    assert analysis.value == proven(Outcome.LOSS, None, facts["values"]["start"])
    margins = [value.margin for value in analysis.moves.values() if value is not None]
    assert margins == facts["values"]["first_moves"]


def plain_margin(pits: Pits, seat: int, analyst: AyoayoAnalyst, known: dict[tuple[Pits, int], int]) -> int:
    """Return the margin by minimax with the plain rules. Every branch is followed down to closed boards."""
    if max(pits) <= 3 or not rules.permitted(pits, seat):
        margin = analyst.margin(pits, seat)
        assert margin is not None
        return margin
    if (pits, seat) not in known:
        best = -100
        for move in rules.permitted(pits, seat):
            sown = rules.sow(pits, seat, move)
            assert sown is not None
            best = max(best, lead(sown.captured, seat) - plain_margin(sown.pits, other(seat), analyst, known))
        known[pits, seat] = best
    return known[pits, seat]


@parametrize_amount("count", 1000, 4000)
def test_search_agrees_with_plain_full_depth_minimax(playouts: Playouts, analyst: AyoayoAnalyst, count: int) -> None:
    known: dict[tuple[Pits, int], int] = {}
    small = [p for p in sample_open_positions(playouts, count, 21) if sum(p.pits) <= 16 and rules.result(p) is None]
    assert len(small) > count // 200
    for position in small[:60]:
        value = analyst.analyse(position).value
        assert isinstance(value, Value)
        assert value.margin == plain_margin(position.pits, position.to_move, analyst, known), format_position(position)


def compare_searches(positions: list[Position], sections: Sections) -> None:
    margins = sections["margin"]
    ways = [(MarginSearch(margins), UNLIMITED), (MarginSearch(margins), Budget(depth=MAX_PLY))]
    for position in positions:
        board = seen_by(position.pits, position.to_move)
        found = [search.intervals([board], budget)[0] for search, budget in ways]
        assert all(interval.is_proven for interval in found), format_position(position)
        assert len({interval.low for interval in found}) == 1, format_position(position)
    assert len({search.nodes for search, _ in ways}) == len(ways)


@pytest.mark.slow
def test_another_search_gives_the_same_margins(playouts: Playouts, sections: Sections) -> None:
    compare_searches(sample_open_positions(playouts, 500, 22), sections)


@pytest.mark.slow
def test_another_search_gives_the_same_margins_on_many_boards(playouts: Playouts, sections: Sections) -> None:
    compare_searches(sample_open_positions(playouts, 10_000, 23), sections)


def test_a_search_that_must_stop_stops_and_claims_nothing(sections: Sections) -> None:
    fresh = AyoayoAnalyst(sections)
    # With the second player to move, the start is not in the opening book.
    position = Position(START.pits, START.captured, 1)
    stopped = fresh.analyse(position, Budget(stop=lambda: True))
    assert isinstance(stopped.value, Estimate)
    assert stopped.moves == dict.fromkeys(range(6))
    assert "not proven" in stopped.note
    assert fresh.search.nodes <= 6
    limited = fresh.analyse(START, Budget(nodes=200))
    assert isinstance(limited.value, Estimate)
    assert fresh.search.nodes <= 200 + 2 * 6
    assert styles.find_exact_moves(START, limited, fresh)
    assert isinstance(fresh.analyse(START).value, Value)


def test_a_reset_analyst_proves_no_more_than_a_new_one(sections: Sections) -> None:
    asked, look, position = (
        AyoayoAnalyst(sections),
        Budget(nodes=2000),
        parse_position("0,1,9,2,1,3/1,0,1,1,2,11 8-8 1"),
    )
    asked.analyse(position, Budget(nodes=30_000))
    assert asked.analyse(position, look).is_complete
    assert not AyoayoAnalyst(sections).analyse(position, look).is_complete
    assert asked.afresh().analyse(position, look) == AyoayoAnalyst(sections).analyse(position, look)


def test_a_deadline_ends_a_search_without_a_table() -> None:
    ticks = iter(range(1000))
    bare = AyoayoAnalyst(None)
    analysis = bare.analyse(START, Budget.seconds(5, lambda: float(next(ticks, 1000))))
    assert NO_TABLE in analysis.note


@pytest.mark.parametrize("depth", [1, 2, 5])
def test_a_search_looks_no_further_than_its_depth(sections: Sections, depth: int) -> None:
    position = rules.play(START, rules.legal_moves(START)[5])
    for analyst in (AyoayoAnalyst(sections), AyoayoAnalyst(None)):
        analysis = analyst.analyse(position, Budget(depth=depth))
        assert analysis.note.endswith(f"searched to depth {depth}")
        assert analysis.depth == depth


def test_without_a_table_every_claimed_value_is_correct(playouts: Playouts, analyst: AyoayoAnalyst) -> None:
    bare, proven = AyoayoAnalyst(None), 0
    for before, _, _ in islice(playouts(900, 24), 0, None, 9):
        exact = analyst.analyse(before)
        found = bare.analyse(before, Budget(nodes=3000))
        assert list(found.moves) == list(exact.moves)
        for move, value in found.moves.items():
            proven += value is not None
            assert value in (None, exact.moves[move]), format_position(before)
        assert set(styles.find_exact_moves(before, found, bare)) <= set(exact.moves)
    assert proven > 0


@pytest.mark.parametrize(
    ("text", "result", "score"),
    [
        ("0,0,0,0,0,0/1,0,2,1,0,0 24-20 1", Outcome.DRAW, 4),
        ("1,1,1,1,0,0/1,1,1,1,0,0 28-12 1", Outcome.LOSS, 0),
        ("0,3,0,0,0,0/0,0,0,0,0,0 21-24 1", Outcome.WIN, 0),
    ],
)
def test_finished_positions(analyst: AyoayoAnalyst, text: str, result: Outcome, score: int) -> None:
    position = parse_position(text)
    analysis = analyst.analyse(position)
    assert analysis.moves == {}
    assert isinstance(analysis.value, Value)
    assert analysis.value.outcome is result
    assert GAME.solved.score is not None
    assert GAME.solved.score(position, analysis.value) == score
    (row,) = analyst.summarise([position])
    assert (row.moves, row.keeping, row.best) == ("0", "0", "-")


def test_outcome_is_the_sign_of_the_final_difference(playouts: Playouts, analyst: AyoayoAnalyst) -> None:
    for before, _, _ in islice(playouts(1000, 25), 0, None, 5):
        value = analyst.analyse(before).value
        assert isinstance(value, Value)
        assert value.margin is not None
        final = lead(before.captured, before.to_move) + value.margin
        assert value.outcome == (final > 0) - (final < 0), format_position(before)

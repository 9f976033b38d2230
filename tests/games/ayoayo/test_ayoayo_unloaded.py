"""Before the compiled search is loaded, answers are the same as those of the compiled search, up to the ply."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from onlymove_engines.core.analysis import Sections
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.games.ayoayo import GAME, rules
from onlymove_engines.games.ayoayo.analyst import AyoayoAnalyst
from onlymove_engines.games.ayoayo.index import seen_by
from onlymove_engines.games.ayoayo.live import Interval, PlainSearch, Spent, Unloaded, read_book
from onlymove_engines.games.ayoayo.rules import SEEDS, START, Cell, Pits, Position
from onlymove_tui.cli import console, run

from tests.loads import loads

BOOKED = 3
"""How many plies have their positions in the book: the start, and after one and two moves."""

FEW_NODES, POSITIONS = 200, 400


@pytest.fixture(scope="module")
def compiled(sections: Sections) -> AyoayoAnalyst:
    """Return an analyst that uses only the compiled search."""
    analyst = AyoayoAnalyst(sections)
    analyst.unloaded = None
    return analyst


@pytest.fixture
def unloaded(sections: Sections, monkeypatch: pytest.MonkeyPatch) -> Unloaded:
    """Return a search that answers as if nothing were loaded."""
    monkeypatch.setattr("onlymove_engines.games.ayoayo.live.is_loaded", lambda: False)
    return Unloaded(sections["margin"])


def open_boards(analyst: AyoayoAnalyst, position: Position) -> dict[Cell, Pits]:
    """Return the boards after the moves that lead out of the table, seen by the other side."""
    sown = {move: rules.sow(position.pits, position.to_move, move) for move in rules.legal_moves(position)}
    boards = {move: found.pits for move, found in sown.items() if found is not None}
    there = 1 - position.to_move
    return {move: seen_by(pits, there) for move, pits in boards.items() if analyst.margin(pits, there) is None}


def test_the_book_says_what_search_says(compiled: AyoayoAnalyst) -> None:
    for (pits, seat), (depth, margins) in read_book().items():
        position = Position(pits, (SEEDS - sum(pits), 0), seat)
        compiled.search.forget()
        found = compiled.intervals(position, open_boards(compiled, position), UNLIMITED).values()
        told = max(interval.depth for interval in found), tuple(interval.low for interval in found)
        assert all(interval.is_proven for interval in found)
        assert told == (depth, margins), f"{position}: the line ends with {told[0]} {' '.join(map(str, told[1]))}"


def test_the_book_has_the_whole_opening(compiled: AyoayoAnalyst) -> None:
    layer, expected = [START], set()
    for _ in range(BOOKED):
        expected |= {(here.pits, here.to_move) for here in layer if open_boards(compiled, here)}
        layer = [rules.play(here, move) for here in layer for move in rules.legal_moves(here)]
    assert read_book().keys() == expected


def early(lots: Random) -> Position:
    """Return a position after some of the first moves of a random game."""
    position = START
    for _ in range(lots.randrange(BOOKED, 12)):
        if moves := rules.legal_moves(position):
            position = rules.play(position, lots.choice(moves))
    return position


def test_plain_search_is_the_compiled_search(compiled: AyoayoAnalyst) -> None:
    lots, searched = Random(8), 0
    assert compiled.margins is not None
    for position in [early(lots) for _ in range(POSITIONS)]:
        boards = open_boards(compiled, position)
        compiled.search.forget()
        expected = compiled.intervals(position, boards, UNLIMITED)
        if not 0 < compiled.search.nodes <= FEW_NODES:
            continue
        plain = PlainSearch(compiled.margins, compiled.search.nodes)
        margins = map(plain.pin, boards.values())
        found = {move: Interval(low, low, depth) for move, (low, depth) in zip(boards, margins, strict=True)}
        assert (found, plain.nodes) == (expected, compiled.search.nodes), position
        with pytest.raises(Spent):
            list(map(PlainSearch(compiled.margins, plain.nodes - 1).pin, boards.values()))
        searched += 1
    assert searched > POSITIONS // 8


def test_one_answer_needs_neither_numpy_nor_numba() -> None:
    assert loads("numpy numba llvmlite", "analyse", GAME.id, "--json") == []


@pytest.mark.parametrize(
    "budget",
    [Budget(depth=3), Budget(nodes=100), replace(UNLIMITED, deadline=0.5, clock=float), Budget(stop=lambda: True)],
)
def test_whoever_is_short_of_time_is_searched_for(budget: Budget, unloaded: Unloaded, analyst: AyoayoAnalyst) -> None:
    boards = open_boards(analyst, START)
    assert unloaded.intervals(START, boards, UNLIMITED) is not None
    assert unloaded.intervals(START, boards, budget) is None


def test_more_than_a_few_boards_are_left_to_the_compiled_search(unloaded: Unloaded, analyst: AyoayoAnalyst) -> None:
    turned = Position(START.pits, START.captured, 1)
    assert unloaded.intervals(turned, open_boards(analyst, turned), UNLIMITED) is None


@pytest.mark.parametrize("command", ["analyse", "explore"])
@pytest.mark.usefixtures("unloaded")
def test_the_start_is_answered_from_the_book_and_nothing_is_compiled(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[object] = []
    monkeypatch.setattr(console, "ready_kernels", asked.append)
    assert run([command, GAME.id]) == 0
    assert "-4 points to come" in capsys.readouterr().out
    assert asked == []

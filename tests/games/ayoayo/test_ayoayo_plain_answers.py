"""Before the compiled search is loaded, plain Python gives the same answers, to the ply."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from onlymove_engines.core.analysis import Sections
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.games.ayoayo import GAME, rules
from onlymove_engines.games.ayoayo.analyst import AyoayoAnalyst
from onlymove_engines.games.ayoayo.index import seen_by
from onlymove_engines.games.ayoayo.live import Interval, PlainAnswers, PlainSearch, Spent, read_book
from onlymove_engines.games.ayoayo.rules import SEEDS, START, Cell, Pits, Position
from onlymove_tui.cli import console, run

from tests.loads import loads

BOOK_PLIES = 3
"""How many plies have their positions in the book: the start, and after one and two moves."""

FEW_NODES, POSITIONS = 200, 400


@pytest.fixture(scope="module")
def compiled_analyst(sections: Sections) -> AyoayoAnalyst:
    """Return an analyst that uses only the compiled search."""
    analyst = AyoayoAnalyst(sections)
    analyst.plain_answers = None
    return analyst


@pytest.fixture
def plain_answers(sections: Sections, monkeypatch: pytest.MonkeyPatch) -> PlainAnswers:
    """Return a search that answers as if nothing were loaded."""
    monkeypatch.setattr("onlymove_engines.games.ayoayo.live.is_loaded", lambda: False)
    return PlainAnswers(sections["margin"])


def open_boards(analyst: AyoayoAnalyst, position: Position) -> dict[Cell, Pits]:
    """Return the boards after the moves that lead out of the table, seen by the other side."""
    sown = {move: rules.sow(position.pits, position.to_move, move) for move in rules.legal_moves(position)}
    boards = {move: found.pits for move, found in sown.items() if found is not None}
    there = 1 - position.to_move
    return {move: seen_by(pits, there) for move, pits in boards.items() if analyst.margin(pits, there) is None}


def test_the_book_agrees_with_the_compiled_search(compiled_analyst: AyoayoAnalyst) -> None:
    for (pits, seat), (depth, margins) in read_book().items():
        position = Position(pits, (SEEDS - sum(pits), 0), seat)
        compiled_analyst.search.forget()
        found = compiled_analyst.intervals(position, open_boards(compiled_analyst, position), UNLIMITED).values()
        depth_and_margins = max(interval.depth for interval in found), tuple(interval.low for interval in found)
        assert all(interval.is_proven for interval in found)
        assert depth_and_margins == (depth, margins), f"the line of {position} should end with {depth_and_margins}"


def test_the_book_has_every_position_of_the_opening(compiled_analyst: AyoayoAnalyst) -> None:
    layer, expected = [START], set()
    for _ in range(BOOK_PLIES):
        expected |= {(here.pits, here.to_move) for here in layer if open_boards(compiled_analyst, here)}
        layer = [rules.play(here, move) for here in layer for move in rules.legal_moves(here)]
    assert read_book().keys() == expected


def play_first_moves(dice: Random) -> Position:
    """Return a position after some of the first moves of a random game."""
    position = START
    for _ in range(dice.randrange(BOOK_PLIES, 12)):
        if moves := rules.legal_moves(position):
            position = rules.play(position, dice.choice(moves))
    return position


def test_the_plain_search_visits_the_nodes_of_the_compiled_search(compiled_analyst: AyoayoAnalyst) -> None:
    dice, searched = Random(8), 0
    assert compiled_analyst.margins is not None
    for position in [play_first_moves(dice) for _ in range(POSITIONS)]:
        boards = open_boards(compiled_analyst, position)
        compiled_analyst.search.forget()
        expected = compiled_analyst.intervals(position, boards, UNLIMITED)
        if not 0 < compiled_analyst.search.nodes <= FEW_NODES:
            continue
        plain = PlainSearch(compiled_analyst.margins, compiled_analyst.search.nodes)
        margins = map(plain.pin, boards.values())
        found = {move: Interval(low, low, depth) for move, (low, depth) in zip(boards, margins, strict=True)}
        assert (found, plain.nodes) == (expected, compiled_analyst.search.nodes), position
        with pytest.raises(Spent):
            list(map(PlainSearch(compiled_analyst.margins, plain.nodes - 1).pin, boards.values()))
        searched += 1
    assert searched > POSITIONS // 8


def test_one_answer_loads_neither_numpy_nor_numba() -> None:
    assert loads("numpy numba llvmlite", "analyse", GAME.id, "--json") == []


@pytest.mark.parametrize(
    "budget",
    [Budget(depth=3), Budget(nodes=100), replace(UNLIMITED, deadline=0.5, clock=float), Budget(stop=lambda: True)],
)
def test_a_limited_budget_is_left_to_the_compiled_search(
    budget: Budget, plain_answers: PlainAnswers, analyst: AyoayoAnalyst
) -> None:
    boards = open_boards(analyst, START)
    assert plain_answers.intervals(START, boards, UNLIMITED) is not None
    assert plain_answers.intervals(START, boards, budget) is None


def test_a_search_that_takes_long_is_left_to_the_compiled_search(
    plain_answers: PlainAnswers, analyst: AyoayoAnalyst
) -> None:
    turned = Position(START.pits, START.captured, 1)
    assert plain_answers.intervals(turned, open_boards(analyst, turned), UNLIMITED) is None


@pytest.mark.parametrize("command", ["analyse", "explore"])
@pytest.mark.usefixtures("plain_answers")
def test_the_start_is_answered_from_the_book_without_compiling(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[object] = []
    monkeypatch.setattr(console, "ready_kernels", asked.append)
    assert run([command, GAME.id]) == 0
    assert "-4 points to come" in capsys.readouterr().out
    assert asked == []

"""The opening book gives the answers of the compiled search, up to the ply, and nothing has to be loaded for them."""

from __future__ import annotations

from pathlib import Path

import pytest
from onlymove_engines.core.analysis import Sections
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.games.ayoayo import GAME, rules
from onlymove_engines.games.ayoayo.analyst import AyoayoAnalyst
from onlymove_engines.games.ayoayo.index import seen_by
from onlymove_engines.games.ayoayo.live import MarginSearch, read_book
from onlymove_engines.games.ayoayo.rules import SEEDS, START, Cell, Pits, Position
from onlymove_engines.live.engine import warm_up
from onlymove_tables.kernels import cache
from onlymove_tui.cli import run

BOOKED = 3
"""How many plies have their positions in the book: the start, and after one and two moves."""


def open_boards(analyst: AyoayoAnalyst, position: Position) -> dict[Cell, Pits]:
    """Return the boards after the moves that lead out of the table, seen by the other side."""
    sown = {move: rules.sow(position.pits, position.to_move, move) for move in rules.legal_moves(position)}
    boards = {move: found.pits for move, found in sown.items() if found is not None}
    there = 1 - position.to_move
    return {move: seen_by(pits, there) for move, pits in boards.items() if analyst.margin(pits, there) is None}


def test_the_book_agrees_with_the_search(analyst: AyoayoAnalyst) -> None:
    for (pits, seat), (depth, margins) in read_book().items():
        position, search = Position(pits, (SEEDS - sum(pits), 0), seat), MarginSearch(analyst.margins)
        found = search.intervals(open_boards(analyst, position).values(), UNLIMITED)
        line = max(interval.depth for interval in found), tuple(interval.low for interval in found)
        assert all(interval.is_proven for interval in found)
        assert line == (depth, margins), f"{position}: the line ends with {line[0]} {' '.join(map(str, line[1]))}"


def test_the_book_has_the_whole_opening(analyst: AyoayoAnalyst) -> None:
    layer, expected = [START], set()
    for _ in range(BOOKED):
        expected |= {(here.pits, here.to_move) for here in layer if open_boards(analyst, here)}
        layer = [rules.play(here, move) for here in layer for move in rules.legal_moves(here)]
    assert read_book().keys() == expected


@pytest.mark.parametrize("budget", [Budget(depth=3), Budget(nodes=100)])
def test_a_limited_search_does_not_use_the_book(budget: Budget, sections: Sections) -> None:
    assert not AyoayoAnalyst(sections).analyse(START, budget).is_complete


def test_a_game_begins_without_the_compiled_search(sections: Sections) -> None:
    analyst = AyoayoAnalyst(sections)
    warm_up(GAME, analyst)
    assert "search" not in vars(analyst)


@pytest.mark.parametrize("command", ["analyse", "explore"])
def test_the_start_is_answered_from_the_book_and_nothing_is_compiled(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "kernels"))
    assert run([command, GAME.id]) == 0
    assert "-4 points to come" in capsys.readouterr().out
    assert not (tmp_path / "kernels").exists()

"""How moves are counted is told once, where a game first says how far away something is, and in the help."""

from __future__ import annotations

from pathlib import Path

import pytest
from onlymove_engines.core.words import BOTH_COUNT, ROUND_COUNTS, mentions_distance
from onlymove_engines.games import list_own_games, load
from onlymove_tui.app.panels.game_rows import add_after_distance, wrap
from onlymove_tui.cli import run
from onlymove_tui.play.phrases import describe_counting

from tests.commands import give_input, install_games
from tests.heap_game import heap_game, settle
from tests.tui.pilots import make_board_app, make_menu_app, notice, press, text
from tests.tui.pilots import settle as settle_app

BAD, TAKE_BACK = ("right", "enter", "3"), "u"
BRIEFLY = "(both sides' moves)"


def words_of(shown: str) -> str:
    return " ".join(shown.split())


async def test_the_first_distance_beside_a_board_comes_with_how_moves_are_counted() -> None:
    app = make_board_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await settle_app(pilot)
        assert BOTH_COUNT not in words_of(text(app)), "nothing was counted yet"
        await press(pilot, *BAD)
        note = words_of(app.screen.query_one("#note").text())  # type: ignore[attr-defined]
        assert mentions_distance(note)
        assert BOTH_COUNT in note
        await press(pilot, TAKE_BACK, "m", *"R1", "enter", "h")
        assert mentions_distance(text(app))
        assert BOTH_COUNT not in words_of(text(app)), "it is told once"


async def test_it_is_not_told_again_in_the_next_game() -> None:
    app = make_board_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, *BAD, TAKE_BACK, "m", *"R1", "enter", "q", "n", "enter")
        await settle_app(pilot)
        await press(pilot, "m", *"R1", "enter", "h")
        assert BOTH_COUNT not in words_of(text(app))


async def test_on_a_small_screen_the_line_under_the_board_says_it_briefly() -> None:
    app = make_board_app()
    async with app.run_test(size=(60, 20)) as pilot:
        await press(pilot, "h")
        assert mentions_distance(notice(app))
        assert BRIEFLY in notice(app)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)], ids=str)
async def test_the_help_of_every_screen_says_it(size: tuple[int, int]) -> None:
    for app in (make_board_app(), make_menu_app()):
        async with app.run_test(size=size) as pilot:
            await settle_app(pilot)
            await press(pilot, "?")
            if size[0] == 60:
                await press(pilot, "end")
            assert f"{BOTH_COUNT} {ROUND_COUNTS}" in words_of(text(app))


def test_in_line_mode_it_follows_the_first_distance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settle(tmp_path, monkeypatch)
    install_games(monkeypatch, heap_game())
    give_input(monkeypatch, "hint\nvalues\nhelp\n")
    assert run(["play", "heap", "--plain", "--seats", "human,human", "--from", "7 0"]) == 0
    lines = capsys.readouterr().out.splitlines()
    first = next(place for place, line in enumerate(lines) if mentions_distance(line))
    assert lines[first + 1] == BOTH_COUNT
    *_, helped, last = [place for place, line in enumerate(lines) if line == BOTH_COUNT or line.startswith("Type a")]
    assert last == helped + 1, "and the help ends with it"
    assert lines.count(BOTH_COUNT) == 2


def test_every_game_counts_as_its_sides_move() -> None:
    for facts in list_own_games():
        game = load(facts.id)
        assert describe_counting(game) == (ROUND_COUNTS if facts.simultaneous else BOTH_COUNT)


@pytest.mark.parametrize(
    ("told", "counted"),
    [
        ("Win in 16 moves", True),
        ("the win takes 1 move longer", True),
        ("lasts at most 12 moves", True),
        ("Estimated 6 moves ahead", True),
        ("W5", True),
        ("3 of 26 moves draw", False),
        ("22 of 25 moves were good", False),
        ("2 moves played", False),
    ],
)
def test_a_distance_is_told_from_a_number_of_moves(told: str, counted: bool) -> None:
    assert mentions_distance(told) is counted


def test_a_sentence_is_not_torn_apart() -> None:
    rows = [*wrap("Win in 16 moves. Every move wins.", 20), *wrap("1 a1 win", 20)]
    place = len(wrap("Win in 16 moves. Every move wins.", 20))
    added = wrap(BOTH_COUNT, 20)
    assert add_after_distance(rows, added) == [*rows[:place], *added, *rows[place:]]
    assert add_after_distance(rows[place:], added) == [*rows[place:], *added]

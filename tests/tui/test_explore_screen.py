"""The explorer on the screen: going down and back up, where it opens, and what can be done from a position."""

from __future__ import annotations

import threading
from itertools import product
from pathlib import Path

import pytest
from onlymove.pictures.colours import Tone
from onlymove_engines.coach.drill import Drill, Origin
from onlymove_engines.coach.explore import Choice
from onlymove_engines.core.analysis import Report, ignore_report
from onlymove_engines.core.game import AnyGame
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.panels.explore_rows import Branch, branch_row
from onlymove_tui.app.screens import explore
from onlymove_tui.app.screens.drill import DrillScreen
from onlymove_tui.app.screens.explore import ExploreScreen, GoToScreen
from onlymove_tui.app.screens.menu import MenuScreen
from onlymove_tui.app.screens.play import PlayScreen
from onlymove_tui.app.screens.review import ReviewScreen
from onlymove_tui.app.services import AnalystFound

from tests.amounts import parametrize_sample
from tests.tui.pilots import (
    FRIENDS,
    board,
    make_board_app,
    make_key,
    make_menu_app,
    make_settings,
    notice,
    press,
    press_at_once,
    session,
    settle,
    store_at,
    text,
    wait_until,
)
from tests.tui.saved_sessions import GAME_IDS
from tests.tui.screen_checks import SIZES, find_faults_at
from tests.tui.tiny_duel import tiny_duel

GOOD = ("right", "enter", "1")


def explorer(app: OnlymoveApp) -> ExploreScreen:
    """Return the open explorer."""
    assert isinstance(app.screen, ExploreScreen)
    return app.screen


def place(app: OnlymoveApp) -> str:
    """Return the position on its board, as text."""
    trail = explorer(app).trail
    return trail.game.notation.format_position(trail.position)


async def test_it_says_what_delays_the_values() -> None:
    is_solved = threading.Event()

    def solve(game: AnyGame, report: Report = ignore_report) -> AnalystFound:
        report("solving the game (first run only)", 0.25)
        is_solved.wait()
        return None, ""

    app = make_menu_app()
    app.services.find_analyst = solve
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("up", "X")
        await wait_until(pilot, lambda: "Solving the game (first run only): 25%." in " ".join(text(app).split()))
        is_solved.set()


async def test_from_the_menu_the_list_leads_down_and_backspace_up() -> None:
    app = make_menu_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "up", "X")
        assert place(app) == "3,4 0"
        shown = text(app)
        assert "Left: win in 7 moves" in shown
        assert "1 of 7 moves keeps the result." in " ".join(shown.split())
        assert "W7   R1" in shown, shown
        assert "R1  win in 7 moves  all 6 replies lose" in notice(app)
        await press(pilot, "down", "enter")
        assert place(app) == "2,4 1"
        assert "1. L1" in text(app), "the way here is shown"
        assert "after 1 move" in text(app)
        await press(pilot, "backspace")
        assert place(app) == "3,4 0"
        assert "▸ L6   L1" in text(app), "the move that led there is marked again"
        await press(pilot, "backspace")
        assert "This is the first position." in notice(app)
        await press(pilot, "q")
        assert isinstance(app.screen, MenuScreen)


async def test_quick_keys_act_on_the_rows_they_were_meant_for() -> None:
    app = make_menu_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press_at_once(pilot, "up", "X", "enter", "down", "enter", "enter", "backspace")
        trail = explorer(app).trail
        assert trail.moves == [("R", 1), ("R", 1)]


async def test_a_move_or_a_position_can_be_typed() -> None:
    app = make_menu_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "up", "X", "m", *"R1", "enter")
        assert place(app) == "3,3 1"
        await press(pilot, "m", *"1,1 0", "enter")
        assert place(app) == "1,1 0"
        await press(pilot, "m", *"zz", "enter")
        assert "Not a move" in notice(app)
        await press(pilot, "escape", "backspace")
        assert place(app) == "3,3 1", "back from where a jump has led"


async def test_at_the_end_of_the_game_there_is_nowhere_to_go_but_back() -> None:
    app = make_menu_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "up", "X", "m", *"0,1 0", "enter", "enter")
        assert "Left wins: took the last" in text(app)
        words = [word for _, word in explorer(app).footer()]
        assert words == ["undo", "go to", "back", "keys"], "what cannot be done is not offered"
        await press(pilot, "enter", "w", "d", "p")
        assert isinstance(app.screen, ExploreScreen)
        await press(pilot, "home")
        assert place(app) == "0,1 0"


async def test_a_training_game_is_explored_under_way_afterwards_and_in_review() -> None:
    app = make_board_app(make_settings(training=False))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, *GOOD, "X")
        assert isinstance(app.screen, ExploreScreen)
        await press(pilot, "q")
        assert isinstance(app.screen, PlayScreen)
        assert board(app).live.node.hinted == {0}, "a move that was looked up counts in no figure"
        await press(pilot, "R", "R", "X")
        assert isinstance(app.screen, ExploreScreen)
        assert "1. R1" in text(app), "from where the game stands"
        await press(pilot, "q")
        assert isinstance(app.screen, PlayScreen)
        await press(pilot, "e", "home", "right", "X")
        assert place(app) == "3,3 1"
        await press(pilot, "q")
        assert isinstance(app.screen, ReviewScreen)


async def test_two_people_explore_only_afterwards() -> None:
    app = make_board_app(make_settings(training=True), players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, *GOOD, "X", "e", "X")
        assert isinstance(app.screen, ReviewScreen)
        await press(pilot, "q", "R", "R", "X")
        assert isinstance(app.screen, ExploreScreen)


async def test_a_game_can_be_played_from_here_and_the_way_gone_through() -> None:
    app = make_menu_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "up", "X", "down", "enter", "e")
        assert isinstance(app.screen, ReviewScreen)
        assert [node.move for node in app.screen.live.session.node.path()][1:] == [("L", 1)]
        await press(pilot, "escape", "p")
        assert session(app).list_moves()[0] == ("L", 1)
        assert session(app).human_seats == (1,), "the person is to move"
        assert board(app).live.node.path()[1].players_at_move is None, (
            "nobody made that move at a table: it does not count"
        )
        await press(pilot, "q")
        assert place(app) == "2,4 1", "back to where the game was begun"
        await press(pilot, "e", "end", "p")
        assert session(app).list_moves()[0] == ("L", 1), "from the end of the way, too"
        await press(pilot, "q")
        assert isinstance(app.screen, ReviewScreen), "back to where this one was begun"
        await press(pilot, "q", "q")
        assert isinstance(app.screen, MenuScreen)


async def test_a_game_that_was_played_from_here_is_counted_here(tmp_path: Path) -> None:
    app = make_menu_app(make_settings(training=False), store=store_at(tmp_path / "games.sqlite"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "up", "X")
        assert "Your games here" not in text(app)
        await press(pilot, "p", *GOOD, "R", "R")
        assert "q back" in notice(app)
        await press(pilot, "q")
        assert "Your games here" in text(app)


async def test_however_often_games_are_begun_from_the_explorer_one_step_back_is_the_explorer() -> None:
    app = make_menu_app(make_settings(training=False))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "up", "X")
        for _ in range(4):
            await press(pilot, "p", "R", "R", "X")
        assert len(app.screen_stack) <= 6, "what is below is let go"
        await press(pilot, "p", "q")
        assert isinstance(app.screen, ExploreScreen)


async def test_a_position_becomes_a_drill_however_many_are_due(tmp_path: Path) -> None:
    store = store_at(tmp_path / "games.sqlite")
    store.drills.add(Drill("tiny", f"older {number}", 0, Origin.HOLD) for number in range(60))
    app = make_menu_app(store=store)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "up", "X", "d")
        assert isinstance(app.screen, DrillScreen)
        await press(pilot, "q")
        assert isinstance(app.screen, ExploreScreen)
        await press(pilot, "enter", "d")
        assert "most moves are right" in notice(app)


def test_numbers_beside_a_move_are_put_into_words_where_they_fit() -> None:
    for width, moves, words in (
        (60, 17, "9 of 17 replies are good"),
        (24, 17, "9/17"),
        (60, 9, "9 of 9 replies are good"),
    ):
        branch = Branch("R1", "R1", "W3", Tone.WIN, Choice(moves, 9))
        assert words in "".join(run for run, _ in branch_row(branch, 5, 2, width))


async def test_proven_facts_on_the_marked_move_are_shown_on_demand() -> None:
    app = make_menu_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await press(pilot, "up", "X", "down")
        assert "nly one good move" in text(app)
        await press(pilot, "w")
        assert "Only R1 " in text(app)
        assert "nly one good move" not in text(app)
        first = dict(explorer(app).why)
        await press(pilot, "down")
        assert explorer(app).why != first
        await press(pilot, "w")
        assert "Only R1 " not in text(app)


async def test_reasons_that_nobody_waited_for_are_looked_up_again(monkeypatch: pytest.MonkeyPatch) -> None:
    app, asked, may_end = make_menu_app(), list[str](), threading.Event()

    def read_slowly(*given: object) -> tuple[str, ...]:
        asked.append(str(given[-1]))
        may_end.wait()
        return (f"About {given[-1]}.",)

    monkeypatch.setattr(explore, "read_why", read_slowly)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await press(pilot, "up", "X")
        app.post_message(make_key("w"))
        await wait_until(pilot, lambda: len(asked) == 1)
        app.post_message(make_key("down"))
        await wait_until(pilot, lambda: len(asked) == 2)
        may_end.set()
        await settle(pilot)
        assert f"About {asked[1]}." in text(app)
        await press(pilot, "up")
        assert f"About {asked[0]}." in text(app)
        await press(pilot, "down")
        assert f"About {asked[1]}." in text(app)
        assert len(asked) == 3


async def test_a_random_position_can_be_opened() -> None:
    app = make_menu_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "up", "X", "g")
        assert isinstance(app.screen, GoToScreen)
        await press(pilot, *(["down"] * 3), "enter")
        assert "a lost position" in text(app)
        assert "loss in" in text(app)
        await press(pilot, "g", "enter")
        assert place(app) == "3,4 0"


async def test_moves_that_are_alike_by_symmetry_share_a_line() -> None:
    app = make_menu_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await press(pilot, *["down"] * GAME_IDS.index("orbito"), "X")
        lines = [line for line in text(app).splitlines() if line.strip("▸ ").startswith("W16")]
        assert len(lines) == 4, "a corner, two kinds of edges and the centre, each with its quarter turns"
        assert all("4 alike" in line for line in lines), lines
        assert "4 moves are alike" in notice(app)
        await press(pilot, "m", *"d4", "enter", "backspace")
        marked = [line for line in text(app).splitlines() if line.startswith(" ▸ ")]
        assert ["a1" in line for line in marked] == [True], "what is alike is marked by the line that stands for it"
        await press(pilot, "m", *"b1", "enter")
        assert "alike" not in text(app), "nothing is alike once the symmetry is broken"


@pytest.mark.parametrize(("game", "worth"), [("tobito", "to move: draw"), ("orbito", "win in 16 moves")])
async def test_no_line_beside_the_board_is_cut(game: str, worth: str) -> None:
    app = make_menu_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await press(pilot, *["down"] * GAME_IDS.index(game), "X")
        assert worth in text(app)
        assert "…" not in text(app)


async def test_where_both_move_at_once_a_round_is_chosen() -> None:
    app = make_menu_app(games=(tiny_duel(),))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "up", "X")
        shown = text(app)
        assert "● Even: 50 %\n  a 50 %, b 50 %\n○ Odd: 50 %\n  a 50 %, b 50 %\nEven's share:\n" in shown
        assert "then Even scores" in shown
        await pilot.resize_terminal(120, 40)
        await settle(pilot)
        assert "a 50 %, b 50 % of the time" in text(app)
        assert "Even's share of the points:" in text(app)
        first = place(app)
        await press(pilot, "enter")
        assert place(app) != first


@parametrize_sample(
    ("sizes", "number", "ascii_only"), [(2, 0, False)], product([len(SIZES)], range(len(GAME_IDS)), [False, True])
)
async def test_the_explorer_is_whole_at_every_size(sizes: int, number: int, ascii_only: bool) -> None:
    """In quick runs, only the first game is tested."""
    app, found = make_menu_app(ascii_only=ascii_only), dict[str, None]()
    stops = {"start": (), "values": ("v",), "down": ("down", "enter"), "go to": ("g",), "drawn": ("up", "enter"),
             "reasons": ("down", "w")}  # fmt: skip
    async with app.run_test(size=SIZES[0]) as pilot:
        await settle(pilot)
        await press(pilot, *["down"] * number, "X")
        for name, keys in stops.items():
            await press(pilot, *keys)
            for size in SIZES[:sizes]:
                for fault in await find_faults_at(pilot, app, size, small_board=True):
                    found[f"{name}, {size[0]}x{size[1]}: {fault}"] = None
    assert not found, "\n".join(found)

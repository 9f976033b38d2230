"""Setting up a position by keys in the running app, from the explorer and back to it."""

from __future__ import annotations

import pytest
from onlymove_engines.games import list_games
from onlymove_laws.law import parametrize_amount
from onlymove_tui.app.screens.explore import ExploreScreen, SetUpScreen

from tests.tui.pilots import make_menu_app, notice, press, press_at_once, settle, text
from tests.tui.screen_checks import SIZES, find_faults_at


async def test_letters_place_pieces_and_faults_are_reported() -> None:
    app = make_menu_app(games=())
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, *["down"] * [facts.id for facts in list_games()].index("tobito"), "X", "s")
        assert isinstance(app.screen, SetUpScreen)
        assert "This position is legal." in notice(app)
        await press(pilot, "enter")
        assert isinstance(app.screen, ExploreScreen)
        assert "a position you set up" not in text(app), "nothing was done with it"
        await press(pilot, "s", "T")
        assert "There must be 3 pawns of Top on the board, not 4." in notice(app)
        assert "TTT/.../.../.../TBB T" in text(app)
        await press(pilot, "enter")
        assert isinstance(app.screen, SetUpScreen), "what is no position is not explored"
        await press_at_once(
            pilot, "z", "T", "right", "T", "up", "T", "left", "B", "up", "B", "right", "B", "t", "enter"
        )
        assert isinstance(app.screen, ExploreScreen)
        assert "a position you set up" in text(app)
        assert app.screen.trail.game.notation.format_position(app.screen.trail.position) == ".../.../BB./BT./TT. B"
        await press(pilot, "backspace")
        assert app.screen.trail.game.notation.format_position(app.screen.trail.position) == "TTT/.../.../.../BBB T"
        await press_at_once(pilot, "enter", "s", "T", "q", "backspace", "down")
        assert isinstance(app.screen, ExploreScreen), (
            "what is left is the screen that was open when the key was pressed"
        )
        assert app.screen.trail.moves == []


async def test_on_a_low_terminal_the_cursor_is_seen_on_every_row() -> None:
    app = make_menu_app(games=())
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        await press(pilot, *["down"] * [facts.id for facts in list_games()].index("tobito"), "X", "s")
        for row in range(5):
            drawn = text(app)
            assert "┏" in drawn or "┗" in drawn, f"no cursor in row {row + 1}:\n{drawn}"
            await press(pilot, "up")


async def test_a_position_that_no_game_leads_to_is_refused() -> None:
    app = make_menu_app(games=())
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, *["down"] * [facts.id for facts in list_games()].index("tobito"), "X")
        await press(pilot, "m", *"BBB/.../.../.../TTT T", "enter")
        assert "Unreachable" in notice(app)
        assert "All 7 moves keep the result." in " ".join(text(app).split()), "the board stays as it was"


@pytest.mark.parametrize("number", range(len(list_games())))
@parametrize_amount("sizes", 2, len(SIZES))
async def test_the_board_is_whole_at_every_size(sizes: int, number: int) -> None:
    app, found = make_menu_app(games=()), dict[str, None]()
    async with app.run_test(size=SIZES[0]) as pilot:
        await settle(pilot)
        await press(pilot, *["down"] * number, "X", "s")
        if isinstance(app.screen, SetUpScreen):
            for size in SIZES[:sizes]:
                found |= {f"{size}: {fault}": None for fault in await find_faults_at(pilot, app, size, True)}
    assert not found, "\n".join(found)

"""Every sentence, footer and help line that names a key names the key of its command, whatever keys the player has."""

from __future__ import annotations

from onlymove_engines.coach.drill import Drill, Origin
from onlymove_tui.play.training import Practice
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.learning import Due
from onlymove_tui.store.settings import Keys

from tests.tui.pilots import FRIENDS, make_board_app, make_menu_app, make_settings, notice, press, settle, text


async def test_a_drill_names_the_key_for_a_hint_that_the_preset_has() -> None:
    app = make_board_app(make_settings(keys=Keys.VI), players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        services, drill = app.services, Drill("tiny", "3,4 0", 0, Origin.HOLD)
        practice = Practice([Due(1, drill, 0, 0)], services.library.find_game, services.preferences.coaching())
        app.open("drill", practice)
        await settle(pilot)
        await press(pilot, "v")
        assert "Find a move first; press H for a hint." in notice(app)


async def test_a_question_names_the_key_that_the_player_has_chosen_for_its_answer() -> None:
    app = make_board_app(make_settings(keymap={"resign": "ctrl+r"}))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "ctrl+r")
        assert "Resign? Press Ctrl+R again to confirm, any other key to continue." in notice(app)


async def test_the_menu_offers_nothing_for_the_game_to_resume_that_works_only_for_a_kind_of_game(
    games: GameStore,
) -> None:
    app = make_menu_app(store=games)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "up", "enter", "enter", "m", *"R1", "enter", "q", "home")
        assert "▸ Resume" in text(app)
        assert "X explore" not in text(app)
        await press(pilot, "end")
        assert "▸ Two Heaps" in text(app)
        assert "X explore" in text(app)

"""Every sentence, footer and help line that names a key names the key of its command, whatever keys the player has."""

from __future__ import annotations

import asyncio

import hypothesis
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from onlymove_engines.coach.drill import Drill, Origin
from onlymove_engines.games import list_own_games
from onlymove_tui.app.commands import BY_ID
from onlymove_tui.play.training import Practice
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.learning import Due
from onlymove_tui.store.settings import Effective, Keys

from tests.tui.key_checks import find_wrong_keys
from tests.tui.pilots import (
    FRIENDS,
    make_board_app,
    make_key,
    make_menu_app,
    make_settings,
    notice,
    press,
    settle,
    text,
)
from tests.tui.tour import take_tour


async def test_a_drill_names_the_key_for_a_hint_that_the_preset_has() -> None:
    app = make_board_app(make_settings(keys=Keys.VI), players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        services, drill = app.services, Drill("tiny", "3,4 0", 0, Origin.HOLD)
        practice = Practice([Due(1, drill, 0, 0)], services.library.find_game, services.preferences.coaching())
        app.open("drill", practice)
        await settle(pilot)
        await press(pilot, "v")
        assert "Find a move first. Press H for a hint, s for the answer." in notice(app)


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


async def collect_faults(game: str, settings: Effective) -> list[str]:
    """Return every wrong key of a tour through a game."""
    app = make_board_app(settings, game=game, games=(), players=FRIENDS)
    found: dict[str, None] = {}
    async with app.run_test(size=(80, 24)) as pilot:
        async for stop in take_tour(pilot, app):
            found |= dict.fromkeys(f"{stop}: {fault}" for fault in find_wrong_keys(app))
    return list(found)


@pytest.mark.parametrize("game", [facts.id for facts in list_own_games()])
@pytest.mark.parametrize("keys", [Keys.VI, pytest.param(Keys.DEFAULT, marks=pytest.mark.slow)])
async def test_every_key_that_a_board_names_is_the_key_of_its_command(game: str, keys: Keys) -> None:
    assert not await collect_faults(game, make_settings(training=True, keys=keys))


POOL = [*"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", *"éß+-.,;:!?/[]<>"]
POOL += ["enter", "escape", "backspace", "tab", "space", "left", "up", "home", "pageup", "delete", "insert"]
POOL += [*(f"f{number}" for number in range(1, 13)), *(f"ctrl+{sign}" for sign in "abdefgknorstuvwxy")]
KEY_LISTS = st.lists(st.sampled_from([make_key(key).key for key in POOL]), min_size=1, max_size=2, unique=True)
IDS = st.sampled_from(sorted(BY_ID))
KEYMAPS = st.dictionaries(IDS, KEY_LISTS.map(",".join), max_size=9) | st.dictionaries(
    IDS, KEY_LISTS.map(",".join), min_size=40, max_size=90
)
"""The keymaps that a player could choose, with a few keys or with many."""


@pytest.mark.slow
@given(KEYMAPS, st.sampled_from(list(Keys)), st.sampled_from([facts.id for facts in list_own_games()]))
@example({"hint": "1", "resign": "ctrl+r", "choose": "é"}, Keys.VI, "pokemon")
@hypothesis.settings(max_examples=20, deadline=None)
def test_every_key_is_the_key_of_its_command_whatever_the_player_has_chosen(
    keymap: dict[str, str], keys: Keys, game: str
) -> None:
    assert not asyncio.run(collect_faults(game, make_settings(training=True, keys=keys, keymap=keymap)))

"""With Caps Lock, a capital letter acts as its small one where it has no meaning of its own."""

from __future__ import annotations

import pytest
from onlymove_tui.app.commands import BY_ID, COMMANDS, find_small_letter, keys_on, make_keymap
from onlymove_tui.store.settings import Keys

from tests.tui.pilots import (
    FRIENDS,
    board,
    make_board_app,
    make_menu_app,
    make_settings,
    notice,
    press,
    session,
    settle,
)

SETS = sorted({name for command in COMMANDS for name in command.sets} - {"app"})
LETTERS = "abcdefghijklmnopqrstuvwxyz"


@pytest.mark.parametrize("keys", Keys)
@pytest.mark.parametrize("command_set", SETS)
def test_a_capital_keeps_its_meaning_and_never_confirms_resigns_or_leaves(command_set: str, keys: Keys) -> None:
    keymap = make_keymap(make_settings(keys=keys).settings)
    found = keys_on(command_set, keymap)
    for small in LETTERS:
        meant = find_small_letter(small.upper(), command_set, keymap)
        if small.upper() in found or small not in found:
            assert meant == ""
        elif meant:
            words = f"{found[small].help} {found[small].name}"
            assert meant == small
            assert not {"asks", "leave", "menu", "quit", "agree", "anyway"}.intersection(
                words.lower().replace(";", "").split()
            ), words
    assert find_small_letter("enter", command_set, keymap) == find_small_letter("l", command_set, keymap) == ""


@pytest.mark.parametrize(
    "name", ["keep", "resign", "draw", "delete", "menu", "quit_menu", "leave", "agree_to", "decline"]
)
def test_what_confirms_or_leaves_has_no_second_key(name: str) -> None:
    for command_set in BY_ID[name].sets:
        for key in BY_ID[name].keys:
            assert key != find_small_letter(key.upper(), command_set, ())


async def test_a_capital_opens_what_its_small_letter_opens() -> None:
    app = make_menu_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "Q")
        assert app.is_running
        await press(pilot, "E")
        await settle(pilot)
        assert "history" in type(app.screen).__name__.lower()


async def test_a_stopped_move_is_not_kept_by_a_capital() -> None:
    app = make_board_app(make_settings(), players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "M", *"R3", "enter")
        assert board(app).live.stopped_move is not None
        await press(pilot, "Y")
        assert board(app).live.stopped_move is not None
        assert session(app).list_moves() == []
        await press(pilot, "y")
        assert session(app).list_moves() == [("R", 3)], notice(app)

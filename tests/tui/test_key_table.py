"""Which key carries out which command at a moment."""

from __future__ import annotations

import pytest
from onlymove_tui.app.commands import BEHIND_THE_GATE, VI, Keymap, list_commands, list_keys
from onlymove_tui.app.key_table import KeyTable

SETS = ("play", "review", "trying", "drill", "menu")
CHOSEN: Keymap = (("hint", "i,h"), ("values", "x"))
VI_KEYS: Keymap = tuple(VI.items())


@pytest.mark.parametrize("keymap", [(), CHOSEN, VI_KEYS])
@pytest.mark.parametrize("command_set", SETS)
def test_the_named_key_of_a_command_is_the_first_one_that_carries_it_out(command_set: str, keymap: Keymap) -> None:
    table = KeyTable(command_set, keymap, {})
    for command, key in table.by_command.items():
        asked_for = list_keys(command, command_set, keymap)
        assert key == next(each for each in asked_for if table.by_key.get(each) == command)
    assert set(table.by_command) == set(table.by_key.values())


@pytest.mark.parametrize("command_set", SETS)
def test_no_key_means_something_else_while_its_command_is_impossible(command_set: str) -> None:
    whole = KeyTable(command_set, (), {}).by_key
    for command in list_commands(command_set):
        left = KeyTable(command_set, (), {command.name: False}).by_key
        assert left.items() <= whole.items()
        assert command.id not in left.values()


def test_a_key_of_the_screen_itself_carries_out_no_command_unless_it_moves_the_cursor() -> None:
    table = KeyTable("play", (), {}, is_own=lambda key: key in ("h", "left"))
    assert "h" not in table.by_key
    assert "hint" not in table.by_command
    assert table.by_key["left"] == "left"


def test_in_a_terminal_that_is_too_small_only_a_few_commands_work() -> None:
    assert set(KeyTable("play", (), {}, only=BEHIND_THE_GATE).by_command) == set(BEHIND_THE_GATE)


def test_a_chosen_key_is_taken_from_the_command_that_had_it() -> None:
    table = KeyTable("play", CHOSEN, {})
    assert (table.by_key["h"], table.by_command["hint"]) == ("hint", "i")
    assert (table.by_key["x"], "swap" in table.by_command) == ("values", False)


def test_a_footer_names_what_works_and_of_too_many_keys_the_first_and_the_last_two() -> None:
    named = ("choose", "overlay", "hint", "undo", "values", "rules", "type_move", "skip_game", "menu", "help")
    words = KeyTable("play", (), {"overlay": False}).choose_words(named, {"menu": "lesson"})
    assert [command for command, _ in words] == ["choose", "hint", "undo", "values", "rules", "menu", "help"]
    assert dict(words)["menu"] == "lesson"
    assert dict(words)["help"] == "keys"
    assert KeyTable("play", (), {}).choose_words(("hint", "menu", "help")) == [
        ("hint", "hint"),
        ("menu", "menu"),
        ("help", "keys"),
    ]

"""What the palette offers besides commands: themes, strengths, and the current game for other programs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from onlymove.pictures.colours import NAMES
from onlymove_engines.play.session import Session
from onlymove_engines.records.record import parse_records
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.commands import COMMANDS, list_commands
from onlymove_tui.app.messages import Noted
from onlymove_tui.app.screens.menu import MenuRead, MenuScreen
from onlymove_tui.app.screens.palette import PaletteItem, PaletteScreen, find_items, make_item
from onlymove_tui.app.themes import describe_theme
from onlymove_tui.play.phrases import summary_lines
from onlymove_tui.store.entries import GameDetails
from onlymove_tui.store.games import GameStore

from tests.tui.pilots import make_board_app, make_menu_app, make_settings, press, session, settle, text
from tests.tui.screen_checks import SIZES, find_faults_at
from tests.tui.tiny_game import tiny_game

GOOD = ("right", "enter", "1")


def list_offers(app: OnlymoveApp) -> set[str]:
    """Return all lines of the open palette."""
    assert isinstance(app.screen, PaletteScreen)
    return {item.text for item in app.screen.all}


@pytest.fixture
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the player's folder."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "onlymove"


async def test_the_palette_finds_a_theme_and_a_strength(tmp_path: Path) -> None:
    app = make_menu_app(make_settings(tmp_path / "settings.toml"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "ctrl+p", *"theme light", "enter")
        assert app.services.preferences.settings.theme == "light"
        await press(pilot, "ctrl+p", *"engine strength: 75", "enter")
        assert app.services.preferences.settings.strength == 75
        assert "strength = 75" in (tmp_path / "settings.toml").read_text()


async def test_choices_stand_in_one_line_and_are_changed_there(tmp_path: Path) -> None:
    app = make_menu_app(make_settings(tmp_path / "settings.toml"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "ctrl+p", *"theme")
        themes = [line for line in text(app).splitlines() if "Theme: " in line]
        assert len(themes) == 1
        await press(pilot, "right", "enter")
        assert app.services.preferences.settings.theme == NAMES[1]
        await press(pilot, "ctrl+p", *"theme")
        assert f"Theme: ◂ {describe_theme(NAMES[1], False)} ▸" in text(app), "it begins with the current one"
        await press(pilot, "escape")
        await press(pilot, "ctrl+p")
        assert "One line down" not in list_offers(app), "nobody looks for a cursor key by name"
        line = next(line for line in text(app).splitlines() if "Show every key" in line)
        assert "?" in line.split(), "its key stands beside it"


async def test_position_and_game_are_copied() -> None:
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *GOOD, "ctrl+p", *"copy position", "enter")
        game = tiny_game()
        assert game.notation.parse_position(app.clipboard) == session(app).position
        assert "Copied" in text(app)
        await press(pilot, "ctrl+p", *"copy game", "enter")
        assert "R1" in app.clipboard
        assert '[Game "tiny"]' in app.clipboard


async def test_a_game_is_exported_and_can_be_read_again(at_home: Path, games: GameStore) -> None:
    app = make_board_app(store=games)
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, *GOOD, "ctrl+p", *"export game", "enter")
        (path,) = (at_home / "exports").iterdir()
        assert path.name in text(app), "it says where"
        (record,) = parse_records(path.read_text("utf-8"), lambda _: tiny_game())
        played: list[Any] = [node.move for node in record.tree.here.path()[1:]]
        assert played == session(app).list_moves()


async def test_a_file_that_cannot_be_written_is_reported(at_home: Path) -> None:
    at_home.parent.mkdir()
    at_home.write_text("a file where the folder should be")
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *GOOD, "ctrl+p", *"export game", "enter")
        assert "Nothing was exported" in text(app)


async def test_a_message_is_not_replaced_by_loaded_data(games: GameStore) -> None:
    app = make_menu_app(store=games)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        app.screen.post_message(Noted("Something was done."))
        assert isinstance(app.screen, MenuScreen)
        app.screen.call_later(app.screen.take_known, MenuRead())
        await settle(pilot)
        assert "Something was done." in text(app)


async def test_all_games_are_exported_from_the_menu(at_home: Path, games: GameStore) -> None:
    app = make_menu_app(store=games)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "ctrl+p", *"export", "enter")
        assert "no games to export" in text(app)
        for move in (("R", 1), ("L", 2)):
            game: Session[Any, Any] = Session(tiny_game())
            game.play(move)
            games.save(game, GameDetails())
        await press(pilot, "ctrl+p", *"export", "enter")
        (path,) = (at_home / "exports").iterdir()
        assert path.name in text(app)
        assert len(parse_records(path.read_text("utf-8"), lambda _: tiny_game())) == 2


async def test_the_summary_of_a_finished_game_is_copied() -> None:
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *GOOD, "ctrl+p")
        assert "Copy a summary of the game" not in list_offers(app)
        await press(pilot, "escape")
        session(app).resign(0)
        lines = summary_lines(session(app))
        await press(pilot, "ctrl+p", *"a summary of the game", "enter")
    assert len(lines) == 2, "how it ended, and how the person played"
    assert app.clipboard == f"Two Heaps, you against engine best. {' '.join(lines)}"


@pytest.mark.parametrize("command_set", sorted({each for command in COMMANDS for each in command.sets}))
def test_every_command_is_found_by_its_plain_word(command_set: str) -> None:
    there = [command for command in (*list_commands(command_set), *list_commands("app")) if command.id != "palette"]
    items = [make_item(command.id, "", command.help) for command in there]
    for command in there:
        for sought in (command.word, command.word[:4], command.help):
            meant = [item.text for item in find_items(items, sought)]
            assert command.help in meant, f"{sought!r} finds {meant} in {command_set}"
            assert sought != command.word or meant.index(command.help) < 3, f"{sought!r}: {meant}"


def test_any_word_finds_a_line_without_its_accents_and_nothing_else_does() -> None:
    items = [PaletteItem("New game: Ayòayò", ""), PaletteItem("Theme: dark", "", names="colours")]
    typed = ("ayo", "game ayo", "gam: AYO", "colo", "dar", "ame", "ark x")
    assert [len(find_items(items, sought)) for sought in typed] == [1, 1, 1, 1, 1, 0, 0]


async def test_nothing_leaves_a_kiosk() -> None:
    app = make_board_app(kiosk=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *GOOD, "ctrl+p")
        assert not {line for line in list_offers(app) if line.startswith(("Copy", "Export"))}
        assert "Theme: light" in list_offers(app)


async def test_a_kiosk_copies_where_its_host_allows_that_and_writes_no_file() -> None:
    app = make_board_app(kiosk=True, settings=make_settings(kiosk_copy=True))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *GOOD, "ctrl+p")
        found = {line for line in list_offers(app) if line.startswith(("Copy", "Export"))}
        assert found == {"Copy position", "Copy game as record"}


@pytest.mark.parametrize("keys", [("down", "enter", "enter", "ctrl+p"), ("ctrl+p", *"theme")])
async def test_the_palette_is_whole_at_every_size(keys: Sequence[str]) -> None:
    """This is tested above a board, where there are most commands, and with one line left."""
    app, found = make_menu_app(games=()), dict[str, None]()
    async with app.run_test(size=SIZES[0]) as pilot:
        await settle(pilot)
        await press(pilot, *keys)
        for size in SIZES:
            found |= {f"{size}: {fault}": None for fault in await find_faults_at(pilot, app, size)}
    assert not found, "\n".join(found)

"""Every screen at every size is complete and opaque, and can be reached and left by keys."""

from __future__ import annotations

from importlib import import_module, resources

import pytest
from onlymove.pictures.colours import Tone
from onlymove_engines import games
from onlymove_tui.app.app import ROUTES
from onlymove_tui.app.base_screen import BaseScreen
from onlymove_tui.app.commands import BY_ID, COMMANDS, GROUPS, VI, list_commands
from onlymove_tui.app.panels.markdown import HOW_OFTEN, hide_percentages
from onlymove_tui.app.screens.history import HistoryScreen, ProgressScreen
from onlymove_tui.app.screens.menu import MenuScreen
from onlymove_tui.app.screens.new_game import NewGameScreen
from onlymove_tui.app.screens.pages import PageScreen, Paper, live_commands
from onlymove_tui.app.screens.palette import PaletteScreen
from onlymove_tui.app.screens.play import PlayScreen
from onlymove_tui.app.screens.review import ReviewScreen
from onlymove_tui.app.screens.settings import SettingsScreen
from onlymove_tui.app.situated import SituatedScreen
from onlymove_tui.app.widgets.bars import KeyBar
from onlymove_tui.app.widgets.layout import Note
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.settings import Keys
from textual.screen import Screen

from tests.tui.pilots import board, make_board_app, make_menu_app, make_settings, notice, press, session, settle, text
from tests.tui.screen_checks import SIZES, find_faults_at, lines_on_screen
from tests.tui.sizes import resize

GOOD = ("right", "enter", "1")

# Screens, and the keys that open them from a new board.
WAYS: list[tuple[type[Screen[None]], tuple[str, ...]]] = [
    (PlayScreen, ()),
    (PlayScreen, ("right", "enter", "3")),
    (PlayScreen, (*GOOD, "h", "h", "h", "v")),
    (ReviewScreen, (*GOOD, "e")),
    (ReviewScreen, (*GOOD, "e", "right", "v")),
    (PageScreen, ("?",)),
    (PageScreen, ("f1",)),
    (SettingsScreen, ("s",)),
    (PaletteScreen, ("ctrl+p",)),
    (NewGameScreen, ("c",)),
    (MenuScreen, ("q",)),
    (HistoryScreen, ("q", "e")),
    (ProgressScreen, ("q", "p")),
]


async def test_enter_enter_starts_the_first_game() -> None:
    app = make_menu_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        first = app.services.library.list_facts()[0].id
        await press(pilot, "enter", "enter")
        assert isinstance(app.screen, PlayScreen)
        assert board(app).live.game.id == first


async def test_the_menu_lists_every_game_and_its_pitch() -> None:
    app = make_menu_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        shown = text(app)
        for facts in app.services.library.list_facts():
            assert facts.title in shown
            assert facts.goal in shown
        await press(pilot, "up")
        assert "Take from one of two heaps" in text(app)


async def test_the_solution_page_opens_from_the_menu_and_the_rules() -> None:
    app = make_menu_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "up", "n")
        assert "Two Heaps: what the solution says" in text(app)
        await press(pilot, "d")
        assert "This game has no advice to practise." in text(app)
        await press(pilot, "n")
        assert "what the solution says" not in text(app), "the rules are its other side"
        await press(pilot, "escape")
        assert isinstance(app.screen, MenuScreen)
        await press(pilot, "f1", "n")
        assert "Two Heaps: what the solution says" in text(app)
        await press(pilot, "escape", "question_mark", "n")
        assert "what the solution says" not in text(app), "the page of keys is of no game"
        await press(pilot, "question_mark", "escape")
        assert isinstance(app.screen, MenuScreen), "the page of keys has none of its own"
        await press(pilot, "f1", "question_mark")
        assert "Move one page down" in text(app), "the keys of the page of rules"


async def test_the_keys_that_matter_most_come_first() -> None:
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "question_mark")
        first = text(app)
        assert len([row for row in app.screen.query_one(Paper).writer(80) if row]) == 1 + 10 + 1 + 2, (
            "the heading, the keys, how many more, and how moves are counted"
        )
        assert "Choose what is under the cursor" in first
        await press(pilot, "space")
        assert "Move the cursor left" in text(app)
        assert "Choose what is under the cursor" not in text(app)
        await press(pilot, "end")
        assert "PgDn page down" in first
        assert "PgDn page down" not in text(app), "there is no page below"
        await press(pilot, "home", "pageup")
        assert text(app) == first


@pytest.mark.parametrize("folder", sorted({games.find_facts(facts.id).folder for facts in games.list_games()}))
def test_pages_of_rules_show_no_percentages_by_default(folder: str) -> None:
    page = resources.files(f"onlymove_engines.games.{folder}").joinpath("help.md").read_text("utf-8")
    shown = hide_percentages(page)
    assert "%" not in shown
    assert "percentages" not in shown.replace(HOW_OFTEN, "")
    words = " ".join(shown.split())
    assert "; in" not in words.replace("; in Tobito it is no better", ""), "no clause without a verb"
    assert words.count("than a random move") == words.count("than a random move does")


async def test_percentages_of_advice_are_shown_on_demand() -> None:
    app = make_menu_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await press(pilot, "down", "down", "f1", "end")
        assert "far more often than a random move" in text(app) or "this helps" in text(app)
        assert "%" not in text(app)
        await press(pilot, "v")
        assert "22 % of the time" in text(app), "and the page stays where it was"
        await press(pilot, "home", "v")
        assert "no longer shows percentages" in text(app), "the advice may be off the screen"
        await press(pilot, "n")
        assert "v percent" not in text(app), "the numbers are shown anyway"
        assert "no longer shows" not in text(app)


async def test_a_page_without_percentages_has_no_key_for_them() -> None:
    app = make_menu_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *["down"] * 5, "f1")
        assert "Light Riders" in text(app)
        assert "v percent" not in text(app)


async def test_the_gate_swallows_game_keys_but_not_quit() -> None:
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.resize_terminal(59, 20)
        await settle(pilot)
        assert "at least 60 x 20" in text(app)
        await press(pilot, *GOOD, "R", "R", "x", "q")
        assert session(app).list_moves() == []
        assert isinstance(app.screen, PlayScreen)
        await pilot.resize_terminal(80, 24)
        await press(pilot, *GOOD)
        assert session(app).list_moves()[0] == ("R", 1)
        played = session(app).list_moves()
        await press(pilot, "m", *"L1")
        await pilot.resize_terminal(80, 19)
        await settle(pilot)
        await press(pilot, "enter")
        assert session(app).list_moves() == played
        assert board(app).typing is not None, "nor is what is being typed taken unseen"
        await pilot.press("ctrl+q")
    assert app.return_code == 0
    assert not app.is_running


async def test_what_there_is_to_read_follows_the_size_of_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        monkeypatch.setattr(
            board(app), "notes", lambda: Note("Coach", [[(f"note {number}", Tone.TEXT)] for number in range(25)])
        )
        await press(pilot, "t")
        assert "note 5" in text(app)
        assert "note 24" not in text(app)
        assert "PgDn shows more" in text(app), "what does not fit is not dropped in silence"
        seen = set[str]()
        for _ in range(25):
            seen.update(line.strip() for line in text(app).splitlines() if line.strip().startswith("note "))
            await press(pilot, "b")
        assert len(seen) == 25, "every line can be read, and after the last page comes the first"
        await pilot.resize_terminal(120, 40)
        await settle(pilot)
        assert "note 24" in text(app)
        assert "shows more" not in text(app)
        await press(pilot, "pagedown")
        assert "All of the text beside the board is shown." in text(app)


async def test_a_narrow_screen_folds_the_panel_under_a_key() -> None:
    app = make_board_app()
    async with app.run_test(size=(70, 24)) as pilot:
        await settle(pilot)
        side, view = app.screen.query_one("#side"), app.screen.query_one("#board-panel")
        assert not side.display
        assert view.region.width == 70
        assert "Tab panels" in app.screen.query_one(KeyBar).text(), "the key is named"
        await press(pilot, "tab")
        assert side.display
        assert not view.display
        await press(pilot, "tab")
        assert view.display


async def test_help_lists_every_live_binding_once() -> None:
    app = make_board_app()
    async with app.run_test(size=(95, 60)) as pilot:
        await settle(pilot)
        live = set(board(app).key_table.by_key.values())
        listed = [name for name, *_ in live_commands(board(app))]
        assert sorted(listed) == sorted(live)
        await press(pilot, "?")
        shown = text(app)
        for name in listed:
            assert shown.count(BY_ID[name].help) == 1, BY_ID[name].help


def test_every_command_belongs_to_a_group_of_the_help() -> None:
    assert {command.group for command in COMMANDS} == set(GROUPS)


async def test_on_a_large_screen_help_shows_every_key_on_one_page() -> None:
    app = make_board_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        listed = [BY_ID[name].help for name, *_ in live_commands(board(app))]
        await press(pilot, "?")
        for size in ((120, 40), (160, 50)):
            await resize(pilot, size)
            shown = text(app)
            assert all(group in shown for group in ("Most used", "Moving", "Playing", "Looking", "Game", "Program"))
            missing = [line for line in listed if not set(line.split()) <= set(shown.split())]
            assert not missing, missing
            assert "▾ more" not in shown
            await press(pilot, "space")
            assert text(app) == shown, "there is no second page"


async def test_on_the_second_page_of_keys_the_footer_names_no_further_page() -> None:
    app = make_menu_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "?")
        assert "page down" in lines_on_screen(app)[-1]
        await press(pilot, "space")
        assert "page down" not in lines_on_screen(app)[-1]


async def test_the_pages_of_every_game_are_whole_on_the_lowest_screen() -> None:
    app, found = make_menu_app(), list[str]()
    async with app.run_test(size=SIZES[0]) as pilot:
        await settle(pilot)
        for facts in app.services.library.list_facts():
            for page in ("rules", "numbers"):
                app.services.open(page, facts.id)
                await settle(pilot)
                found += [f"{facts.id}: {fault}" for fault in await find_faults_at(pilot, app, SIZES[0])]
                await press(pilot, "escape")
    assert not found, "\n".join(found)


def test_the_help_of_a_command_fits_into_one_line_of_the_palette() -> None:
    assert not [command.help for command in COMMANDS if len(command.help) > 54]


async def test_q_goes_one_step_back_everywhere_and_leaves_the_program_in_the_menu(games: GameStore) -> None:
    app = make_board_app(store=games)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for kind, keys in WAYS:
            assert isinstance(app.screen, PlayScreen)
            await press(pilot, *keys)
            assert isinstance(app.screen, kind)
            for _ in range(4):
                if isinstance(app.screen, MenuScreen):
                    break
                await press(pilot, "escape" if isinstance(app.screen, PaletteScreen) else "q")
            assert isinstance(app.screen, MenuScreen), f"{kind.__name__}: q leads back to the menu in the end"
            await press(pilot, "end", "enter", "enter")
        await press(pilot, "q")
        assert app.is_running
        await pilot.press("q")
    assert app.return_code == 0


async def test_q_on_a_board_keeps_the_game(games: GameStore) -> None:
    app = make_board_app(store=games)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *GOOD, "q")
        assert isinstance(app.screen, MenuScreen)
        assert "Resume Two Heaps" in text(app)
        await press(pilot, "r")
        assert session(app).list_moves()[0] == ("R", 1)


async def test_the_palette_holds_every_described_action_and_runs_it() -> None:
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        wanted = {BY_ID[name].help for name, *_ in live_commands(board(app)) if BY_ID[name].in_palette}
        await press(pilot, "ctrl+p")
        assert isinstance(app.screen, PaletteScreen)
        assert wanted <= {entry.text for entry in app.screen.all}
        await press(pilot, *"flip the board", "enter")
        assert isinstance(app.screen, PlayScreen)
        assert board(app).state.flipped


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (200, 55)], ids=str)
async def test_the_keys_in_the_palette_are_beside_what_they_do(size: tuple[int, int]) -> None:
    app = make_board_app()
    async with app.run_test(size=size) as pilot:
        await press(pilot, "ctrl+p")
        lines = text(app).splitlines()
        column = next(line.index("Ctrl+Q") for line in lines if "Ctrl+Q" in line)
        assert isinstance(app.screen, PaletteScreen)
        begin = next(line.index("Redraw the screen") for line in lines if "Redraw the screen" in line)
        seen = max(len(line[:column].rstrip()) for line in lines if line[column:].split() and line[column - 2] == " ")
        longest = begin + max(len(item.text) for item in app.screen.all if item.keys)
        assert seen + 2 <= column <= longest + 2, "the longest may be below the end of the list"
        panel = app.screen.query_one("#main-panel").region
        assert size[0] < 200 or (panel.width < 100 and panel.height < 50), "no empty space in the frame"


async def test_a_list_that_gets_its_width_late_is_written_again() -> None:
    app = make_board_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "ctrl+p")
        assert isinstance(app.screen, PaletteScreen)
        app.screen.choices.styles.width = 50
        await settle(pilot)
        assert "…" not in app.screen.choices.text(), "long lines are broken, not cut"


WAYS_BACK = {"leave", "quit_menu", "leave_setup"}


def test_every_footer_of_a_screen_without_situations_ends_with_the_way_back_and_the_other_keys() -> None:
    found = set()
    for module, maker, _ in (*ROUTES.values(), ("menu", "MenuScreen", {})):
        screen: object = getattr(import_module(f"onlymove_tui.app.screens.{module}"), maker)
        if not (isinstance(screen, type) and issubclass(screen, BaseScreen)) or issubclass(screen, SituatedScreen):
            continue
        command_set, names = screen.screen_id, screen.footer_names
        found.add(command_set)
        for name in names:
            assert BY_ID[name] in (*list_commands(command_set), *list_commands("app")), f"{command_set}: {name}"
        if command_set != "palette":  # a question mark is text there
            assert names[-2] in WAYS_BACK
            assert names[-1] == "help"
    assert len(found) == 16


@pytest.mark.parametrize("game", ["tobito", "orbito", "lightriders", "tiny"])
async def test_a_footer_names_at_most_seven_keys_and_the_ends_always(game: str) -> None:
    app = make_board_app(game=game)
    async with app.run_test(size=(60, 24)) as pilot:
        for size in ((60, 24), (80, 24), (120, 40)):
            await resize(pilot, size)
            words, shown = board(app).footer(), app.screen.query_one(KeyBar).text()
            assert len(words) <= 7
            assert "q menu" in shown
            assert "? keys" in shown
            assert ("o overlay" in shown) == bool(board(app).live.game.play.overlay_title)
            if size[0] >= 80:
                assert all(word in shown for _, word in words)


async def test_the_menu_names_the_lessons_the_rules_and_the_explorer() -> None:
    app = make_menu_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        shown = app.screen.query_one(KeyBar).text()
        assert all(word in shown for word in ("l learn", "F1 rules", "X explore", "q quit", "? keys"))
        await press(pilot, "i")
        shown = app.screen.query_one(KeyBar).text()
        assert all(word in shown for word in ("l learn", "n rules/numbers", "back", "? keys")), "one key further"


def test_no_two_commands_of_a_screen_share_a_key() -> None:
    for vi in ({}, VI):
        for command_set in {each for command in COMMANDS for each in command.sets}:
            keys: dict[str, str] = {}
            for command in COMMANDS:
                if command_set in command.sets:
                    for key in vi[command.id].split(",") if command.id in vi else command.keys:
                        assert key not in keys, f"{command_set}: {key} is {keys.get(key)} and {command.id}"
                        keys[key] = command.id


async def test_keys_are_remapped_by_binding_id_and_help_follows() -> None:
    app = make_board_app(make_settings(keymap={"hint": "i", "rules": "f1"}))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "i")
        assert "Hint 1 of 3" in text(app)
        assert "i hint" in app.screen.query_one(KeyBar).text()


async def test_the_vi_preset_moves_the_cursor_with_hjkl() -> None:
    app = make_board_app(make_settings(keys=Keys.VI))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert board(app).state.move_input.cursor == "L"
        await press(pilot, "l")
        assert board(app).state.move_input.cursor == "R"
        await press(pilot, "H")
        assert "Hint 1 of 3" in text(app)


async def test_the_first_page_of_keys_says_what_esc_does() -> None:
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "question_mark")
        (line,) = [line for line in text(app).splitlines() if line.startswith("Backspace Esc ")]
        assert line.endswith("Take back the last choice or stopped move")
        await press(pilot, "escape", "escape")
        assert "You have chosen nothing yet." in notice(app), "nor does it take back a move"

"""The form of a new game, the settings and the history: forms that are filled in, and lists from which something is
opened."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from onlymove_engines.coach.judge import OnBad
from onlymove_engines.games import list_games
from onlymove_engines.play.session import Session
from onlymove_tui.app.screens import new_game
from onlymove_tui.app.screens.history import HistoryScreen
from onlymove_tui.app.screens.list_screen import FormScreen
from onlymove_tui.app.screens.menu import MenuScreen
from onlymove_tui.app.screens.new_game import GameFound, NewGameScreen
from onlymove_tui.app.screens.review import ReviewScreen
from onlymove_tui.app.screens.settings import OWN_COLOURS, SettingsScreen
from onlymove_tui.app.services import Services
from onlymove_tui.app.widgets.choices import Choices
from onlymove_tui.app.widgets.fields import TITLE_WIDTH, read_values
from onlymove_tui.play.phrases import describe_training
from onlymove_tui.store.entries import GameDetails
from onlymove_tui.store.games import GameStore
from textual.pilot import Pilot

from tests.tui.pilots import (
    ENGINES,
    FRIENDS,
    board,
    make_app,
    make_board_app,
    make_menu_app,
    make_settings,
    press,
    session,
    settle,
    text,
)
from tests.tui.screen_checks import lines_on_screen
from tests.tui.tiny_game import tiny_game

GOOD = ("right", "enter", "1")


@pytest.mark.parametrize("key", ["right", "enter"])
async def test_settings_apply_immediately_and_are_saved(tmp_path: Path, key: str) -> None:
    path = tmp_path / "settings.toml"
    app = make_board_app(make_settings(path))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "s")
        form = app.screen
        assert isinstance(form, SettingsScreen)
        place = [field.id for field in form.fields].index("hint_straight")
        form.query_one(Choices).mark(place)
        await press(pilot, key, "escape")
        assert "hint_straight = true" in path.read_text()
        await press(pilot, "h")
        assert "Hint 3 of 3" in text(app)


async def test_keys_wait_until_the_widgets_inside_a_form_exist() -> None:
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        app.open("settings")
        form = app.screen
        assert isinstance(form, SettingsScreen)
        turns = 0
        while form.is_waiting:
            assert "change" not in form.key_table.by_key.values()
            await asyncio.sleep(0)
            turns += 1
        assert turns
        assert form.query_one(Choices)


async def test_the_settings_are_aligned_and_follow_the_palette(tmp_path: Path) -> None:
    app = make_board_app(make_settings(tmp_path / "settings.toml"))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "s")
        form = app.screen
        assert isinstance(form, SettingsScreen)
        assert max(len(field.title) for field in form.fields) < TITLE_WIDTH
        app.services.change_setting("theme", "light")
        await settle(pilot)
        assert "◂ light ▸" in text(app)


@pytest.mark.parametrize(("setting", "name"), [("", "dark"), ("light", "light"), ("ansi", "ansi")])
async def test_the_settings_and_the_palette_name_the_same_theme(setting: str, name: str) -> None:
    app = make_menu_app(make_settings(theme=setting))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "s")
        assert f"◂ {name} ▸" in text(app)
        await press(pilot, "escape", "ctrl+p", *"theme")
        assert f"Theme: ◂ {name} ▸" in text(app)


async def test_the_settings_say_where_no_theme_is_shown() -> None:
    app = make_board_app()
    async with app.run_test(size=(60, 20)) as pilot:
        await press(pilot, "s")
        assert "not here" not in text(app)
        await press(pilot, "escape")
        app.services.has_own_colours_only = True
        await press(pilot, "s")
        assert "dark (not here)" in text(app)
        assert OWN_COLOURS in text(app)


async def choose(pilot: Pilot[int], form: FormScreen, name: str, value: str) -> None:
    """Change a field until it has this value, going through all values at most once."""
    form.query_one(Choices).mark(place_of(form, name))
    for _ in form.all_fields[name].choices:
        if form.all_fields[name].value != value:
            await pilot.press("right")
    assert form.all_fields[name].value == value


def place_of(form: FormScreen, name: str) -> int:
    """Return the line of a field."""
    return [field.id for field in form.fields].index(name) + form.first_place


async def test_a_game_is_set_up_in_the_panel() -> None:
    app = make_menu_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "up", "enter")
        form = app.screen
        assert isinstance(form, NewGameScreen)
        for name, value in (("kind.1", "human"), ("option.heaps", "2-2"), ("rule", "left-stands"), ("training", "off")):
            await choose(pilot, form, name, value)
        await press(pilot, "enter")
        live = board(app).live
        assert live.session.position == (2, 2, 0)
        assert live.session.human_seats == (0, 1)
        assert live.session.tree.house_rule is not None
        assert not live.training


async def test_keys_to_change_a_choice_are_shown_only_if_it_can_change() -> None:
    heaps = replace(tiny_game().play.options[0], choices=("3-4",), free=True, about="How many there are.")
    app = make_menu_app(games=(replace(tiny_game(), play=replace(tiny_game().play, options=(heaps,))),))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "up", "enter")
        form = app.screen
        assert isinstance(form, NewGameScreen)
        assert "Right change" not in text(app), "on the button"
        await press(pilot, "down")
        assert "Right change" in text(app), "on a side"
        await press(pilot, *["down"] * (place_of(form, "option.heaps") - 1))
        assert "How many there are." in text(app)
        assert "Right change" not in text(app), "there is only one"
        await press(pilot, "m", *["backspace"] * 3, *"2-2", "enter")
        assert "Right change" in text(app), "back to what is not typed"
        await press(pilot, "right")
        assert form.all_fields["option.heaps"].value == "3-4"


async def test_the_form_says_how_the_style_that_is_chosen_plays() -> None:
    (best,) = tiny_game().play.styles
    styles = (best, replace(best, id="idle", title="Idle", help="Waits."))
    app = make_menu_app(games=(replace(tiny_game(), play=replace(tiny_game().play, styles=styles)),))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "up", "enter")
        form = app.screen
        assert isinstance(form, NewGameScreen)
        await press(pilot, *["down"] * place_of(form, "engine.1"))
        assert "Plays the best" in text(app)
        await press(pilot, "right")
        assert "Waits." in text(app)


@pytest.mark.parametrize(
    ("keys", "seat"),
    [
        (("up", "m", *"2,1 1", "enter"), 1),
        (("up", "m", *"2,1 0", "enter"), 0),
        (("up", "m", *"2,1 1", "enter", "m", *["backspace"] * 5, "enter"), 0),
        (("x", "x", "up", "m", *"2,1 1", "enter"), 0),
        (("x", "up", "m", *"2,1 0", "enter"), 1),
    ],
    ids=["right to move", "left to move", "position withdrawn", "side chosen", "other side chosen"],
)
async def test_the_player_is_to_move_in_a_typed_position_unless_a_side_is_chosen(
    keys: tuple[str, ...], seat: int
) -> None:
    app = make_menu_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "up", "enter", *keys)
        form = app.screen
        assert isinstance(form, NewGameScreen)
        values = read_values(form.fields)
        assert [values["kind.0"], values["kind.1"]].index("human") == seat
        await press(pilot, "enter")
        assert session(app).human_seats == (seat,)


async def test_a_custom_start_replaces_the_options_of_the_start() -> None:
    app = make_menu_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "up", "enter")
        form = app.screen
        assert isinstance(form, NewGameScreen)
        assert "option.heaps" in read_values(form.fields)
        await press(pilot, "up", "m", *"2,1 1", "enter")
        assert "option.heaps" not in read_values(form.fields)
        for _ in range(2):
            marked = form.marked_field()
            assert marked is not None
            assert marked.id == "position"
            await press(pilot, "m", *["backspace"] * 5, "enter")
        assert "option.heaps" in read_values(form.fields)


@pytest.mark.parametrize("on_bad", list(OnBad))
async def test_the_form_and_the_board_say_the_same_of_training(on_bad: OnBad) -> None:
    does = describe_training(on_bad)
    app = make_menu_app(make_settings(on_bad=on_bad))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "up", "enter")
        assert f"on: {does}" in text(app)
        await press(pilot, "enter", "t", "t")
        assert f"Training is on: it {does}." in text(app)
    words = {OnBad.ASK: "stops", OnBad.UNDO: "takes back", OnBad.MARK: "points out", OnBad.OFF: "ignores"}
    assert does == f"{words[on_bad]} bad moves"


async def test_a_text_that_is_no_position_is_refused_in_the_panel() -> None:
    app = make_menu_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "up", "enter", "up", "m", *"nonsense", "enter", "enter")
        assert isinstance(app.screen, NewGameScreen)
        assert "Not two heaps" in text(app)


async def test_history_lists_filters_opens_and_deletes(games: GameStore) -> None:
    app = make_board_app(store=games, position="0,1 0")
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "enter", "enter", "q", "e")
        history = app.screen
        assert isinstance(history, HistoryScreen)
        assert len(history.lines) == 1
        assert "won" in text(app)
        await press(pilot, "f", "f", "f", "f")
        assert history.lines == [], "nothing was lost"
        assert "No lost games." in text(app)
        await press(pilot, "f", "enter")
        assert isinstance(app.screen, ReviewScreen)
        await press(pilot, "q", "x", "down", "x", "x")
        assert isinstance(app.screen, HistoryScreen)
        assert games.count() == 0


async def test_an_imported_game_is_called_one_and_is_opened_for_review(games: GameStore) -> None:
    read: Session[Any, Any] = Session(tiny_game())
    read.play(("R", 1))
    games.save(read, GameDetails(training=False, imported=True))
    app = make_menu_app(store=games)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "Resume" not in text(app)
        await press(pilot, "e")
        assert "open imported" in " ".join(text(app).split())
        await press(pilot, "enter")
        assert isinstance(app.screen, ReviewScreen)


@pytest.mark.parametrize("imported", [True, False], ids=["imported", "two people"])
async def test_a_game_without_an_own_side_says_who_won(games: GameStore, imported: bool) -> None:
    for loser in (0, 1, None):
        ended: Session[Any, Any] = Session(tiny_game(), players=FRIENDS)
        ended.play(("R", 1))
        if loser is None:
            ended.agree_draw()
        else:
            ended.resign(loser)
        games.save(ended, GameDetails(imported=imported))
    app = make_menu_app(store=games)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "e")
        words = [
            line.split("Two Heaps")[1].split("two people" if not imported else "imported")[0].strip()
            for line in app.screen.query_one(Choices).text().splitlines()
        ]
        assert words == ["drawn", "first won", "second won"]


async def test_the_history_names_the_players(games: GameStore) -> None:
    for players in (FRIENDS, ENGINES, (FRIENDS[0], ENGINES[0])):
        seated: Session[Any, Any] = Session(tiny_game(), players=players)
        seated.play(("R", 1))
        games.save(seated, GameDetails())
    app = make_menu_app(store=games)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "e")
        lines = app.screen.query_one(Choices).text().splitlines()
        assert [" ".join(line.split()[-2:]) for line in lines] == ["engine 100", "two engines", "two people"]
        await pilot.resize_terminal(60, 20)
        await settle(pilot)
        lines = app.screen.query_one(Choices).text().splitlines()
        assert all(line.endswith("in progress") for line in lines), "on a narrow screen the first things first, uncut"


async def test_every_setting_has_a_title_in_words(games: GameStore) -> None:
    app = make_menu_app(store=games)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "s")
        assert isinstance(app.screen, SettingsScreen)
        assert [field.title for field in app.screen.fields if "_" in field.title] == []


async def test_a_long_title_is_separated_from_the_number_of_moves(games: GameStore) -> None:
    begun: Session[Any, Any] = Session(tiny_game())
    begun.play(("R", 1))
    games.save(begun, GameDetails())
    title = max((facts.title for facts in list_games()), key=len)
    app = make_menu_app(store=games, games=(replace(tiny_game(), facts=replace(tiny_game().facts, title=title)),))
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        assert f"Resume {title}  1 move played" in text(app)


async def test_the_menu_says_where_the_other_unfinished_games_are(games: GameStore) -> None:
    for count, others in ((1, ""), (2, "1 more unfinished game: press e."), (3, "2 more unfinished games: press e.")):
        begun: Session[Any, Any] = Session(tiny_game())
        begun.play(("R", 1))
        games.save(begun, GameDetails())
        app = make_menu_app(store=games)
        async with app.run_test(size=(60, 20)) as pilot:
            await settle(pilot)
            said = " ".join(text(app).split())
            assert "Continue where you left off." in said, count
            assert others in said
            assert ("more unfinished" in said) == bool(others)


async def test_a_game_is_resumed_where_it_was_left(tmp_path: Path, games: GameStore) -> None:
    app = make_board_app(store=games)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *GOOD, "left", "enter", "1", "y", "u")
        left = session(app).position
        depth = len(session(app).undone)
        played = session(app).list_moves()
    again = make_menu_app(store=games)
    async with again.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "Resume Two Heaps" in text(again)
        await press(pilot, "f1")
        assert "the last one wins." in " ".join(text(again).split()), "the rules of the game that waits"
        await press(pilot, "q")
        await press(pilot, "enter")
        assert session(again).position == left
        assert session(again).list_moves() == played
        assert len(session(again).undone) == depth == 1


async def test_an_app_that_is_to_resume_begins_with_the_game_and_has_the_menu_below(games: GameStore) -> None:
    fresh = make_menu_app(store=games, resumes=True)
    async with fresh.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert isinstance(fresh.screen, MenuScreen), "there is no game yet"
    begun: Session[Any, Any] = Session(tiny_game())
    begun.play(("R", 1))
    games.save(begun, GameDetails())
    app = make_menu_app(store=games, resumes=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert session(app).list_moves()[:1] == begun.list_moves()
        await press(pilot, "q")
        assert isinstance(app.screen, MenuScreen)
        assert "Resume Two Heaps" in text(app), "the menu does not open it a second time"


async def test_a_form_that_is_painted_before_it_knows_its_width_uses_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The form has no width until the game is found. After that, it may be painted before it is told its width."""
    is_open, find, update = Event(), new_game.find_game, Choices._size_updated

    def find_slowly(services: Services, game_id: str) -> GameFound:
        assert is_open.wait(60)
        return find(services, game_id)

    def update_and_paint(choices: Choices, *sizes: Any, **options: Any) -> bool:
        is_new = update(choices, *sizes, **options)
        choices.repaint()
        return is_new

    monkeypatch.setattr(new_game, "find_game", find_slowly)
    monkeypatch.setattr(Choices, "_size_updated", update_and_paint)
    app = make_app(game="lightriders", settings=make_settings())
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("c")
        await pilot.pause()
        is_open.set()
        await settle(pilot)
        shown = lines_on_screen(app)
        await press(pilot, "down", "up")
        assert lines_on_screen(app) == shown

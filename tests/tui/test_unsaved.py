"""The app when the disk is full while a game is played: the player learns it, and no move is lost that can be saved."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

import pytest
from onlymove_engines.core.errors import as_sentence
from onlymove_tui import NOT_SAVED
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.screens.menu import MenuScreen
from onlymove_tui.app.screens.play import PlayScreen
from onlymove_tui.app.screens.review import ReviewScreen
from onlymove_tui.app.widgets.bars import Gate
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.schema import describe_unsaved

from tests.tui.pilots import (
    FRIENDS,
    WeakStore,
    make_board_app,
    make_menu_app,
    make_settings,
    notice,
    press,
    session,
    settle,
    text,
    weak_store_at,
)
from tests.tui.sizes import resize
from tests.tui.tiny_game import tiny_game

ASK_LEAVE = "Your last moves are not saved. Press q again to leave without them."
UNSAVED = "Your last moves are not saved. Press {} to leave this game first."


@pytest.fixture
def games(tmp_path: Path) -> WeakStore:
    return weak_store_at(tmp_path / "games.sqlite3")


def make_friends_app(games: GameStore) -> OnlymoveApp:
    return make_board_app(make_settings(training=False), store=games, players=FRIENDS)


def saved_moves(games: GameStore) -> int:
    """Return the number of moves in the only saved game, or 0 if there is none."""
    return sum(len(games.peek(entry.number).session.list_moves()) for entry in games.list())


async def test_a_player_who_leaves_is_told_that_moves_are_not_saved(games: WeakStore) -> None:
    app = make_friends_app(games)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, *"mR1", "enter")
        games.is_full = True
        await press(pilot, *"mL1", "enter")
        assert as_sentence(describe_unsaved("games.sqlite3: database or disk is full")) in notice(app)
        await press(pilot, "q")
        assert ASK_LEAVE in notice(app)
        await press(pilot, "right", "q")
        assert isinstance(app.screen, PlayScreen), "the question was withdrawn and asked again"
        assert ASK_LEAVE in notice(app)
        await press(pilot, "q")
        assert isinstance(app.screen, MenuScreen)
        assert saved_moves(games) == 1


async def test_a_terminal_that_is_too_small_says_whether_games_are_saved(games: WeakStore) -> None:
    app = make_friends_app(games)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for is_full, output in (
            (False, "Ctrl+Q quits. Your games are saved."),
            (True, "Ctrl+Q quits. Not all of your games are saved."),
            (False, "Ctrl+Q quits. Your games are saved."),
        ):
            await resize(pilot, (80, 24))
            games.is_full = is_full
            await press(pilot, *"mR1", "enter")
            await resize(pilot, (50, 10))
            assert app.screen.query_one(Gate).text().endswith(output)


async def test_it_says_nothing_about_games_that_cannot_be_saved(tmp_path: Path) -> None:
    (tmp_path / "games.sqlite3").mkdir()
    with closing(GameStore.open(tmp_path / "games.sqlite3")) as store:
        app = make_menu_app(store=store)
        async with app.run_test(size=(50, 10)) as pilot:
            await settle(pilot)
            assert app.screen.query_one(Gate).text().endswith("Ctrl+Q quits.")


async def test_unsaved_moves_are_saved_when_the_player_leaves(games: WeakStore) -> None:
    app = make_friends_app(games)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        games.is_full = True
        await press(pilot, *"mR1", "enter")
        assert saved_moves(games) == 0
        games.is_full = False
        await press(pilot, "q")
        assert "Your game is saved again." in notice(app)
        assert saved_moves(games) == 1
        await press(pilot, "q")
        assert isinstance(app.screen, MenuScreen)


async def test_no_other_game_begins_before_this_one_is_saved(games: WeakStore) -> None:
    app = make_friends_app(games)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        games.is_full = True
        await press(pilot, *"mR1", "enter")
        for keys in (("c",), ("ctrl+p", *"new game", "enter")):
            await press(pilot, *keys)
            assert UNSAVED.format("q") in notice(app)
            assert isinstance(app.screen, PlayScreen)
        games.is_full = False
        await press(pilot, "c")
        assert saved_moves(games) == 1
        await press(pilot, "enter")
        assert not session(app).list_moves(), "a new game"


@pytest.mark.parametrize("key", ["g", "c"])
async def test_a_review_leaves_no_unsaved_game_behind(games: WeakStore, key: str) -> None:
    app = make_friends_app(games)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        games.is_full = True
        await press(pilot, *"mR1", "enter", "e", key)
        assert isinstance(app.screen, ReviewScreen)
        assert UNSAVED.format("Esc") in notice(app)
        games.is_full = False
        await press(pilot, key)
        assert saved_moves(games) == 1
        assert not isinstance(app.screen, ReviewScreen)


async def test_the_menu_says_in_a_sentence_that_games_are_not_saved(path: Path) -> None:
    path.parent.write_text("")
    games = GameStore.open(path)
    app = make_menu_app(store=games)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert as_sentence(describe_unsaved("games.sqlite3: File exists")) in " ".join(text(app).split())
        await press(pilot, "ctrl+q")
    assert app.return_value == 0, "nothing was played"
    games.close()


async def test_the_menu_says_that_the_file_was_damaged(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path.parent.mkdir()
    path.write_text("no database")
    games = GameStore.open(path)
    app = make_menu_app(store=games)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "Your file of games was damaged, so it is now in damaged-" in " ".join(text(app).split())
        await press(pilot, "ctrl+q")
    assert app.return_value == NOT_SAVED
    assert "no game could be read from it." in " ".join(capsys.readouterr().err.split())
    games.close()


async def test_a_disk_that_fails_from_the_start_is_told_of_at_the_end_too(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path.parent.write_text("")
    games = GameStore.open(path, lambda _: tiny_game())
    app = make_friends_app(games)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, *"mR1", "enter")
        assert as_sentence(describe_unsaved("games.sqlite3: File exists")) in notice(app)
        await press(pilot, "q")
        assert isinstance(app.screen, MenuScreen), "no question is asked, because the player knows"
        await press(pilot, "ctrl+q")
    assert app.return_value == NOT_SAVED
    assert as_sentence(describe_unsaved("games.sqlite3: File exists")) in " ".join(capsys.readouterr().err.split())
    games.close()


@pytest.mark.parametrize("stays_full", [False, True])
async def test_a_game_that_was_left_unsaved_is_saved_at_the_end_if_possible(games: WeakStore, stays_full: bool) -> None:
    app = make_friends_app(games)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        games.is_full = True
        await press(pilot, *"mR1", "enter", "q", "q")
        assert isinstance(app.screen, MenuScreen)
        games.is_full = stays_full
        await press(pilot, "ctrl+q")
    assert saved_moves(games) == (0 if stays_full else 1)
    assert app.return_value == (NOT_SAVED if stays_full else 0)


async def test_a_folder_that_vanishes_during_a_game_is_told_of(path: Path) -> None:
    games = GameStore(path, lambda _: tiny_game())
    app = make_friends_app(games)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, *"mR1", "enter")
        shutil.rmtree(path.parent)
        await press(pilot, *"mL1", "enter")
        assert "Your file of games was removed while it was open." in notice(app)
        await press(pilot, "ctrl+q")
    assert app.return_value == NOT_SAVED
    assert saved_moves(games) == 2, "the game under way is in the new file"
    games.close()


@pytest.mark.parametrize("stays_full", [False, True])
async def test_a_player_who_quits_learns_in_the_terminal_what_is_not_saved(
    games: WeakStore, stays_full: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    app = make_friends_app(games)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        games.is_full = True
        await press(pilot, *"mR1", "enter")
        games.is_full = stays_full
        await press(pilot, "ctrl+q")
    assert saved_moves(games) == (0 if stays_full else 1)
    lost = as_sentence(describe_unsaved("games.sqlite3: database or disk is full"))
    assert " ".join(capsys.readouterr().err.split()) == (lost if stays_full else "")

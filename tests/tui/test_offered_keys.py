"""In menus, lists, forms, pages and on a board, every key that the screen names does something there.

A key in the footer does more than say why it does nothing."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.commands import BY_ID
from onlymove_tui.store.settings import Effective, Keys

from tests.lobby.lobbies import make_clock, open_lobby
from tests.tui.key_checks import carry_out, find_wrong_keys, list_footer, list_named, press_meant, signature
from tests.tui.pilots import close_stores, make_menu_app, make_settings, settle, store_at, text
from tests.tui.test_named_keys import KEYMAPS

Way = Sequence[str]
"""The usual keys that lead from the menu to a place."""

TINY = ("end", "up")
"""Selects the tiny game, which is above the line for playing a person."""
NEW: Way = (*TINY, "enter")
BOARD: Way = (*NEW, "enter")
OVER: Way = (*BOARD, "m", *"R1", "enter", "R", "R")
REVIEW: Way = (*OVER, "e")
EXPLORER: Way = (*TINY, "X")
MENUS: Mapping[str, Way] = {
    "the menu, a game to resume": ("home",),
    "the menu, a kind of game": ("down",),
    "the menu, a person": ("end",),
    "the keys": ("?",),
    "the other keys": ("?", "space"),
    "the commands": ("ctrl+p",),
    "no command": ("ctrl+p", *"zzz"),
    "the games": ("e",),
    "a search": ("e", "/", "t"),
    "no games": ("e", "/", *"zzz", "enter"),
    "a question about a game": ("e", "x"),
    "the progress": ("p",),
    "the drills": ("d",),
    "new drills": ("d", "end"),
    "the settings": ("s",),
    "a setting to type": ("s", "up"),
    "the rules": ("down", "i"),
    "the end of the rules": ("down", "i", "end"),
    "the numbers": ("down", "n"),
    "a new game": NEW,
    "a player": (*NEW, "down"),
    "a field to type": (*NEW, "up"),
    "a field being typed": (*NEW, "up", "m"),
    "the people": ("o",),
    "a challenge": ("o", "end", "enter"),
    "waiting": ("o", "end", "enter", "enter"),
}
BOARDS: Mapping[str, Way] = {
    "the start": BOARD,
    "a hint": (*BOARD, "h"),
    "values": (*BOARD, "v"),
    "a move being typed": (*BOARD, "m"),
    "half a move": (*BOARD, "enter"),
    "a stopped move": (*BOARD, "m", *"R3", "enter"),
    "best play after a stopped move": (*BOARD, "m", *"R3", "enter", "w"),
    "the end of best play": (*BOARD, "m", *"R3", "enter", *"wwwww"),
    "the start of best play": (*BOARD, "m", *"R3", "enter", "w", "left"),
    "the past": (*BOARD, "m", *"R1", "enter", "["),
    "the start of the past": (*BOARD, "m", *"R1", "enter", "[", "["),
    "a question": (*BOARD, "R"),
    "new players": (*BOARD, "P"),
    "the end": OVER,
    "the review": REVIEW,
    "the end of the review": (*REVIEW, "end", "right"),
    "the end of best play in the review": (*REVIEW, "end", *"wwwww"),
    "the start of best play in the review": (*REVIEW, "end", "w", "left"),
    "the start of the review": (*REVIEW, "home", "left"),
    "a try in the review": (*REVIEW, "t"),
    "the explorer": EXPLORER,
    "a move typed in the explorer": (*EXPLORER, "m"),
    "reasons in the explorer": (*EXPLORER, "w"),
    "where to go": (*EXPLORER, "g"),
    "a position to set up": ("down", "X", "s"),
    "a lesson": ("down", "l", "enter"),
    "a hint in a lesson": ("down", "l", "enter", "h"),
    "the answer in a lesson": ("down", "l", "enter", "n"),
    "the next task of a lesson": ("down", "l", "enter", "n", "enter"),
    "a drill": (*OVER, "q", "d", "enter"),
    "the solution of a drill": (*OVER, "q", "d", "enter", "s"),
    "the end of a round": (*OVER, "q", "d", "enter", "s", "n"),
}
PLACES = {**MENUS, **BOARDS}
SAID = {
    *((place, "hint") for place in ("a lesson", "a hint in a lesson", "the next task of a lesson")),
    *((place, command) for place in ("a question", "a question about a game") for command in BY_ID),
}
"""Places and commands that are carried out by words alone: a hint in a lesson is a sentence, and while a question is
asked, every other key goes back to the sentence before it, as the question says."""
QUICK = (
    "the start",
    "the explorer",
    "the menu, a game to resume",
    "the menu, a person",
    "no command",
    "no games",
    "a field to type",
    "a stopped move",
)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of a player with a finished game and one to resume."""
    path = tmp_path_factory.mktemp("played") / "games.sqlite3"

    async def play() -> None:
        app = make_menu_app(store=store_at(path))
        async with app.run_test(size=(80, 24)) as pilot:
            await settle(pilot)
            await press_meant(pilot, "up", "enter", "enter", "m", *"R1", "enter", "R", "R", "q")
            await press_meant(pilot, "home", "down", "down", "down", "enter", "enter", "1", "enter", "q")
            assert "Resume" in text(app)

    asyncio.run(play())
    close_stores()  # so that all of it is in the file
    return path


def make_place_app(played: Path, folder: Path, settings: Effective) -> OnlymoveApp:
    path = Path(shutil.copy(played, folder / "games.sqlite3"))
    lobby = open_lobby(folder, "ada", make_clock())
    return make_menu_app(settings, store=store_at(path), lobby=lobby, profile="ada")


@pytest.mark.parametrize(
    "place", [place if place in QUICK else pytest.param(place, marks=pytest.mark.slow) for place in PLACES]
)
async def test_every_key_that_a_place_names_does_something_there(place: str, played: Path, tmp_path: Path) -> None:
    named: list[str] = ["first"]
    done: set[str] = set()
    found = []
    while len(done) < len(named):
        folder = tmp_path / str(len(done))
        folder.mkdir()
        app = make_place_app(played, folder, make_settings())
        async with app.run_test(size=(80, 24)) as pilot:
            await settle(pilot)
            await press_meant(pilot, *PLACES[place])
            if not done:
                found += list(find_wrong_keys(app))
            named = list_named(app)
            command = next(name for name in named if name not in done)
            done.add(command)
            counts_words = command not in list_footer(app) or (place, command) in SAID
            before = signature(app, counts_words)
            await carry_out(pilot, command)
            if signature(app, counts_words) == before:
                found.append(f"{command} does nothing" + ("" if counts_words else ", or only says why"))
    assert not found, place


async def collect_faults(place: str, app: OnlymoveApp) -> list[str]:
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press_meant(pilot, *PLACES[place])
        return list(find_wrong_keys(app))


@pytest.mark.parametrize("place", PLACES)
async def test_every_key_that_a_place_names_under_vi_is_the_key_of_its_command(
    place: str, played: Path, tmp_path: Path
) -> None:
    assert not await collect_faults(place, make_place_app(played, tmp_path, make_settings(keys=Keys.VI)))


@given(KEYMAPS, st.sampled_from(list(Keys)), st.sampled_from(list(PLACES)))
@hypothesis.settings(max_examples=30, deadline=None)
def test_every_key_that_a_place_names_is_the_key_of_its_command_whatever_the_player_has_chosen(
    played: Path, keymap: dict[str, str], keys: Keys, place: str
) -> None:
    settings = make_settings(keys=keys, keymap=keymap)
    with TemporaryDirectory() as folder:
        assert not asyncio.run(collect_faults(place, make_place_app(played, Path(folder), settings)))
        close_stores()

"""The list of people on a crowded host: everybody who waits can be reached, and Enter acts on the marked line."""

from __future__ import annotations

import json
import os

import pytest
from onlymove_tui.app.screens.people import PeopleScreen, WaitingScreen
from onlymove_tui.app.screens.play import PlayScreen
from onlymove_tui.app.widgets.bars import Lines
from onlymove_tui.lobby.challenges import JoinedChallenge, OpenChallenge
from onlymove_tui.lobby.lobby import Lobby, list_entries, remove_old_records

from tests.lobby.apps import Apps, Player, press
from tests.lobby.lobbies import begin_game, make_terms, open_lobby, show_all_alive
from tests.tui.pilots import settle, text

GAMES = 30
"""A number of games that is too large for one screen."""


@pytest.fixture
def ada(apps: Apps) -> Lobby:
    return open_lobby(apps.folder, "ada", apps.clock)


@pytest.fixture
def cat(apps: Apps) -> Lobby:
    return open_lobby(apps.folder, "cat", apps.clock)


def find_marked_row(player: Player) -> tuple[int, str]:
    """Return the marked row of the screen, and its text."""
    return next((row, line) for row, line in enumerate(text(player[0]).split("\n")) if "▸" in line)


async def refresh(player: Player, lobby: Lobby) -> None:
    """Update the list, with everybody online."""
    show_all_alive(lobby)
    assert isinstance(player[0].screen, PeopleScreen)
    player[0].screen.ask()
    await settle(player[1])


def begin(opened: OpenChallenge, joiner: Lobby) -> None:
    """Let somebody join an open challenge, so that its game begins."""
    joined = JoinedChallenge.join(joiner, opened.challenge_id, joiner.who.uid)
    assert opened.look()
    opened.close()
    joined.close()


async def test_open_challenges_are_listed_above_games_to_watch(apps: Apps, ada: Lobby, cat: Lobby) -> None:
    for _ in range(GAMES):
        begin_game(ada, cat, make_terms())
    OpenChallenge.open(cat, make_terms())
    OpenChallenge.open(ada, make_terms(wanted="bob"))
    show_all_alive(ada)
    async with apps.player("bob") as bob:
        await press(bob, "o")
        lines = [line for line in text(bob[0]).split("\n") if "Two Heaps" in line]
        assert ["waiting for you" in line for line in lines[:2]] == [True, False]
        assert "cat is waiting" in lines[1]
        assert all("Enter to watch" in line for line in lines[2:])


async def test_a_marked_challenge_keeps_its_row_when_its_game_begins_and_the_next_one_is_visible(
    apps: Apps, ada: Lobby, cat: Lobby
) -> None:
    """Formerly, the mark moved down to the games to watch, and the list scrolled with it."""
    for _ in range(GAMES):
        begin_game(ada, cat, make_terms())
    opened = OpenChallenge.open(cat, make_terms("duel"))
    show_all_alive(ada)
    async with apps.player("bob") as bob:
        await press(bob, "o")
        row, line = find_marked_row(bob)
        assert "cat is waiting" in line
        begin(opened, ada)
        OpenChallenge.open(ada, make_terms("duel"))
        await refresh(bob, ada)
        assert find_marked_row(bob)[0] == row
        assert "cat and ada" in find_marked_row(bob)[1], "it is the same game"
        assert "ada is waiting" in text(bob[0])
        await press(bob, "down", "enter")
        assert isinstance(bob[0].screen, WaitingScreen)


async def test_the_mark_stays_on_its_challenge_when_others_come_and_go(apps: Apps, ada: Lobby, cat: Lobby) -> None:
    for _ in range(4):
        begin_game(ada, cat, make_terms())
    begin_game(ada, cat, make_terms("duel"))
    show_all_alive(ada)
    async with apps.player("bob") as bob:
        await press(bob, "o", "down", "down")
        before = find_marked_row(bob)
        assert "Enter to watch" in before[1]
        opened = [OpenChallenge.open(ada, make_terms(wanted="bob")) for _ in range(3)]
        await refresh(bob, ada)
        assert find_marked_row(bob) == before
        for one in opened:
            one.withdraw()
        await refresh(bob, ada)
        assert find_marked_row(bob) == before
        await press(bob, "enter")
        assert isinstance(bob[0].screen, PlayScreen)


async def test_enter_on_a_challenge_that_has_just_gone_opens_no_other(apps: Apps, ada: Lobby, cat: Lobby) -> None:
    gone = OpenChallenge.open(ada, make_terms())
    apps.clock.now += 1.0
    first = OpenChallenge.open(cat, make_terms())
    show_all_alive(ada)
    async with apps.player("bob") as bob:
        await press(bob, "o", "down")
        row, line = find_marked_row(bob)
        assert "ada is waiting" in line
        gone.withdraw()
        await refresh(bob, ada)
        assert find_marked_row(bob)[0] == row
        assert "gone" in find_marked_row(bob)[1]
        await press(bob, "enter")
        assert isinstance(bob[0].screen, PeopleScreen)
        assert "This game no longer exists." in text(bob[0])
        await press(bob, "up")
        await refresh(bob, ada)
        assert "gone" not in "".join(text(bob[0]).split("\n")[: row + 2])
        await press(bob, "enter")
        assert isinstance(bob[0].screen, WaitingScreen)
        assert bob[0].screen.challenge.challenge_id == first.challenge_id


async def test_the_mark_stays_on_a_game_for_which_a_challenge_may_be_opened(apps: Apps, ada: Lobby) -> None:
    async with apps.player("bob") as bob:
        await press(bob, "o", "down")
        _, line = find_marked_row(bob)
        assert "Open a challenge" in line
        OpenChallenge.open(ada, make_terms())
        await refresh(bob, ada)
        assert find_marked_row(bob)[1] == line


async def test_records_of_version_1_in_the_common_folder_are_ignored(apps: Apps, ada: Lobby) -> None:
    """Version 1 stored its records directly in the common folder. Nothing there is read, refused or removed."""
    record = ada.folders.place / f"{'a' * 16}.table"
    first = {"do": "open", "time": ada.clock(), "version": 1, "table": "a" * 16, "name": "mallory", "game": "tiny"}
    record.parent.mkdir(mode=0o755, exist_ok=True)
    record.write_text(json.dumps({**first, "start": "4,4 0", "seat": 0, "seen": 0}) + "\n")
    os.utime(record, (ada.clock(), ada.clock()))
    before = record.read_bytes()
    assert list_entries(ada) == []
    async with apps.player("bob") as bob:
        await press(bob, "o")
        assert "No open challenges. Open one, and others will see it." in text(bob[0])
        assert "mallory" not in text(bob[0])
        assert "version" not in text(bob[0])
        OpenChallenge.open(ada, make_terms())
        show_all_alive(ada)
        await refresh(bob, ada)
        assert "ada is waiting" in text(bob[0])
    remove_old_records(ada)
    assert record.read_bytes() == before


@pytest.mark.parametrize("width", [60, 80])
async def test_the_list_names_side_options_and_clock_of_the_marked_challenge(
    apps: Apps, ada: Lobby, width: int
) -> None:
    OpenChallenge.open(ada, make_terms(clock="5+3"))
    show_all_alive(ada)
    async with apps.player("bob", (width, 20)) as bob:
        await press(bob, "o")
        shown = " ".join(text(bob[0]).split())
        assert "You play Right. Clock: 5 minutes, 3 seconds more for each move." in shown


async def test_the_list_says_what_the_marked_game_is_about_and_what_enter_does(apps: Apps) -> None:
    async with apps.player("bob") as bob:
        await press(bob, "o", "end")
        output = bob[0].screen.query_one("#facts", Lines).text()
        assert "Two rounds of matching pennies" in output
        assert "Press Enter to choose your side and a clock." in " ".join(output.split())

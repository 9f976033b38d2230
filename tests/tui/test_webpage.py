"""The web page of a reviewed game is complete, safe to open, and always the same bytes. tests/browser tests it in a
browser."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from onlymove.pictures.colours import NAMES
from onlymove_engines import games
from onlymove_engines.coach.judge import Coaching
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.facts import GameId
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.session import AnySession, Session
from onlymove_engines.records.record import Record, format_record
from onlymove_tables.open import open_game
from onlymove_tui.app.webpage.page import GameShown, web_page
from onlymove_tui.cli.console import Caller
from onlymove_tui.cli.records import review_command

PLIES, NODES = 2, 500
PLAYERS = ('Ada "<&>"', "</script><script>alert(1)</script>")
IDS = [facts.id for facts in games.list_games()]
VOID = ("meta", "link", "rect", "path")


def play_randomly(game_id: GameId, plies: int = PLIES) -> AnySession:
    """Play a game of random moves until it has this many plies or is over."""
    game, dice = games.load(game_id), Random(3)
    session: AnySession = Session(game)
    while not session.is_over and session.node.ply < plies:
        for seat in (0, 1) if game.facts.simultaneous else (session.to_move or 0,):
            move = dice.choice(session.moves_of(seat))
            if game.facts.simultaneous:
                session.commit(seat, move)
            else:
                session.play(move)
    return session


@cache
def review_game(game_id: GameId, plies: int = PLIES) -> LiveGame:
    """Return a game of random moves of which everything is known."""
    live = LiveGame(play_randomly(game_id, plies), Coaching(), training=False)
    live.set_analyst(open_game(live.game).analyst)
    for node in live.node.path():
        if question := live.prepare_question(node):
            live.store_values(node, question(Budget(nodes=NODES)))
    return live


def page_of(live: LiveGame, theme: str = "dark") -> str:
    return web_page([GameShown(live, PLAYERS, "2026.11.22")], theme)


class Opened(HTMLParser):
    """Reads a page, and checks that every element is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.sections: list[str] = []
        self.links: list[str] = []
        self.words = ""
        self.feed(text)
        assert not self.open, self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag == "section":
            self.sections.append(found["id"] or "")
        if tag == "a":
            self.links.append(found["href"] or "")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert tag in VOID or self.open.pop() == tag, f"{tag} closes nothing"

    def handle_data(self, data: str) -> None:
        self.words += data


@pytest.mark.parametrize("game_id", IDS)
def test_every_move_has_its_board_and_its_link(game_id: GameId) -> None:
    live = review_game(game_id)
    page, plies = Opened(page_of(live)), range(live.node.ply + 1)
    assert page.sections == [f"p{ply}" for ply in plies]
    assert page.links == [f"#p{ply}" for ply in (*plies, *plies[1:])], "the strip's, then the list's"
    for words in (live.game.facts.title, *PLAYERS, *live.game.seats):
        assert words in page.words


@pytest.mark.parametrize("theme", [*NAMES, "", "mauve"])
def test_a_page_fetches_nothing_and_is_the_same_every_time(theme: str) -> None:
    live = review_game(IDS[0])
    page = page_of(live, theme)
    assert theme != NAMES[0] or page == page_of(live, theme)
    assert not re.search(r"https?:|//|url\(|@import|\bsrc=", page)
    assert "default-src 'none'" in page
    assert page.count("<script") == 1, "a name is not run"


def test_unknown_facts_are_not_on_the_page() -> None:
    page = Opened(page_of(LiveGame(play_randomly(IDS[0]), Coaching(), training=False)))
    assert len(page.sections) == PLIES + 1
    assert "??" not in page.words


def test_the_command_writes_every_game_of_a_file(tmp_path: Path) -> None:
    one, other = (format_record(Record(play_randomly(game_id).tree, {})) for game_id in IDS[:2])
    for text, games_there in ((one, 1), (f"{one}\n{other}", 2)):
        file = tmp_path / "games.txt"
        file.write_text(text, "utf-8")
        run = CliRunner().invoke(review_command, ["--html", str(file)], obj=Caller(), standalone_mode=False)
        assert (run.exception, run.return_value) == (None, 0)
        page = Opened(run.stdout)
        assert len(page.sections) == len(set(page.sections)) == games_there * (PLIES + 1)
        assert {link.removeprefix("#") for link in page.links} == set(page.sections)
        assert page.links[: games_there - 1] == ["#p0", "#g2p0"][: games_there - 1], "links to the games come first"


@pytest.mark.parametrize(
    ("date", "shown"),
    [("2026.11.22", "2026.11.22"), ("1994.05.??", "1994.05"), ("????.??.??", ""), ("", ""), ("May 1994", "May 1994")],
)
def test_a_page_shows_only_known_players_and_dates(date: str, shown: str) -> None:
    live = LiveGame(play_randomly(IDS[0]), Coaching(), training=False)
    first, second = live.game.seats
    page = Opened(web_page([GameShown(live, ("?", "Bo"), date)], "dark"))
    assert f"{first}  -  {second}: Bo  {shown}\n" in page.words

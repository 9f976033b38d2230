"""The web page of a reviewed game in a browser. It turns pages by keys and links, and makes no network request."""

from __future__ import annotations

from pathlib import Path

import pytest
from onlymove_engines.live.live_game import LiveGame
from onlymove_tui.app.webpage.page import GameShown, web_page

from tests.browser.chromium import open_page
from tests.tui.test_webpage import IDS, page_of, review_game

pytestmark = pytest.mark.browser
PLIES = 12
"""So many that most games of random moves have three flagged ones."""
SHOWN = "[...document.querySelectorAll('section')].filter(s => s.checkVisibility()).map(s => s.id).join()"
HERE = "[...document.querySelectorAll('.here')].map(link => link.hash).join()"


def mistakes(live: LiveGame) -> list[int]:
    """List the plies of the flagged moves."""
    return [node.ply for node in live.node.path() if (worst := node.worst_judgement()) and worst.flagged]


async def test_a_game_is_gone_through_by_keys_without_a_request(tmp_path: Path) -> None:
    live = next(found for game_id in IDS if len(mistakes(found := review_game(game_id, PLIES))) > 2)
    last, flagged = live.node.ply, mistakes(live)
    file = tmp_path / "game.html"
    file.write_text(page_of(live), "utf-8")
    async with open_page(tmp_path / "browser") as page:
        await page.open(file.as_uri())
        assert await page.value(SHOWN) == "p0"
        before = [ply for ply in flagged if ply < last][-1]
        forward = (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last), ("ArrowRight", last))
        for key, ply in (*forward, ("M", before), ("Home", 0), ("m", flagged[0])):
            await page.press(key)
            await page.wait_until(f"{SHOWN} == 'p{ply}'")
        await page.value("document.querySelectorAll('ol a')[3].click()")
        await page.wait_until(f"{SHOWN} == 'p4'")
        await page.wait_until("document.querySelector('ol > .here').hash == '#p4'")
        assert {address.split("#")[0] for address in page.requests} <= {file.as_uri(), "data:,"}


async def test_one_of_several_games_is_shown_and_keys_stay_in_it(tmp_path: Path) -> None:
    file = tmp_path / "games.html"
    file.write_text(web_page([GameShown(review_game(game_id), ("?", "?"), "") for game_id in IDS[:3]], "dark"), "utf-8")
    last = review_game(IDS[1]).node.ply
    async with open_page(tmp_path / "browser") as page:
        await page.open(file.as_uri())
        assert await page.value(SHOWN) == "p0"
        await page.value("document.querySelectorAll('nav a')[1].click()")
        assert await page.value(SHOWN) == "g2p0"
        for key, ply in (("ArrowLeft", 0), ("ArrowRight", 1), ("End", last), ("ArrowRight", last)):
            await page.press(key)
            await page.wait_until(f"{SHOWN} == 'g2p{ply}'")
            # The links are marked a moment after the page is turned.
            await page.wait_until(f"{HERE} == '{f'#g2p0,#g2p{ply}' if ply else '#g2p0'}'")

"""The page of a reviewed game in a browser: it turns by keys, by links, and asks the network for nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from onlymove_tui.play.match import Match

from tests.browser.chromium import opened
from tests.tui.test_webpage import IDS, page_of, reviewed

pytestmark = pytest.mark.browser
SHOWN = "[...document.querySelectorAll('section')].filter(s => s.checkVisibility()).map(s => s.id).join()"


def mistakes(match: Match) -> list[int]:
    """The plies of the moves that were flagged."""
    return [node.ply for node in match.node.path() if (worst := node.worst_judgement()) and worst.flagged]


async def test_a_game_is_gone_through_by_keys_without_a_request(tmp_path: Path) -> None:
    match = next(found for found in map(reviewed, IDS) if len(mistakes(found)) > 2)
    last, flagged = match.node.ply, mistakes(match)
    file = tmp_path / "game.html"
    file.write_text(page_of(match), "utf-8")
    async with opened(tmp_path / "browser") as page:
        await page.open(file.as_uri())
        assert await page.value(SHOWN) == "p0"
        before = [ply for ply in flagged if ply < last][-1]
        forward = (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last), ("ArrowRight", last))
        for key, ply in (*forward, ("M", before), ("Home", 0), ("m", flagged[0])):
            await page.press(key)
            assert await page.value(SHOWN) == f"p{ply}", key
        await page.value("document.querySelectorAll('ol a')[3].click()")
        assert await page.value(SHOWN) == "p4"
        assert await page.value("document.querySelector('ol > .here').hash") == "#p4"
        assert {address.split("#")[0] for address in page.requests} <= {file.as_uri(), "data:,"}

"""The app in a browser, by `onlymove serve`: a whole game from menu to end, as a visitor plays it."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from random import Random

import pytest
from onlymove_engines import games
from onlymove_engines.play.session import AnySession
from onlymove_tui.store.games import GameStore

from tests.browser.chromium import PATIENCE, Page, opened

pytestmark = pytest.mark.browser
PAINTED = "document.body.classList.contains('-first-byte')"
SCREEN = 3.0
"""Seconds in which a screen is there, on a busy machine: what a canvas shows cannot be read."""
LOSER = {"ONLYMOVE_ON_BAD": "off", "ONLYMOVE_STRENGTH": "0", "ONLYMOVE_ANIMATION": "off"}
"""Settings with which any game ends soon, whatever is played."""


@asynccontextmanager
async def served(home: Path) -> AsyncIterator[int]:
    """The port of a server with a history of its own."""
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    own = {f"XDG_{kind}_HOME": str(home / kind) for kind in ("DATA", "CONFIG", "STATE")}
    command = [sys.executable, "-m", "onlymove_tui", "serve", "--port", str(port)]
    server = await asyncio.create_subprocess_exec(
        *command, env={**os.environ, **own, **LOSER}, start_new_session=True, stdout=asyncio.subprocess.DEVNULL
    )
    try:
        async with asyncio.timeout(PATIENCE):
            while not is_listening(port):
                await asyncio.sleep(0.1)
        yield port
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        await server.wait()


def is_listening(port: int) -> bool:
    with closing(socket.socket()) as caller:
        return caller.connect_ex(("127.0.0.1", port)) == 0


def newest(guests: Path) -> AnySession | None:
    """The game that the only guest has on disk."""
    file = next(guests.glob("guest-*/games.sqlite3"), None)
    if file is None:
        return None
    with closing(GameStore.open(file, games.load)) as store:
        found = store.list(1)
        return store.load(found[0].number).session if found else None


async def waits_for_us(guests: Path, plies: int) -> AnySession:
    """The game once it has more plies and the person is to move, or it is over."""
    async with asyncio.timeout(PATIENCE):
        while (session := newest(guests)) is None or session.node.ply < plies or not (session.is_over or ours(session)):
            await asyncio.sleep(0.2)
    return session


def ours(session: AnySession) -> bool:
    return session.to_move is not None and session.players[session.to_move].is_human


async def test_a_whole_game_is_played(tmp_path: Path) -> None:
    dice, guests = Random(1), tmp_path / "DATA" / "onlymove" / "profiles"
    async with served(tmp_path) as port, opened(tmp_path / "browser") as page:
        await page.open(f"http://127.0.0.1:{port}/")
        await page.until(PAINTED)
        await page.value("document.querySelector('.xterm-helper-textarea').focus()")
        for _ in ("the first game", "start"):
            await asyncio.sleep(SCREEN)
            await page.press("Enter")
        await asyncio.sleep(SCREEN)
        session = await begun(page, guests)
        while not session.is_over:
            position = session.position
            move = session.game.notation.format_move(position, dice.choice(session.moves_of(session.to_move or 0)))
            await page.press("m", *move, "Enter")
            session = await waits_for_us(guests, session.node.ply + 1)
        assert session.result is not None
        assert all(address.startswith((f"http://127.0.0.1:{port}/", "data:")) for address in page.requests)


async def begun(page: Page, guests: Path) -> AnySession:
    """The game after the first move, typed as the first move of the first game that is listed."""
    game = games.load(games.title_cards()[0].id)
    start = game.default_start()
    await page.press("m", *game.notation.format_move(start, game.rules.legal_moves(start)[0]), "Enter")
    return await waits_for_us(guests, 1)

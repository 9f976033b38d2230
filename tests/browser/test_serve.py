"""The app in a browser, started by `onlymove serve`, from the menu to the end of a game."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, closing
from pathlib import Path
from random import Random

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from onlymove_engines import games
from onlymove_engines.play.session import AnySession
from onlymove_tui.cli.serve import MAX_VISITORS
from onlymove_tui.store.games import GameStore
from onlymove_tui.web.server import FULL
from yarl import URL

from tests.browser.chromium import PATIENCE, Page, browser, open_page

pytestmark = pytest.mark.browser
PAINTED = "document.body.classList.contains('-first-byte')"
CLOSED = "document.body.classList.contains('-closed')"
WHY = "document.getElementById('why').textContent"
LOSER = {"ONLYMOVE_ON_BAD": "off", "ONLYMOVE_STRENGTH": "0", "ONLYMOVE_ANIMATION": "off"}
"""Settings with which every game ends soon, whatever is played."""


@asynccontextmanager
async def start_server(home: Path, *options: str, port: int = 0) -> AsyncIterator[str]:
    """Start a server with its own data folder, and yield the address that it prints."""
    own = {f"XDG_{kind}_HOME": str(home / kind) for kind in ("DATA", "CONFIG", "STATE")}
    server = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "onlymove_tui", *options, "serve", "--port", str(port),
        env={**os.environ, **own, **LOSER}, start_new_session=True, stderr=PIPE,
    )  # fmt: skip
    assert server.stderr is not None
    try:
        async with asyncio.timeout(PATIENCE):
            line = (await server.stderr.readline()).decode()
        yield line.split()[2]
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        await server.wait()


def profiles(home: Path) -> Mapping[str, Path]:
    """Return the file of games of each player who has one."""
    return {file.parent.name: file for file in (home / "DATA" / "onlymove" / "profiles").glob("*/games.sqlite3")}


def load_newest(file: Path) -> AnySession | None:
    """Return a player's newest game."""
    with closing(GameStore.open(file, games.load)) as store:
        found = store.list(1)
        return store.load(found[0].number).session if found else None


def count(file: Path) -> int:
    """Count a player's games."""
    with closing(GameStore.open(file, games.load)) as store:
        return store.count()


def load_game(home: Path) -> AnySession | None:
    """Return the newest game of the only player, or `None` if there is not exactly one."""
    files = list(profiles(home).values())
    return load_newest(files[0]) if len(files) == 1 else None


async def waits_for_us(home: Path, plies: int) -> AnySession:
    """Wait until the game has this many plies and the person is to move, or until it is over. Return it."""
    async with asyncio.timeout(PATIENCE):
        while (
            (session := load_game(home)) is None
            or session.node.ply < plies
            or not (session.is_over or is_ours(session))
        ):
            await asyncio.sleep(0.2)
    return session


def is_ours(session: AnySession) -> bool:
    return session.to_move is not None and session.players[session.to_move].is_human


async def enter(page: Page, address: str) -> None:
    """Open the page, and wait until the app accepts keys."""
    await page.open(address)
    await page.wait_until(PAINTED)


async def begin(page: Page) -> None:
    """Play the first legal move of the first game in the menu. The keys are sent at once and wait for their screens."""
    game = games.load(games.list_games()[0].id)
    start = game.default_start()
    await page.press(
        "Enter", "Enter", "m", *game.notation.format_move(start, game.rules.legal_moves(start)[0]), "Enter"
    )


async def play(page: Page, home: Path, session: AnySession, dice: Random) -> AnySession:
    """Play a random move, and wait for the reply."""
    position = session.position
    move = session.game.notation.format_move(position, dice.choice(session.moves_of(session.to_move or 0)))
    await page.press("m", *move, "Enter")
    return await waits_for_us(home, session.node.ply + 1)


async def test_a_whole_game_is_played(tmp_path: Path) -> None:
    dice = Random(1)
    async with start_server(tmp_path) as address, open_page(tmp_path / "browser") as page:
        await enter(page, address)
        await begin(page)
        session = await waits_for_us(tmp_path, 1)
        while not session.is_over:
            session = await play(page, tmp_path, session, dice)
        assert session.result is not None
        assert all(asked.startswith((address, "data:")) for asked in page.requests)
        assert "static/fonts" in str(page.requests)


RECORD_SENT = """window.sent = []; const send = WebSocket.prototype.send
WebSocket.prototype.send = function (text) { window.sent.push(text); send.call(this, text) }"""
LAST_SIZE = "window.sent.filter(text => text.includes('resize')).map(text => JSON.parse(text)[1]).pop()"


@pytest.mark.parametrize(("width", "height"), [(360, 800), (400, 800), (600, 800), (640, 360), (568, 280)])
async def test_on_a_small_page_sixty_columns_and_twenty_rows_fit(tmp_path: Path, width: int, height: int) -> None:
    async with start_server(tmp_path) as address, open_page(tmp_path / "browser") as page:
        await page.ask("Page.enable")
        await page.ask("Page.addScriptToEvaluateOnNewDocument", source=RECORD_SENT)
        await page.ask(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=2, mobile=True
        )
        await enter(page, address)
        await page.wait_until(LAST_SIZE)
        size = await page.value(LAST_SIZE)
        assert 60 <= size["width"] < (80 if height == 800 else 100), size
        assert size["height"] >= 20, size


async def test_letters_fit_again_after_a_phone_is_turned(tmp_path: Path) -> None:
    async with start_server(tmp_path) as address, open_page(tmp_path / "browser") as page:
        await page.ask("Page.enable")
        await page.ask("Page.addScriptToEvaluateOnNewDocument", source=RECORD_SENT)
        await page.ask("Emulation.setDeviceMetricsOverride", width=1200, height=800, deviceScaleFactor=1, mobile=True)
        await enter(page, address)
        for width, height, columns in ((360, 640, (60, 80)), (640, 360, (80, 110)), (1200, 800, (115, 140))):
            await page.ask(
                "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=True
            )
            size, (least, most) = f"({LAST_SIZE} ?? {{}})", columns  # the ranges have no common size
            fits = f"{least} <= {size}.width && {size}.width < {most} && {size}.height >= 20"
            await page.wait_until(f"{PAINTED} && {fits}")


async def test_keys_that_load_the_page_again_are_left_to_the_browser(tmp_path: Path) -> None:
    async with start_server(tmp_path) as address, open_page(tmp_path / "browser") as page:
        await enter(page, address)
        for key, code, ctrl, is_left in (("F5", 116, 0, 1), ("r", 82, 1, 1), ("F1", 112, 0, 0), ("p", 80, 1, 0)):
            event = f"{{key: '{key}', keyCode: {code}, ctrlKey: !!{ctrl}, bubbles: true, cancelable: true}}"
            box = "document.querySelector('.xterm-helper-textarea')"
            assert await page.value(f"{box}.dispatchEvent(new KeyboardEvent('keydown', {event}))") is bool(is_left), key


async def test_reload_and_reconnect_come_back_to_the_game(tmp_path: Path) -> None:
    dice = Random(2)
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    async with open_page(tmp_path / "browser") as page:
        async with start_server(tmp_path, port=port) as address:
            await enter(page, address)
            await begin(page)
            session = await waits_for_us(tmp_path, 1)
            await page.value("window.isThePageBefore = true")
            await page.ask("Page.reload")
            await page.wait_until(f"!window.isThePageBefore && {PAINTED}")
            session = await play(page, tmp_path, session, dice)
            await page.value("window.isThePageBefore = true")
        await page.wait_until(CLOSED)
        assert await page.value(WHY) == "The connection is lost. Trying to connect again."
        async with start_server(tmp_path, port=port):
            await page.wait_until(f"!window.isThePageBefore && {PAINTED}")
            await play(page, tmp_path, session, dice)
        assert await page.value("document.cookie") == "", "no script can read who we are"
    (file,) = profiles(tmp_path).values()
    assert count(file) == 1


FITS = """(() => {
    const screen = document.querySelector('.xterm-screen').getBoundingClientRect(), page = document.documentElement
    const bars = [...document.querySelectorAll('*')].filter(
        e => /auto|scroll/.test(getComputedStyle(e).overflowY) && e.offsetWidth > e.clientWidth && e.offsetWidth > 20)
    return bars.length == 0 && page.scrollWidth == WIDTH && page.scrollHeight == HEIGHT
        && WIDTH - 16 < screen.right && screen.right <= WIDTH && HEIGHT - 24 < screen.bottom && screen.bottom <= HEIGHT
})()"""
"""Whether the screen fills the window up to less than one cell, and nothing scrolls."""


async def test_the_frame_fits_the_page_without_a_scrollbar(tmp_path: Path) -> None:
    async with start_server(tmp_path) as address, open_page(tmp_path / "browser") as page:
        for ratio in (1, 1.25, 2):
            for width, height in ((1280, 800), (901, 607), (500, 400)):
                await page.ask(
                    "Emulation.setDeviceMetricsOverride",
                    width=width,
                    height=height,
                    deviceScaleFactor=ratio,
                    mobile=False,
                )
                if page.requests:
                    await page.wait_until(FITS.replace("WIDTH", str(width)).replace("HEIGHT", str(height)))
                await enter(page, address)
                await page.wait_until(FITS.replace("WIDTH", str(width)).replace("HEIGHT", str(height)))


ATTACK = """(async () => {
    const socket = await new Promise(tell => {
        const it = new WebSocket('ws://ADDRESS/ws?width=80&height=24')
        it.onopen = () => tell('open')
        it.onerror = () => tell('refused')
    })
    const page = await fetch('http://ADDRESS/', { credentials: 'include' }).then(a => a.text(), () => 'refused')
    return [socket, page.includes('terminal') ? 'read' : 'refused']
})()"""
"""What another page might try. The result says whether it got a WebSocket and whether it could read the page."""

FRAME = """new Promise(tell => {
    const it = document.createElement('iframe')
    it.onload = () => tell(it.contentDocument?.getElementById('terminal') ? 'shown' : 'refused')
    it.src = 'http://ADDRESS/'
    document.body.append(it)
})"""


async def test_a_page_of_another_origin_gets_nothing(tmp_path: Path) -> None:
    """Not even if the browser has the player's cookie. Cookies are sent to all ports of a host."""

    async def greet(request: web.Request) -> web.Response:
        return web.Response(text="<p>Hello", content_type="text/html")

    elsewhere = web.Application()
    elsewhere.router.add_get("/", greet)
    rule = "--host-resolver-rules=MAP site.example 127.0.0.1"
    async with (
        start_server(tmp_path, "--profile", "ada") as address,
        TestServer(elsewhere) as other,
        browser(tmp_path / "browser", rule) as started,
        started.page() as page,
    ):
        own = str(URL(address).authority)
        await enter(page, address)
        assert await page.value("location.href") == f"http://{own}/", "the token does not stay in the history"
        assert await page.value(ATTACK.replace("ADDRESS", own)) == ["open", "read"], "the page itself can"
        assert "ada" in profiles(tmp_path)
        pages = {
            "another port": f"http://127.0.0.1:{other.port}/",
            "another name of this machine": f"http://localhost:{other.port}/",
            "another site": f"http://site.example:{other.port}/",
            "the same page by another name": f"http://localhost:{URL(address).port}/",
            "no origin": "data:text/html,<p>Hello",
        }
        for name, attacker in pages.items():
            await page.open(attacker)
            assert await page.value(ATTACK.replace("ADDRESS", own)) == ["refused", "refused"], name
            assert await page.value(FRAME.replace("ADDRESS", own)) == "refused", name

        rebound = f"site.example:{URL(address).port}"
        await page.open(f"http://{rebound}/")
        assert "does not answer to the name 'site.example'" in await page.value("document.body.textContent")
        assert await page.value(ATTACK.replace("ADDRESS", rebound)) == ["refused", "refused"]
        assert await page.value(ATTACK.replace("ADDRESS", own)) == ["refused", "refused"]

        await page.open(address)
        await page.wait_until(PAINTED)
        async with started.page() as stranger:
            await stranger.open(address)
            assert "It works once." in await stranger.value("document.body.textContent")


async def test_twenty_play_at_once_and_one_more_is_refused_with_a_reason(tmp_path: Path) -> None:
    async with start_server(tmp_path) as address, browser(tmp_path / "browser") as started, AsyncExitStack() as stack:
        pages = [await stack.enter_async_context(started.page()) for _ in range(MAX_VISITORS)]
        for page in pages:
            await enter(page, address)
        for page in pages:
            await begin(page)
        async with asyncio.timeout(PATIENCE):
            while len(files := profiles(tmp_path)) < MAX_VISITORS or not all(map(is_begun, files.values())):
                await asyncio.sleep(1)
        async with started.page() as late:
            await late.open(address)
            await late.wait_until(CLOSED)
            assert await late.value(WHY) == FULL.format(MAX_VISITORS)
        assert not any([await page.value(CLOSED) for page in pages])


def is_begun(file: Path) -> bool:
    """Whether a move has been played in the player's newest game."""
    session = load_newest(file)
    return session is not None and session.node.ply > 0


async def test_a_browser_plays_while_hundreds_of_connections_send_nothing(tmp_path: Path) -> None:
    async with start_server(tmp_path) as address, open_page(tmp_path / "browser") as page:
        host, port = URL(address).host, URL(address).port
        with ExitStack() as half_open:
            for _ in range(600):
                half_open.enter_context(closing(socket.create_connection((host, port))))
            await enter(page, address)
            await begin(page)
            await waits_for_us(tmp_path, 1)


async def test_a_second_window_takes_the_game_over(tmp_path: Path) -> None:
    async with start_server(tmp_path) as address, open_page(tmp_path / "browser") as page:
        await enter(page, address)
        await begin(page)
        await waits_for_us(tmp_path, 1)
        await page.ask("Runtime.evaluate", expression="void window.open(location.href)", userGesture=True)
        await page.wait_until(CLOSED)
        assert await page.value(WHY) == "Your game continues in another window."

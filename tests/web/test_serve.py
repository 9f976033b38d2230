"""The command `serve` and the app that it starts both end properly, and neither outlives the other."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path

import pytest
from aiohttp import ClientSession, ClientWebSocketResponse, CookieJar, WSMsgType
from onlymove_tables.lock import is_held
from onlymove_tui import SIGNALLED
from onlymove_tui.cli import run
from onlymove_tui.store.profiles import find_places
from onlymove_tui.web.server import AppProcess
from yarl import URL

from tests.amounts import limit_values
from tests.web.visitors import LONG

APP = (sys.executable, "-m", "onlymove_tui")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Mapping[str, str]:
    """Use new folders, also for programs that are started."""
    for kind in ("DATA", "CONFIG", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind))
    return os.environ


@asynccontextmanager
async def start_server(*options: str) -> AsyncIterator[tuple[Process, URL]]:
    """Run the command, and yield it with the address that it prints."""
    server = await asyncio.create_subprocess_exec(
        *APP, *options, "serve", "--port", "0", stderr=PIPE, start_new_session=True
    )
    assert server.stderr is not None
    try:
        line = (await server.stderr.readline()).decode()
        assert line.startswith("onlymove: Open http://127.0.0.1:"), line
        yield server, URL(line.split()[2])
    finally:
        if server.returncode is None:
            with suppress(ProcessLookupError):  # it may have ended a moment ago
                os.killpg(server.pid, signal.SIGKILL)
        await server.wait()


async def wait_for_menu(page: ClientWebSocketResponse) -> None:
    """Wait until the app has drawn its menu."""
    drawn = b""
    while b"Play a person" not in drawn:
        message = await page.receive()
        assert message.type is WSMsgType.BINARY, (message, drawn)
        drawn += message.data


async def wait_until_released(lock: Path) -> None:
    """Wait until no process holds the profile."""
    while is_held(lock):
        await asyncio.sleep(0.05)


@pytest.mark.parametrize("number", limit_values([signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP], 2))
async def test_no_app_outlives_its_server(number: signal.Signals) -> None:
    lock = find_places("ada").lock
    async with (
        start_server("--profile", "ada") as (server, url),
        ClientSession(cookie_jar=CookieJar(unsafe=True)) as client,
    ):
        await (await client.get(url)).read()
        async with client.ws_connect(
            url.join(URL("ws")), headers={"Origin": str(url.origin())}, max_msg_size=0
        ) as page:
            await wait_for_menu(page)
            assert is_held(lock)
            server.send_signal(number)
            assert await server.wait() == (-number if number is signal.SIGKILL else 0)
        await wait_until_released(lock)


GARBAGE = (
    b"\x00\xff\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
    b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
)


async def test_an_invalid_request_is_refused_without_a_line_on_the_host() -> None:
    async with start_server() as (server, url):
        for data in GARBAGE:
            reader, writer = await asyncio.open_connection("127.0.0.1", url.port)
            writer.write(data)
            assert b" 400 " in await reader.readline()
            writer.close()
        server.send_signal(signal.SIGTERM)
        assert server.stderr is not None
        assert await server.stderr.read() == b""


@pytest.mark.parametrize("seen", [b"\x1b[?1049h", b"Play a person"], ids=["before the menu", "in the menu"])
async def test_an_app_without_its_server_exits_as_after_a_hangup(seen: bytes) -> None:
    app = await AppProcess.start([*APP, "--kiosk", "--profile", "ada"], 80, 24)
    screens = app.screens()
    while seen not in await anext(screens):
        pass
    code, words = await app.end(LONG)
    assert code == SIGNALLED + signal.SIGHUP, words


def test_a_port_in_use_is_reported_in_one_line(capfd: pytest.CaptureFixture[str]) -> None:
    with closing(socket.socket()) as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        assert run(["serve", "--port", str(other.getsockname()[1])]) == 2
    assert len(capfd.readouterr().err.splitlines()) == 1


def test_a_profile_that_cannot_be_is_refused(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["--profile", "../ada", "serve"]) == 2
    assert "is not a valid profile name" in capfd.readouterr().err


def test_an_empty_address_does_not_open_the_server_to_everybody(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["serve", "--host", ""]) == 2
    assert "an address must not be empty" in capfd.readouterr().err

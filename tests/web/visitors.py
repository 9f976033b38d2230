"""A server with a program that replaces the app, and browsers that visit it."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from http.cookies import Morsel
from pathlib import Path
from typing import Any

from aiohttp import ClientSession, ClientWebSocketResponse, CookieJar, WSMsgType, WSServerHandshakeError
from onlymove_tui.web.limits import Limits
from onlymove_tui.web.server import Server, listen
from yarl import URL

LONG = 1e6
"""A time limit in seconds that no test reaches."""

PATIENT = Limits(LONG, LONG, LONG, LONG, LONG)
"""With these limits, no browser is given up and no app is killed, however slow the machine is."""

ECHO = Path(__file__).with_name("echo_app.py")


class Site:
    """A server on loopback, as a browser without cookies sees it."""

    def __init__(self, server: Server, output: list[str], started: list[tuple[str, bool]], end: AsyncExitStack) -> None:
        self.told, self.started, self.connections = output, started, server.connections
        self.url = URL(f"http://127.0.0.1:{server.port}/")
        """The address of the page."""
        self._end = end

    async def close(self) -> None:
        """Close the server properly."""
        await self._end.aclose()

    @asynccontextmanager
    async def browser(self) -> AsyncIterator[Browser]:
        """Yield a new browser."""
        async with ClientSession(cookie_jar=CookieJar(unsafe=True)) as client:
            yield Browser(client, self.url)


class Browser:
    """A browser that stores cookies."""

    def __init__(self, client: ClientSession, url: URL) -> None:
        self._client, self._url = client, url

    async def get(self, path: str = "/", **headers: str) -> tuple[int, str]:
        """Return the status and the text of a page."""
        async with self._client.get(self._url.join(URL(path)), headers=headers) as answer:
            return answer.status, await answer.text()

    async def connect(self, path: str = "ws", **headers: str) -> ClientWebSocketResponse:
        """Open a WebSocket as the page does, unless headers say otherwise. Raises WSServerHandshakeError."""
        own = {"Origin": str(self._url.origin())}
        chosen = {name: value for name, value in {**own, **headers}.items() if value}
        return await self._client.ws_connect(self._url.join(URL(path)), headers=chosen, max_msg_size=0)

    async def status(self, **headers: str) -> int:
        """Return the status with which a request for a WebSocket is answered."""
        try:
            socket = await self.connect(**headers)
        except WSServerHandshakeError as refusal:
            return refusal.status
        await socket.close()
        return 101

    def cookies(self) -> dict[str, Morsel[str]]:
        """Return the stored cookies."""
        return {cookie.key: cookie for cookie in self._client.cookie_jar}


@asynccontextmanager
async def site(
    host: str = "127.0.0.1",
    names: Iterable[str] = (),
    profile: str = "",
    most: int = 20,
    program: Sequence[str] = (sys.executable, str(ECHO)),
    **others: Any,
) -> AsyncIterator[Site]:
    """Run a server with a program that replaces the app. `others` are passed on to it."""
    output: list[str] = []
    started: list[tuple[str, bool]] = []

    def command(player: str, resumes: bool) -> list[str]:
        started.append((player, resumes))
        return [*program, player]

    served = Server(command, output.append, host, tuple(names), profile, most, **{"limits": PATIENT, **others})
    async with AsyncExitStack() as end:
        await end.enter_async_context(listen(served, "127.0.0.1", 0))
        output.append(served.address)
        yield Site(served, output, started, end)


async def receive_screen(socket: ClientWebSocketResponse) -> str:
    """Return the next screen."""
    return (await socket.receive_bytes()).decode()


async def read_start(socket: ClientWebSocketResponse) -> list[str]:
    """Return how the app was started: the player, the width and the height."""
    _, *words = json.loads(await receive_screen(socket))
    return list(words)


async def read_close_reason(socket: ClientWebSocketResponse) -> tuple[int, str]:
    """Return why the connection was closed. Nothing else may come first."""
    message = await socket.receive()
    assert message.type is WSMsgType.CLOSE, message
    return message.data, message.extra or ""

"""Controls a Chromium without a screen over its DevTools protocol: it opens pages, presses keys and lists requests."""

from __future__ import annotations

import asyncio
import base64
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from aiohttp import ClientSession, ClientWebSocketResponse

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--remote-debugging-port=0",
)  # fmt: skip
PATIENCE = 180.0
"""How many seconds to wait for a page on a busy machine."""


class Page:
    """One tab. `requests` are the addresses that it has asked for, including those of opened pages."""

    def __init__(self, socket: ClientWebSocketResponse) -> None:
        self.requests: list[str] = []
        self._socket, self._last = socket, 0

    async def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method of the protocol and return its result."""
        self._last += 1
        await self._socket.send_json({"id": self._last, "method": method, "params": parameters})
        while True:
            message = await self._socket.receive_json(timeout=PATIENCE)
            if message.get("method") == "Network.requestWillBeSent":
                self.requests.append(message["params"]["request"]["url"])
            if message.get("id") == self._last:
                assert "error" not in message, message
                found: dict[str, Any] = message["result"]
                return found

    async def open(self, address: str) -> None:
        await self.ask("Network.enable")
        await self.ask("Page.navigate", url=address)
        await self.wait_until("document.readyState == 'complete' && location.href != 'about:blank'")

    async def value(self, expression: str) -> Any:
        """Return the value of a JavaScript expression on the page, after its promise is fulfilled."""
        found = await self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        return found["result"].get("value")

    async def wait_until(self, expression: str) -> None:
        """Wait until an expression is true."""
        async with asyncio.timeout(PATIENCE):
            while not await self.value(expression):
                await asyncio.sleep(0.05)

    async def picture(self, file: Path) -> None:
        """Save a picture of the page, for people who want to look at it."""
        shot = await self.ask("Page.captureScreenshot", format="png")
        file.write_bytes(base64.b64decode(shot["data"]))

    async def press(self, *keys: str) -> None:
        """Press keys by their names in the browser: `a`, `Enter`, `ArrowLeft`."""
        for key in keys:
            text = {"text": "\r" if key == "Enter" else key} if key == "Enter" or len(key) == 1 else {}
            code = {"windowsVirtualKeyCode": KEY_CODES[key]} if key in KEY_CODES else {}
            await self.ask("Input.dispatchKeyEvent", type="keyDown", key=key, **text, **code)
            await self.ask("Input.dispatchKeyEvent", type="keyUp", key=key, **code)


KEY_CODES = {"Enter": 13, "Escape": 27, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39,
             "ArrowDown": 40}  # fmt: skip


class Browser:
    """One Chromium. Each of its pages has its own profile, as if another visitor opened it."""

    def __init__(self, client: ClientSession, port: int, itself: Page) -> None:
        self._client, self._port, self._itself = client, port, itself

    @asynccontextmanager
    async def page(self) -> AsyncIterator[Page]:
        """Open a page for another visitor."""
        profile = await self._itself.ask("Target.createBrowserContext")
        tab = await self._itself.ask("Target.createTarget", url="about:blank", **profile)
        async with self._client.ws_connect(
            f"http://127.0.0.1:{self._port}/devtools/page/{tab['targetId']}", max_msg_size=0
        ) as socket:
            yield Page(socket)


@asynccontextmanager
async def browser(home: Path, *flags: str) -> AsyncIterator[Browser]:
    """Start a browser. If Chromium is missing, the test fails and is not skipped."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    assert program is not None, f"none of {', '.join(NAMES)} is on the search path"
    process = await asyncio.create_subprocess_exec(
        program, f"--user-data-dir={home}", *FLAGS, *flags, "about:blank", stderr=asyncio.subprocess.DEVNULL
    )
    try:
        port, path = await wait_for_address(home / "DevToolsActivePort")
        async with (
            ClientSession() as client,
            client.ws_connect(f"http://127.0.0.1:{port}{path}", max_msg_size=0) as socket,
        ):
            yield Browser(client, port, Page(socket))
    finally:
        process.kill()
        await process.wait()


@asynccontextmanager
async def open_page(home: Path) -> AsyncIterator[Page]:
    """Open one page in a new browser."""
    async with browser(home) as started, started.page() as page:
        yield page


async def wait_for_address(file: Path) -> tuple[int, str]:
    """Return the port and the path that the browser writes down once it listens."""
    async with asyncio.timeout(PATIENCE):
        while not file.exists() or len(lines := file.read_text().split()) < 2:
            await asyncio.sleep(0.05)
    return int(lines[0]), lines[1]

"""A Chromium without a screen, driven over its DevTools protocol: pages opened, keys pressed, requests counted."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from aiohttp import ClientSession, ClientWebSocketResponse

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-port=0", "about:blank")
PATIENCE = 60.0
"""Seconds within which a page does what it does at all, on a busy machine."""


class Page:
    """One tab. `requests` are the addresses it has asked for, pages that were opened included."""

    def __init__(self, socket: ClientWebSocketResponse) -> None:
        self.requests: list[str] = []
        self._socket, self._last = socket, 0

    async def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """One call of the protocol."""
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
        await self.until("document.readyState == 'complete' && location.href != 'about:blank'")

    async def value(self, expression: str) -> Any:
        """What a JavaScript expression is worth on the page."""
        found = await self.ask("Runtime.evaluate", expression=expression, returnByValue=True)
        return found["result"].get("value")

    async def until(self, expression: str) -> None:
        """Wait until it is true."""
        async with asyncio.timeout(PATIENCE):
            while not await self.value(expression):
                await asyncio.sleep(0.05)

    async def press(self, *keys: str) -> None:
        """Keys by their names in the browser: `a`, `Enter`, `ArrowLeft`."""
        for key in keys:
            text = {"text": "\r" if key == "Enter" else key} if key == "Enter" or len(key) == 1 else {}
            code = {"windowsVirtualKeyCode": KEY_CODES[key]} if key in KEY_CODES else {}
            await self.ask("Input.dispatchKeyEvent", type="keyDown", key=key, **text, **code)
            await self.ask("Input.dispatchKeyEvent", type="keyUp", key=key, **code)


KEY_CODES = {"Enter": 13, "Escape": 27, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39,
             "ArrowDown": 40}  # fmt: skip


@asynccontextmanager
async def opened(home: Path) -> AsyncIterator[Page]:
    """A browser of its own; a missing Chromium is a failure, not a skip."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    assert program is not None, f"none of {', '.join(NAMES)} is on the search path"
    browser = await asyncio.create_subprocess_exec(
        program, f"--user-data-dir={home}", *FLAGS, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        port = await listening(home / "DevToolsActivePort")
        async with ClientSession() as client:
            async with client.get(f"http://127.0.0.1:{port}/json/list") as answer:
                tabs = json.loads(await answer.text())
            address = next(tab["webSocketDebuggerUrl"] for tab in tabs if tab["type"] == "page")
            async with client.ws_connect(address, max_msg_size=0) as socket:
                yield Page(socket)
    finally:
        browser.kill()
        await browser.wait()


async def listening(file: Path) -> int:
    """The port that the browser writes down once it listens."""
    async with asyncio.timeout(PATIENCE):
        while not file.exists() or not file.read_text():
            await asyncio.sleep(0.05)
    return int(file.read_text().split()[0])

"""One visitor: the WebSocket of the page on one side, an app on the other."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from aiohttp import WSMsgType, web

from onlymove_tui.web.app_process import AppProcess
from onlymove_tui.web.messages import BadMessage, Blurred, Focused, Ping, Resized, Typed, read

CLOSING_SECONDS = 2.0
"""How long a browser may take to agree that the connection is closed."""

LONGEST_REASON = 123
"""Bytes that a WebSocket may give as the reason for its end (RFC 6455, section 5.5)."""


class Visit:
    """It lasts until the page is closed, the app leaves, or somebody calls `end`."""

    def __init__(self, socket: web.WebSocketResponse) -> None:
        self._socket = socket
        self.is_over = asyncio.Event()
        """Set when the app has saved and left."""

    async def end(self, code: int, reason: str = "") -> None:
        """Close the connection, tell the page why, and wait until the app has saved and left."""
        await asyncio.gather(self.close(code, reason), self.is_over.wait())

    async def close(self, code: int, reason: str = "") -> None:
        """Close the connection and tell the page why."""
        message = reason.encode()[:LONGEST_REASON].decode("utf-8", "ignore").encode()
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSING_SECONDS):
                await self._socket.close(code=code, message=message)

    async def play(self, app: AppProcess) -> tuple[int, str] | None:
        """Carry screens to the page and keys to the app until either leaves, then end the app.

        Returns the exit code and last words of an app that left by itself, `None` if the page left first.
        Raises BadMessage if the page sends something that it never sends.
        """
        shown, heard = asyncio.create_task(self._show(app)), asyncio.create_task(self._hear(app))
        try:
            await asyncio.wait((shown, heard), return_when=asyncio.FIRST_COMPLETED)
            has_left = shown.done() and shown.result()
            if heard.done():
                heard.result()
        finally:
            shown.cancel()
            heard.cancel()
            await asyncio.gather(shown, heard, return_exceptions=True)
            ended = await app.end()
        return ended if has_left else None

    async def _show(self, app: AppProcess) -> bool:
        """Whether the app was there no longer than the page."""
        try:
            async for screen in app.screens():
                await self._socket.send_bytes(screen)
        except ConnectionError:
            return False
        return True

    async def _hear(self, app: AppProcess) -> None:
        async for message in self._socket:
            if message.type is WSMsgType.ERROR:
                return
            if message.type is not WSMsgType.TEXT:
                raise BadMessage("the page sent bytes instead of text")
            with suppress(ConnectionError):
                await self._pass_on(message.data, app)

    async def _pass_on(self, text: str, app: AppProcess) -> None:
        match read(text):
            case Typed(keys):
                await app.type(keys.encode())
            case Resized(size):
                await app.tell("resize", width=size.width, height=size.height)
            case Ping(mark):
                await self._socket.send_json(["pong", mark])
            case Focused():
                await app.tell("focus")
            case Blurred():
                await app.tell("blur")

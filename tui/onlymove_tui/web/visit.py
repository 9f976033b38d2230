"""One visitor, with the WebSocket of the page on one side and an app in its own process on the other.

The page sends Textual's messages, which are checked before they are used. The app draws for a browser by Textual's
protocol, over two pipes. It quits when its input ends, even if this process is killed, so no app outlives its server.
"""

from __future__ import annotations

import asyncio
import json
import os
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from importlib.metadata import version
from typing import Any

import msgspec
from aiohttp import WSMsgType, web
from onlymove_engines.core.errors import OnlymoveError

LONGEST = 1 << 18
"""The most bytes of one message. A paste is one message, and no record of a game is nearly as long."""

LARGEST_SIDE = 65535
"""The most columns or rows, as for the system's own terminals. The app decides how many of them it draws."""


class BadMessage(OnlymoveError):
    """The message is not one that the page sends."""


def read_message(text: str) -> tuple[str, Any]:
    """Return the kind of a message from the page, and what it says: the keys, clicks or paste of `stdin`, the text that
    `ping` wants back, or the facts about a window. Raises BadMessage.

    >>> read_message('["resize", {"width": 80, "height": 24}]')
    ('resize', {'width': 80, 'height': 24})
    """
    with suppress(msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        match msgspec.json.decode(text):
            case ["stdin" | "ping" as kind, str(content)]:
                return kind, content
            case ["focus" | "blur" as kind]:
                return kind, {}
            case ["resize", {"width": _, "height": _, **others} as size] if not others:
                if all(type(side) is int and 1 <= side <= LARGEST_SIDE for side in size.values()):
                    return "resize", size
    raise BadMessage("the page sent a message that onlymove does not understand")


DRIVER = "onlymove_tui.terminal.browser_driver:BrowserDriver"
READY = b"__GANGLION__\n"
"""The line that Textual prints before the first packet."""

DATA, META = b"D", b"M"
"""The types of packets: for the terminal, and everything else. After the type come four bytes with the length."""

LEAVING_SECONDS = 4.0
"""How long the app may take to save and quit before it is killed. It needs no more than two seconds."""

LAST_WORDS = 300
"""How many bytes from the end of stderr are reported."""


class AppProcess:
    """A running app. Its output must be read continuously, or the app stops."""

    def __init__(self, process: Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._process, self._stdin, self._stdout = process, process.stdin, process.stdout
        self._words = b""
        self._listening = asyncio.create_task(self._listen(process.stderr))

    @classmethod
    async def start(cls, command: Sequence[str], width: int, height: int) -> AppProcess:
        """Run the app on a screen of this many cells. Raises OSError if the system cannot start a process."""
        environment = {
            **os.environ,
            "TEXTUAL_DRIVER": DRIVER,
            "TEXTUAL_FPS": "60",
            "TEXTUAL_COLOR_SYSTEM": "truecolor",
            "TERM_PROGRAM": "textual",
            "TERM_PROGRAM_VERSION": version("textual-serve"),
            "COLUMNS": str(width),
            "ROWS": str(height),
        }
        # The app gets its own session, because Ctrl+C is for the server, which then ends the apps in an orderly way.
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=environment, start_new_session=True
        )
        return cls(process)

    async def screens(self) -> AsyncIterator[bytes]:
        """Yield the output for the terminal in the browser until the app quits."""
        with suppress(asyncio.IncompleteReadError):
            await self._stdout.readuntil(READY)
            while True:
                kind, length = await self._stdout.readexactly(1), await self._stdout.readexactly(4)
                packet = await self._stdout.readexactly(int.from_bytes(length, "big"))
                if kind == DATA:
                    yield packet

    async def send(self, packet: bytes, kind: bytes = DATA) -> None:
        """Send typed keys to the app, or tell it about its window. Raises ConnectionError if the app has quit."""
        self._stdin.write(kind + len(packet).to_bytes(4, "big") + packet)
        await self._stdin.drain()

    async def end(self) -> tuple[int, str]:
        """Make the app save and quit, or kill it. Returns its exit code and the end of its stderr."""
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(LEAVING_SECONDS):
                    self._stdin.close()
                    while await self._stdout.read(1 << 16):
                        pass
                    await self._process.wait()
        finally:
            with suppress(ProcessLookupError):
                self._process.kill()
            # Even if this task is cancelled, no dead process must be left behind.
            code = await self._process.wait()
            await self._listening
        return code, " ".join(self._words.decode("utf-8", "replace").split())

    async def _listen(self, stderr: asyncio.StreamReader) -> None:
        while chunk := await stderr.read(1 << 12):
            self._words = (self._words + chunk)[-LAST_WORDS:]


CLOSING_SECONDS = 2.0
"""How long a browser may take to agree that the connection is closed."""

LONGEST_REASON = 123
"""The most bytes of the reason for closing a WebSocket (RFC 6455, section 5.5)."""


class Visit:
    """One visit. It lasts until the page is closed, the app quits, or `end` is called."""

    def __init__(self, socket: web.WebSocketResponse) -> None:
        self._socket = socket
        self.is_over = asyncio.Event()
        """Set when the app has saved and quit."""

    async def end(self, code: int, reason: str = "") -> None:
        """Close the connection, tell the page why, and wait until the app has saved and quit."""
        await asyncio.gather(self.close(code, reason), self.is_over.wait())

    async def close(self, code: int, reason: str = "") -> None:
        message = reason.encode()[:LONGEST_REASON].decode("utf-8", "ignore").encode()
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSING_SECONDS):
                await self._socket.close(code=code, message=message)

    async def play(self, app: AppProcess) -> tuple[int, str] | None:
        """Pass screens to the page and keys to the app until one of them ends, and then end the app. Returns the exit
        code and last words of an app that quit by itself, or `None` if the page went first. Raises BadMessage if the
        page sends something that our page never sends."""
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
        """Send screens to the page. Returns whether the app quit before the page was closed."""
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
                kind, content = read_message(message.data)
                if kind == "stdin":
                    await app.send(content.encode())
                elif kind == "ping":
                    await self._socket.send_json(["pong", content])
                else:
                    await app.send(json.dumps({"type": kind, **content}).encode(), META)

"""One app in a process of its own, which draws for a browser: Textual's protocol for that, over two pipes.

The process leaves when its input ends. That also happens when this process is killed, so no app outlives its server.
"""

from __future__ import annotations

import asyncio
import json
import os
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from importlib.metadata import version

DRIVER = "onlymove_tui.terminal.browser_driver:BrowserDriver"
READY = b"__GANGLION__\n"
"""What Textual prints before the first packet."""

DATA, META = b"D", b"M"
"""The types of packets: what a terminal shows or sends, and the rest. Four bytes with a length follow the type."""

LEAVING_SECONDS = 4.0
"""How long an app may take to save and leave before it is killed; it needs no more than two."""

LAST_WORDS = 300
"""Bytes of stderr that are kept: a line or two for whoever runs the server."""


class AppProcess:
    """A running app. Read its screens all the time, or it stops."""

    def __init__(self, process: Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._process, self._stdin, self._stdout = process, process.stdin, process.stdout
        self._words = b""
        self._listening = asyncio.create_task(self._listen(process.stderr))

    @classmethod
    async def start(cls, command: Sequence[str], width: int, height: int) -> AppProcess:
        """Run the app on a screen of so many cells. Raises OSError when the system has no place for a process."""
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
        # In a session of its own: Ctrl+C is for the server, which ends the apps in good order.
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=environment, start_new_session=True
        )
        return cls(process)

    async def screens(self) -> AsyncIterator[bytes]:
        """What the terminal in the browser is to show, until the app leaves."""
        with suppress(asyncio.IncompleteReadError):
            await self._stdout.readuntil(READY)
            while True:
                kind, length = await self._stdout.readexactly(1), await self._stdout.readexactly(4)
                packet = await self._stdout.readexactly(int.from_bytes(length, "big"))
                if kind == DATA:
                    yield packet

    async def type(self, keys: bytes) -> None:
        """Hand over what was typed, as a terminal would send it. Raises ConnectionError when the app has left."""
        await self._send(DATA, keys)

    async def tell(self, kind: str, **facts: int) -> None:
        """Tell the app that its window was resized or that the player looks elsewhere. Raises ConnectionError."""
        await self._send(META, json.dumps({"type": kind, **facts}).encode())

    async def _send(self, kind: bytes, packet: bytes) -> None:
        self._stdin.write(kind + len(packet).to_bytes(4, "big") + packet)
        await self._stdin.drain()

    async def end(self) -> tuple[int, str]:
        """Have the app save and leave; kill it if it does not. Returns its exit code and the end of its stderr."""
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
            # Also when this is cancelled, so that no dead process is left behind.
            code = await self._process.wait()
            await self._listening
        return code, " ".join(self._words.decode("utf-8", "replace").split())

    async def _listen(self, stderr: asyncio.StreamReader) -> None:
        while chunk := await stderr.read(1 << 12):
            self._words = (self._words + chunk)[-LAST_WORDS:]

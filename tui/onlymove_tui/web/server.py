"""The web server behind `serve`. It decides who may connect, as which player, and how many at once.

Any page can make a browser send us requests and open a WebSocket. So this server answers only to its own host
names, because another site could give its name to our address, and opens WebSockets only for its own page. A cookie
identifies a guest, who can then come back to the same game, or the player of a named profile. That player's browser
gets it in exchange for the token in the address that `serve` prints, as with Jupyter.

Each visitor has an app in its own process. The page sends Textual's messages, which are checked before they are used.
The app draws for a browser by Textual's protocol, over two pipes. It quits when its input ends, even if this process is
killed, so no app outlives its server.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager, suppress
from hmac import compare_digest
from importlib.metadata import version
from importlib.resources import files
from ipaddress import ip_address
from pathlib import Path
from secrets import token_hex
from socket import gaierror
from typing import Any
from urllib.parse import urlsplit

import msgspec
from aiohttp import WSCloseCode, WSMsgType, web
from aiohttp.http import HttpProcessingError
from aiohttp.typedefs import Handler
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.text import clean_line
from onlymove_tables.child import build_environment

from onlymove_tui.store.profiles import GUEST_SECONDS, name_guest, remove_old_guests
from onlymove_tui.web.connections import MAX_CONNECTIONS, Connection, Connections, LoopErrors, normalize_address
from onlymove_tui.web.limits import LIMITS, LimitedReport, Limits, Starts

MAX_MESSAGE_BYTES = 1 << 18
"""The most bytes of one message. A paste is one message, and no record of a game is nearly as long."""

MAX_SIDE = 65535
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
                if all(type(side) is int and 1 <= side <= MAX_SIDE for side in size.values()):
                    return "resize", size
    raise BadMessage("the page sent a message that onlymove does not understand")


DRIVER = "onlymove_tui.terminal.browser_driver:BrowserDriver"
READY = b"__GANGLION__\n"
"""The line that Textual prints before the first packet."""

DATA, META = b"D", b"M"
"""The types of packets: for the terminal, and everything else. After the type come four bytes with the length."""

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
        settings = {
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
            *command, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=build_environment() | settings, start_new_session=True
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

    async def end(self, seconds: float) -> tuple[int, str]:
        """Make the app save and quit, or kill it after so many seconds. Returns its exit code and the end of its
        stderr."""
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
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
        return code, clean_line(" ".join(self._words.decode("utf-8", "replace").split()))

    async def _listen(self, stderr: asyncio.StreamReader) -> None:
        while chunk := await stderr.read(1 << 12):
            self._words = (self._words + chunk)[-LAST_WORDS:]


MAX_REASON_LENGTH = 123
"""The most bytes of the reason for closing a WebSocket (RFC 6455, section 5.5)."""


class Visit:
    """One visit. It lasts until the page is closed, the app quits, or `end` is called."""

    def __init__(self, socket: web.WebSocketResponse, address: str, limits: Limits) -> None:
        self._socket = socket
        self._limits = limits
        self.address = address
        """Identifies the client (see `normalize_address`)."""
        self.is_over = asyncio.Event()
        """Set when the app has saved and quit."""

    async def end(self, code: int, reason: str = "") -> None:
        """Close the connection, tell the page why, and wait until the app has saved and quit."""
        await asyncio.gather(self.close(code, reason), self.is_over.wait())

    async def close(self, code: int, reason: str = "") -> None:
        message = reason.encode()[:MAX_REASON_LENGTH].decode("utf-8", "ignore").encode()
        with suppress(TimeoutError):
            async with asyncio.timeout(self._limits.closing_seconds):
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
            ended = await app.end(self._limits.leaving_seconds)
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


PAGE = Path(__file__).with_name("page.html")
STATIC = Path(str(files("textual_serve"))) / "static"
"""The terminal in the page, with its script and its font."""

LOOPBACK = ("localhost", "127.0.0.1", "::1")
EVERY_ADDRESS = ("0.0.0.0", "::")
"""The hosts that stand for all addresses of this machine."""

MAX_PATH_LENGTH = 60
"""The most characters of a path. No path here is as long, and a name of so many fits into every file system."""

USUAL_SIZE = 80, 24
SECRET = re.compile(r"[0-9a-f]{64}")

FORWARDED = "X-Forwarded-For"
"""The header in which a proxy names its client."""

HEADERS = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""Headers of every answer. In a frame of another page, visitors could not see what they click."""

ELSEWHERE = "Your game continues in another window."
FULL = "{} people are already playing here, and there is no room for more. Please try again later."
CROWDED = "{} people are already playing here from your network, and no more can. Please try again later."
NO_ADDRESS = f"This request does not say where it comes from. The proxy must send {FORWARDED}.\n"
HASTY = "You have opened the game too often. Please wait a minute."
NO_PROCESS = "This machine cannot start another game at the moment. Please try again later."
UNEXPECTED = "The app ended unexpectedly. What could be saved is saved."


class Server:
    """Lets guests play, or only the player of one named `profile`. At most `most` people play at once. `command` makes
    the command to start the app for a profile, with the unfinished game or without it. The server answers to the names
    of the loopback interface, to the `host` that it listens on, and to `names`.

    There are at most `connections` besides the visits. One address gets only a part of them, and half of the places. If
    `is_behind_proxy`, the proxy names the address of each client. Otherwise it is the one at the other end. Loopback
    addresses get all places, because a proxy that names nobody may be there."""

    def __init__(
        self,
        command: Callable[[str, bool], Sequence[str]],
        tell: Callable[[str], None],
        host: str,
        names: Collection[str],
        profile: str,
        most: int,
        is_behind_proxy: bool = False,
        connections: int = MAX_CONNECTIONS,
        limits: Limits = LIMITS,
    ) -> None:
        self.limits = limits
        self._command, self._tell, self._profile, self._most = command, tell, profile, most
        self._most_of_address = -(-most // 2)
        self.report = LimitedReport(tell)
        """Reports what went wrong. Clients may cause it, so it must not fill the log."""
        self.is_behind_proxy = is_behind_proxy
        self.connections = Connections(connections, limits)
        self._names = {normalize_host(name) for name in (*LOOPBACK, host, *names)}
        self._has_every_address = host in EVERY_ADDRESS
        self._host = LOOPBACK[0] if self._has_every_address else host
        self.port = 0
        self._page = PAGE.read_text("utf-8")
        self._visits: dict[str, Visit] = {}
        self._waiting: dict[str, Visit] = {}
        """The latest visit of each profile that waits for an earlier one to end."""
        self._starts = Starts(self._most_of_address, limits)
        self._token, self._key = token_hex(), token_hex()
        self._was_used = False

    def application(self) -> web.Application:
        app = web.Application(middlewares=[self._renew_connection, self._check_host])
        app.add_routes([
            web.get("/", self._show_page, allow_head=False),
            web.get("/ws", self._connect, allow_head=False),
            web.static("/static", STATIC),
        ])  # fmt: skip
        app.on_response_prepare.append(add_headers)
        app.on_shutdown.append(self._end_visits)
        return app

    @property
    def address(self) -> str:
        host = f"[{self._host}]" if ":" in self._host else self._host
        return f"http://{host}:{self.port}/" + (f"?token={self._token}" if self._profile else "")

    @web.middleware
    async def _renew_connection(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        self.connections.renew(request.transport, self._find_address(request))
        return await handler(request)

    def _find_address(self, request: web.Request) -> str:
        """Return what identifies the client (see `normalize_address`). Raises HTTPBadRequest if nothing does."""
        latest = request.remote or ""
        if self.is_behind_proxy:
            # The proxy adds the last address. The client can have written all others.
            latest = ",".join(request.headers.getall(FORWARDED, [])).rpartition(",")[2].strip()
        try:
            return normalize_address(latest)
        except ValueError:
            raise web.HTTPBadRequest(text=NO_ADDRESS) from None

    @web.middleware
    async def _check_host(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        if len(request.path) > MAX_PATH_LENGTH:
            raise web.HTTPNotFound
        name, _ = read_host(request)
        if name not in self._names and not (self._has_every_address and is_address(name)):
            name = clean_line(name)
            text = f"onlymove does not answer to the name '{name}'. If it should, start it with: serve --name {name}\n"
            raise web.HTTPForbidden(text=text)
        return await handler(request)

    async def _show_page(self, request: web.Request) -> web.Response:
        page = web.Response(text=self._page, content_type="text/html")
        if self._profile and not self._has_key(request):
            if not is_same(request.query.get("token", ""), self._token):
                raise web.HTTPForbidden(text="Open the address that `onlymove serve` printed last. It works once.\n")
            self._token = token_hex()
            set_cookie(page, self._cookie(request), self._key)
            self._tell(f"that address has already been used. For another browser, open {self.address}")
        return page

    def _cookie(self, request: web.Request) -> str:
        """Return the name of our cookie. It has the port, because browsers send cookies to all ports of a host."""
        return f"onlymove-{'player' if self._profile else 'guest'}-{read_host(request)[1]}"

    def _has_key(self, request: web.Request) -> bool:
        return is_same(request.cookies.get(self._cookie(request), ""), self._key)

    def _admit(self, request: web.Request, socket: web.WebSocketResponse) -> str:
        """Return the profile of this visitor. Raises HTTPForbidden."""
        if self._profile:
            if not self._has_key(request):
                raise web.HTTPForbidden(text="Open the address that `onlymove serve` printed.\n")
            return self._profile
        secret = request.cookies.get(self._cookie(request), "")
        if not SECRET.fullmatch(secret):
            secret = token_hex()
        # The page itself does not set this cookie. A link on another site opens the page without the cookie, and a new
        # one would replace it.
        set_cookie(socket, self._cookie(request), secret, int(GUEST_SECONDS))
        return name_guest(secret)

    async def _connect(self, request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse(
            timeout=self.limits.closing_seconds,
            heartbeat=self.limits.heartbeat_seconds,
            max_msg_size=MAX_MESSAGE_BYTES,
        )
        if not socket.can_prepare(request):
            raise web.HTTPBadRequest(text="Only a WebSocket can be opened at this address.\n")
        if not is_from_own_page(request):
            raise web.HTTPForbidden(text="Only pages from this server can connect here.\n")
        profile = self._admit(request, socket)
        await socket.prepare(request)
        visit = Visit(socket, self._find_address(request), self.limits)
        connection = request.transport
        if not await self._take_over(profile, visit):
            await visit.close(WSCloseCode.GOING_AWAY, ELSEWHERE)
            return socket
        if refusal := self._find_refusal(profile, visit):
            await visit.close(WSCloseCode.TRY_AGAIN_LATER, refusal)
            return socket
        with self.connections.exempt(connection):
            await visit.close(*await self._let_play(profile, visit, read_size(request)))
        return socket

    async def _take_over(self, profile: str, visit: Visit) -> bool:
        """End the earlier visit of the profile. Returns whether this visit is still the latest. If many come at once,
        only the last of them starts an app."""
        self._waiting[profile] = visit
        try:
            while self._waiting.get(profile) is visit and (earlier := self._visits.get(profile)) is not None:
                await earlier.end(WSCloseCode.GOING_AWAY, ELSEWHERE)
            return self._waiting.get(profile) is visit
        finally:
            if self._waiting.get(profile) is visit:
                del self._waiting[profile]

    def _find_refusal(self, profile: str, visit: Visit) -> str:
        """Return why there is no place for this visit, or nothing."""
        if len(self._visits) >= self._most:
            return FULL.format(self._most)
        is_here = ip_address(visit.address).is_loopback
        limit = self._most_of_address
        if not is_here and sum(other.address == visit.address for other in self._visits.values()) >= limit:
            return CROWDED.format(limit)
        now = asyncio.get_running_loop().time()
        return "" if self._starts.take(profile, None if is_here else visit.address, now) else HASTY

    async def _let_play(self, profile: str, visit: Visit, size: tuple[int, int]) -> tuple[int, str]:
        """Run the app for this visitor. Returns the code and the reason for closing the WebSocket."""
        self._visits[profile] = visit
        try:
            if not self._profile:
                await asyncio.to_thread(remove_old_guests)
            resumes, self._was_used = self._was_used or not self._profile, True
            ended = await visit.play(await AppProcess.start(self._command(profile, resumes), *size))
        except BadMessage as fault:
            return WSCloseCode.POLICY_VIOLATION, str(fault)
        except OSError as refusal:
            self.report(f"could not start the app: {refusal}")
            return WSCloseCode.TRY_AGAIN_LATER, NO_PROCESS
        finally:
            del self._visits[profile]
            visit.is_over.set()
        code, words = ended or (0, "")
        if code:
            self.report(f"an app ended with exit code {code}: {words}")
            return WSCloseCode.INTERNAL_ERROR, UNEXPECTED
        return WSCloseCode.OK, words

    async def _end_visits(self, app: web.Application) -> None:
        await asyncio.gather(*(visit.end(WSCloseCode.GOING_AWAY) for visit in self._visits.values()))


def normalize_host(name: str) -> str:
    """Return a host name or address in a form that can be compared.

    >>> normalize_host("LocalHost"), normalize_host("0:0:0:0:0:0:0:1")
    ('localhost', '::1')
    """
    with suppress(ValueError):
        return str(ip_address(name))
    return name.lower()


def is_address(name: str) -> bool:
    """Whether a host is an IP address. If so, no other site can have made its name point to this server."""
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def read_host(request: web.Request) -> tuple[str, int]:
    """Return the host and port that the request names. The host is empty if they are not valid."""
    try:
        parts = urlsplit(f"//{request.headers.get('Host', '')}")
        return normalize_host(parts.hostname or ""), parts.port or 80
    except ValueError:
        return "", 0


def is_from_own_page(request: web.Request) -> bool:
    """Whether a page of this server sent the request, according to its Origin header. Browsers send that header with
    every WebSocket, and no page can change it."""
    scheme, _, host = request.headers.get("Origin", "").partition("://")
    return scheme in ("http", "https") and host.lower() == request.headers.get("Host", "").lower()


def is_same(given: str, secret: str) -> bool:
    """Whether a text equals a secret. The time that this takes reveals nothing about the secret."""
    return compare_digest(given.encode("utf-8", "replace"), secret.encode())


def set_cookie(answer: web.StreamResponse, name: str, secret: str, seconds: int | None = None) -> None:
    """Set a cookie with a secret. No script can read it, and no other site can make the browser send it."""
    answer.set_cookie(name, secret, max_age=seconds, httponly=True, samesite="Strict")


def read_size(request: web.Request) -> tuple[int, int]:
    """Return the first size of the terminal in columns and rows. The page sends its size again once it is connected."""
    columns, rows = (request.query.get(name, "") for name in ("width", "height"))
    if not (re.fullmatch(r"[0-9]{1,5}", columns) and re.fullmatch(r"[0-9]{1,5}", rows)):
        return USUAL_SIZE
    return min(max(int(columns), 1), MAX_SIDE), min(max(int(rows), 1), MAX_SIDE)


async def add_headers(_request: web.Request, answer: web.StreamResponse) -> None:
    answer.headers.update(HEADERS)


TOO_LATE = "Transport is closing"
"""The RuntimeError of asyncio if a connection closes after a file for it was opened and before the file is sent."""


class LogLines(logging.Handler):
    """Reports errors of the server in one line each. Clients cause some errors, by requests that are not HTTP or by
    going too soon. These are left out."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        super().__init__(logging.WARNING)
        self._tell = tell

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        if not isinstance(error, HttpProcessingError | web.RequestPayloadError) and str(error) != TOO_LATE:
            self._tell(f"{record.getMessage()}: {error!r}")


class CannotListen(OnlymoveError):
    """The address does not exist on this machine, or another program uses the port."""


@asynccontextmanager
async def listen(server: Server, host: str, port: int) -> AsyncIterator[None]:
    """Let browsers connect while the block runs. Raises CannotListen."""
    log = logging.Logger("onlymove.web")
    log.addHandler(LogLines(server.report))
    runner = web.AppRunner(
        server.application(), access_log=None, logger=log, shutdown_timeout=server.limits.closing_seconds
    )
    await runner.setup()
    make_handler = runner.server
    assert make_handler is not None

    def accept() -> Connection:
        return Connection(make_handler(), server.connections, is_direct=not server.is_behind_proxy)

    try:
        try:
            listener = await asyncio.get_running_loop().create_server(accept, host or None, port)
        except UnicodeError:
            raise CannotListen(f"cannot listen on {host}: this is not the name of a host") from None
        except OSError as trouble:
            why = trouble.strerror if isinstance(trouble, gaierror) else os.strerror(trouble.errno or 0)
            raise CannotListen(f"cannot listen on {host or 'any address'}, port {port}: {why}") from None
        server.port = listener.sockets[0].getsockname()[1]
        try:
            yield
        finally:
            listener.close()
    finally:
        await runner.cleanup()


async def serve(server: Server, host: str, port: int, tell: Callable[[str], None]) -> None:
    """Serve until Ctrl+C or a signal. Raises CannotListen."""
    is_stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, is_stopped.set)
    loop.set_exception_handler(LoopErrors(server.report))
    async with listen(server, host, port):
        tell(f"open {server.address} in a browser. Press Ctrl+C here to stop")
        await is_stopped.wait()

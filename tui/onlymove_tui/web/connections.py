"""The connections of the web server: how long each may take, how many there may be, and whose they are.

aiohttp waits for a client as long as the client likes: for a request, and until an answer has been read. So a thousand
connections that do nothing would shut everybody out. Here every connection has a time limit, and a new connection
always gets in. If there are too many, the one that has been without a new request for the longest time is closed. A
visit has no time limit, but there are only as many as the server has places.
"""

from __future__ import annotations

import asyncio
import errno
import math
import resource
from asyncio import AbstractEventLoop, BaseTransport, TimerHandle, Transport
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from ipaddress import IPv6Address, ip_address
from socket import SHUT_RDWR
from typing import Any, cast

from onlymove_tui.web.limits import LIMITS, Limits

MAX_CONNECTIONS = 1000
"""The most connections at once that are not visits. A browser opens up to six."""

PART_OF_ADDRESS = 4
"""One address may have the fourth part of all connections."""

MIN_CONNECTIONS = 32
"""How many connections there may be even if the system allows very few open files."""

OWN_FILES = 256
"""Open files of the server itself. Half of them are connections that the event loop accepts at once (asyncio's
`backlog`), before any can be closed."""

FILES_OF_CONNECTION = 2
"""Open files for a connection: itself, and the file that it is sent."""

FILES_OF_VISIT = 10
"""Open files for one visit: the connection, three pipes, and as many again while the app starts."""

MACOS_FILES = 10240
"""The most open files that macOS allows a process whose hard limit says "unlimited" (OPEN_MAX in <sys/syslimits.h>)."""


def raise_file_limit() -> int:
    """Raise the limit of open files as far as the system allows it. Returns the limit, or RLIM_INFINITY."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for wanted in (hard, max(soft, MACOS_FILES)):
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            break
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def count_connections(files: int, visits: int) -> int:
    """Return how many connections there may be besides this many visits, with this limit of open files.

    >>> count_connections(1024, 20), count_connections(resource.RLIM_INFINITY, 20), count_connections(100, 20)
    (284, 1000, 32)
    """
    if files == resource.RLIM_INFINITY:
        return MAX_CONNECTIONS
    return max(
        MIN_CONNECTIONS, min(MAX_CONNECTIONS, (files - OWN_FILES - FILES_OF_VISIT * visits) // FILES_OF_CONNECTION)
    )


def normalize_address(text: str) -> str:
    """Return what identifies a client: its address or, with IPv6, its network of 64 bits, because a single client has a
    whole one. Raises ValueError if the text is not an address.

    >>> normalize_address("192.0.2.7"), normalize_address("::ffff:192.0.2.7"), normalize_address("2001:db8::1:2:3:4")
    ('192.0.2.7', '192.0.2.7', '2001:db8::')
    """
    address = ip_address(text)
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(address) if address.is_loopback else str(IPv6Address(int(address) >> 64 << 64))


class Connections:
    """The open connections. At most `most` of them are not visits, and at most a fourth of those have one address."""

    def __init__(self, most: int, limits: Limits = LIMITS) -> None:
        self._limits = limits
        self._most, self._most_of_address = most, -(-most // PART_OF_ADDRESS)
        self._open: dict[Transport, tuple[str | None, TimerHandle | None]] = {}
        """The address and the time limit of each connection. The latest that has sent a request is last."""

    def __len__(self) -> int:
        return len(self._open)

    def add(self, connection: Transport, address: str | None) -> None:
        """Add a new connection, which now has to send a request. `None` means that the address is not known yet."""
        self._open[connection] = address, None
        self._limit(connection, address, self._limits.head_seconds)

    def renew(self, connection: Transport | None, address: str | None) -> None:
        """Give a connection that has sent a request more time. From now on, it belongs to this address."""
        self._limit(connection, address, self._limits.answer_seconds)

    def remove(self, connection: Transport) -> None:
        """Forget a connection that has been closed."""
        _, timer = self._open.pop(connection, (None, None))
        if timer is not None:
            timer.cancel()

    @contextmanager
    def exempt(self, connection: Transport | None) -> Iterator[None]:
        """In the block, the connection is a visit. It has no time limit and is not counted."""
        if connection not in self._open:
            yield
            return
        address, timer = self._open[connection]
        if timer is not None:
            timer.cancel()
        self._open[connection] = address, None
        try:
            yield
        finally:
            self.renew(connection, address)

    def _limit(self, connection: Transport | None, address: str | None, seconds: float) -> None:
        if connection is None or connection not in self._open:
            return
        self.remove(connection)
        counted = {each: whose for each, (whose, timer) in self._open.items() if timer is not None}
        own = [each for each, whose in counted.items() if whose is not None and whose == address]
        if len(own) >= self._most_of_address:
            self._close(own[0])
        elif len(counted) >= self._most:
            self._close(next(iter(counted)))
        timer = asyncio.get_running_loop().call_later(seconds, self._close, connection)
        self._open[connection] = address, timer

    def _close(self, connection: Transport) -> None:
        """Close the connection at once, even if something is still to be sent, which might never be read. To aiohttp it
        is as if the client had gone."""
        self.remove(connection)
        with suppress(OSError):
            connection.get_extra_info("socket").shutdown(SHUT_RDWR)


class Connection(asyncio.Protocol):
    """Passes everything that happens to a connection on to aiohttp's `handler`, and keeps `connections` up to date. If
    `is_direct`, the client itself is at the other end."""

    def __init__(self, handler: asyncio.Protocol, connections: Connections, is_direct: bool) -> None:
        self._handler, self._connections, self._is_direct = handler, connections, is_direct

    def connection_made(self, transport: BaseTransport) -> None:
        self._transport = cast(Transport, transport)
        self._handler.connection_made(transport)
        address = transport.get_extra_info("peername")[0] if self._is_direct else None
        self._connections.add(self._transport, address and normalize_address(address))

    def connection_lost(self, exc: Exception | None) -> None:
        self._connections.remove(self._transport)
        self._handler.connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._handler.data_received(data)

    def eof_received(self) -> bool | None:
        return self._handler.eof_received()

    def pause_writing(self) -> None:
        self._handler.pause_writing()

    def resume_writing(self) -> None:
        self._handler.resume_writing()


SHORTAGES = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
"""The errors after which the event loop waits a second before it accepts a connection again."""

QUIET_SECONDS = 60.0
"""How long a shortage is not reported again."""


class LoopErrors:
    """Reports errors in the event loop in one line each. A shortage makes as many errors as there are clients waiting,
    so it is reported once a minute."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._quiet_until = -math.inf

    def __call__(self, loop: AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if not (isinstance(error, OSError) and error.errno in SHORTAGES):
            self._tell(f"{context['message']}: {error!r}")
        elif loop.time() >= self._quiet_until:
            self._quiet_until = loop.time() + QUIET_SECONDS
            self._tell(f"cannot accept more connections at the moment: {error.strerror}")

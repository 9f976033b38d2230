"""Connections that do nothing, or too little, shut nobody out of `serve`. No address gets everything."""

from __future__ import annotations

import asyncio
import errno
import os
import resource
import signal
import socket
import subprocess
import sys
from asyncio import StreamReader, StreamWriter
from asyncio.subprocess import PIPE
from contextlib import suppress
from dataclasses import replace

import pytest
from aiohttp import ClientSession
from onlymove_tui.web.connections import LoopErrors
from onlymove_tui.web.server import CROWDED, ELSEWHERE, STATIC

from tests.web.visitors import PATIENT, Site, read_close_reason, read_start, site

SOON = 0.05
REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
BEGUN = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Drip: "
LARGEST = max((file for file in STATIC.rglob("*") if file.is_file()), key=lambda file: file.stat().st_size)
"""The largest file of the page."""


async def connect(here: Site) -> tuple[StreamReader, StreamWriter]:
    """Open a connection that is not a browser's."""
    return await asyncio.open_connection(here.url.host, here.url.port)


async def wait_until_closed(reader: StreamReader) -> None:
    """Read everything that comes until the server closes the connection."""
    with suppress(ConnectionError):
        while await reader.read(1 << 16):
            pass


async def read_answer(reader: StreamReader, writer: StreamWriter, headers: str = "") -> int:
    """Ask for the page, read it, and return the status."""
    writer.write(f"GET / HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n".encode())
    head = await reader.readuntil(b"\r\n\r\n")
    size = next(line for line in head.splitlines() if line.lower().startswith(b"content-length:"))
    await reader.readexactly(int(size.split(b":")[1]))
    return int(head.split()[1])


# How long a connection may take.


@pytest.mark.parametrize("sent", [b"", BEGUN[:5], BEGUN])
async def test_a_connection_without_a_whole_request_is_closed(sent: bytes) -> None:
    async with site(limits=replace(PATIENT, head_seconds=SOON)) as here:
        reader, writer = await connect(here)
        writer.write(sent)
        await wait_until_closed(reader)
        writer.close()
        assert len(here.told) == 1


async def test_a_request_that_drips_in_gets_no_more_time() -> None:
    async with site(limits=replace(PATIENT, head_seconds=SOON)) as here:
        reader, writer = await connect(here)
        writer.write(BEGUN)
        closed = asyncio.create_task(wait_until_closed(reader))
        while not closed.done():
            writer.write(b"a")
            await asyncio.sleep(SOON / 5)
        writer.close()


SLOW = {
    "an idle connection": REQUEST,
    "a second request that never comes whole": REQUEST + BEGUN,
    "a body that never comes": b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n",
    "a request after nonsense": REQUEST + b"\x00\r\n\r\n",
}


@pytest.mark.parametrize("what", SLOW)
async def test_a_connection_ends_some_time_after_its_latest_request(what: str) -> None:
    async with site(limits=replace(PATIENT, answer_seconds=SOON)) as here:
        reader, writer = await connect(here)
        writer.write(SLOW[what])
        await wait_until_closed(reader)
        writer.close()
        assert len(here.told) == 1


async def test_a_client_that_does_not_read_answers_is_given_up() -> None:
    """It gets less than all of them, although it reads in the end."""
    times = 40
    path = LARGEST.relative_to(STATIC)
    async with site(limits=replace(PATIENT, answer_seconds=SOON)) as here:
        with socket.create_connection(("127.0.0.1", here.url.port or 0)) as client:
            client.setblocking(False)
            client.sendall(f"GET /static/{path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() * times)
            while not len(here.connections):
                await asyncio.sleep(0)
            while len(here.connections):
                await asyncio.sleep(SOON)
            total = 0
            loop = asyncio.get_running_loop()
            with suppress(ConnectionError):
                while chunk := await loop.sock_recv(client, 1 << 20):
                    total += len(chunk)
        assert total < times * LARGEST.stat().st_size
        assert len(here.told) == 1


async def test_a_visit_lasts_as_long_as_the_player_likes() -> None:
    async with site(limits=replace(PATIENT, answer_seconds=SOON)) as here, here.browser() as browser:
        visit = await browser.connect()
        assert await read_start(visit)
        idle, writer = await connect(here)
        writer.write(REQUEST)
        await wait_until_closed(idle)
        writer.close()
        await visit.send_json(["ping", "still here"])
        assert await visit.receive_json() == ["pong", "still here"]


# How many connections there may be.


async def test_a_new_connection_gets_in_and_the_one_that_is_idle_longest_is_closed() -> None:
    async with site(connections=8, is_behind_proxy=True) as here:
        opened = [await connect(here) for _ in range(8)]
        assert await read_answer(*opened[0], "X-Forwarded-For: 192.0.2.1\r\n") == 200
        reader, writer = await connect(here)
        assert await read_answer(reader, writer, "X-Forwarded-For: 192.0.2.2\r\n") == 200
        await wait_until_closed(opened[1][0])
        assert len(here.connections) == 8
        assert await read_answer(*opened[0], "X-Forwarded-For: 192.0.2.1\r\n") == 200, "it was used later"
        for _, each in [*opened, (reader, writer)]:
            each.close()


async def test_visits_are_not_counted_as_connections() -> None:
    async with site(connections=4, most=20) as here, here.browser() as browser:
        visit = await browser.connect()
        assert await read_start(visit)
        opened = [await connect(here) for _ in range(20)]
        await wait_until_closed(opened[0][0])
        await visit.send_json(["ping", "still here"])
        assert await visit.receive_json() == ["pong", "still here"]
        for _, writer in opened:
            writer.close()


async def test_one_address_gets_a_fourth_of_the_connections() -> None:
    async with site(connections=8) as here:
        opened = [await connect(here) for _ in range(3)]
        await wait_until_closed(opened[0][0])
        assert len(here.connections) == 2
        assert [await read_answer(*each) for each in opened[1:]] == [200, 200]
        for _, writer in opened:
            writer.close()


@pytest.mark.parametrize("is_behind_proxy", [False, True])
async def test_the_header_of_a_proxy_counts_only_with_the_option(is_behind_proxy: bool) -> None:
    async with site(connections=8, is_behind_proxy=is_behind_proxy) as here:
        opened = []
        for number in range(4):
            opened.append(await connect(here))
            assert await read_answer(*opened[-1], f"X-Forwarded-For: 192.0.2.{number}\r\n") == 200
        assert len(here.connections) == (4 if is_behind_proxy else 2)
        for _, writer in opened:
            writer.close()


# Whose address counts behind a proxy.

FORWARDED = {
    "the address": ("192.0.2.7", "192.0.2.7"),
    "the last of several": ("198.51.100.1, 192.0.2.7", "198.51.100.2,192.0.2.7"),
    "nonsense from the client": ("unknown, 192.0.2.7", ", ,192.0.2.7"),
    "the same network": ("2001:db8::1", "2001:db8::ffff:1"),
    "two spellings": ("::ffff:192.0.2.7", "192.0.2.7"),
}


@pytest.mark.parametrize("what", FORWARDED)
async def test_one_address_gets_half_of_the_places(what: str) -> None:
    one, another = ({"X-Forwarded-For": header} for header in FORWARDED[what])
    async with (
        site(most=4, is_behind_proxy=True) as here,
        here.browser() as first,
        here.browser() as second,
        here.browser() as third,
        here.browser() as stranger,
    ):
        visits = [await first.connect(**one), await second.connect(**another)]
        assert all([await read_start(visit) for visit in visits])
        assert await read_close_reason(await third.connect(**one)) == (1013, CROWDED.format(2))
        visits.append(await stranger.connect(**{"X-Forwarded-For": f"{one['X-Forwarded-For']}, 203.0.113.9"}))
        assert await read_start(visits[-1])
        visits.append(await second.connect(**another))
        assert await read_start(visits[-1]), "a reload keeps the place"
        assert await read_close_reason(visits[1]) == (1001, ELSEWHERE), "and each browser has one game"


async def test_the_last_of_several_headers_counts() -> None:
    async with site(connections=8, is_behind_proxy=True) as here:
        opened = [await connect(here) for _ in range(3)]
        for number, each in enumerate(opened):
            headers = f"X-Forwarded-For: 198.51.100.{number}\r\nX-Forwarded-For: 192.0.2.7\r\n"
            assert await read_answer(*each, headers) == 200
        await wait_until_closed(opened[0][0])
        for _, writer in opened:
            writer.close()


@pytest.mark.parametrize("header", [{}, {"X-Forwarded-For": ""}, {"X-Forwarded-For": "192.0.2.7, unknown"}])
async def test_a_request_whose_address_the_proxy_does_not_send_is_refused(header: dict[str, str]) -> None:
    async with site(is_behind_proxy=True) as here, ClientSession() as client:
        for path in ("", "ws", "static/js/textual.js"):
            async with client.get(here.url / path, headers=header) as answer:
                assert answer.status == 400
                assert "X-Forwarded-For" in await answer.text()


@pytest.mark.parametrize("header", [{}, {"X-Forwarded-For": "192.0.2.7"}])
async def test_without_the_option_this_machine_gets_all_places(header: dict[str, str]) -> None:
    async with site(most=2) as here, here.browser() as one, here.browser() as two:
        visits = [await one.connect(**header), await two.connect(**header)]
        assert all([await read_start(visit) for visit in visits])


# Open files.


def test_the_limit_of_open_files_is_raised_as_far_as_allowed() -> None:
    code = """if True:
        from resource import RLIMIT_NOFILE, getrlimit, setrlimit
        from onlymove_tui.web.connections import raise_file_limit
        setrlimit(RLIMIT_NOFILE, (128, 512))
        print(raise_file_limit(), *getrlimit(RLIMIT_NOFILE))
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "512 512 512\n"


async def test_a_shortage_of_open_files_is_told_once() -> None:
    told: list[str] = []
    report = LoopErrors(told.append)
    loop = asyncio.get_running_loop()
    for number in (errno.EMFILE, errno.ENFILE, errno.EMFILE):
        for _ in range(100):
            report(loop, {"message": "accept", "exception": OSError(number, os.strerror(number))})
    assert told == ["cannot accept more connections at the moment: Too many open files"]
    report(loop, {"message": "a bug", "exception": RuntimeError("broken")})
    assert told[1:] == ["a bug: RuntimeError('broken')"]


async def test_more_half_open_connections_than_open_files_shut_nobody_out() -> None:
    """The server may open 60 files. A visitor still gets the page, and the host at most one line."""
    few = resource.RLIMIT_NOFILE, (60, 60)
    server = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "onlymove_tui", "serve", "--port", "0",
        stderr=PIPE, start_new_session=True, preexec_fn=lambda: resource.setrlimit(*few),
    )  # fmt: skip
    assert server.stderr is not None
    half_open = []
    try:
        url = (await server.stderr.readline()).split()[2].decode()
        port = int(url.rstrip("/").rpartition(":")[2])
        for _ in range(100):
            half_open.append(socket.socket())
            half_open[-1].setblocking(False)
            half_open[-1].connect_ex(("127.0.0.1", port))
        async with ClientSession() as client, client.get(url) as answer:
            assert 'id="terminal"' in await answer.text()
        server.send_signal(signal.SIGTERM)
        lines = (await server.stderr.read()).decode().splitlines()
    finally:
        for each in half_open:
            each.close()
        with suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGKILL)
        await server.wait()
    assert set(lines) <= {"onlymove: Cannot accept more connections at the moment: Too many open files."}
    assert len(lines) <= 1

"""Who may use `serve`, as which player, how many at once, and what the page may send. Another program replaces the
app."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import pytest
from aiohttp import ClientSession, WSMsgType
from hypothesis import given
from hypothesis import strategies as st
from onlymove_engines.core.text import is_harmless
from onlymove_tui.store.profiles import name_guest
from onlymove_tui.web import limits
from onlymove_tui.web.server import (
    ELSEWHERE,
    FULL,
    HASTY,
    MAX_MESSAGE_BYTES,
    TOO_LATE,
    UNEXPECTED,
    AppProcess,
    BadMessage,
    CannotListen,
    LogLines,
    Server,
    read_message,
    serve,
)
from yarl import URL

from tests.web.visitors import ECHO, LONG, PATIENT, read_close_reason, read_start, receive_screen, site


def is_running(pid: int) -> bool:
    """Whether a process with this id exists."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


# Who may come in.


async def test_the_page_of_this_server_plays() -> None:
    async with site() as here, here.browser() as browser:
        status, page = await browser.get()
        assert status == 200
        assert 'id="terminal"' in page
        socket = await browser.connect("ws?width=100&height=30")
        player, *size = await read_start(socket)
        assert size == ["100", "30"]
        assert here.started == [(player, True)]


ORIGINS: dict[str, Callable[[URL], str]] = {
    "another site": lambda url: "http://site.example",
    "another port": lambda url: f"http://127.0.0.1:{(url.port or 0) + 1}",
    "another name of this machine": lambda url: f"http://localhost:{url.port}",
    "a name that begins alike": lambda url: f"{url.origin()}.site.example",
    "a page without an origin": lambda url: "null",
    "a file": lambda url: "file://",
    "another scheme": lambda url: f"ftp://127.0.0.1:{url.port}",
    "only the name": lambda url: f"127.0.0.1:{url.port}",
    "no browser": lambda url: "",
}


@pytest.mark.parametrize("origin", ORIGINS)
async def test_the_page_of_another_origin_gets_no_websocket(origin: str) -> None:
    async with site() as here, here.browser() as browser:
        assert await browser.status(Origin=ORIGINS[origin](here.url)) == 403
        assert not here.started
        assert not browser.cookies()


@pytest.mark.parametrize(
    "host",
    ["site.example", "localhost.site.example", "10.0.0.1", "127.0.0.2", "[::2]", "[", "a b", ":80", "localhost:x"],
)
async def test_another_name_for_this_address_gets_nothing(host: str) -> None:
    async with site() as here, here.browser() as browser:
        for path in ("/", "/ws", "/static/js/textual.js", "/elsewhere"):
            status, text = await browser.get(path, Host=host)
            assert status == 403
            assert text.startswith("onlymove does not answer to the name")
            assert len(text.splitlines()) == 1
        assert await browser.status(Host=host, Origin=f"http://{host}") == 403
        assert not here.started


async def test_a_name_that_is_no_text_is_refused_as_well() -> None:
    async with site() as here:
        reader, writer = await asyncio.open_connection(here.url.host, here.url.port)
        writer.write(b"GET / HTTP/1.1\r\nHost: \xff\r\nConnection: close\r\n\r\n")
        assert (await reader.readline()).split()[1] == b"403"
        writer.close()


HOSTILE = "a\x1b]0;title\x07\x7f\x9b2J\x85\u202eb\u2028\u200bc".encode()
REQUESTS = {
    "host": (b"/", b"Host: " + HOSTILE),
    "host of the socket": (b"/ws", b"Host: " + HOSTILE),
    "raw byte": (b"/", b"Host: a\x9b2J"),
    "origin": (b"/ws", b"Host: localhost\r\nOrigin: http://" + HOSTILE),
    "cookie": (b"/ws", b"Host: localhost\r\nOrigin: http://localhost\r\nCookie: " + HOSTILE),
    "other header": (b"/", b"Host: localhost\r\n" + HOSTILE + b": a"),
    "path": (b"/" + HOSTILE, b"Host: localhost"),
    "token": (b"/?token=" + HOSTILE, b"Host: localhost"),
    "quoted token": (b"/?token=%1b%5d0;x%07%9b%c2%9b2J", b"Host: localhost"),
    "host that is nearly clean": (b"/", "Host: a\u202eb\u2028\u200bc\x84".encode()),
}


@pytest.mark.parametrize(("path", "headers"), REQUESTS.values(), ids=REQUESTS)
async def test_nothing_in_a_request_controls_the_terminal_of_who_reads_the_answer_or_the_log(
    path: bytes, headers: bytes
) -> None:
    for profile in ("", "ada"):
        async with site(profile=profile) as here:
            reader, writer = await asyncio.open_connection(here.url.host, here.url.port)
            writer.write(b"GET " + path + b" HTTP/1.1\r\n" + headers + b"\r\nConnection: close\r\n\r\n")
            answer = (await reader.read()).decode()
            writer.close()
            assert is_harmless(answer), answer
            assert all(map(is_harmless, here.told))


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:1234", "127.0.0.1", "[::1]:80", "games.example", "10.0.0.7:8000"]
)
async def test_it_answers_to_the_loopback_and_to_the_names_given(host: str) -> None:
    async with site("10.0.0.7", ["games.example"]) as here, here.browser() as browser:
        assert (await browser.get(Host=host))[0] == 200
        assert await browser.status(Host=host, Origin=f"http://{host}") == 101
        assert await browser.status(Host=host, Origin=f"https://{host}") == 101, "a proxy speaks TLS"


async def test_a_server_on_all_interfaces_answers_to_every_address_but_not_every_name() -> None:
    async with site("0.0.0.0") as here, here.browser() as browser:
        for host, status in (("192.168.0.7:8000", 200), ("[fe80::1]", 200), ("site.example", 403)):
            assert (await browser.get(Host=host))[0] == status, host
        assert here.told == [f"http://localhost:{here.url.port}/"]


async def test_no_other_page_may_show_ours_in_a_frame() -> None:
    async with site() as here, ClientSession() as client, client.get(here.url) as answer:
        assert answer.headers["Content-Security-Policy"] == "frame-ancestors 'none'"
        assert answer.headers["Referrer-Policy"] == "no-referrer"


async def test_a_plain_request_for_the_websocket_is_refused_without_a_line_on_the_host() -> None:
    refused = 400, "Only a WebSocket can be opened at this address.\n"
    async with site() as here, here.browser() as browser:
        assert await browser.get("/ws") == refused
        assert await browser.get("/ws", Upgrade="websocket", Connection="upgrade") == refused
        assert len(here.told) == 1


# As which player.


async def test_a_guest_comes_back_as_the_same_guest_for_a_day() -> None:
    async with site() as here, here.browser() as browser, here.browser() as other:
        assert (await browser.get(), browser.cookies()) == (await other.get(), {}), (
            "the page alone makes nobody a guest"
        )
        first = await browser.connect()
        assert await read_start(first)
        (cookie,) = browser.cookies().values()
        assert cookie.key == f"onlymove-guest-{here.url.port}"
        assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (True, "Strict", "86400")
        await first.close()
        assert await read_start(await browser.connect())
        assert await read_start(await other.connect())
        (one, _), again, (else_, _) = here.started
        assert again == (one, True), "and the app goes on with the game"
        assert one == name_guest(cookie.value) != else_
        assert cookie.value not in one


@pytest.mark.parametrize("secret", ["", "1234", "0" * 63, "../" * 22, "F" * 64, "0" * 65])
async def test_a_cookie_that_was_not_given_makes_a_new_guest(secret: str) -> None:
    async with site() as here, here.browser() as browser:
        socket = await browser.connect(Cookie=f"onlymove-guest-{here.url.port}={secret}")
        assert (await read_start(socket))[0] != name_guest(secret)
        (cookie,) = browser.cookies().values()
        assert here.started == [(name_guest(cookie.value), True)]


async def test_a_second_window_takes_over_the_game_and_notifies_the_first() -> None:
    async with site(most=1) as here, here.browser() as browser:
        windows = [await browser.connect()]
        assert await read_start(windows[0])
        for _ in range(3):
            windows.append(await browser.connect())
            assert await read_start(windows[-1])
            assert (await read_close_reason(windows[-2]))[1] == "Your game continues in another window."
        assert len({profile for profile, _ in here.started}) == 1


async def test_of_many_windows_at_once_only_the_last_starts_an_app() -> None:
    async with site() as here, here.browser() as browser:
        windows = [await browser.connect()]
        pid = json.loads(await receive_screen(windows[0]))[0]
        await windows[0].send_json(["stdin", "stay"])
        assert await receive_screen(windows[0]) == "I stay."
        windows += [await browser.connect() for _ in range(10)]
        os.kill(pid, signal.SIGKILL)
        assert await read_start(windows[-1])
        assert [await read_close_reason(window) for window in windows[:-1]] == [(1001, ELSEWHERE)] * 10
        assert len(here.started) == 2


async def test_one_browser_starts_only_so_many_apps_in_a_minute() -> None:
    few = replace(PATIENT, starts_of_profile=2)
    async with site(limits=few) as here, here.browser() as browser, here.browser() as other:
        for _ in range(2):
            assert await read_start(await browser.connect())
        assert await read_close_reason(await browser.connect()) == (1013, HASTY)
        assert await read_start(await other.connect())
        assert len(here.started) == 3


@pytest.mark.parametrize("address", ["192.0.2.7", None])
def test_one_address_starts_only_so_many_apps_in_a_minute(address: str | None) -> None:
    starts, most = limits.Starts(places=10), limits.LIMITS.starts_of_place * 10
    taken = [starts.take(f"guest-{number}", address, number / 10) for number in range(most + 1)]
    assert taken == [True] * most + [address is None]
    assert starts.take("other", "192.0.2.8", 4.0)
    assert starts.take("later", address, limits.MINUTE)


async def test_a_named_profile_is_for_the_browser_that_has_the_token() -> None:
    async with site(profile="ada") as here, here.browser() as browser, here.browser() as other:
        (address,) = here.told
        token = URL(address).query["token"]
        refused = 403, "Open the address that `onlymove serve` printed last. It works once.\n"
        for path in ("/", "/?token=", f"/?token={token[:-1]}", f"/?token={token}0", "/?token=%ff"):
            assert await browser.get(path) == refused
        assert await browser.status() == 403
        assert not here.started

        assert (await browser.get(f"/?token={token}"))[0] == 200
        (cookie,) = browser.cookies().values()
        assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (True, "Strict", "")
        assert token not in cookie.value
        assert (await browser.get(f"/?token={token}"))[0] == 200, "the page can be reloaded"
        assert await read_start(await browser.connect()) == ["ada", "80", "24"]
        assert await read_start(await browser.connect()) == ["ada", "80", "24"]
        assert here.started == [("ada", False), ("ada", True)], "the menu comes first, and the game after a reload"
        assert await browser.status(Origin="http://site.example") == 403

        assert await other.get(f"/?token={token}") == refused, "it works once"
        assert await other.status(Cookie=f"onlymove-player-{here.url.port}={token}") == 403
        assert await other.status(Cookie=f"onlymove-guest-{here.url.port}={cookie.value}") == 403
        _, output = here.told
        fresh = URL(output.split()[-1]).query["token"]
        assert (await other.get(f"/?token={fresh}"))[0] == 200, "a fresh one was printed"


# How many visitors.


async def test_visitors_beyond_the_limit_get_one_line_and_start_nothing() -> None:
    async with site(most=2) as here, here.browser() as one, here.browser() as two, here.browser() as three:
        sockets = [await one.connect(), await two.connect()]
        for socket in sockets:
            assert await read_start(socket)
        assert await read_close_reason(await three.connect()) == (1013, FULL.format(2))
        assert len(here.started) == 2

        assert await read_start(await one.connect()), "a player who reloads keeps the place"
        await sockets[1].close()
        while (await (latest := await three.connect()).receive()).type is WSMsgType.CLOSE:
            await latest.close()
        assert len(here.started) == 4, "a place is free when the app has left"


async def test_a_machine_that_cannot_start_processes_is_reported() -> None:
    async with site(program=["/nowhere/python"]) as here, here.browser() as browser:
        code, reason = await read_close_reason(await browser.connect())
        assert (code, reason) == (1013, "This machine cannot start another game at the moment. Please try again later.")
        assert "/nowhere/python" in here.told[-1]


# What is passed on.


async def test_keys_sizes_and_looks_reach_the_app() -> None:
    async with site() as here, here.browser() as browser:
        socket = await browser.connect("ws?width=NaN&height=NaN")
        assert (await read_start(socket))[1:] == ["80", "24"]
        output: list[tuple[list[object], str]] = [
            (["stdin", "m\x1b[A é"], "D m\x1b[A é"),
            (["stdin", "x" * 100_000], "D " + "x" * 100_000),
            (["resize", {"width": 200, "height": 50}], 'M {"type": "resize", "width": 200, "height": 50}'),
            (["focus"], 'M {"type": "focus"}'),
            (["blur"], 'M {"type": "blur"}'),
        ]
        for message, answer in output:
            await socket.send_json(message)
            assert await receive_screen(socket) == answer
        await socket.send_json(["ping", "17"])
        assert await socket.receive_json() == ["pong", "17"]


BAD = (
    "", "x", "null", "{}", "[]", '["stdin"]', '["stdin", 1]', '["stdin", "\\ud800"]', '["stdin", "a", "b"]', '["exit"]',
    '["resize", {"width": 80}]', '["resize", {"width": 0, "height": 24}]', '["resize", {"width": 65536, "height": 1}]',
    '["resize", {"width": -1, "height": 24}]', '["resize", {"width": 1e999, "height": 24}]',
    '["resize", {"width": 80, "height": 24, "type": "quit"}]', "[" * (MAX_MESSAGE_BYTES // 2),
)  # fmt: skip


async def test_a_message_that_the_page_never_sends_ends_the_visit_with_one_line() -> None:
    async with site(most=1) as here, here.browser() as browser:
        for text in BAD:
            socket = await browser.connect()
            assert await read_start(socket)
            await socket.send_str(text)
            assert await read_close_reason(socket) == (
                1008,
                "the page sent a message that onlymove does not understand",
            ), text[:80]
        socket = await browser.connect()
        assert await read_start(socket)
        await socket.send_bytes(b'["blur"]')
        assert await read_close_reason(socket) == (1008, "the page sent bytes instead of text")
        assert len(here.told) == 1


async def test_a_message_beyond_any_paste_ends_the_visit() -> None:
    async with site() as here, here.browser() as browser:
        socket = await browser.connect()
        assert await read_start(socket)
        await socket.send_json(["stdin", "x" * MAX_MESSAGE_BYTES])
        assert (await read_close_reason(socket))[0] == 1009
        assert await read_start(await browser.connect())
        assert len(here.told) == 1


@given(st.one_of(st.text(), st.recursive(st.none() | st.integers() | st.text(), st.lists).map(json.dumps)))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(BadMessage):
        read_message(text)


async def test_an_address_that_cannot_be_used_is_named() -> None:
    again = Server(lambda *_: [], lambda _: None, "127.0.0.1", (), "", 1)
    async with site() as here:
        with pytest.raises(CannotListen, match=f"127.0.0.1, port {here.url.port}: Address already in use"):
            await serve(again, "127.0.0.1", here.url.port or 0, lambda _: None)


def test_an_error_in_the_server_is_reported_in_one_line() -> None:
    output: list[str] = []
    log = logging.Logger("test")
    log.addHandler(LogLines(output.append))
    try:
        raise RuntimeError("a bug")
    except RuntimeError:
        log.exception("Error handling request")
    assert output == ["Error handling request: RuntimeError('a bug')"]
    try:
        raise RuntimeError(TOO_LATE)
    except RuntimeError:
        log.exception("Error handling request")
    assert len(output) == 1, "the client has gone, so nothing is wrong"


def test_many_errors_do_not_fill_the_log() -> None:
    output: list[str] = []
    now = 0.0
    report = limits.LimitedReport(output.append, lambda: now)
    for _ in range(10_000):
        report("an error")
    assert output == ["an error"] * limits.LINES_IN_MINUTE + [limits.TOO_MANY_LINES]
    now = limits.MINUTE
    report("another")
    assert output[-1] == "another"


async def test_a_request_that_cannot_be_met_makes_no_line_on_the_host() -> None:
    async with site() as here, here.browser() as browser:
        for path in (f"/static/{'a' * 1000}", f"/static/{'%F0%9F%8E%B2' * 63}", "/static/%00", "/" + "a/" * 500):
            assert (await browser.get(path))[0] == 404
        body = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nabcde"
        reader, writer = await asyncio.open_connection(here.url.host, here.url.port)
        writer.write(body)
        assert (await reader.readline()).split()[1] == b"405"
        writer.write_eof()
        await reader.read()
        writer.close()
        assert len(here.told) == 1


# How it ends.


async def test_an_app_that_leaves_has_the_last_word() -> None:
    async with site() as here, here.browser() as browser:
        socket = await browser.connect()
        assert await read_start(socket)
        await socket.send_json(["stdin", "leave"])
        assert await read_close_reason(socket) == (1000, "Nobody was playing.")
        assert len(here.told) == 1


async def test_of_an_app_that_fails_the_host_hears_why_and_the_visitor_that_the_game_is_saved() -> None:
    async with site() as here, here.browser() as browser:
        socket = await browser.connect()
        assert await read_start(socket)
        await socket.send_json(["stdin", "fail"])
        assert await read_close_reason(socket) == (1011, UNEXPECTED)
        assert here.told[1:] == ["an app ended with exit code 1: something broke"]


async def test_an_app_that_does_not_leave_is_killed() -> None:
    hasty = replace(PATIENT, leaving_seconds=0.01)
    async with site(most=1, limits=hasty) as here, here.browser() as browser:
        socket = await browser.connect()
        pid = json.loads(await receive_screen(socket))[0]
        await socket.send_json(["stdin", "stay"])
        assert await receive_screen(socket) == "I stay."
        assert await read_start(await browser.connect())
        assert not is_running(pid)


async def test_an_app_ends_even_if_its_end_is_cancelled() -> None:
    app = await AppProcess.start([sys.executable, str(ECHO)], 80, 24)
    screens = app.screens()
    pid = json.loads(await anext(screens))[0]
    await app.send(b"stay")
    await anext(screens)
    ending = asyncio.create_task(app.end(LONG))
    await asyncio.sleep(0)  # now it waits
    ending.cancel()
    with suppress(asyncio.CancelledError):
        await ending
    assert not is_running(pid)


async def test_the_end_of_the_server_is_the_end_of_its_apps() -> None:
    async with site() as here, here.browser() as one, here.browser() as two:
        sockets = [await one.connect(), await two.connect()]
        pids = [json.loads(await receive_screen(socket))[0] for socket in sockets]
        await here.close()
        assert [await read_close_reason(socket) for socket in sockets] == [(1001, "")] * 2, "the pages try to come back"
        assert not any(map(is_running, pids))

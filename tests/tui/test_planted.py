"""Somebody has put a module into the current folder for each name that our processes import. No command that starts a
process runs any of them."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from aiohttp import ClientSession
from onlymove_tables.child import VARIABLE
from onlymove_tables.kernels import cache
from onlymove_tables.kernels.compiler import LOCK
from onlymove_tables.lock import is_held

from tests.examples.test_example_game import write_metadata

EXAMPLE = Path(__file__).parents[2] / "examples" / "onlymove-pong-hau-ki"
RUN = "import sys; sys.path[:] = {path!a}; from onlymove_tui.__main__ import main; main()"

WATCH = """
import os, sys

seen = os.open({folder!r} + "/" + str(os.getpid()), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
sys.addaudithook(lambda event, facts: event == "import" and os.write(seen, facts[0].encode() + b"\\n"))
"""
"""Python imports this first. It writes down the name of each later import, even of a module that is missing."""

PLANTED = "open({folder!r} + '/' + __name__, 'w').close()\n"


class Place:
    """A user's empty home, and the folder in which they run commands."""

    def __init__(self, home: Path, current: Path, entries: str) -> None:
        self.home, self.current = home, current
        write_metadata(home / "site", "onlymove_pong_hau_ki", {"ponghauki": "onlymove_pong_hau_ki"})
        self.environ = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
        self.environ |= {"HOME": str(home), cache.VARIABLE: str(home / "kernels"), VARIABLE: entries}

    async def start(self, *arguments: str) -> Process:
        """Start a command. It ignores PYTHONPATH itself, because Python would follow it before the command runs. What
        the command starts does not."""
        code = RUN.format(path=[*sys.path, str(self.home / "site"), str(EXAMPLE)])
        command = (sys.executable, "-I", "-c", code, *arguments)
        return await asyncio.create_subprocess_exec(
            *command, cwd=self.current, env=self.environ, stdin=PIPE, stdout=PIPE, stderr=PIPE
        )

    async def run(self, *arguments: str, typed: str = "") -> None:
        """Run a command to its end."""
        process = await self.start(*arguments)
        _, errors = await process.communicate(typed.encode())
        assert process.returncode == 0, errors.decode()


async def compile_kernels(place: Place) -> None:
    await place.run("play", "ayoayo", "--plain", typed="quit\n")
    (folder,) = (place.home / "kernels").iterdir()
    while is_held(folder / LOCK):
        await asyncio.sleep(0.05)


async def solve_game(place: Place) -> None:
    await place.run("analyse", "ponghauki")
    assert [*place.home.rglob("ponghauki.tbl")]


async def play_match(place: Place) -> None:
    await place.run("match", "tobito", "--first", "random", "--second", "random", "--games", "2")


async def visit_server(place: Place) -> None:
    server = await place.start("serve", "--port", "0")
    assert server.stderr is not None
    try:
        url = (await server.stderr.readline()).decode().split()[2]
        async with ClientSession() as client, client.ws_connect(f"{url}ws", headers={"Origin": url[:-1]}) as page:
            drawn = b""
            while b"Play a person" not in drawn:
                drawn += await page.receive_bytes()
    finally:
        server.terminate()
        await server.communicate()


@pytest.mark.slow
@pytest.mark.parametrize("do", [compile_kernels, solve_game, play_match, visit_server])
async def test_no_command_runs_a_planted_module(do: Callable[[Place], Awaitable[None]], tmp_path: Path) -> None:
    watch, seen, current, found = (tmp_path / name for name in ("watch", "seen", "current", "found"))
    for folder in (watch, seen, current, found):
        folder.mkdir()
    (watch / "sitecustomize.py").write_text(WATCH.format(folder=str(seen)))
    await do(Place(tmp_path / "first", current, str(watch)))
    names = {name.partition(".")[0] for file in seen.iterdir() for name in file.read_text().splitlines()}
    assert {"onlymove_engines", "onlymove_tables"} <= names, "a process was started"

    for name in names | {"sitecustomize", "usercustomize"}:
        (current / f"{name}.py").write_text(PLANTED.format(folder=str(found)))
    for number, entries in enumerate(("", ":", ".")):
        await do(Place(tmp_path / str(number), current, entries))
        assert not [*found.iterdir()], f"with PYTHONPATH={entries}"

"""Runs several apps in one lobby and in one process. Each has its own store, and the tests control a common clock."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.screens.people import WaitingScreen
from onlymove_tui.app.screens.play import PlayScreen
from onlymove_tui.app.screens.shared_play import SharedPlayScreen
from onlymove_tui.store.games import GameStore
from textual._context import active_app
from textual.pilot import Pilot

from tests.lobby.lobbies import GAMES, make_clock, open_lobby
from tests.tui.pilots import STILL, make_app, make_settings, settle, text
from tests.tui.pilots import press as pressed

Player = tuple[OnlymoveApp, Pilot[int]]
"""A player: an app and its pilot."""


class Apps:
    """The lobby and the stores of all players, in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.clock = make_clock()
        self.stores: dict[str, GameStore] = {}

    @asynccontextmanager
    async def player(self, name: str, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Player]:
        """Run an app, which shows its menu."""
        self.stores[name] = GameStore.open(self.folder / f"{name}.sqlite3", GAMES.__getitem__)
        app = make_app(
            games=tuple(GAMES.values()), settings=make_settings(), store=self.stores[name], profile=name, seed=1,
            lobby=open_lobby(self.folder, name, self.clock), timers=STILL,
        )  # fmt: skip
        async with app.run_test(size=size) as pilot:
            await settle(pilot)
            yield app, pilot
            active_app.set(app)

    def close(self) -> None:
        """Close all stores."""
        for store in self.stores.values():
            store.close()

    async def meet(self, first: Player, second: Player, game: str = "Two Heaps", clock: str = "") -> None:
        """Let the first player open a challenge for anybody, and the second join."""
        await press(first, "o")
        await mark_line(first, f"Open a challenge: {game}")
        await press(first, "enter")
        if clock:
            await mark_line(first, "Clock")
            await press(first, "m", *["backspace"] * 3, *clock, "enter")
        await press(first, "enter")
        assert isinstance(first[0].screen, WaitingScreen), text(first[0])
        await press(second, "o", "enter")
        await look(first, second)
        for app, _ in (first, second):
            assert isinstance(app.screen, PlayScreen), text(app)

    async def look_on(self, player: Player, players: str) -> None:
        """Let a player watch a game."""
        await press(player, "o")
        await mark_line(player, "Two Heaps", players)
        await press(player, "enter")


async def look(*players: Player) -> None:
    """Let all players check for changes, twice, so that they also see the answers to what they saw."""
    for _ in range(2):
        for app, pilot in players:
            active_app.set(app)
            if isinstance(app.screen, WaitingScreen):
                app.screen.check_challenge()
            elif isinstance(app.screen, SharedPlayScreen):
                app.screen.check_record()
            await settle(pilot)


async def press(player: Player, *keys: str) -> None:
    """Press keys at one of the keyboards."""
    active_app.set(player[0])
    await pressed(player[1], *keys)


async def mark_line(player: Player, *wanted: str) -> None:
    """Move down to a line of the list."""
    for _ in range(40):
        marked = next(line for line in text(player[0]).split("\n") if "▸" in line)
        if all(word in marked for word in wanted):
            return
        await press(player, "down")
    raise AssertionError(f"no line {wanted!r}:\n{text(player[0])}")


async def play_move(mover: Player, move: str, *others: Player) -> None:
    """Type a move, and let everybody see it."""
    await press(mover, "m", *move, "enter")
    await look(mover, *others)

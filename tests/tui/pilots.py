"""Drives the screens in tests: opens the app on the tiny game, waits until it is idle, and reads what it shows."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import copy
from datetime import datetime
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec
from onlymove_engines import games
from onlymove_engines.core.analysis import Report, ignore_report
from onlymove_engines.core.facts import GameId
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.rules import Target
from onlymove_engines.play.players import HUMAN, Player, PlayerKind
from onlymove_engines.play.session import Session
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.board.move_input import ARROWS, MoveInput
from onlymove_tui.app.launch import Launch, Timers
from onlymove_tui.app.screens.play import PlayScreen
from onlymove_tui.app.services import AnalystFound
from onlymove_tui.app.widgets.bars import Notice, Panel
from onlymove_tui.app.widgets.canvas import Canvas
from onlymove_tui.store.entries import GameNumber
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.rows import StoredGame
from onlymove_tui.store.schema import StoreTrouble, describe_unsaved
from onlymove_tui.store.settings import Effective, Settings, Speed, Switch
from textual import events
from textual.keys import _character_to_key
from textual.pilot import Pilot
from textual.strip import Strip
from textual.worker import WorkerCancelled

from tests.rest import wait_until_idle
from tests.tui.tiny_game import tiny_game

FRIENDS = (HUMAN, HUMAN)
ENGINES = (Player(PlayerKind.ENGINE), Player(PlayerKind.ENGINE))


NEVER = 1e6
STILL = Timers(
    dict.fromkeys(Speed, NEVER), writing=NEVER, calendar=NEVER, record=NEVER, rematch=NEVER, lobby=NEVER,
    challenge=NEVER, meanwhile=NEVER,
)  # fmt: skip
"""With these timers, an animation runs until a key ends it, the app waits for the slowest disk, and nothing is looked
at again unless the test says so, however slow a machine is."""


SETTINGS_FOLDER: Final = TemporaryDirectory(prefix="onlymove-settings-")
"""Where settings are written that a test changes without saying where. It is removed when the tests end."""
NUMBERS: Final = count()


def make_settings(path: Path | None = None, **changes: Any) -> Effective:
    """Return settings without animation, with these changes, in a file of their own."""
    settings = msgspec.structs.replace(Settings(animation=Switch.OFF), **changes)
    return Effective(settings, {}, path or Path(SETTINGS_FOLDER.name) / f"settings-{next(NUMBERS)}.toml")


def make_board_app(settings: Effective | None = None, **changes: Any) -> OnlymoveApp:
    """Return the app with a board of the tiny game: a person on the left against the engine."""
    chosen = {"game": "tiny", "games": (tiny_game(),), "seed": 1, "settings": settings or make_settings(), **changes}
    return make_app(**chosen)


def make_app(**chosen: Any) -> OnlymoveApp:
    """Return the app as requested. Unless a clock is given, an hour passes between two readings of the clock."""
    return OnlymoveApp(Launch(**{"clock": count(step=3600.0).__next__, **chosen}))


def make_menu_app(settings: Effective | None = None, **changes: Any) -> OnlymoveApp:
    """Return the app with its menu, in which the tiny game is last."""
    return make_board_app(settings, game="", **changes)


STORES: list[GameStore] = []
"""The stores that `store_at` has opened and that are still open."""


def store_at(path: Path, clock: Callable[[], datetime] | None = None) -> GameStore:
    """Return the store of games at `path`, which knows the shipped games and the tiny one. It is closed when the test
    ends."""
    game, shipped = tiny_game(), {facts.id for facts in games.list_own_games()}

    def find_game(game_id: GameId) -> AnyGame:
        return games.load(game_id) if game_id in shipped else game

    STORES.append(GameStore.open(path, find_game) if clock is None else GameStore(path, find_game, clock))
    return STORES[-1]


FULL = describe_unsaved("games.sqlite3: database or disk is full")


class WeakStore(GameStore):
    """A store on a disk that may be full. Nothing can be written then."""

    is_full = False

    def write(self, drafts: Sequence[tuple[StoredGame, GameNumber | None]]) -> list[GameNumber]:
        if self.is_full:
            raise StoreTrouble(FULL)
        return super().write(drafts)


def weak_store_at(path: Path) -> WeakStore:
    """Return a store of games at `path` whose disk may be full. It is closed when the test ends."""
    STORES.append(store := WeakStore(path, lambda _: tiny_game()))
    return store


def close_stores() -> None:
    while STORES:
        STORES.pop().close()


async def settle(pilot: Pilot[Any]) -> None:
    """Wait until workers have finished and the screen is idle."""
    await wait_until_idle(pilot.app)
    while len(pilot.app.workers):
        # A cancelled worker counts as finished.
        with suppress(WorkerCancelled):
            await pilot.app.workers.wait_for_complete()
        await wait_until_idle(pilot.app)


async def wait_until(pilot: Pilot[Any], is_so: Callable[[], object]) -> None:
    """Wait for something that a thread or a timer does, however long that takes."""
    while not is_so():
        await pilot.pause(0.01)


def hold_analyst(app: OnlymoveApp) -> threading.Event:
    """Let no game have an analyst before the returned event is set. Until then, do not wait for workers to finish."""
    opened, find = threading.Event(), app.services.find_analyst

    def find_later(game: AnyGame, report: Report = ignore_report) -> AnalystFound:
        opened.wait()
        return find(game, report)

    app.services.find_analyst = find_later
    return opened


async def press(pilot: Pilot[Any], *keys: str) -> None:
    """Press keys one after the other. Each waits until everything that the last one started has ended."""
    for key in keys:
        await press_at_once(pilot, key)


async def press_at_once(pilot: Pilot[Any], *keys: str) -> None:
    """Press keys all at once, as over a slow connection, and then wait until everything is idle."""
    for key in keys:
        pilot.app.post_message(make_key(key))
    await settle(pilot)


def make_key(key: str) -> events.Key:
    """Return a key by its name or its character, as the terminal reports it."""
    if len(key) == 1:
        return events.Key(_character_to_key(key), key)
    character = {"question_mark": "?", "space": " "}.get(key)
    return events.Key(key, character)


def board(app: OnlymoveApp) -> PlayScreen:
    assert isinstance(app.screen, PlayScreen)
    return app.screen


def session(app: OnlymoveApp) -> Session[Any, Any]:
    return board(app).live.session


def text(app: OnlymoveApp) -> str:
    """Return everything on the screen, widget by widget."""
    return "\n".join(widget.text() for widget in app.screen.query(Canvas) if widget.display)


def list_ways(entering: MoveInput) -> dict[Target, list[str]]:
    """For each target that the cursor can be on, return the fewest arrow keys that take it there."""
    scene, entering = entering.draw(), copy(entering)
    entering.draw = lambda: scene
    assert entering.cursor is not None
    ways: dict[Target, list[str]] = {entering.cursor: []}
    seen = {entering.cursor}
    queue: deque[tuple[MoveInput, list[str]]] = deque([(entering, [])])
    while queue:
        here, keys = queue.popleft()
        for step, key in ARROWS.items():
            there = copy(here)
            there.move_cursor(*step)
            if there.cursor is not None and there.cursor not in seen:
                seen.add(there.cursor)
                ways.setdefault(there.cursor, [*keys, key])
                queue.append((there, [*keys, key]))
    return ways


def render_strips(app: OnlymoveApp) -> list[Strip]:
    """Return the lines of the screen with their styles, as the terminal gets them. Textual has no public way to ask for
    them."""
    return app.screen._compositor.render_strips()


def panels(app: OnlymoveApp) -> list[str]:
    """Return the titles of the panels that are visible."""
    return [panel.title for panel in app.screen.query(Panel) if panel.display]


def notice(app: OnlymoveApp) -> str:
    """Return the two lines at the bottom of the screen."""
    return app.screen.query_one(Notice).text()

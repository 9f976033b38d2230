"""Opens the app in this terminal and stays until the player leaves."""

from __future__ import annotations

import asyncio
import os
from contextlib import closing
from dataclasses import replace
from difflib import get_close_matches

from onlymove_engines.core.errors import did_you_mean

from onlymove_tui.app import commands
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.launch import Launch
from onlymove_tui.app.library import Library
from onlymove_tui.app.themes import NAMES, named
from onlymove_tui.crash import report_crash
from onlymove_tui.lobby.accounts import oneself
from onlymove_tui.lobby.commitments import SecretsFolder
from onlymove_tui.lobby.lobby import Lobby, find_lobby_folder
from onlymove_tui.store.database import QUICK_SECONDS
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.profiles import places
from onlymove_tui.store.settings import BadSetting, Effective
from onlymove_tui.terminal.driver import TerminalDriver


def run(launch: Launch) -> int:
    """Open the app and stay until the player leaves. Returns the exit code. Raises BadSetting."""
    store = launch.store or GameStore.open(
        places(launch.profile).games, Library(launch.games).find_game, patience=QUICK_SECONDS
    )
    with closing(store):
        settings = usable(launch)
        app = OnlymoveApp(replace(launch, settings=settings, store=store, room=launch.room or room_for(launch)))
        return stay(app)


def room_for(launch: Launch) -> Lobby:
    """Where this player meets others."""
    found = places(launch.profile)
    find_game = Library(launch.games).find_game
    return Lobby(find_lobby_folder(found.rooms), SecretsFolder(found.seats), oneself(launch.profile), find_game)


def stay(app: OnlymoveApp) -> int:
    """Run the app in this terminal until it ends."""
    app.hold(app.settings.idle_minutes * 60 if app.launch.kiosk else None)
    app.library.warms = True
    if not os.environ.get("TEXTUAL_DRIVER"):
        app.driver_class = TerminalDriver
    # In a loop of our own: the usual one would wait at its end for a search that nobody needs any more.
    code = app.run(mouse=app.terminal.mouse, loop=asyncio.new_event_loop())
    if app.fault is not None:
        return report_crash(app.fault, places(app.launch.profile).log, app.launch.kiosk)
    return code if code is not None else app.return_code or 0


def usable(launch: Launch) -> Effective | None:
    """The settings, in a kiosk without a file that names what does not exist. Raises BadSetting."""
    wishes = launch.settings
    if wishes is not None:
        try:
            check_wishes(wishes)
        except BadSetting as damage:
            wishes = wishes.without_file(damage)
            if not launch.kiosk:
                raise
            check_wishes(wishes)
    return wishes


def check_wishes(wishes: Effective) -> None:
    """Raises BadSetting for a theme or a command that does not exist."""
    theme = wishes.settings.theme
    if named(theme) not in NAMES:
        raise wishes.refuse("theme", f"no such theme; there are {', '.join(NAMES)}{did_you_mean(theme, NAMES)}")
    for name in wishes.settings.keymap:
        if name not in commands.BY_ID:
            near = get_close_matches(name, commands.BY_ID, 1)
            raise wishes.refuse(f"keymap.{name}", f"no such command{f', perhaps {near[0]}' if near else ''}")

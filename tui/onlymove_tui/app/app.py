"""The app, with its screens and settings. It runs in this terminal until the player quits."""

from __future__ import annotations

import asyncio
import os
from contextlib import closing
from dataclasses import replace
from difflib import get_close_matches

from onlymove_engines.core.errors import OnlymoveError, did_you_mean

from onlymove_tui.app import commands
from onlymove_tui.app.base_screen import WRITING, BaseScreen
from onlymove_tui.app.launch import Launch
from onlymove_tui.app.library import Library
from onlymove_tui.app.messages import Trouble
from onlymove_tui.app.routes import make_screen
from onlymove_tui.app.screens.menu import MenuScreen
from onlymove_tui.app.services import Services
from onlymove_tui.app.terminal_app import TerminalApp
from onlymove_tui.app.themes import ANSI, NAMES, named
from onlymove_tui.crash import report_crash
from onlymove_tui.lobby.accounts import find_own_person
from onlymove_tui.lobby.commitments import SecretsFolder
from onlymove_tui.lobby.lobby import Lobby, find_lobby_folder
from onlymove_tui.store.database import QUICK_SECONDS
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.profiles import find_places
from onlymove_tui.store.settings import BadSetting, Effective
from onlymove_tui.terminal.driver import TerminalDriver


class OnlymoveApp(TerminalApp):
    """The app for one player. Its lowest screen is the menu. The screens named in `routes` open on top of it."""

    CSS_PATH = "onlymove.tcss"

    def __init__(self, launch: Launch) -> None:
        self.launch = launch
        super().__init__(Services(launch, self.open, self.show_trouble, self.follow_settings))
        self.begin_with(self.wanted_theme())

    def on_mount(self) -> None:
        """Open what the command line asked for. If that is a board, the menu is not opened until the player leaves the
        board."""
        launch, services = self.launch, self.services
        self.follow_terminal()
        if launch.game:
            match = services.matches.make_launched(launch, services.library.find_game(launch.game))
            self.push_screen(make_screen("play", match))
        else:
            self.push_screen(MenuScreen(launch.resumes))
        if launch.settings is not None and launch.settings.trouble:
            self.show_trouble(launch.settings.trouble)

    def open(self, name: str, *arguments: object) -> None:
        """Open the screen with this name in `routes`, made with these arguments, or go back to the menu. A game
        replaces everything that is on top of the menu."""
        if name in ("menu", "play"):
            self.to_menu()
        if name != "menu":
            screen = make_screen(name, *arguments)
            screen.route = name
            self.push_screen(screen)

    def to_menu(self) -> None:
        while len(self.screen_stack) > 2:
            self.pop_screen()
        if not isinstance(self.screen, MenuScreen):
            menu = MenuScreen()
            menu.is_back = True
            self.switch_screen(menu)

    def action_help(self) -> None:
        """Show the keys of the open screen. Does nothing if the page of keys is already open."""
        screen = self.open_screen()
        if screen is not None and screen.route != "keys":
            self.open("keys", screen)

    def action_palette(self) -> None:
        screen = self.open_screen()
        if screen is not None and screen.route != "palette":
            self.open("palette", screen)

    def follow_settings(self) -> None:
        self.follow_terminal()
        self.run_worker(self._save_settings, name=WRITING, thread=True)

    def follow_terminal(self) -> None:
        self.services.follow_terminal()
        self.ascii_only = self.services.ascii_only
        if self.services.terminal.colour:
            self.theme = self.wanted_theme()
        for screen in self.screen_stack:
            if isinstance(screen, BaseScreen):
                screen.colour()
                screen.mark_changed()

    def wanted_theme(self) -> str:
        """Return the theme of the settings. If the terminal has too few colours for it, return one that works. With
        sixteen colours, a black piece would look the same as the ground under it."""
        return ANSI if self.console.color_system == "standard" else named(self.services.settings.theme)

    def save_all(self) -> None:
        super().save_all()
        self._save_settings()

    def _save_settings(self) -> None:
        try:
            self.services.preferences.save()
        except OnlymoveError as refusal:
            self.show_trouble("Your settings could not be saved." if self.launch.kiosk else str(refusal))

    def show_trouble(self, trouble: str) -> None:
        """Have the open screen show what went wrong. Workers may call this too."""
        self.call_later(lambda: self.screen.post_message(Trouble(trouble)))


def run(launch: Launch) -> int:
    """Run the app until the player quits. Returns the exit code. Raises BadSetting."""
    store = launch.store or GameStore.open(
        find_places(launch.profile).games, Library(launch.games).find_game, patience=QUICK_SECONDS
    )
    with closing(store):
        settings = check_settings(launch)
        app = OnlymoveApp(replace(launch, settings=settings, store=store, lobby=launch.lobby or make_lobby(launch)))
        return run_app(app)


def make_lobby(launch: Launch) -> Lobby:
    """Return the lobby in which this player meets other users."""
    found = find_places(launch.profile)
    find_game = Library(launch.games).find_game
    return Lobby(
        find_lobby_folder(found.lobby), SecretsFolder(found.secrets), find_own_person(launch.profile), find_game
    )


def run_app(app: OnlymoveApp) -> int:
    app.hold(app.services.settings.idle_minutes * 60 if app.launch.kiosk else None)
    app.services.library.warms = True
    if not os.environ.get("TEXTUAL_DRIVER"):
        app.driver_class = TerminalDriver
    # Use our own event loop. The default one would wait for a search whose answer is no longer needed.
    code = app.run(mouse=app.services.terminal.mouse, loop=asyncio.new_event_loop())
    if app.fault is not None:
        return report_crash(app.fault, find_places(app.launch.profile).log, app.launch.kiosk)
    return code if code is not None else app.return_code or 0


def check_settings(launch: Launch) -> Effective | None:
    """Return the settings to use. Raises BadSetting if the settings file names an unknown theme or command. A kiosk
    ignores such a file."""
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
    """Raise BadSetting for a theme or a command that does not exist."""
    theme = wishes.settings.theme
    if named(theme) not in NAMES:
        raise wishes.refuse("theme", f"unknown theme; choose from {', '.join(NAMES)}{did_you_mean(theme, NAMES)}")
    for name in wishes.settings.keymap:
        if name not in commands.BY_ID and name not in commands.OLD_IDS:
            near = get_close_matches(name, commands.BY_ID, 1)
            raise wishes.refuse(f"keymap.{name}", f"unknown command{f'. Did you mean {near[0]}?' if near else ''}")

"""The app for this terminal. It opens the screens, takes keys in order, sends few bytes, and ends safely."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import replace
from difflib import get_close_matches
from importlib import import_module
from traceback import clear_frames
from typing import Final

from onlymove.pictures.colours import ANSI, NAMES, USUAL, colour
from onlymove_engines.core.errors import OnlymoveError, as_sentence, did_you_mean
from rich.console import RenderableType
from textual import events
from textual.app import App
from textual.geometry import Size
from textual.theme import Theme
from textual.worker import WorkerError

from onlymove_tui import NOT_SAVED
from onlymove_tui.app import commands
from onlymove_tui.app.base_screen import BLIND_SECONDS, WRITING, BaseScreen
from onlymove_tui.app.launch import Launch
from onlymove_tui.app.messages import KeyClicked, Settled, Trouble
from onlymove_tui.app.screens.menu import MenuScreen
from onlymove_tui.app.services import Library, Services
from onlymove_tui.app.themes import find_theme, themes
from onlymove_tui.app.widgets.canvas import Canvas
from onlymove_tui.crash import report_crash
from onlymove_tui.lobby.accounts import find_own_person
from onlymove_tui.lobby.lobby import Lobby, find_lobby_folder
from onlymove_tui.lobby.record_file import SecretsFolder
from onlymove_tui.memory import use_reserve
from onlymove_tui.store.database import QUICK_SECONDS
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.profiles import find_places
from onlymove_tui.store.settings import BadSetting, Effective
from onlymove_tui.terminal.capabilities import is_too_small, layout_size
from onlymove_tui.terminal.driver import ShutdownHandler, TerminalDriver
from onlymove_tui.terminal.screen_diff import TerminalDiff
from onlymove_tui.terminal.textual_internals import BaseApp, find_colour_system

IMPATIENT = ("quit", "quit_menu", "leave", "leave_explorer", "leave_setup")
"""Commands that need not wait until a screen is ready."""
PASSING = (None, *commands.list_group(commands.MOVING), *IMPATIENT)
"""Commands without effect if the screen is left next."""

ROUTES: Final[Mapping[str, tuple[str, str, Mapping[str, object]]]] = {
    "all_drills": ("all_drills", "AllDrillsScreen", {}),
    "drill": ("drill", "DrillScreen", {}),
    "drills": ("drills", "DrillsScreen", {}),
    "explore": ("explore", "ExploreScreen", {}),
    "goto": ("explore", "GoToScreen", {}),
    "history": ("history", "HistoryScreen", {}),
    "keys": ("pages", "KeysPage", {}),
    "learning": ("learning", "LearningScreen", {}),
    "lesson": ("lesson", "LessonScreen", {}),
    "lesson_game": ("play", "PlayScreen", {"way_out": "lesson"}),
    "new": ("new_game", "NewGameScreen", {}),
    "numbers": ("pages", "GamePage", {"shows_numbers": True}),
    "opening": ("new_game", "ChallengeScreen", {}),
    "palette": ("palette", "PaletteScreen", {}),
    "people": ("people", "PeopleScreen", {}),
    "play": ("play", "PlayScreen", {}),
    "play_from": ("play", "PlayScreen", {"way_out": "back"}),
    "players": ("new_game", "PlayersScreen", {}),
    "progress": ("history", "ProgressScreen", {}),
    "retry": ("drill", "retry_screen", {}),
    "review": ("review", "ReviewScreen", {}),
    "rules": ("pages", "GamePage", {}),
    "settings": ("settings", "SettingsScreen", {}),
    "setup": ("explore", "SetUpScreen", {}),
    "shared_play": ("shared_play", "SharedPlayScreen", {}),
    "waiting": ("people", "WaitingScreen", {}),
}
"""Every screen except the menu, with the name that opens it: its module in `screens`, its class or a function that
makes it, and the options that it always gets."""


def make_screen(name: str, *arguments: object) -> BaseScreen:
    """Make a screen. Its module is imported only now, because most sessions open only a few screens."""
    module, maker, options = ROUTES[name]
    make: Callable[..., BaseScreen] = getattr(import_module(f"onlymove_tui.app.screens.{module}"), maker)
    return make(*arguments, **options)


class OnlymoveApp(BaseApp, inherit_bindings=False):
    """The app for one player at one terminal. Its lowest screen is the menu. Those in `ROUTES` open on top of it."""

    TITLE = "onlymove"
    ENABLE_COMMAND_PALETTE = False
    CSS_PATH = "onlymove.tcss"

    def __init__(self, launch: Launch) -> None:
        self.launch = launch
        services = Services(launch, self.open, self.show_trouble, self.follow_settings, self.bell)
        has_colour = services.terminal.colour
        # Even without colours, Textual sends greys unless `ansi_color` is set from the start.
        super().__init__(ansi_color=not has_colour)
        services.has_own_colours_only = not has_colour or self.console.color_system == "standard"
        self.services = services
        self.ascii_only = services.ascii_only
        for theme in themes():
            self.register_theme(theme)
        self.wire = TerminalDiff(launch.ascii_only)
        self.lifeline: ShutdownHandler | None = None
        """What ends the app safely after a signal, without a terminal, or when idle. Set it before the first paint."""
        self.is_resized = False
        self.typed_ahead: deque[events.Key | events.Paste | KeyClicked] = deque()
        self.acting: BaseScreen | None = None
        """The screen that is still handling a key."""
        # The theme is set before any style sheet is parsed. After a change, all of them would be parsed again.
        if (wanted := self.wanted_theme()) != ANSI:
            self.set_reactive(App.theme, wanted)
            self.stylesheet.set_variables(self.get_css_variables())

    def on_load(self) -> None:
        """Set up signals. The event loop runs by now, but the terminal has not been touched yet."""
        if self.lifeline is not None:
            minutes = self.services.preferences.settings.idle_minutes
            self.lifeline.hold(minutes * 60 if self.launch.kiosk else None)

    def on_mount(self) -> None:
        """Open what the command line asked for. Below a board, the menu opens only when the player leaves the board."""
        launch, services = self.launch, self.services
        # Only the app subscribes to this signal, because a screen that did would never be released.
        self.theme_changed_signal.subscribe(self, self.colour)
        has_shell = self.driver is not None and self.driver.can_suspend
        services.can_suspend = has_shell and not launch.kiosk
        self.follow_terminal()
        if launch.game:
            live = services.live_games.make_launched(launch, services.library.find_game(launch.game))
            self.push_screen(make_screen("play", live))
        else:
            self.push_screen(MenuScreen(launch.resumes))
            if launch.opens:
                name, *arguments = launch.opens
                self.open(str(name), *arguments)
        if launch.settings is not None and launch.settings.trouble:
            self.show_trouble(launch.settings.trouble)

    def list_screens(self) -> list[BaseScreen]:
        return [screen for screen in self.screen_stack if isinstance(screen, BaseScreen)]

    def colour(self, theme: Theme | None = None) -> None:
        for screen in self.list_screens():
            for canvas in screen.query(Canvas):
                canvas.redraw()

    def on_ready(self) -> None:
        if self.lifeline is not None:
            gc.freeze()  # The objects made at the start stay for ever.
            gc.enable()

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Return the colours that the style sheet needs before the app has set its theme."""
        return {"grid": colour("grid", USUAL)}

    def save_all(self) -> str:
        """Save everything, because the app is about to end. Return a line that says which games are lost, or an empty
        text."""
        for screen in self.list_screens():
            screen.save_all()
        self._save_settings()
        return self.save_at_last()

    def save_at_last(self) -> str:
        store = self.services.store
        return "" if store is None else store.save_at_last()

    def end_after_fault(self) -> None:
        """Save what was played, and end the app after an unexpected error. The caller of `run` reads `fault`."""
        use_reserve()
        if self.fault is not None:
            clear_frames(self.fault.__traceback__)  # They may hold all the memory there is.
        with suppress(Exception):
            self.save_all()
        self.close_at_once()

    def open(self, name: str, *arguments: object) -> None:
        """Open a screen of `ROUTES` with these arguments, or the menu. A game replaces all that is above the menu. If
        the map of learning is already below the open screen, go back to it."""
        if name in ("menu", "play", "shared_play"):
            self.to_menu()
        if name == "learning" and self.goes_back_to(name, arguments[0]):
            return
        if name != "menu":
            screen = make_screen(name, *arguments)
            screen.route = name
            self.push_screen(screen)

    def goes_back_to(self, name: str, game_id: object) -> bool:
        """Close the screens above the screen of this name that is about this game. Return whether there is one."""
        found = [screen for screen in self.list_screens() if screen.route == name and screen.game_to_read() == game_id]
        while found and self.screen is not found[-1]:
            self.pop_screen()
        return bool(found)

    def to_menu(self) -> None:
        while len(self.screen_stack) > 2:
            self.pop_screen()
        if not isinstance(self.screen, MenuScreen):
            menu = MenuScreen()
            menu.is_back = True
            self.switch_screen(menu)

    def action_open_over(self, name: str) -> None:
        """Open a screen about the open one. Does nothing if it is already open."""
        screen = self.open_screen()
        if screen is not None and screen.route != name:
            self.open(name, screen)

    def follow_settings(self) -> None:
        self.follow_terminal()
        self.run_worker(self._save_settings, name=WRITING, thread=True)

    def follow_terminal(self) -> None:
        self.services.follow_terminal()
        self.ascii_only = self.services.ascii_only
        if self.services.terminal.colour:
            self.theme = self.wanted_theme()
        self.colour()
        for screen in self.list_screens():
            screen.mark_changed()

    def has_own_colours(self, theme: str) -> bool:
        return theme == ANSI or not self.services.terminal.colour

    def wanted_theme(self) -> str:
        """Return the theme of the settings. If the terminal has too few colours for it, return one that works. With
        sixteen colours, a black piece would look the same as the ground under it."""
        return ANSI if self.console.color_system == "standard" else find_theme(self.services.preferences.settings.theme)

    def _save_settings(self) -> None:
        try:
            self.services.preferences.save()
        except OnlymoveError as refusal:
            self.show_trouble("Your settings could not be saved." if self.launch.kiosk else str(refusal))

    def show_trouble(self, trouble: str) -> None:
        """Have the open screen show what went wrong. Workers may call this too."""
        self.call_later(lambda: self.screen.post_message(Trouble(trouble)))

    async def action_quit(self) -> None:
        """Quit. Games are saved already, but changes that are still being written get a moment. If a game cannot be
        saved, say so in the terminal. A board asks before a game of a lesson is given up."""
        top = self.screen
        would_lose_game = any(screen.would_lose_game for screen in self.list_screens())
        if would_lose_game and isinstance(top, BaseScreen) and not top.confirms_quitting():
            return
        writing = [worker for worker in self.workers if worker.name == WRITING]
        if writing:  # For an empty list, Textual would wait for all workers.
            with suppress(TimeoutError, WorkerError):
                await asyncio.wait_for(self.workers.wait_for_complete(writing), self.services.timers.writing)
        lost = self.save_at_last()
        self.exit(NOT_SAVED if lost else 0, message=as_sentence(lost) if lost else None)

    def action_redraw(self) -> None:
        """Draw everything again, for a terminal that has lost something."""
        self.wire.forget()
        self.refresh(layout=True)

    def action_suspend(self) -> None:
        """Stop every process that the shell started together with the app. The driver restores the terminal first."""
        os.killpg(0, signal.SIGTSTP)

    async def on_event(self, event: events.Event) -> None:
        """Handle keys here, one after the other. In the screens, a later key could overtake an earlier one."""
        if self.lifeline is not None and isinstance(event, events.Key | events.MouseDown):
            self.lifeline.touched = event.time
        if isinstance(event, events.Resize):
            if not all(isinstance(side, int) for side in event.size):
                return  # A browser can send anything.
            event = self.take_size(event)
        if isinstance(event, events.Key | events.Paste):
            await self.take_in_order(event)
        else:
            await super().on_event(event)

    async def on_key_clicked(self, message: KeyClicked) -> None:
        await self.take_in_order(message)

    async def take_in_order(self, event: events.Key | events.Paste | KeyClicked) -> None:
        self.typed_ahead.append(event)
        await self.take_typed()

    def take_size(self, event: events.Resize) -> events.Resize:
        """Remember the terminal's size, and return the size for the screens. That size is never too small for their
        layout and never larger than any monitor."""
        self.services.terminal_size, self.services.is_gated = event.size, is_too_small(event.size)
        self.wire.forget()
        self.is_resized = event.size != self.wire.size
        size = Size(*layout_size(event.size))
        if self.is_resized and size == self.size:
            self.refresh(layout=True)
        return events.Resize(size, size, pixel_size=event.pixel_size)

    async def on_settled(self, message: Settled) -> None:
        await self.take_typed()

    async def finish_acting(self, screen: BaseScreen) -> None:
        if self.acting is screen:
            self.acting = None
            await self.take_typed()

    async def take_typed(self) -> None:
        """Take keys in order. Each waits until the open screen has handled the key before it and is ready."""
        while self.typed_ahead and (screen := self.open_screen()) is not None and screen is not self.acting:
            ahead = keys_before_way_out(screen, self.typed_ahead) if screen.is_waiting else 0
            if ahead is None:
                return
            for _ in range(ahead):
                self.typed_ahead.popleft()
            event = self.typed_ahead.popleft()
            if isinstance(event, events.Paste):
                screen.takes_paste(event.text)
            elif (key := find_pressed(screen, event)) is not None:
                screen.pressed_at = event.time
                character = event.character if isinstance(event, events.Key) else None
                if not screen.takes_key(key, character) and (name := screen.find_command(key)):
                    await screen.do(commands.BY_ID[name])
            # What the screen has to do because of this key comes first.
            self.acting = screen = self.open_screen()
            if screen is not None and not screen.call_later(self.call_later, self.finish_acting, screen):
                self.acting = None

    def open_screen(self) -> BaseScreen | None:
        """Return the screen that gets the keys. It is `None` before the first screen and after the last."""
        screen = self.screen_stack[-1] if self.screen_stack else None
        return screen if isinstance(screen, BaseScreen) else None

    def encode(self, renderable: RenderableType, is_everything: bool) -> str:
        """Return only what the terminal does not show yet."""
        # Output for the old size may have broken lines. Draw the whole screen once more before relying on it.
        if self.is_resized:
            self.wire.forget()
            self.is_resized = not is_everything
        drawn = self.console.render(renderable)
        return self.wire.encode(drawn, find_colour_system(self.console), self.services.terminal_size)


def find_pressed(screen: BaseScreen, event: events.Key | KeyClicked) -> str | None:
    """Return the key that was pressed. A click presses the key of its command. `None` if that has no key now."""
    return event.key if isinstance(event, events.Key) else screen.find_key(event.command)


def keys_before_way_out(screen: BaseScreen, typed: Iterable[events.Key | events.Paste | KeyClicked]) -> int | None:
    """Return how many typed keys to skip, because a later one leaves this screen, which is not ready. The skipped keys
    have no effect. `None` if no key leaves the screen, or if an earlier key leads elsewhere. A second key that quits
    the app always counts."""
    is_ended, is_passing, bound = False, screen.is_built, screen.key_table.by_key
    for number, event in enumerate(typed):
        key = None if isinstance(event, events.Paste) else find_pressed(screen, event)
        command = None if key is None else bound.get(key)
        is_seen = command == "quit" or event.time - screen.pressed_at >= BLIND_SECONDS
        if (is_passing and is_seen and command in IMPATIENT) or (is_ended and command == "quit"):
            return number
        is_ended = is_ended or command == "quit"
        is_passing = is_passing and command in PASSING
    return None


def run(launch: Launch) -> int:
    """Run the app until the player quits. Returns the exit code. Raises BadSetting if the settings file names an
    unknown theme or command. A kiosk ignores such a file."""
    places, find_game = find_places(launch.profile), Library(launch.games).find_game
    with closing(launch.store or GameStore.open(places.games, find_game, patience=QUICK_SECONDS)) as store:
        settings = check_settings(launch)
        lobby = launch.lobby or Lobby(
            find_lobby_folder(places.lobby), SecretsFolder(places.secrets), find_own_person(launch.profile), find_game
        )
        app = OnlymoveApp(replace(launch, settings=settings, store=store, lobby=lobby))
        app.lifeline = ShutdownHandler(app, app.save_all)
        app.services.library.warms = True
        if not os.environ.get("TEXTUAL_DRIVER"):
            app.driver_class = TerminalDriver
        # A worker that computes then lets the screen's thread go on after 1 ms and not 5. A key may wait several times.
        sys.setswitchinterval(0.001)
        # Use our own event loop. The default one would wait for a search whose answer is no longer needed.
        code = app.run(mouse=app.services.terminal.mouse, loop=asyncio.new_event_loop())
        if app.fault is not None:
            return report_crash(app.fault, places.log, launch.kiosk, app.save_at_last())
        return code if code is not None else app.return_code or 0


def check_settings(launch: Launch) -> Effective | None:
    """Return the settings to use. Raises BadSetting, as `run` says."""
    wishes = launch.settings
    if wishes is not None:
        try:
            check_wishes(wishes)
        except BadSetting as damage:
            wishes = wishes.drop_file(damage)
            if not launch.kiosk:
                raise
            check_wishes(wishes)
    return wishes


def check_wishes(wishes: Effective) -> None:
    theme = wishes.settings.theme
    if find_theme(theme) not in NAMES:
        raise wishes.refuse("theme", f"unknown theme; choose from {', '.join(NAMES)}{did_you_mean(theme, NAMES)}")
    for name in wishes.settings.keymap:
        if name not in commands.BY_ID:
            near = get_close_matches(name, commands.BY_ID, 1)
            raise wishes.refuse(f"keymap.{name}", f"unknown command{f'. Did you mean {near[0]}?' if near else ''}")

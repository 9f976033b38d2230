"""What all screens share: settings, games, store, authorities on values, and the wire to the terminal.

Nothing here knows a game or a screen that could be opened. Where the terminal itself is concerned, `terminal` does
the work.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import Any, ClassVar

from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame, GameId
from onlymove_engines.core.value import Seat
from onlymove_engines.games import TitleCard, load, title_cards
from onlymove_engines.play.session import Player, PlayerKind, person_at
from rich.console import RenderableType
from textual import events
from textual.app import App
from textual.screen import Screen

from onlymove_tui.app import commands
from onlymove_tui.app.launch import Launch
from onlymove_tui.app.screens.house import HouseScreen
from onlymove_tui.play.match import Coaching
from onlymove_tui.play.thinking import rehearse
from onlymove_tui.store.settings import DEFAULTS, Keys, Settings, Speed, Switch
from onlymove_tui.terminal.capabilities import look, pathless
from onlymove_tui.terminal.screen_diff import Wire
from onlymove_tui.terminal.shutdown import Lifeline

DEFAULT_THEME = "textual-dark"
FRAME_SECONDS: Mapping[Speed, float] = {Speed.SLOW: 0.3, Speed.NORMAL: 0.15, Speed.FAST: 0.07}


class Household(App[int], inherit_bindings=False):
    """One player at one terminal, and what belongs to them. Which screens there are is `app`'s to know."""

    TITLE = "onlymove"
    CSS_PATH = "onlymove.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[Any] = commands.bindings("app")

    def __init__(self, launch: Launch) -> None:
        self.settings: Settings = DEFAULTS if launch.settings is None else launch.settings.settings
        self.terminal = look(self.settings)
        # Without colours Textual still sends greys, unless it is told so from the start.
        super().__init__(ansi_color=None if self.terminal.colour else True)
        self.launch = launch
        self.store = launch.store
        self.ascii_only = launch.ascii_only
        self.wire = Wire(launch.ascii_only)
        self.random = Random(launch.seed)
        self.lifeline: Lifeline | None = None
        self.warms = False
        self._authorities: dict[GameId, tuple[Any, str]] = {}

    # Games and what is known of them.

    def cards(self) -> list[TitleCard]:
        """The title cards of all games, injected ones last."""
        extra = [
            TitleCard(game.id, game.title, game.pitch, game.solved, 1000 + place, "")
            for place, game in enumerate(self.launch.games)
        ]
        return [*title_cards(), *extra]

    def find_game(self, game_id: GameId) -> AnyGame:
        """The card of a game, injected or found by folder. Raises UnknownGame."""
        for game in self.launch.games:
            if game.id == game_id:
                return game
        return load(game_id)

    def authority(self, game: AnyGame) -> Callable[[], tuple[Any, str]]:
        """How to fetch the one who knows the game's values, from a worker: (analyst or `None`, a note)."""
        return partial(self._fetch_authority, game)

    def _fetch_authority(self, game: AnyGame) -> tuple[Any, str]:
        if game.id not in self._authorities:
            from onlymove_tables import open as shelf  # noqa: PLC0415 - numpy waits for a board
            from onlymove_tables.kernels import cache as kernel_cache  # noqa: PLC0415
            from onlymove_tables.kernels import clean_up as stale  # noqa: PLC0415
            from onlymove_tables.kernels import compile as warm  # noqa: PLC0415
            from onlymove_tables.kernels import compiler_code  # noqa: PLC0415

            kernel_cache.prepare()
            if self.warms and game.facts.plays_by_search:
                warm.start()
                warm.wait()
            try:
                analyst, note = shelf.analyst(game)
            except OnlymoveError as refusal:
                return None, str(refusal)
            if self.warms and not self._authorities:
                stale.clear()
            if self.warms and game.facts.plays_by_search:
                rehearse(game, analyst)
                compiler_code.give_back()
            self._authorities[game.id] = analyst, pathless(f"Searching live: {note}") if note else ""
        return self._authorities[game.id]

    # What the settings come to.

    @property
    def animated(self) -> bool:
        """Whether moves are shown on their way: by default not over SSH."""
        return self.terminal.animation

    @property
    def frame_seconds(self) -> float:
        """How long an in-between picture stays."""
        return FRAME_SECONDS[self.settings.speed]

    def coaching(self) -> Coaching:
        """The tutor that the settings ask for."""
        from onlymove_engines.coach.judge import Bands  # noqa: PLC0415

        chosen = self.settings
        bands = Bands(slow_moves=chosen.slow_moves)
        return Coaching(chosen.on_bad, chosen.objective, bands, chosen.undo_limit, chosen.hint_straight)

    def default_players(self, seat: Seat | None) -> tuple[Player, Player]:
        """A person at `seat` against the engine of the settings."""
        return person_at(seat, Player(PlayerKind.ENGINE, self.settings.style, self.settings.strength))

    def use_settings(self, settings: Settings) -> None:
        """These settings hold from now on."""
        self.settings = settings
        is_open = settings.ascii is Switch.AUTO
        self.ascii_only = self.launch.ascii_only if is_open else settings.ascii is Switch.ON
        self.terminal = look(settings)
        if self.terminal.colour:
            self.theme = settings.theme or DEFAULT_THEME
        keys = dict(commands.VI) if settings.keys is Keys.VI else {}
        self.set_keymap({**keys, **settings.keymap})

    def keep_setting(self, key: str, value: Any) -> None:
        """Write one setting into the player's file. Raises OnlymoveError when that does not work."""
        from onlymove_tui.store import settings_file  # noqa: PLC0415

        if self.launch.settings is not None:
            settings_file.save(self.launch.settings.path, {key: value})

    # Coming and going.

    def hold(self) -> None:
        """From now on a signal, a lost terminal or an idle kiosk ends the app in good order; before the first paint."""
        self.lifeline = Lifeline(self, self.keep)

    def on_load(self) -> None:
        """The loop runs, the terminal is not touched yet."""
        if self.lifeline is not None:
            self.lifeline.hold(self.settings.idle_minutes * 60 if self.launch.kiosk else None)

    def on_ready(self) -> None:
        """The first screen is painted."""
        if self.lifeline is not None:
            resume_collector()

    def keep(self) -> None:
        """Put on disk what is not there yet."""
        for screen in self.screen_stack:
            if isinstance(screen, HouseScreen):
                screen.keep()

    def warm_kernels(self) -> None:
        """Have the search kernels compiled by another process, once on a machine; the first paint does not wait."""
        from onlymove_tables.kernels import compile as warm  # noqa: PLC0415

        warm.start()

    def action_redraw(self) -> None:
        """Draw everything anew, for a terminal that has lost something."""
        self.wire.forget()
        self.refresh(layout=True)

    # The wire.

    async def on_event(self, event: events.Event) -> None:
        """Let the screen see a key first: it may skip an animation with it."""
        if self.lifeline is not None and isinstance(event, events.Key | events.MouseDown):
            self.lifeline.touch()
        if isinstance(event, events.Key) and isinstance(self.screen, HouseScreen) and self.screen.before_key(event.key):
            return
        if isinstance(event, events.Resize):
            self.wire.forget()
        await super().on_event(event)

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        """Send only what the terminal does not show yet (Textual's own would send whole lines)."""
        driver = self._driver
        if renderable is None or self._batch_count or not self._running or self._closed or driver is None:
            return
        if self.is_headless or driver.is_inline:
            super()._display(screen, renderable)
            return
        console = self.console
        text = self.wire.encode(console.render(renderable), console._color_system)
        if text:
            self._begin_update()
            driver.write(text)
            self._end_update()
            driver.flush()


def resume_collector() -> None:
    """What was made for the start stays for good: the collector need not look at it again."""
    gc.freeze()
    gc.enable()

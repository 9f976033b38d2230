"""The app: which screen is open, and what all of them share - settings, games, store, authorities.

Nothing here knows a game. Where the terminal itself is concerned, `terminal` does the work.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any, ClassVar

from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame, GameId
from onlymove_engines.core.session import HUMAN, Chair, Session, Sitter
from onlymove_engines.games import TitleCard, load, title_cards
from rich.console import RenderableType
from textual import events
from textual.app import App
from textual.screen import Screen

from onlymove_tui import commands
from onlymove_tui.launch import Launch
from onlymove_tui.lifeline import Lifeline
from onlymove_tui.match import Coaching, Match
from onlymove_tui.practice import Practice, collect
from onlymove_tui.screens.house import HouseScreen
from onlymove_tui.store.settings import DEFAULTS, Keys, Settings, Speed, Switch
from onlymove_tui.terminal import look, pathless
from onlymove_tui.wire import Wire

DEFAULT_THEME = "textual-dark"
FRAME_SECONDS: Mapping[Speed, float] = {Speed.SLOW: 0.3, Speed.NORMAL: 0.15, Speed.FAST: 0.07}


class OnlymoveApp(App[int], inherit_bindings=False):
    """One player at one terminal."""

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
            from onlymove_tables import kernel_cache, shelf, warm  # noqa: PLC0415 - numpy waits for a board

            kernel_cache.prepare()
            if self.warms and game.facts.plays_by_search:
                warm.start()
                warm.wait()
            try:
                analyst, note = shelf.analyst(game)
            except OnlymoveError as refusal:
                return None, str(refusal)
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
        from onlymove_engines.core.judge import Bands  # noqa: PLC0415

        chosen = self.settings
        bands = Bands(slow_moves=chosen.slow_moves)
        return Coaching(chosen.on_bad, chosen.objective, bands, chosen.undo_limit, chosen.hint_straight)

    def default_chairs(self) -> tuple[Chair, Chair]:
        """A person against the engine of the settings."""
        return HUMAN, Chair(Sitter.ENGINE, self.settings.style, self.settings.strength)

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

    # Screens.

    def on_mount(self) -> None:
        """Open what the command line asked for."""
        from onlymove_tui.screens.menu import MenuScreen  # noqa: PLC0415

        self.use_settings(self.settings)
        self.push_screen(MenuScreen())
        if self.warms:
            self.call_after_refresh(self.warm_kernels)
        if self.launch.game:
            self.open_launched()

    def warm_kernels(self) -> None:
        """Have the search kernels compiled by another process, once on a machine; the first paint does not wait."""
        from onlymove_tables import warm  # noqa: PLC0415

        warm.start()

    def open_launched(self) -> None:
        """Straight to a board."""
        launch = self.launch
        game = self.find_game(launch.game)
        seed = launch.seed if launch.seed is not None else self.random.randrange(2**31)
        start = game.start(launch.options, seed)
        if launch.position is not None:
            start = game.notation.parse_position(launch.position)
        rule = next((rule for rule in game.house_rules if rule.id == launch.house_rule), None)
        session = Session(game, start, launch.chairs or self.default_chairs(), rule)
        training = self.settings.training if launch.training is None else launch.training
        self.play(session, launch.options, seed, training)

    def play(self, session: Session[Any, Any], options: Mapping[str, str], seed: int, training: bool) -> None:
        """A board for a new session."""
        from onlymove_tui.screens.play import PlayScreen  # noqa: PLC0415

        match = Match(session, self.coaching(), training, self.random)
        self.show_board(PlayScreen(match, self.autosave(match, options, seed)))

    def autosave(self, match: Match, options: Mapping[str, str], seed: int) -> Any:
        """Who keeps the match on disk; `None` without a store."""
        if self.store is None:
            return None
        from onlymove_tui.store.games import Autosave  # noqa: PLC0415
        from onlymove_tui.store.rows import Setup  # noqa: PLC0415

        setup = Setup(dict(options), seed, match.training, match.coaching.on_bad, match.coaching.objective)
        return Autosave(self.store, match.session, setup)

    def show_board(self, screen: Screen[None]) -> None:
        """This board above the menu, instead of whatever was there."""
        while len(self.screen_stack) > 2:
            self.pop_screen()
        self.push_screen(screen)

    def to_menu(self) -> None:
        """Back to the list of games."""
        while len(self.screen_stack) > 2:
            self.pop_screen()

    def new_game(self, game_id: GameId) -> None:
        """The panel in which a game is set up."""
        from onlymove_tui.screens.new_game import NewGameScreen  # noqa: PLC0415

        self.push_screen(NewGameScreen(self.find_game(game_id)))

    def resume(self, number: int) -> None:
        """A saved game, where it was left. Raises OnlymoveError for one that cannot be used."""
        from onlymove_tui.screens.play import PlayScreen  # noqa: PLC0415

        match, autosave = self.saved_match(number)
        self.show_board(PlayScreen(match, autosave))

    def saved_match(self, number: int) -> tuple[Match, Any]:
        """A saved game as a match, and who keeps it."""
        from onlymove_tui.store.games import Autosave  # noqa: PLC0415

        saved = self.store.load(number)
        coaching = replace(self.coaching(), on_bad=saved.setup.on_bad, objective=saved.setup.objective)
        match = Match(saved.session, coaching, saved.setup.training, self.random)
        return match, Autosave(self.store, saved.session, saved.setup, number)

    def play_branch(self, branch: Session[Any, Any], match: Match, autosave: Any) -> None:
        """A new game that begins with moves of another one."""
        options = {} if autosave is None else autosave.setup.options
        self.play(branch, options, 0, match.training)

    def review(self, match: Match, autosave: Any = None) -> None:
        """Go through a game."""
        from onlymove_tui.screens.review import ReviewScreen  # noqa: PLC0415

        self.push_screen(ReviewScreen(match, autosave))

    def review_saved(self, number: int) -> None:
        """Go through a saved game. Raises OnlymoveError for one that cannot be used."""
        self.review(*self.saved_match(number))

    def show_drills(self) -> None:
        """What there is to practise."""
        from onlymove_tui.screens.drills import DrillsScreen  # noqa: PLC0415

        self.push_screen(DrillsScreen())

    def begin_drills(self, practice: Practice) -> None:
        """A round of drills. Raises OnlymoveError when its first position is not understood."""
        from onlymove_tui.screens.drill import DrillScreen  # noqa: PLC0415

        self.push_screen(DrillScreen(practice))

    def leave_drills(self, practice: Practice) -> None:
        """Back to the list of drills, with what came of the round."""
        from onlymove_tui.screens.drills import DrillsScreen  # noqa: PLC0415

        self.pop_screen()
        if isinstance(self.screen, DrillsScreen):
            self.screen.report(practice)

    def collect_drills(self, match: Match) -> int:
        """Put the mistakes of the people of a match into the box; how many were new."""
        from onlymove_engines.core.drill import from_mistakes  # noqa: PLC0415

        found = from_mistakes(match.game, match.node.path(), match.session.human_seats())
        return collect(self.store, found)

    def show_history(self) -> None:
        """All games."""
        from onlymove_tui.screens.history import HistoryScreen  # noqa: PLC0415

        self.push_screen(HistoryScreen())

    def show_rules(self, game: AnyGame) -> None:
        """The game's own page."""
        from onlymove_tui.screens.pages import rules_page  # noqa: PLC0415

        self.push_screen(rules_page(game))

    def show_settings(self) -> None:
        """Change how the app behaves."""
        from onlymove_tui.screens.settings import SettingsScreen  # noqa: PLC0415

        self.push_screen(SettingsScreen())

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

    def action_help(self) -> None:
        """The live bindings of the screen that is open."""
        from onlymove_tui.screens.pages import PageScreen, keys_page  # noqa: PLC0415

        if not isinstance(self.screen, PageScreen):
            self.push_screen(keys_page(self.screen))

    def action_palette(self) -> None:
        """Any command by name, and a new game of any kind."""
        from onlymove_tui.screens.palette import Entry, PaletteScreen  # noqa: PLC0415

        if not isinstance(self.screen, PaletteScreen):
            games = [Entry(f"New game: {card.title}", "", f"app.new_game('{card.id}')") for card in self.cards()]
            self.push_screen(PaletteScreen(self.screen, games))

    def action_new_game(self, game_id: str) -> None:
        """Set up a game of this kind."""
        self.new_game(game_id)

    async def action_quit(self) -> None:
        """Leave. Whatever was played has been kept."""
        self.exit(0)

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

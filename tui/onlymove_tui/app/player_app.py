"""One player's games, settings and store: what is behind the services that screens ask for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from onlymove_engines.coach.drill import Drill
from onlymove_engines.coach.judge import Coaching
from onlymove_engines.core.analysis import Report, silent
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame, GameId, Level
from onlymove_engines.core.value import Seat
from onlymove_engines.games import TitleCard
from onlymove_engines.match.engine import Effort
from onlymove_engines.play.players import Players
from textual.worker import NoActiveWorker, get_current_worker

from onlymove_tui.app import commands
from onlymove_tui.app.base_screen import WRITING, BaseScreen
from onlymove_tui.app.launch import Launch
from onlymove_tui.app.library import AnalystFound, Library
from onlymove_tui.app.matches import Matches
from onlymove_tui.app.messages import Trouble
from onlymove_tui.app.preferences import Preferences
from onlymove_tui.app.terminal_app import TerminalApp
from onlymove_tui.app.themes import ANSI, named
from onlymove_tui.lobby.lobby import Lobby
from onlymove_tui.play.drills import collect
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.profiles import is_guest
from onlymove_tui.store.settings import Keys, Origin, Settings, Switch
from onlymove_tui.terminal.capabilities import look


def is_cancelled() -> bool:
    """Whether the worker that asks has been told to stop."""
    try:
        return get_current_worker().is_cancelled
    except NoActiveWorker:
        return False


class PlayerApp(TerminalApp):
    """It opens no screen. What screens may ask of it is `Services`."""

    def __init__(self, launch: Launch) -> None:
        self.preferences = Preferences(launch.settings)
        self.terminal = look(self.preferences.settings)
        super().__init__(self.terminal.colour, launch.ascii_only)
        self.begin_with(self.wanted_theme())
        self.launch = launch
        self.library = Library(launch.games)
        self.ascii_only = launch.ascii_only
        self.keymap: tuple[tuple[str, str], ...] = ()
        self.random = Random(launch.seed)
        self.matches = Matches(self.preferences, self.random, launch.store, is_guest(launch.profile), launch.clock)
        self.matches.room = launch.room

    def keys_on(self, screen_id: str) -> Mapping[str, commands.Command]:
        """The command of each key on a screen, as the player's settings have it."""
        return commands.keys_on(screen_id, self.keymap)

    def clock(self) -> float:
        """Seconds, as whoever launched the app counts them."""
        return self.launch.clock()

    # Games and what is known of them.

    @property
    def store(self) -> GameStore | None:
        """The player's games, if they are kept."""
        return self.matches.store

    @property
    def room(self) -> Lobby | None:
        """Where people at other logins are met; `None`: nowhere."""
        return self.matches.room

    @property
    def warms(self) -> bool:
        """Whether kernels are compiled ahead."""
        return self.library.warms

    def cards(self) -> Sequence[TitleCard]:
        """The title cards of all games."""
        return self.library.cards()

    def title_of(self, game_id: GameId) -> str:
        """The game's name."""
        return self.library.title_of(game_id)

    def levels_of(self, game_id: GameId) -> Sequence[Level]:
        """The game's levels."""
        return self.library.levels_of(game_id)

    def find_game(self, game_id: GameId) -> AnyGame:
        """The card of a game. Raises UnknownGame."""
        return self.library.find_game(game_id)

    def find_analyst(self, game: AnyGame, report: Report = silent) -> AnalystFound:
        """Who knows the game's values; the open screen says so where a table was passed over."""
        return self.library.find_analyst(game, is_cancelled, self.tell, report)

    def collect_drills(self, drills: Sequence[Drill]) -> int:
        """Puts drills into the box; how many were new."""
        return collect(self.store, drills)

    # Settings.

    @property
    def settings(self) -> Settings:
        """The settings that hold."""
        return self.preferences.settings

    def origin(self, key: str) -> Origin:
        """What decided a setting when the program was started."""
        return self.preferences.origin(key)

    def change_setting(self, key: str, value: object) -> None:
        """A setting holds from now on, and is kept by a worker. Raises BadSetting."""
        self.preferences.change(key, value)
        self.apply_settings()
        self.run_worker(self._save_settings, name=WRITING, thread=True)

    def _save_settings(self) -> None:
        try:
            self.preferences.save()
        except OnlymoveError as refusal:
            self.tell("Your settings could not be saved." if self.launch.kiosk else str(refusal))

    def wanted_theme(self) -> str:
        """The theme of the settings, where the terminal has colours for it: of sixteen a black piece and every ground
        would be the same."""
        return ANSI if self.console.color_system == "standard" else named(self.settings.theme)

    def apply_settings(self) -> None:
        """Have the terminal follow the settings."""
        settings = self.settings
        is_open = settings.ascii is Switch.AUTO
        self.ascii_only = self.launch.ascii_only if is_open else settings.ascii is Switch.ON
        self.terminal = look(settings)
        if self.terminal.colour:
            self.theme = self.wanted_theme()
        keys = dict(commands.VI) if settings.keys is Keys.VI else {}
        self.keymap = tuple({**keys, **settings.keymap}.items())
        for screen in self.screen_stack:
            if isinstance(screen, BaseScreen):
                screen.changed()

    def tell(self, trouble: str) -> None:
        """Have the open screen say what went wrong; also from a worker."""
        self.call_later(lambda: self.screen.post_message(Trouble(trouble)))

    def keep(self) -> None:
        """Put on disk what is not there yet: the app is about to end."""
        super().keep()
        self._save_settings()

    @property
    def animated(self) -> bool:
        """Whether moves are shown on their way: by default not over SSH."""
        return self.terminal.animation

    @property
    def frame_seconds(self) -> float:
        """How long an in-between picture stays."""
        return self.preferences.frame_seconds

    def coaching(self) -> Coaching:
        """The tutor that the settings ask for."""
        return self.preferences.coaching()

    def usual_players(self, seat: Seat | None) -> Players:
        """A person at `seat` against the engine of the settings."""
        return self.preferences.players(seat)

    def effort(self) -> Effort:
        """How long and how deep engines are to search."""
        return self.preferences.effort()

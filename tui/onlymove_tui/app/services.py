"""What screens may ask of the app: games and their values, settings, the player's store. Knows no screen."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

from onlymove_engines.core.analysis import Report, ignore_report
from onlymove_engines.core.facts import GameId
from onlymove_engines.core.game import AnyGame
from textual.worker import NoActiveWorker, get_current_worker

from onlymove_tui.app.launch import Launch
from onlymove_tui.app.library import AnalystFound, Library
from onlymove_tui.app.matches import Matches
from onlymove_tui.app.preferences import Preferences
from onlymove_tui.store.profiles import is_guest
from onlymove_tui.store.settings import Settings, Switch
from onlymove_tui.terminal.capabilities import LEAST, detect_terminal

if TYPE_CHECKING:
    from onlymove_tui.play.lessons import Course


def is_cancelled() -> bool:
    """Whether the worker that asks has been told to stop."""
    try:
        return get_current_worker().is_cancelled
    except NoActiveWorker:
        return False


class Services:
    """One player at one terminal. `terminal_size` is in columns and lines; screens are laid out at a size of their own
    (`terminal.size`). Whatever reads files or the store is for workers.

    The app does three things itself: it opens the screen of a name in `routes`, made with the arguments that follow;
    it has the open screen `tell` what went wrong, also from a worker; and it shows and saves a setting that has
    changed.
    """

    def __init__(
        self,
        launch: Launch,
        open_screen: Callable[..., None],
        tell: Callable[[str], None],
        follow_settings: Callable[[], None],
    ) -> None:
        self.launch = launch
        self.open = open_screen
        self._tell, self._follow_settings = tell, follow_settings
        self.clock = launch.clock
        self.random = Random(launch.seed)
        self.library = Library(launch.games)
        self.preferences = Preferences(launch.settings)
        self.store = launch.store
        """The player's games, if they are saved."""
        self.room = launch.room
        """Where people at other logins are met; `None`: nowhere."""
        self.matches = Matches(
            self.preferences, self.random, self.store, is_guest(launch.profile), launch.clock, self.room
        )
        self.follow_terminal()
        self.terminal_size: tuple[int, int] = LEAST
        self.is_gated = False
        """Whether the terminal is too small to show a screen."""
        self.rules_read: set[GameId] = set()
        """The games whose rules have been opened since the program began."""
        self.has_own_colours_only = False
        """Whether the terminal shows no theme but its own: it has no more than sixteen colours, or is to have none."""

    @property
    def settings(self) -> Settings:
        return self.preferences.settings

    def change_setting(self, key: str, value: object) -> None:
        """Use a setting from now on, and save it in the player's file. Raises BadSetting for a value that is not
        allowed; if the file cannot be written, `Trouble` says so later."""
        self.preferences.change(key, value)
        self._follow_settings()

    def follow_terminal(self) -> None:
        """Find out what the settings make of this terminal, and whether boards are drawn with ASCII."""
        wanted = self.settings.ascii
        self.terminal = detect_terminal(self.settings)
        self.ascii_only = self.launch.ascii_only if wanted is Switch.AUTO else wanted is Switch.ON

    def find_course(self, game_id: GameId) -> Course:
        """The lessons of a game, from where the player left off; for a worker. Raises UnknownGame, BadLesson or
        StoreTrouble."""
        from onlymove_tui.play.lessons import Course  # noqa: PLC0415 - the menu is drawn without it

        game, store = self.library.find_game(game_id), self.store
        done = 0 if store is None else store.lessons.done().get(game_id, 0)
        return Course(game, self.preferences.coaching(), done)

    def find_analyst(self, game: AnyGame, report: Report = ignore_report) -> AnalystFound:
        """Who knows the game's values; the open screen says so where a table was passed over. `report` hears how far
        it is where that takes a while. For a worker."""
        return self.library.find_analyst(game, is_cancelled, self._tell, report)

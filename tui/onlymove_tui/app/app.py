"""The app: what is behind the services that screens ask for, and the doors between the screens."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING

from onlymove_engines.coach.drill import Drill
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame, GameId, Level
from onlymove_engines.games import TitleCard
from onlymove_engines.play.players import Players
from onlymove_engines.play.session import AnySession
from onlymove_tables.kernels.compile import start_compiler
from textual.screen import Screen
from textual.worker import NoActiveWorker, get_current_worker

from onlymove_tui.app import commands
from onlymove_tui.app.launch import Launch
from onlymove_tui.app.library import AnalystFound, Library
from onlymove_tui.app.matches import Matches
from onlymove_tui.app.messages import Trouble
from onlymove_tui.app.preferences import Preferences
from onlymove_tui.app.screens.base_screen import WRITING
from onlymove_tui.app.screens.menu import MenuScreen
from onlymove_tui.app.terminal_app import TerminalApp
from onlymove_tui.app.themes import ANSI, named
from onlymove_tui.play.coaching import Coaching, Effort
from onlymove_tui.play.drill_round import Practice, collect
from onlymove_tui.play.match import Match
from onlymove_tui.store.autosave import Autosave
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.paths import places
from onlymove_tui.store.rows import GameNumber
from onlymove_tui.store.settings import Keys, Origin, Settings, Switch
from onlymove_tui.terminal.capabilities import look

if TYPE_CHECKING:
    from onlymove_tui.app.doors import Doors


def is_cancelled() -> bool:
    """Whether the worker that asks has been told to stop."""
    try:
        return get_current_worker().is_cancelled
    except NoActiveWorker:
        return False


class OnlymoveApp(TerminalApp):
    """One player's games, settings and store. What screens may ask of it is `Services`."""

    CSS_PATH = "onlymove.tcss"

    def __init__(self, launch: Launch) -> None:
        self.preferences = Preferences(launch.settings)
        self.terminal = look(self.preferences.settings)
        super().__init__(self.terminal.colour, launch.ascii_only)
        self.begin_with(self.wanted_theme())
        self.launch = launch
        self.library = Library(launch.games)
        self.ascii_only = launch.ascii_only
        self.random = Random(launch.seed)
        is_shared = launch.kiosk and not launch.profile
        self.matches = Matches(self.preferences, self.random, launch.store, is_shared, launch.clock)

    @cached_property
    def doors(self) -> type[Doors]:
        """Every screen but the menu: the first paint does not wait for them."""
        from onlymove_tui.app.doors import Doors  # noqa: PLC0415

        return Doors

    def on_mount(self) -> None:
        """Open what the command line asked for; there is no menu under a board until somebody leaves it."""
        self.apply_settings()
        self.push_screen(self.launched_board() if self.launch.game else MenuScreen())
        if self.warms:
            # Once on a machine, by another process; the first paint does not wait.
            self.call_after_refresh(self.run_worker, start_compiler, thread=True)

    def launched_board(self) -> Screen[None]:
        """The board that the command line asked for."""
        return self.doors.play(*self.matches.launched(self.launch, self.find_game(self.launch.game)))

    def clock(self) -> float:
        """Seconds, as whoever launched the app counts them."""
        return self.launch.clock()

    # Games and what is known of them.

    @property
    def store(self) -> GameStore | None:
        """The player's games, if they are kept."""
        return self.matches.store

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

    def find_analyst(self, game: AnyGame) -> AnalystFound:
        """Who knows the game's values; the open screen says so where a table was passed over."""
        return self.library.find_analyst(game, is_cancelled, self.tell)

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
            self.tell(str(refusal))

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
        self.set_keymap({**keys, **settings.keymap})

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

    def effort(self) -> Effort:
        """How long and how deep engines are to search."""
        return self.preferences.effort()

    # Boards.

    def play(self, session: AnySession, options: Mapping[str, str], seed: int, training: bool, clock: str = "") -> None:
        """A board for a new session."""
        self.show_board(self.doors.play(*self.matches.new(session, options, seed, training, clock)))

    def play_branch(self, branch: AnySession, match: Match, autosave: Autosave | None) -> None:
        """A new game that begins with moves of another one."""
        self.play(branch, {} if autosave is None else autosave.setup.options, 0, match.training)

    def rematch(self, match: Match, autosave: Autosave | None, swapped: bool) -> None:
        """The same game once more."""
        self.show_board(self.doors.play(*self.matches.again(match, autosave, swapped)))

    def saved_match(self, number: GameNumber) -> tuple[Match, Autosave]:
        """A saved game as a match, and who keeps it."""
        return self.matches.saved(number)

    def resume(self, match: Match, autosave: Autosave) -> None:
        """A saved game, where it was left."""
        self.show_board(self.doors.play(match, autosave))

    def change_players(self, match: Match, take: Callable[[Players], None]) -> None:
        """Who plays from here on."""
        self.push_screen(self.doors.players(match.game, match.session.players, take))

    def review(self, match: Match, autosave: Autosave | None = None) -> None:
        """Go through a game."""
        self.push_screen(self.doors.review(match, autosave))

    def show_board(self, screen: Screen[None]) -> None:
        """This board above the menu, instead of whatever was there."""
        self.to_menu()
        self.push_screen(screen)

    def leave(self) -> None:
        """Back to the screen below; to the menu from the board that the app began with."""
        if len(self.screen_stack) > 2:
            self.pop_screen()
        else:
            self.to_menu()

    def to_menu(self) -> None:
        """Back to the list of games."""
        while len(self.screen_stack) > 2:
            self.pop_screen()
        if not isinstance(self.screen, MenuScreen):
            self.switch_screen(MenuScreen())

    # Drills.

    def show_drills(self) -> None:
        """What there is to practise."""
        self.push_screen(self.doors.drills())

    def begin_drills(self, practice: Practice) -> None:
        """A round of drills. Raises OnlymoveError when its first position is not understood."""
        self.push_screen(self.doors.drill(practice))

    def leave_drills(self, practice: Practice) -> None:
        """Back to the list of drills, with what came of the round."""
        self.pop_screen()
        if isinstance(self.screen, self.doors.drills):
            self.screen.report(practice)

    def other_drills(self, practice: Practice) -> None:
        """What there is to practise, instead of this round."""
        self.leave_drills(practice)
        if not isinstance(self.screen, self.doors.drills):
            self.show_drills()

    def collect_drills(self, drills: Sequence[Drill]) -> int:
        """Puts drills into the box; how many were new."""
        return collect(self.store, drills)

    # Lists, forms and pages.

    def new_game(self, game_id: GameId) -> None:
        """The panel in which a game is set up."""
        self.push_screen(self.doors.new_game(self.library.card(game_id)))

    def show_history(self) -> None:
        """All games."""
        self.push_screen(self.doors.history())

    def show_progress(self) -> None:
        """How the player is doing."""
        self.push_screen(self.doors.progress())

    def show_settings(self) -> None:
        """Change how the app behaves."""
        self.push_screen(self.doors.settings())

    def show_rules(self, game_id: GameId) -> None:
        """The game's own page."""
        self.push_screen(self.doors.rules(self.library.card(game_id)))

    def action_help(self) -> None:
        """The live bindings of the screen that is open."""
        if not isinstance(self.screen, self.doors.page):
            self.push_screen(self.doors.keys(self.screen))

    def action_palette(self) -> None:
        """Any command by name, and what else there is to choose. Nothing leaves a kiosk."""
        if not isinstance(self.screen, self.doors.palette):
            exports = places(self.launch.profile).games.parent / "exports"
            sharing = None if self.launch.kiosk else self.doors.sharing(self.copy_to_clipboard, exports)
            self.push_screen(self.doors.palette(self.screen, self.doors.offers(self, self.screen, sharing)))

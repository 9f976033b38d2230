"""What the app offers its screens: games and their values, settings, and the player's store.

Opening a game package or a table reads files and may compile, so look for games and analysts in a worker.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, TypeAlias

from onlymove_engines import games as shipped
from onlymove_engines.core.analysis import AnyAnalyst, Report, Tell, ignore_line, ignore_report
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.facts import Facts, GameId, Level
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.live.engine import warm_up
from onlymove_engines.live.live_game import LiveGame
from textual.worker import NoActiveWorker, get_current_worker

from onlymove_tui.app.launch import Launch, Preferences
from onlymove_tui.app.live_games import LiveGames
from onlymove_tui.store.learning import NEW, NOTHING_LEARNED, Due, Learned, Milestone
from onlymove_tui.store.profiles import is_guest
from onlymove_tui.store.settings import Bell, Switch
from onlymove_tui.terminal.capabilities import MIN_SIZE, detect_terminal, strip_folders

if TYPE_CHECKING:
    from onlymove_tui.play.learning_path import Part
    from onlymove_tui.play.training import NextStep


AnalystFound: TypeAlias = tuple[AnyAnalyst | None, str]
"""The analyst of a game, or `None`. The text says where its values come from, if not from the table."""


def is_cancelled() -> bool:
    """Whether the current worker has been cancelled. `False` outside a worker."""
    try:
        return get_current_worker().is_cancelled
    except NoActiveWorker:
        return False


class Library:
    """The installed games and `extra` ones. With `warms`, kernels are compiled before they are needed. `tell` gets a
    line about a table that could not be used. `stop` may end the wait for an analyst."""

    def __init__(
        self, extra: Sequence[AnyGame], tell: Tell = ignore_line, stop: Callable[[], bool] = is_cancelled
    ) -> None:
        self.warms = False
        self._stop = stop
        self._tell = tell
        self._extra = {game.id: game for game in extra}
        self._analysts: dict[GameId, AnalystFound] = {}
        self._facts = [*shipped.list_games(), *(game.facts for game in extra)]

    def list_facts(self) -> Sequence[Facts]:
        return self._facts

    def get_facts(self, game_id: GameId) -> Facts:
        """Return the facts of a game. Raises KeyError."""
        return {facts.id: facts for facts in self._facts}[game_id]

    def find_title(self, game_id: GameId) -> str:
        """Return the game's name, or its id if the game is not installed."""
        return next((facts.title for facts in self._facts if facts.id == game_id), game_id)

    def levels_of(self, game_id: GameId) -> Sequence[Level]:
        """Return the game's levels. Empty if the game is not installed."""
        return next((facts.levels for facts in self._facts if facts.id == game_id), ())

    def find_game(self, game_id: GameId) -> AnyGame:
        return self._extra.get(game_id) or shipped.load(game_id)

    def find_analyst(self, game: AnyGame, report: Report = ignore_report) -> AnalystFound:
        """Return the analyst of a game. It is opened once, and of two workers that open it at the same time both get
        the one that is ready first. It is `None` if `stop` ended the wait, or if it cannot be used, and then the text
        gives the reason. `report` gets the progress of long preparations."""
        return self._open(game, self._stop, report)

    def find_ready_analyst(self, game: AnyGame) -> AnalystFound:
        """Return the analyst of a game, or `None` if it has to be prepared first. The preparation then begins."""
        return self._open(game, lambda: True, ignore_report)

    def _open(self, game: AnyGame, stop: Callable[[], bool], report: Report) -> AnalystFound:
        if game.id not in self._analysts:
            # numpy and the tables are imported late, because the menu does not need them.
            from onlymove_tables.analysts import StoppedWaiting, Wait, open_for  # noqa: PLC0415
            from onlymove_tables.kernels.clean_up import clear_unused  # noqa: PLC0415

            def tell(line: str) -> None:
                self._tell(strip_folders(line))

            try:
                opened = open_for(game, Wait.KERNELS if self.warms else Wait.TABLE, stop, tell, report)
                if self.warms and game.facts.plays_by_search:
                    load_search(game, opened.analyst)
            except StoppedWaiting:
                return None, ""
            except OnlymoveError as refusal:
                play = "move at random" if game.play.plain_choice is None else "play simple moves"
                return None, f"Engines {play}: {refusal}"
            if self.warms and not self._analysts:
                clear_unused()
            note = strip_folders(f"Played by search: {opened.note}") if opened.note else ""
            return self._analysts.setdefault(game.id, (opened.analyst, note))
        return self._analysts[game.id]

    def compile_ahead(self, game_id: GameId) -> None:
        """Have a separate process compile what the game's search needs, unless that is compiled or being compiled, and
        wait until it is done or `stop` ends the wait. The process ends when nobody waits any more. If it cannot
        compile, the player hears of it in a game."""
        from onlymove_tables.kernels.compiler import wait_for_kernels  # noqa: PLC0415 - only where there is a search

        with suppress(OnlymoveError):
            wait_for_kernels(self.find_game(game_id), self._stop)


def load_search(game: AnyGame, analyst: AnyAnalyst) -> None:
    """Load the code of a game's search, so that no move waits for it. Raises NoCompiler."""
    from onlymove_tables.kernels.compiler import give_back  # noqa: PLC0415 - only where there is a search

    warm_up(game, analyst)
    # An opening book answers without them, and the compiler's code is given back only here.
    for load in game.solved.kernels:
        load()
    give_back()


class Services:
    """The services for one player at one terminal. `terminal_size` is in columns and lines. Screens are laid out at a
    size of their own. Call methods that read files or the store in a worker.

    Four functions come from the app. `open` opens the screen with a name in `ROUTES`, made with the arguments that
    follow. `tell` has the open screen show what went wrong, and may be called from a worker. `follow_settings`
    applies and saves a changed setting. `ring` rings the terminal's bell.
    """

    def __init__(
        self,
        launch: Launch,
        open_screen: Callable[..., None],
        tell: Callable[[str], None],
        follow_settings: Callable[[], None],
        ring: Callable[[], None],
    ) -> None:
        self.launch = launch
        self.open = open_screen
        self._follow_settings = follow_settings
        self.ring = ring
        self.clock = launch.clock
        self.timers = launch.timers
        self.random = Random(launch.seed)
        self.library = Library(launch.games, tell)
        self.find_analyst = self.library.find_analyst
        self.compile_ahead: Callable[[GameId], None] = self.library.compile_ahead
        self._compiled_ahead: set[GameId] = set()
        self.preferences = Preferences(launch.settings, launch.timers)
        self.store = launch.store
        """The player's games, or `None` if they are not saved."""
        self.lobby = launch.lobby
        """The lobby for meeting other users, or `None` if there is none."""
        self.live_games = LiveGames(
            self.preferences, self.random, self.store, is_guest(launch.profile), launch.clock, self.lobby, True
        )
        self.follow_terminal()
        self.terminal_size: tuple[int, int] = MIN_SIZE
        self.is_gated = False
        """Whether the terminal is too small to show a screen."""
        self.can_suspend = False
        """Whether Ctrl+Z goes back to a shell that can continue the app."""
        self.shows_overlay: bool | None = None
        """Whether boards show the overlay of their game. `None` until the player has chosen."""
        self.distances_met: dict[GameId, AnyPosition] = {}
        """The position where each game has first said how far away something is. It says there how moves count."""
        self.has_own_colours_only = False
        """Whether the terminal shows only its own theme, because it has at most sixteen colours or should use none."""

    def ring_for_turn(self, live: LiveGame) -> None:
        """Ring the bell if it is the player's turn, and the player wants to hear it in such a game."""
        bell = self.preferences.settings.bell
        is_wanted = bell is Bell.ALL or (bell is Bell.SHARED and live.remote is not None)
        if is_wanted and live.session.choosing_seat is not None:
            self.ring()

    def begins_compiling(self, game_id: GameId) -> bool:
        """Whether to compile the game's engine now, before a game needs it. It is so once for each game, and never for
        guests, for whom nothing may be compiled that a host has not compiled for all."""
        facts, is_wanted = self.library.get_facts(game_id), self.preferences.settings.compile_ahead
        if not (self.library.warms and is_wanted and facts.plays_by_search) or self.live_games.is_guest:
            return False
        is_new = game_id not in self._compiled_ahead
        self._compiled_ahead.add(game_id)
        return is_new

    def change_setting(self, key: str, value: object) -> None:
        """Use a setting from now on, and save it in the player's file. Raises BadSetting for a value that is not
        allowed. If the file cannot be written, `Trouble` says so later."""
        self.preferences.change(key, value)
        self._follow_settings()

    def follow_terminal(self) -> None:
        """Apply the settings to this terminal, and decide whether boards are drawn in ASCII."""
        settings = self.preferences.settings
        wanted = settings.ascii
        self.terminal = detect_terminal(settings)
        self.ascii_only = self.launch.ascii_only if wanted is Switch.AUTO else wanted is Switch.ON

    def describe_saving(self) -> str:
        """Say whether the games of this session are saved. Empty if there are none that could be."""
        if self.store is None or (self.store.trouble and not self.store.has_unsaved):
            return ""
        return "Not all of your games are saved." if self.store.has_unsaved else "Your games are saved."

    def read_learned(self, game_id: GameId) -> Learned:
        """Return what the player has learned of a game. Call it in a worker. Raises StoreTrouble."""
        return NOTHING_LEARNED if self.store is None else self.store.lessons.read_game(game_id)

    def look_up(self, live: LiveGame) -> None:
        """Give a live game its analyst and the values of its position, if both are known at once. Call it in a
        worker."""
        from onlymove_tui.play.training import prepare_values  # noqa: PLC0415 - the menu is drawn without it

        with suppress(OnlymoveError):
            analyst, note = self.library.find_ready_analyst(live.game)
            prepare_values(live, analyst, note)

    def open_part(self, game_id: GameId, part: Part | None = None) -> NextStep:
        """Return a part of learning a game, ready to begin: a step of its lessons, a first game or a round of drills.
        Without `part`, it is the one with which the player goes on. After the last one, it is the first once more.
        Call it in a worker. Raises OnlymoveError."""
        # The menu is drawn without them.
        from onlymove_tui.play.learning_path import find_next_part, list_parts  # noqa: PLC0415
        from onlymove_tui.play.training import Course, NothingToLearn, Practice, find_drills, first_game  # noqa: PLC0415

        game, store, learned = self.library.find_game(game_id), self.store, self.read_learned(game_id)
        if part is None:
            parts = list_parts(game, learned)
            part = find_next_part(game, parts, learned) or parts[0]
        if part.step is not None:
            return Course(game, self.preferences.coaching(), learned, part.step)
        if part.stage is Milestone.FIRST_GAME:
            seed = self.live_games.new_seed()
            return self.live_games.make(first_game(game, seed), {}, seed, self.preferences.settings.training)
        analyst, note = self.find_analyst(game)
        drills = [] if analyst is None or note else find_drills(game, analyst, self.random, part.stage)
        coaching = self.preferences.coaching()
        if store is None:
            queue, book = [Due(NEW, drill, 0, 0) for drill in drills], None
        else:
            queue, book = store.drills.filter_open(drills), store.drills
        practice = Practice(queue, self.library.find_game, coaching, book, prepare=self.look_up)
        practice.milestone = None if store is None else part.stage
        if not practice.begin():
            raise NothingToLearn(note or practice.trouble or "No position found. Try again.")
        return practice

"""The app: the doors between the screens."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from onlymove_engines.core.game import AnyGame, AnyPosition, GameId
from onlymove_engines.match.match import Match
from onlymove_engines.play.players import Players
from onlymove_engines.play.session import AnySession
from textual.screen import Screen

from onlymove_tui.app.player_app import PlayerApp
from onlymove_tui.app.screens.menu import MenuScreen
from onlymove_tui.lobby.challenges import JoinedChallenge, OpenChallenge
from onlymove_tui.play.drills import Practice
from onlymove_tui.play.exploring import Exploration
from onlymove_tui.store.games import Autosave
from onlymove_tui.store.profiles import places
from onlymove_tui.store.rows import GameNumber

if TYPE_CHECKING:
    from onlymove_tui.app.doors import Doors


class OnlymoveApp(PlayerApp):
    """Opens every screen, and knows what is below it."""

    CSS_PATH = "onlymove.tcss"

    @cached_property
    def doors(self) -> type[Doors]:
        """Every screen but the menu: the first paint does not wait for them."""
        from onlymove_tui.app.doors import Doors  # noqa: PLC0415

        return Doors

    def on_mount(self) -> None:
        """Open what the command line asked for; there is no menu under a board until somebody leaves it."""
        self.apply_settings()
        self.push_screen(self.launched_board() if self.launch.game else MenuScreen(self.launch.resumes))
        if self.launch.settings is not None and self.launch.settings.trouble:
            self.tell(self.launch.settings.trouble)

    def launched_board(self) -> Screen[None]:
        """The board that the command line asked for."""
        return self.doors.play(*self.matches.launched(self.launch, self.find_game(self.launch.game)))

    # Boards.

    def play(self, session: AnySession, options: Mapping[str, str], seed: int, training: bool, clock: str = "") -> None:
        """A board for a new session."""
        self.show_board(self.doors.play(*self.matches.new(session, options, seed, training, clock)))

    def play_from(self, session: AnySession, trail: Exploration) -> None:
        """A board above the explorer. Of explorers that were opened one from the other's game only the last is kept:
        what is below would grow with every game."""
        board = self.doors.play(*self.matches.new(session, {}, 0, self.settings.training))
        if sum(isinstance(screen, self.doors.explore) for screen in self.screen_stack) > 1:
            self.to_menu()
            explorer = self.doors.explore(trail.game.id, trail)
            explorer.has_played = True
            self.push_screen(explorer)
        board.way_out = "back"
        self.push_screen(board)

    def play_branch(self, branch: AnySession, match: Match, autosave: Autosave | None) -> None:
        """A new game that begins with moves of another one."""
        self.play(branch, {} if autosave is None else autosave.setup.options, 0, match.training)

    def rematch(self, match: Match, autosave: Autosave | None, swapped: bool) -> None:
        """The same game once more."""
        self.show_board(self.doors.play(*self.matches.again(match, autosave, swapped)))

    def saved_match(self, number: GameNumber) -> tuple[Match, Autosave]:
        """A saved game as a match, and who keeps it."""
        return self.matches.saved(number)

    def resume(self, match: Match, autosave: Autosave | None) -> None:
        """A game where it was left."""
        self.show_board(self.doors.board(match, autosave))

    def change_players(self, match: Match, take: Callable[[Players], None]) -> None:
        """Who plays from here on."""
        self.push_screen(self.doors.players(match.game, match.session.players, take))

    def review(self, match: Match, autosave: Autosave | None = None) -> None:
        """Go through a game."""
        self.push_screen(self.doors.review(match, autosave))

    def explore(self, game_id: GameId, trail: Exploration | None = None) -> None:
        """The solved game, move by move."""
        self.push_screen(self.doors.explore(game_id, trail))

    def go_to(self, game_id: GameId, take: Callable[[AnyPosition, str], None]) -> None:
        """A list of positions of a solved game."""
        self.push_screen(self.doors.go_to(game_id, take))

    def set_up_position(self, game: AnyGame, position: AnyPosition, take: Callable[[AnyPosition, str], None]) -> None:
        """A board on which a position is put together."""
        self.push_screen(self.doors.set_up(game, position, take))

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

    # People at other logins.

    def show_people(self) -> None:
        """Tables to join, to go on with, to look on at."""
        self.push_screen(self.doors.people())

    def set_up_table(self, game_id: GameId) -> None:
        """The panel in which a table is set up."""
        self.push_screen(self.doors.table_form(self.library.card(game_id)))

    def wait_at(self, table: OpenChallenge | JoinedChallenge) -> None:
        """Wait until somebody sits down, or one is let sit down, instead of the form."""
        if isinstance(self.screen, self.doors.table_form):
            self.pop_screen()
        self.push_screen(self.doors.waiting(table))

    def table_match(self, number: str, opener: int | None = None) -> tuple[Match, Autosave | None]:
        """The game at a table at which one sits, or looks on where it is told which account has opened it. Raises
        OnlymoveError."""
        return self.matches.at_table(number) if opener is None else (self.matches.looked_on(number, opener), None)

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

    def show_numbers(self, game_id: GameId) -> None:
        """What the game's solution says."""
        self.push_screen(self.doors.numbers(self.library.card(game_id)))

    def action_help(self) -> None:
        """The live bindings of the screen that is open, but not of the page of keys itself."""
        screen = self.open_screen()
        if screen is not None and type(screen) is not self.doors.page:
            self.push_screen(self.doors.keys(screen))

    def action_palette(self) -> None:
        """Any command by name, and what else there is to choose. Nothing leaves a kiosk, unless its host lets copy."""
        screen = self.open_screen()
        if screen is not None and not isinstance(screen, self.doors.palette):
            is_kiosk = self.launch.kiosk
            exports = None if is_kiosk else places(self.launch.profile).games.parent / "exports"
            may_copy = not is_kiosk or self.settings.kiosk_copy
            sharing = self.doors.sharing(self.copy_to_clipboard, exports) if may_copy else None
            self.push_screen(self.doors.palette(screen, self.doors.offers(self, screen, sharing)))

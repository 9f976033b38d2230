"""The app: which screens there are, and what each is opened with. What they share is the household's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from onlymove_engines.core.game import AnyGame, GameId
from onlymove_engines.play.session import Session
from textual.screen import Screen

from onlymove_tui.app.services import Household
from onlymove_tui.play.drill_round import Practice, collect
from onlymove_tui.play.match import Match


class OnlymoveApp(Household):
    """The doors between the screens."""

    def on_mount(self) -> None:
        """Open what the command line asked for."""
        from onlymove_tui.app.screens.menu import MenuScreen  # noqa: PLC0415

        self.use_settings(self.settings)
        self.push_screen(MenuScreen())
        if self.warms:
            self.call_after_refresh(self.warm_kernels)
        if self.launch.game:
            self.open_launched()

    def open_launched(self) -> None:
        """Straight to a board."""
        launch = self.launch
        game = self.find_game(launch.game)
        seed = launch.seed if launch.seed is not None else self.random.randrange(2**31)
        start = game.start(launch.options, seed)
        if launch.position is not None:
            start = game.notation.parse_position(launch.position)
        rule = next((rule for rule in game.house_rules if rule.id == launch.house_rule), None)
        session = Session(game, start, launch.players or self.default_players(game.rules.to_move(start)), rule)
        training = self.settings.training if launch.training is None else launch.training
        self.play(session, launch.options, seed, training)

    def play(self, session: Session[Any, Any], options: Mapping[str, str], seed: int, training: bool) -> None:
        """A board for a new session."""
        from onlymove_tui.app.screens.play import PlayScreen  # noqa: PLC0415

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
        from onlymove_tui.app.screens.new_game import NewGameScreen  # noqa: PLC0415

        self.push_screen(NewGameScreen(self.find_game(game_id)))

    def resume(self, number: int) -> None:
        """A saved game, where it was left. Raises OnlymoveError for one that cannot be used."""
        from onlymove_tui.app.screens.play import PlayScreen  # noqa: PLC0415

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
        from onlymove_tui.app.screens.review import ReviewScreen  # noqa: PLC0415

        self.push_screen(ReviewScreen(match, autosave))

    def review_saved(self, number: int) -> None:
        """Go through a saved game. Raises OnlymoveError for one that cannot be used."""
        self.review(*self.saved_match(number))

    def show_drills(self) -> None:
        """What there is to practise."""
        from onlymove_tui.app.screens.drills import DrillsScreen  # noqa: PLC0415

        self.push_screen(DrillsScreen())

    def begin_drills(self, practice: Practice) -> None:
        """A round of drills. Raises OnlymoveError when its first position is not understood."""
        from onlymove_tui.app.screens.drill import DrillScreen  # noqa: PLC0415

        self.push_screen(DrillScreen(practice))

    def leave_drills(self, practice: Practice) -> None:
        """Back to the list of drills, with what came of the round."""
        from onlymove_tui.app.screens.drills import DrillsScreen  # noqa: PLC0415

        self.pop_screen()
        if isinstance(self.screen, DrillsScreen):
            self.screen.report(practice)

    def collect_drills(self, match: Match) -> int:
        """Put the mistakes of the people of a match into the box; how many were new."""
        from onlymove_engines.coach.drill import from_mistakes  # noqa: PLC0415

        found = from_mistakes(match.game, match.node.path(), match.session.human_seats())
        return collect(self.store, found)

    def show_history(self) -> None:
        """All games."""
        from onlymove_tui.app.screens.history import HistoryScreen  # noqa: PLC0415

        self.push_screen(HistoryScreen())

    def show_progress(self) -> None:
        """How the player is doing."""
        from onlymove_tui.app.screens.progress import ProgressScreen  # noqa: PLC0415

        self.push_screen(ProgressScreen())

    def show_rules(self, game: AnyGame) -> None:
        """The game's own page."""
        from onlymove_tui.app.screens.pages import rules_page  # noqa: PLC0415

        self.push_screen(rules_page(game))

    def show_settings(self) -> None:
        """Change how the app behaves."""
        from onlymove_tui.app.screens.settings import SettingsScreen  # noqa: PLC0415

        self.push_screen(SettingsScreen())

    def action_help(self) -> None:
        """The live bindings of the screen that is open."""
        from onlymove_tui.app.screens.pages import PageScreen, keys_page  # noqa: PLC0415

        if not isinstance(self.screen, PageScreen):
            self.push_screen(keys_page(self.screen))

    def action_palette(self) -> None:
        """Any command by name, and a new game of any kind."""
        from onlymove_tui.app.screens.palette import Entry, PaletteScreen  # noqa: PLC0415

        if not isinstance(self.screen, PaletteScreen):
            games = [Entry(f"New game: {card.title}", "", f"app.new_game('{card.id}')") for card in self.cards()]
            self.push_screen(PaletteScreen(self.screen, games))

    def action_new_game(self, game_id: str) -> None:
        """Set up a game of this kind."""
        self.new_game(game_id)

    async def action_quit(self) -> None:
        """Leave. Whatever was played has been kept."""
        self.exit(0)

"""The screens behind the menu, by what they are for. Loaded when the first of them is opened."""

from __future__ import annotations

from onlymove_engines.match.match import Match

from onlymove_tui.app.offers import Sharing, offers
from onlymove_tui.app.screens.drill import DrillScreen
from onlymove_tui.app.screens.drills import DrillsScreen
from onlymove_tui.app.screens.explore import ExploreScreen
from onlymove_tui.app.screens.go_to import GoToScreen
from onlymove_tui.app.screens.history import HistoryScreen
from onlymove_tui.app.screens.new_game import NewGameScreen
from onlymove_tui.app.screens.pages import NumbersScreen, PageScreen, RulesScreen, keys_page
from onlymove_tui.app.screens.palette import PaletteScreen
from onlymove_tui.app.screens.people import PeopleScreen
from onlymove_tui.app.screens.play import PlayScreen
from onlymove_tui.app.screens.players import PlayersScreen
from onlymove_tui.app.screens.progress import ProgressScreen
from onlymove_tui.app.screens.review import ReviewScreen
from onlymove_tui.app.screens.set_up import SetUpScreen
from onlymove_tui.app.screens.settings import SettingsScreen
from onlymove_tui.app.screens.table_form import TableFormScreen
from onlymove_tui.app.screens.table_play import TablePlayScreen
from onlymove_tui.app.screens.waiting import WaitingScreen
from onlymove_tui.store.games import Autosave


class Doors:
    """What opens each of them."""

    drill, drills = DrillScreen, DrillsScreen
    explore, go_to, set_up = ExploreScreen, GoToScreen, SetUpScreen
    history, progress = HistoryScreen, ProgressScreen
    keys, page, rules, numbers = staticmethod(keys_page), PageScreen, RulesScreen, NumbersScreen
    new_game, players, settings = NewGameScreen, PlayersScreen, SettingsScreen
    palette, offers, sharing = PaletteScreen, staticmethod(offers), Sharing
    play, review = PlayScreen, ReviewScreen
    people, table_form, waiting = PeopleScreen, TableFormScreen, WaitingScreen

    @staticmethod
    def board(match: Match, autosave: Autosave | None) -> PlayScreen:
        """The board of a game that is gone on with."""
        if match.remote is not None:
            return TablePlayScreen(match, autosave)
        return PlayScreen(match, autosave)

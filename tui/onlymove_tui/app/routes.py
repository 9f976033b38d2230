"""Every screen but the menu, under the name that opens it. This module is imported when the first of them is opened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from onlymove_tui.app.base_screen import BaseScreen
from onlymove_tui.app.screens.drill import DrillScreen, retry_screen
from onlymove_tui.app.screens.drills import DrillsScreen
from onlymove_tui.app.screens.explore import ExploreScreen
from onlymove_tui.app.screens.go_to import GoToScreen
from onlymove_tui.app.screens.history import HistoryScreen
from onlymove_tui.app.screens.lesson import LessonScreen
from onlymove_tui.app.screens.new_game import NewGameScreen
from onlymove_tui.app.screens.pages import GamePage, KeysPage
from onlymove_tui.app.screens.palette import PaletteScreen
from onlymove_tui.app.screens.people import PeopleScreen, WaitingScreen
from onlymove_tui.app.screens.play import PlayScreen
from onlymove_tui.app.screens.progress import ProgressScreen
from onlymove_tui.app.screens.review import ReviewScreen
from onlymove_tui.app.screens.set_up import SetUpScreen
from onlymove_tui.app.screens.settings import SettingsScreen
from onlymove_tui.app.screens.sides import PlayersScreen

ROUTES: Final[Mapping[str, Callable[..., BaseScreen]]] = {
    "drill": DrillScreen,
    "drills": DrillsScreen,
    "explore": ExploreScreen,
    "goto": GoToScreen,
    "history": HistoryScreen,
    "keys": KeysPage,
    "lesson": LessonScreen,
    "lesson_game": partial(PlayScreen, way_out="lesson"),
    "new": NewGameScreen,
    "numbers": partial(GamePage, shows_numbers=True),
    "opening": partial(NewGameScreen, is_challenge=True),
    "palette": PaletteScreen,
    "people": PeopleScreen,
    "play": PlayScreen,
    "play_from": partial(PlayScreen, way_out="back"),
    "players": PlayersScreen,
    "progress": ProgressScreen,
    "retry": retry_screen,
    "review": ReviewScreen,
    "rules": GamePage,
    "settings": SettingsScreen,
    "setup": SetUpScreen,
    "waiting": WaitingScreen,
}
"""What makes each screen; it takes the arguments that the screen is opened with."""

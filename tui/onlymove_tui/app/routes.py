"""Every screen except the menu, with the name that opens it. The module of a screen is imported when it is first
opened, because most sessions open only a few."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Final, NamedTuple

from onlymove_tui.app.base_screen import BaseScreen


class Route(NamedTuple):
    """How to make a screen: by a class or function in a module of `screens`, with options that it always gets."""

    module: str
    maker: str
    options: Mapping[str, object] = {}


ROUTES: Final[Mapping[str, Route]] = {
    "drill": Route("drill", "DrillScreen"),
    "drills": Route("drills", "DrillsScreen"),
    "explore": Route("explore", "ExploreScreen"),
    "goto": Route("explore", "GoToScreen"),
    "history": Route("history", "HistoryScreen"),
    "keys": Route("pages", "KeysPage"),
    "lesson": Route("lesson", "LessonScreen"),
    "lesson_game": Route("play", "PlayScreen", {"way_out": "lesson"}),
    "new": Route("new_game", "NewGameScreen"),
    "numbers": Route("pages", "GamePage", {"shows_numbers": True}),
    "opening": Route("new_game", "NewGameScreen", {"is_challenge": True}),
    "palette": Route("palette", "PaletteScreen"),
    "people": Route("people", "PeopleScreen"),
    "play": Route("play", "PlayScreen"),
    "play_from": Route("play", "PlayScreen", {"way_out": "back"}),
    "players": Route("new_game", "PlayersScreen"),
    "progress": Route("history", "ProgressScreen"),
    "retry": Route("drill", "retry_screen"),
    "review": Route("review", "ReviewScreen"),
    "rules": Route("pages", "GamePage"),
    "settings": Route("settings", "SettingsScreen"),
    "setup": Route("explore", "SetUpScreen"),
    "waiting": Route("people", "WaitingScreen"),
}


def make_screen(name: str, *arguments: object) -> BaseScreen:
    module, maker, options = ROUTES[name]
    make: Callable[..., BaseScreen] = getattr(import_module(f"onlymove_tui.app.screens.{module}"), maker)
    return make(*arguments, **options)

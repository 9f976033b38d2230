"""What makes a test a law: it says of which games it speaks, and it counts what it was tried on."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.value import Value
from onlymove_engines.games import GROUP, UnknownGame, added_cards, load, own_cards, title_card
from onlymove_tables.open import has_kernels

ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}

OWN_TESTS = Path(__file__).parents[2] / "tests" / "games"
ADDED_TESTS: list[Path] = []
"""Where the tests of the package are that runs these laws on its games, if one does."""


class Law:
    """Counts the cases in which a law has held: one that was tried on nothing says nothing, and fails."""

    def __init__(self) -> None:
        self.cases = 0

    def held(self) -> None:
        """It has, once more: said when everything that is asserted of one case has been."""
        self.cases += 1

    def must_have_held(self) -> None:
        """Fails when there was no case."""
        if not self.cases:
            pytest.fail("this law was tried on nothing: no position, move or start that it speaks of was found")


def of_games(speaks_of: Callable[[AnyGame], Any]) -> pytest.MarkDecorator:
    """Collect a law for those games only that `speaks_of` is true of."""
    return pytest.mark.of_games.with_args(speaks_of)


def added_faults() -> list[str]:
    """A line for each game of the installed packages that cannot be tried, or one that there is none."""
    cards, faults = added_cards()
    found = list(faults)
    for card in cards:
        try:
            load(card.id)
        except UnknownGame as fault:
            found.append(str(fault))
    return found if cards or found else [f"no installed package brings a game: none has the entry points {GROUP}"]


def home_of(game: AnyGame) -> Path:
    """Where a game's numbers, golden pictures and further laws are: with the tests of whoever wrote it."""
    card = title_card(game.id)
    return OWN_TESTS / card.drawer if card in own_cards() else ADDED_TESTS[0]


def facts_of(game: AnyGame) -> dict[str, Any]:
    """The `[laws.<id>]` table of the game's facts.toml; a game without one fails here."""
    path = home_of(game) / "facts.toml"
    tables = tomllib.loads(path.read_text("utf-8")).get("laws", {}) if path.is_file() else {}
    assert game.id in tables, f"no table [laws.{game.id}] in {path}: its numbers are what perft is held to"
    found: dict[str, Any] = tables[game.id]
    return found


def law_of(game: AnyGame, name: str) -> ModuleType:
    """The module of a game's tests that spells a law which only it knows, such as `kernel_law`."""
    spec = spec_from_file_location(f"{game.id}_{name}", home_of(game) / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


alternating_games = of_games(lambda game: not game.facts.simultaneous)
simultaneous_games = of_games(lambda game: game.facts.simultaneous)
solved_games = of_games(lambda game: game.solver is not None)
numbered_games = of_games(lambda game: game.index is not None)
symmetric_games = of_games(lambda game: game.symmetries)
compiled_games = of_games(has_kernels)
games_with_styles = of_games(lambda game: game.styles)
games_with_a_cursor = of_games(lambda game: not game.direct_keys.keys() & ARROWS.keys())
"""In the others arrows steer: they pick at once."""


def named(game: AnyGame, position: Any) -> str:
    """A position in the message of a law that was broken."""
    return f"{game.id}: {game.notation.format_position(position)}"


def seat_of(game: AnyGame, position: Any) -> int:
    """Who is to move in an alternating game."""
    seat = game.rules.to_move(position)
    assert seat is not None, named(game, position)
    return seat


def proven(value: object) -> Value:
    """A value that is known to be exact."""
    assert isinstance(value, Value), value
    return value

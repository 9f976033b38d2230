"""Finds the drawers by folder and reads their title cards without importing them.

A drawer is a folder here with a `card.toml`: one `[[game]]` table for each id it defines, with `id`, `title`,
`pitch`, `solved` and `order` (its place in the menu). Its package defines `GAMES`, the cards of those ids.
"""

from __future__ import annotations

import importlib
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame, GameId


class UnknownGame(OnlymoveError):
    """There is no game with this id."""


@dataclass(frozen=True, slots=True)
class TitleCard:
    """What the menu shows of a game before its drawer is opened."""

    id: GameId
    title: str
    pitch: str
    solved: str
    order: int
    drawer: str


@cache
def title_cards() -> tuple[TitleCard, ...]:
    """The title cards of every game, in the order of the menu."""
    cards = [
        TitleCard(entry["id"], entry["title"], entry["pitch"], entry["solved"], entry["order"], folder.name)
        for folder in resources.files(__package__).iterdir()
        if folder.joinpath("card.toml").is_file()
        for entry in tomllib.loads(folder.joinpath("card.toml").read_text("utf-8"))["game"]
    ]
    return tuple(sorted(cards, key=lambda card: (card.order, card.id)))


def title_card(game_id: GameId) -> TitleCard:
    """The title card of one game. Raises UnknownGame with the ids there are."""
    for card in title_cards():
        if card.id == game_id:
            return card
    known = ", ".join(card.id for card in title_cards())
    raise UnknownGame(f"no game '{game_id}': there are {known}")


@cache
def load(game_id: GameId) -> AnyGame:
    """Open a drawer and take the card of one game. Raises UnknownGame."""
    drawer = importlib.import_module(f"{__package__}.{title_card(game_id).drawer}")
    games: tuple[AnyGame, ...] = drawer.GAMES
    return next(game for game in games if game.id == game_id)

"""Finds the drawers by folder and reads their title cards without importing them.

A drawer is a folder here with a `card.toml`: one `[[game]]` table for each id it defines, with `id`, `title`,
`pitch`, `solved` and `order` (its place in the menu), and perhaps `[[game.level]]` tables, one for each level, weakest
first. Its package defines `GAMES`, the cards of those ids, without their levels.
"""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Any

from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame, GameId, Level


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
    levels: tuple[Level, ...] = ()


@cache
def title_cards() -> tuple[TitleCard, ...]:
    """The title cards of every game, in the order of the menu."""
    cards = [
        title_card_of(entry, folder.name)
        for folder in resources.files(__package__).iterdir()
        if folder.joinpath("card.toml").is_file()
        for entry in tomllib.loads(folder.joinpath("card.toml").read_text("utf-8"))["game"]
    ]
    return tuple(sorted(cards, key=lambda card: (card.order, card.id)))


def title_card_of(entry: Mapping[str, Any], drawer: str) -> TitleCard:
    """The title card in a `[[game]]` table."""
    levels = tuple(Level(**level) for level in entry.get("level", ()))
    return TitleCard(entry["id"], entry["title"], entry["pitch"], entry["solved"], entry["order"], drawer, levels)


def title_card(game_id: GameId) -> TitleCard:
    """The title card of one game. Raises UnknownGame with the ids there are."""
    for card in title_cards():
        if card.id == game_id:
            return card
    known = ", ".join(card.id for card in title_cards())
    raise UnknownGame(f"no game '{game_id}': there are {known}")


@cache
def load(game_id: GameId) -> AnyGame:
    """Open a drawer and take the card of one game, with its levels. Raises UnknownGame."""
    card = title_card(game_id)
    drawer = importlib.import_module(f"{__package__}.{card.drawer}")
    games: tuple[AnyGame, ...] = drawer.GAMES
    game = next(game for game in games if game.id == game_id)
    return replace(game, levels=card.levels)

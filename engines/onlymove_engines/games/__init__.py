"""Finds the game packages by folder, and those of other packages by entry point, and reads their title cards without
importing them.

A game package is a folder with a `game.toml`: one `[[game]]` table for each id it defines, with `id`, `title`, `pitch`,
`solved` and `order` (its place in the menu), and perhaps `goal` (what a player tries to do, in one sentence), `picks`
(what a player does at each step of entering a move) and `[[game.level]]` tables, one for each level, weakest first.
Its package defines `GAMES`, the cards of those ids, without their levels. Another package names those that it
brings in the entry point group `onlymove.games`, each by its module; their tables are in a folder `tables` beside it.
"""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from onlymove_engines.core.errors import OnlymoveError, did_you_mean
from onlymove_engines.core.game import AnyGame, GameId, Level
from onlymove_engines.core.scene import View

GROUP = "onlymove.games"
"""The entry points by which other packages bring games."""
CARD = "game.toml"
FORMER = "card.toml"
"""What it was called until 0.1."""


class UnknownGame(OnlymoveError):
    """There is no game with this id, or its package cannot be loaded."""


@dataclass(frozen=True, slots=True)
class TitleCard:
    """What the menu shows of a game before its package is imported. `package` is the module, `drawer` the last part of
    its name."""

    id: GameId
    title: str
    pitch: str
    solved: str
    order: int
    package: str
    levels: tuple[Level, ...] = ()
    goal: str = ""
    picks: tuple[str, ...] = ()

    @property
    def drawer(self) -> str:
        """The name of the game package's folder."""
        return self.package.rpartition(".")[2]


@cache
def title_cards() -> tuple[TitleCard, ...]:
    """The title cards of every game, in the order of the menu; those of other packages come last."""
    return (*own_cards(), *added_cards()[0])


@cache
def own_cards() -> tuple[TitleCard, ...]:
    """The title cards of the game packages beside this file."""
    folders = (folder for folder in resources.files(__package__).iterdir() if folder.joinpath(CARD).is_file())
    return as_listed([card for folder in folders for card in cards_of(folder, f"{__package__}.{folder.name}")])


@cache
def added_cards() -> tuple[tuple[TitleCard, ...], tuple[str, ...]]:
    """The title cards of games that other packages bring, and a line for each that cannot be read or brings a game that
    is there already."""
    # What is installed is looked through only where all games are asked for, or one that is not here.
    from importlib.metadata import entry_points  # noqa: PLC0415

    cards: dict[GameId, TitleCard] = {}
    faults, taken = [], {card.id for card in own_cards()}
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        try:
            for card in cards_of(folder_of(point.value), point.value):
                if card.id in taken:
                    faults.append(f"{point.value}: there is a game '{card.id}' already")
                    continue
                taken.add(card.id)
                cards[card.id] = card
        except Exception as error:  # noqa: BLE001 - whatever is wrong with it, the other games are there
            faults.append(f"{point.value}: its {CARD} cannot be read: {error!r}")
    return as_listed(cards.values()), tuple(faults)


def as_listed(cards: Iterable[TitleCard]) -> tuple[TitleCard, ...]:
    """As the menu lists them."""
    return tuple(sorted(cards, key=lambda card: (card.order, card.id)))


def folder_of(package: str) -> Traversable:
    """Where a package lies, which is not imported. Raises ModuleNotFoundError."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"no package {package}")
    return Path(spec.submodule_search_locations[0])


def cards_of(folder: Traversable, package: str) -> Iterator[TitleCard]:
    """The title cards in a game package. Raises OSError, ValueError, TypeError or KeyError for one that is none."""
    if folder.joinpath(FORMER).is_file() and not folder.joinpath(CARD).is_file():
        raise ValueError(f"rename {FORMER} to {CARD}")
    for entry in tomllib.loads(folder.joinpath(CARD).read_text("utf-8"))["game"]:
        yield title_card_of(entry, package)


def title_card_of(entry: Mapping[str, Any], package: str) -> TitleCard:
    """The title card in a `[[game]]` table. Raises TypeError or KeyError for one that is none."""
    for key, kind in (*dict.fromkeys(("id", "title", "pitch", "solved"), str).items(), ("order", int)):
        if not isinstance(entry[key], kind):
            raise TypeError(f"{key} = {entry[key]!r}")
    levels = tuple(Level(**level) for level in entry.get("level", ()))
    goal, picks = entry.get("goal", ""), tuple(entry.get("picks", ()))
    for key, text in (("goal", goal), *(("picks", pick) for pick in picks)):
        if not isinstance(text, str):
            raise TypeError(f"{key} = {text!r}")
    told = entry["id"], entry["title"], entry["pitch"], entry["solved"], entry["order"]
    return TitleCard(*told, package, levels, goal, picks)


def title_card(game_id: GameId) -> TitleCard:
    """The title card of one game. Raises UnknownGame with the ids there are."""
    for card in own_cards():
        if card.id == game_id:
            return card
    for card in title_cards():
        if card.id == game_id:
            return card
    known = [card.id for card in title_cards()]
    raise UnknownGame(f"no game '{game_id}': there are {', '.join(known)}{did_you_mean(game_id, known)}")


@cache
def load(game_id: GameId) -> AnyGame:
    """Open a game package and take the card of one game, with its levels. Raises UnknownGame."""
    card = title_card(game_id)
    if card in own_cards():
        return opened(card)
    try:
        return tried(opened(card))
    except Exception as error:
        # Whatever is wrong with somebody else's package, the other games go on.
        raise UnknownGame(f"{card.package} cannot be loaded: {error!r}") from error


def opened(card: TitleCard) -> AnyGame:
    """The game of a title card, from its game package."""
    drawer = importlib.import_module(card.package)
    games: tuple[AnyGame, ...] = drawer.GAMES
    game = next((game for game in games if game.id == card.id), None)
    if game is None:
        raise LookupError(f"there is no '{card.id}' in its GAMES")
    game = replace(game, title=card.title, pitch=card.pitch, solved=card.solved)
    return replace(game, goal=card.goal, picks=card.picks, levels=card.levels)


def tried(game: AnyGame) -> AnyGame:
    """A game whose rules, notation and picture are there: its start is asked for each. Raises what they raise."""
    start = game.default_start()
    game.rules.legal_moves(start)
    game.notation.parse_position(game.notation.format_position(start))
    game.painter.scene(View((start,)))
    return game

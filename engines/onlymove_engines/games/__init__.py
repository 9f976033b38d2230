"""Finds game packages, in this folder and in other installed packages, and reads their `game.toml` without importing
them.

A game package is a folder with a `game.toml`. It has a `[[game]]` table for each game, with the keys of `Facts`, and a
`[[game.level]]` table for each level. The package defines `GAMES`, the definitions of these games. Other projects name
the modules of their game packages in the entry point group `onlymove.games`. Their tables are in a folder `tables`
beside the module.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib import resources
from operator import attrgetter
from pathlib import Path

from onlymove_engines.core.errors import OnlymoveError, did_you_mean
from onlymove_engines.core.facts import FILE_NAME, Facts, GameId, read_package
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.scene import View
from onlymove_engines.core.text import clean_line

GROUP = "onlymove.games"
"""The entry point group for games of other packages."""

MENU_ORDER = attrgetter("order", "id")


class UnknownGame(OnlymoveError):
    """There is no game with this id, or its package cannot be loaded."""


@cache
def list_games() -> tuple[Facts, ...]:
    """Return the facts of every game, in the order of the menu. Games of other packages come last."""
    return (*list_own_games(), *list_added_games()[0])


@cache
def list_own_games() -> tuple[Facts, ...]:
    """Return the facts of the games in this folder."""
    folders = (folder for folder in resources.files(__package__).iterdir() if folder.joinpath(FILE_NAME).is_file())
    found = (facts for folder in folders for facts in read_package(f"{__package__}.{folder.name}"))
    return tuple(sorted(found, key=MENU_ORDER))


@cache
def list_added_games() -> tuple[tuple[Facts, ...], tuple[str, ...]]:
    """Return the facts of games in other packages. Also return one line for each package that cannot be read, or whose
    game has an id that is already taken."""
    if not has_entry_points():
        return (), ()
    added: dict[GameId, Facts] = {}
    faults, taken = [], {facts.id for facts in list_own_games()}
    for package in list_packages():
        try:
            for facts in read_package(package):
                if facts.id in taken:
                    faults.append(f"{clean_line(package)}: another package already has a game '{facts.id}'")
                    continue
                taken.add(facts.id)
                added[facts.id] = facts
        except Exception as error:  # noqa: BLE001 - a broken package must not affect other games
            faults.append(f"{clean_line(package)}: {describe_error(error)}")
    return tuple(sorted(added.values(), key=MENU_ORDER)), tuple(faults)


def list_packages() -> list[str]:
    """Return the game packages that installed distributions name in the entry point group, by the name of the entry.

    The files are read here because `importlib.metadata.entry_points` fails as a whole if a single distribution has an
    entry that it does not understand.
    """
    from importlib.metadata import distributions  # noqa: PLC0415 - takes a MB and most players have no other packages

    found: dict[str, list[tuple[str, str]]] = {}
    for distribution in distributions():
        with suppress(OSError, ValueError):  # It is not text.
            text = distribution.read_text("entry_points.txt") or ""
            if GROUP in text:
                # The first of two distributions with the same name is the one that Python imports.
                name = str(distribution.metadata["Name"] or len(found)).lower()
                found.setdefault(name, list(read_entries(text)))
    return [package for _, package in sorted(point for points in found.values() for point in points)]


def read_entries(text: str) -> Iterator[tuple[str, str]]:
    """Yield the names and packages in the group's section of an `entry_points.txt`."""
    section = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            section = line.strip("[]").strip()
        elif section == GROUP and "=" in line and not line.startswith(("#", ";")):
            name, _, package = line.partition("=")
            yield name.strip(), package.strip()


def has_entry_points() -> bool:
    """Whether an installed package may contain games. It may if its entry points name the group, or if they cannot be
    read here, as in an archive."""
    group = GROUP.encode()
    try:
        return any(
            folder.is_file() or any(group in file.read_bytes() for file in folder.glob("*-info/entry_points.txt"))
            for folder in map(Path, sys.path)
        )
    except OSError:
        return True


def describe_error(error: Exception) -> str:
    """Return an error in one line: our own errors as a sentence, and others with their type."""
    return clean_line(str(error)) if isinstance(error, OnlymoveError) else repr(error)


def find_facts(game_id: GameId) -> Facts:
    """Return the facts of one game. Raises UnknownGame, which lists the ids of all games."""
    for games in (list_own_games, list_games):
        for facts in games():
            if facts.id == game_id:
                return facts
    known = [facts.id for facts in list_games()]
    raise UnknownGame(f"unknown game '{game_id}'; choose from {', '.join(known)}{did_you_mean(game_id, known)}")


@cache
def load(game_id: GameId) -> AnyGame:
    """Return the definition of one game, from its package. Raises UnknownGame."""
    facts = find_facts(game_id)
    try:
        games: tuple[AnyGame, ...] = importlib.import_module(facts.package).GAMES
        game = next((game for game in games if game.id == game_id), None)
        if game is None:
            raise LookupError(f"its list GAMES does not contain '{game_id}'")
        if facts not in list_own_games():  # try the rules, the notation and the picture on the start position
            start = game.default_start()
            game.rules.legal_moves(start)
            game.notation.parse_position(game.notation.format_position(start))
            game.painter.scene(View((start,)))
    except Exception as error:
        if facts in list_own_games():
            raise
        # A broken package must not affect other games.
        raise UnknownGame(f"the package {facts.package} cannot be loaded: {describe_error(error)}") from error
    return game

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
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, partial
from importlib import resources
from operator import attrgetter
from pathlib import Path

from onlymove_engines.core.ascii import to_ascii
from onlymove_engines.core.errors import OnlymoveError, did_you_mean
from onlymove_engines.core.facts import FILE_NAME, Facts, GameId, read_package
from onlymove_engines.core.files import read_regular
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.scene import View
from onlymove_engines.core.text import clean_line

GROUP = "onlymove.games"
"""The entry point group for games of other packages."""

MAX_ENTRY_POINTS = 1 << 20
"""The most bytes of a file of entry points. The largest have about 10,000."""

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
    game has an id that is already taken, and for entry points that cannot be read."""
    packages, faults = list_packages()
    added: dict[GameId, Facts] = {}
    taken = {facts.id for facts in list_own_games()}
    for package in packages:
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


def list_packages() -> tuple[list[str], list[str]]:
    """Return the game packages that installed distributions name in the entry point group, by the name of the entry.
    Also return one line for each file that cannot be read, and for each entry that is not understood.

    The files are read here because `importlib.metadata.entry_points` fails as a whole if a single distribution has an
    entry that it does not understand, and waits if a file is a pipe.
    """
    found: list[tuple[str, str]] = []
    faults: list[str] = []
    seen = set[str]()
    for distribution, place, read in list_distributions():
        # The first of two distributions with the same name is the one that Python imports.
        if distribution in seen:
            continue
        seen.add(distribution)
        try:
            raw = read()
            lines = raw.decode().splitlines() if GROUP.encode() in raw else []
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
            faults.append(f"{clean_line(place)}: cannot be read: {why}")
            continue
        for number, line in list_entries(lines):
            name, _, package = (part.strip() for part in line.partition("="))
            if name and package:
                found.append((name, package))
            else:
                faults.append(f"{clean_line(place)}: line {number} is not like NAME = PACKAGE: {clean_line(line)}")
    # A package may be named by several entries.
    return list(dict.fromkeys(package for _, package in sorted(found))), faults


def list_entries(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines in the group's section of an `entry_points.txt`, and their numbers."""
    section = ""
    for number, line in enumerate(map(str.strip, lines), 1):
        if line.startswith("["):
            section = line.strip("[]").strip()
        elif section == GROUP and line and not line.startswith(("#", ";")):
            yield number, line


def list_distributions() -> Iterator[tuple[str, str, Callable[[], bytes]]]:
    """Yield the name of each installed distribution that may have entry points, where they are, and how to read
    them."""
    for folder in map(Path, sys.path):
        if folder.is_file():
            yield from list_archived(folder)
            continue
        with suppress(OSError):
            for file in sorted(folder.glob("*-info/entry_points.txt")):
                name = file.parent.name.rpartition(".")[0].partition("-")[0].lower()
                yield name, str(file), partial(read_regular, file, MAX_ENTRY_POINTS)


def list_archived(archive: Path) -> Iterator[tuple[str, str, Callable[[], bytes]]]:
    """Yield the same for the distributions in a zip archive."""
    from importlib.metadata import Distribution, distributions  # noqa: PLC0415 - takes a MB and most players have no archives

    def read(distribution: Distribution) -> bytes:
        return (distribution.read_text("entry_points.txt") or "").encode()

    for distribution in distributions(path=[str(archive)]):
        name = str(distribution.metadata["Name"]).lower().replace("-", "_")
        yield name, str(archive), partial(read, distribution)


def describe_error(error: Exception) -> str:
    """Return an error in one line: our own errors as a sentence, and others with their type."""
    return clean_line(str(error)) if isinstance(error, OnlymoveError) else repr(error)


def find_facts(name: str) -> Facts:
    """Return the facts of the game with this id or title. Case, accents, spaces and punctuation in the name do not
    matter. Raises UnknownGame, which lists the ids of all games, and the packages that cannot be read."""
    for games in (list_own_games, list_games):
        for facts in games():
            if facts.id == name:
                return facts
    plain = simplify(name)
    for facts in list_games():
        if plain and plain in (simplify(facts.id), simplify(facts.title)):
            return facts
    known = [facts.id for facts in list_games()]
    faults = list_added_games()[1]
    own = [fault for fault in faults if plain and plain in simplify(fault.partition(":")[0])]
    near = "" if own else did_you_mean(name, known)
    why = near or (f"; not loaded: {'; '.join(own or faults)}" if faults else "")
    raise UnknownGame(f"unknown game '{name}'; choose from {', '.join(known)}{why}")


def simplify(name: str) -> str:
    """Return the letters and digits of a name, without accents and in lower case."""
    return "".join(filter(str.isalnum, to_ascii(name).casefold()))


@cache
def load(name: str) -> AnyGame:
    """Return the definition of one game by its id or title, from its package. Raises UnknownGame."""
    facts = find_facts(name)
    game_id = facts.id
    if game_id != name:
        return load(game_id)
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

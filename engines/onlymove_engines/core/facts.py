"""Facts about a game, read from its `game.toml` without importing its package."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, TypeAlias

from onlymove_engines.core.errors import OnlymoveError, did_you_mean
from onlymove_engines.core.text import clean_document, decode_text

GameId: TypeAlias = str

FILE_NAME: Final = "game.toml"

WEAKEST_RATING = 1000
"""The rating of the weakest level of every game. After 100 losses in a row, a rating is still above 0."""


DRAW = "draw"
"""How `solved` begins for a game in which best play is a draw. The laws check it."""


class BadFacts(OnlymoveError):
    """A `game.toml` lacks a required key or has a wrong value."""


@dataclass(frozen=True, slots=True)
class Level:
    """An engine with a name and a strength: `elo` above the weakest level, measured with the standard error `error`."""

    id: str
    title: str
    style: str
    strength: int
    elo: float
    error: float

    @property
    def rating(self) -> float:
        return WEAKEST_RATING + self.elo


@dataclass(frozen=True, slots=True)
class Facts:
    """The keys of a `[[game]]` table in `game.toml`."""

    id: GameId = ""
    title: str = ""
    pitch: str = ""
    """One sentence for the menu."""
    solved: str = ""
    """What is known about the value of the game, in words."""
    order: int = 1000
    """Its place in the menu."""
    goal: str = ""
    """What a player tries to achieve, in one sentence."""
    picks: tuple[str, ...] = ()
    """What a player chooses at each step of entering a move. The last entry also stands for later steps."""
    max_plies: int | None = None
    """The longest possible game. `None` if the game can cycle."""
    simultaneous: bool = False
    """Whether both sides move at once."""
    has_margin: bool = False
    """Whether values count points."""
    plays_by_search: bool = False
    """Whether moves and hints need compiled code, with or without a table."""
    levels: tuple[Level, ...] = ()
    """The levels from the weakest to the strongest. Empty until they have been measured."""
    package: str = ""
    """The game package's module. Its help, lessons and solution lie beside `game.toml`."""

    @property
    def is_drawn(self) -> bool:
        """Whether best play is a draw."""
        return self.solved.startswith(DRAW)

    @property
    def folder(self) -> str:
        return self.package.rpartition(".")[2]

    @property
    def can_cycle(self) -> bool:
        """Whether a position can occur twice in a game."""
        return self.max_plies is None


REQUIRED: Final = {"id": str, "title": str, "pitch": str, "solved": str, "order": int}
KINDS: Final[Mapping[str, type]] = {
    **REQUIRED,
    "goal": str,
    "picks": list,
    "max_plies": int,
    "simultaneous": bool,
    "has_margin": bool,
    "plays_by_search": bool,
    "level": list,
}
"""The keys of a `[[game]]` table, and their types."""


def parse_facts(entry: Mapping[str, Any], package: str) -> Facts:
    """Turn a `[[game]]` table into facts. Raises BadFacts."""
    for key in REQUIRED.keys() - entry.keys():
        raise BadFacts(f"'{key}' is missing")
    for key, value in entry.items():
        if key not in KINDS:
            raise BadFacts(f"'{key}' is not a known key{did_you_mean(key, KINDS)}")
        if type(value) is not KINDS[key]:
            raise BadFacts(f"{key} = {value!r} must be of type {KINDS[key].__name__}")
    known = dict(entry)
    picks, levels = known.pop("picks", []), known.pop("level", [])
    if not all(isinstance(pick, str) for pick in picks):
        raise BadFacts(f"'picks' must be a list of strings, not {picks!r}")
    try:
        read = tuple(Level(**level) for level in levels)
    except TypeError as error:
        raise BadFacts(f"an entry [[game.level]] is not valid: {error}") from None
    return Facts(**known, picks=tuple(picks), levels=read, package=package)


@cache
def read_package(package: str) -> tuple[Facts, ...]:
    """Read the facts of all games in a package's `game.toml`, without importing the package. Raises BadFacts."""
    try:
        spec = find_spec(package)
    except ModuleNotFoundError:
        spec = None
    if spec is None or not spec.submodule_search_locations:
        raise BadFacts(f"there is no package {package}")
    folder = Path(spec.submodule_search_locations[0])
    if not (folder / FILE_NAME).is_file():
        raise BadFacts(f"the package has no {FILE_NAME}")
    try:
        entries = clean_document(tomllib.loads(decode_text((folder / FILE_NAME).read_bytes(), "strict")))["game"]
        return tuple(parse_facts(entry, package) for entry in entries)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadFacts(f"{FILE_NAME} cannot be read: {error!r}") from None
    except BadFacts as fault:
        raise BadFacts(f"{FILE_NAME} cannot be read: {fault}") from None


def read_facts(package: str, game_id: GameId) -> Facts:
    """Read the facts of one game in a package's `game.toml`. Raises BadFacts."""
    for facts in read_package(package):
        if facts.id == game_id:
            return facts
    raise BadFacts(f"the {FILE_NAME} of {package} has no game '{game_id}'")

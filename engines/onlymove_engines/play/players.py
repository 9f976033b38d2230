"""Who sits at a seat, and how a player is spelled where one is named in a line of text.

`STYLE` plays at full strength, `STYLE@STRENGTH` at 0 to 100, `random` any move alike (strength 0), and the id of one of
the game's levels at its style and strength. How a player chooses is `opponent`'s to know.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TypeAlias

from onlymove_engines.core.errors import OnlymoveError, did_you_mean
from onlymove_engines.core.game import AnyGame, Level
from onlymove_engines.core.value import Seat
from onlymove_engines.play.opponent import FULL_STRENGTH, find_style

RANDOM = "random"
"""The player of strength 0, who has no style."""


class BadPlayer(OnlymoveError):
    """The text names nobody who plays this game."""


class PlayerKind(enum.Enum):
    """Who makes a seat's moves."""

    HUMAN = "human"
    ENGINE = "engine"
    ELSEWHERE = "elsewhere"


@dataclass(frozen=True, slots=True)
class Player:
    """One side of the table: who sits there and, for an engine, its style (empty: the game's first) and strength
    0..100; for a person elsewhere, a `name`."""

    kind: PlayerKind
    style: str = ""
    strength: int = FULL_STRENGTH
    name: str = ""

    @property
    def is_human(self) -> bool:
        """Whether the moves come from this keyboard."""
        return self.kind is PlayerKind.HUMAN

    @property
    def is_engine(self) -> bool:
        """Whether the moves come from a program."""
        return self.kind is PlayerKind.ENGINE

    @property
    def is_elsewhere(self) -> bool:
        """Whether the moves come from a person at another keyboard."""
        return self.kind is PlayerKind.ELSEWHERE


HUMAN = Player(PlayerKind.HUMAN)
Players: TypeAlias = tuple[Player, Player]
"""Who sits at the first and at the second seat."""


def person_at(seat: Seat | None, engine: Player) -> Players:
    """A person at `seat` against `engine`; at the first one where both move at once (`None`)."""
    return (engine, HUMAN) if seat == 1 else (HUMAN, engine)


def style_ids(game: AnyGame) -> tuple[str, ...]:
    """The styles that a player of this game may be spelled with."""
    return tuple(style.id for style in game.styles) or (find_style(game, "").id,)


def player_names(game: AnyGame) -> tuple[str, ...]:
    """What an engine of this game may be called: a style, random or a level."""
    return (*style_ids(game), RANDOM, *(level.id for level in game.levels))


def read_player(game: AnyGame, text: str) -> Player:
    """The engine that `text` spells, in capitals or not. Raises BadPlayer, which says what there is."""
    word = text.lower()
    level = next((level for level in game.levels if level.id == word), None)
    if level is not None:
        return Player(PlayerKind.ENGINE, level.style, level.strength)
    styles = style_ids(game)
    if word == RANDOM:
        return Player(PlayerKind.ENGINE, styles[0], 0)
    style, at, strength = word.partition("@")
    if style not in styles or (at and not _is_strength(strength)):
        known = player_names(game)
        near = "" if style in known else did_you_mean(style, known)
        raise BadPlayer(f"{game.id} has no player '{text}': there are {_known(game)}{near}")
    return Player(PlayerKind.ENGINE, style, int(strength) if at else FULL_STRENGTH)


def read_players(game: AnyGame, text: str, engine: Player) -> Players:
    """`human,engine` as players: `human` is a person, a plain `engine` is `engine`, any other is spelled out, with
    `engine:` before it or without. Raises BadPlayer."""
    words = [word.strip() for word in text.split(",")]
    if len(words) != 2:
        raise BadPlayer(f"'{text}' names {len(words)} of two players: expected something like human,engine")
    plain = {HUMAN.kind.value: HUMAN, engine.kind.value: engine}
    first, second = (plain.get(word) or read_player(game, word.removeprefix("engine:")) for word in words)
    return first, second


def spell_player(game: AnyGame, player: Player) -> str:
    """What `read_player` reads as an engine that plays as this one does: one spelling for all who play alike."""
    if player.strength <= 0:
        return RANDOM
    style = player.style or style_ids(game)[0]
    return style if player.strength >= FULL_STRENGTH else f"{style}@{player.strength}"


def get_level(game: AnyGame, player: Player) -> Level | None:
    """The level that this engine is, or `None`."""
    if not player.is_engine:
        return None
    own = spell_player(game, player)
    return next((level for level in game.levels if spell_player(game, read_player(game, level.id)) == own), None)


def with_level(game: AnyGame, players: Players, level: Level) -> Players:
    """The same table, with `level` for the only engine if that is one of the game's levels."""
    engines = [seat for seat, player in enumerate(players) if not player.is_human]
    if len(engines) != 1 or get_level(game, players[engines[0]]) is None:
        return players
    engine = read_player(game, level.id)
    return (engine, players[1]) if engines == [0] else (players[0], engine)


def _is_strength(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= len(str(FULL_STRENGTH)) and int(text) <= FULL_STRENGTH


def _known(game: AnyGame) -> str:
    """`a, b, with @0 to @100 after them, random, and the levels x, y`."""
    levels = ", ".join(level.id for level in game.levels)
    styles = ", ".join(style_ids(game))
    return f"{styles} (@0 to @100 after one is its strength), {RANDOM}{f', and the levels {levels}' if levels else ''}"

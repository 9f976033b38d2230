"""From the text of a player to a contestant. Knows who can play; how, the contestants know."""

from __future__ import annotations

from collections.abc import Callable

from onlymove_engines.core.analysis import AnyAnalyst
from onlymove_engines.core.errors import BadNotation
from onlymove_engines.core.game import AnyGame
from onlymove_engines.play.opponent import find_style
from onlymove_engines.play.session import Player, PlayerKind

from onlymove_tui.tournament.contestant import Contestant, Limits
from onlymove_tui.tournament.engine_player import EnginePlayer

COMMAND = "cmd:"


def entrant(game: AnyGame, text: str, open_analyst: Callable[[], AnyAnalyst], limits: Limits) -> Contestant:
    """Who plays under this name. Raises BadNotation for a player that the game does not have."""
    if text.startswith(COMMAND):
        raise BadNotation(f"'{text}': other programs cannot play yet")
    return EnginePlayer(text, read_player(game, text), open_analyst, limits)


def read_player(game: AnyGame, text: str) -> Player:
    """Until there is one for everybody."""
    if text == "random":
        return Player(PlayerKind.ENGINE, "", 0)
    style, _, strength = text.partition("@")
    try:
        find_style(game, style)
        if int(strength or 100) > 100:
            raise ValueError
        return Player(PlayerKind.ENGINE, style, int(strength or 100))
    except (KeyError, ValueError) as unknown:
        raise BadNotation(f"{game.id} has no player '{text}'") from unknown

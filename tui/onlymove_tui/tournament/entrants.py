"""From the text of a player to a contestant. Knows who can play; how, the contestants know."""

from __future__ import annotations

from collections.abc import Callable

from onlymove_engines.core.analysis import AnyAnalyst
from onlymove_engines.core.game import AnyGame
from onlymove_engines.play.players import read_player

from onlymove_tui.tournament.contestant import Contestant, Limits
from onlymove_tui.tournament.engine_player import EnginePlayer
from onlymove_tui.tournament.program import Program, host_factory, read_command

COMMAND = "cmd:"


def entrant(game: AnyGame, text: str, open_analyst: Callable[[], AnyAnalyst], limits: Limits) -> Contestant:
    """Who plays under this name. Raises BadPlayer for one that the game does not have, BadProgram for
    a command that cannot be run."""
    if text.startswith(COMMAND):
        host_factory(game)
        return Program(text, read_command(text.removeprefix(COMMAND)), limits)
    return EnginePlayer(text, read_player(game, text), open_analyst, limits)

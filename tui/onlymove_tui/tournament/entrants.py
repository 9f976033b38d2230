"""From the texts of two players to the contestants of a game. Knows who can play; how, the contestants know."""

from __future__ import annotations

from collections.abc import Callable

from onlymove_engines.core.analysis import AnyAnalyst
from onlymove_engines.core.game import AnyGame
from onlymove_engines.play.players import read_player

from onlymove_tui.tournament.contestant import Contestant, Limits
from onlymove_tui.tournament.engine_player import EnginePlayer
from onlymove_tui.tournament.program import CLOCK_OF_PROGRAMS, Program, host_factory, read_command

COMMAND = "cmd:"


def entrants(
    game: AnyGame, players: tuple[str, str], open_analyst: Callable[[], AnyAnalyst], limits: Limits
) -> tuple[Contestant, Contestant]:
    """Who plays under these names. The time of both is measured by the same clock. Raises BadPlayer for one that the
    game does not have, BadProgram for a command that cannot be run."""
    clock = CLOCK_OF_PROGRAMS if any(text.startswith(COMMAND) for text in players) else "cpu"

    def entrant(text: str) -> Contestant:
        if text.startswith(COMMAND):
            host_factory(game)
            return Program(text, read_command(text.removeprefix(COMMAND)), limits)
        return EnginePlayer(text, read_player(game, text), open_analyst, limits, clock)

    first, second = players
    return entrant(first), entrant(second)

"""Solved two-player games with the exact value of every position, as a library.

>>> import onlymove
>>> game = onlymove.load("tobito")
>>> start = game.start()
>>> str(start), start.to_move, len(start.moves)
('TTT/.../.../.../BBB T', 'Top', 7)
>>> known = game.analyse(start)
>>> str(known.value), known.best[:2]
('D', ('a5b4', 'a5a4'))

Positions and moves are what the command line reads and prints (docs/formats.md); values are seen by the side to move.
Names are imported when they are first used, so that a package that only brings a game (`onlymove.authoring`) loads
nothing else.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from onlymove_engines import __version__

if TYPE_CHECKING:
    from onlymove_engines.core.errors import BadNotation, BadPosition, GameOver, IllegalMove, OnlymoveError
    from onlymove_engines.core.judgement import Grade, Judgement
    from onlymove_engines.core.rules import Result
    from onlymove_engines.core.value import Draw, Estimate, Loss, Margin, Mixed, Outcome, Value, Win
    from onlymove_engines.games import UnknownGame
    from onlymove_engines.play.players import BadPlayer
    from onlymove_engines.records.record import BadRecord

    from onlymove.game import Analyses, Analysis, Engine, Game, Table, load
    from onlymove.played import MatchResult, PlayedGame, match, read_games
    from onlymove.position import Position

HOMES = {
    "onlymove_engines.core.errors": ("BadNotation", "BadPosition", "GameOver", "IllegalMove", "OnlymoveError"),
    "onlymove_engines.core.judgement": ("Grade", "Judgement"),
    "onlymove_engines.core.rules": ("Result",),
    "onlymove_engines.core.value": ("Draw", "Estimate", "Loss", "Margin", "Mixed", "Outcome", "Value", "Win"),
    "onlymove_engines.games": ("UnknownGame",),
    "onlymove_engines.play.players": ("BadPlayer",),
    "onlymove.game": ("Analyses", "Analysis", "Engine", "Game", "Table", "load"),
    "onlymove.played": ("MatchResult", "PlayedGame", "match", "read_games"),
    "onlymove.position": ("Position",),
    "onlymove_engines.records.record": ("BadRecord",),
}
"""The module that each name comes from."""

__all__ = [
    "Analyses",
    "Analysis",
    "BadNotation",
    "BadPlayer",
    "BadPosition",
    "BadRecord",
    "Draw",
    "Engine",
    "Estimate",
    "Game",
    "GameOver",
    "Grade",
    "IllegalMove",
    "Judgement",
    "Loss",
    "Margin",
    "MatchResult",
    "Mixed",
    "OnlymoveError",
    "Outcome",
    "PlayedGame",
    "Position",
    "Result",
    "Table",
    "UnknownGame",
    "Value",
    "Win",
    "__version__",
    "games",
    "load",
    "match",
    "read_games",
]


def __getattr__(name: str) -> object:
    for home, names in HOMES.items():
        if name in names:
            found: object = getattr(import_module(home), name)
            globals()[name] = found
            return found
    raise AttributeError(f"module 'onlymove' has no attribute '{name}'")


def __dir__() -> list[str]:
    return __all__


def games() -> tuple[str, ...]:
    """Return the ids of all games. Games of other installed packages come last.

    >>> games()[:2]
    ('tobito', 'haneto')
    """
    from onlymove_engines.games import list_games  # noqa: PLC0415 - as above

    return tuple(facts.id for facts in list_games())

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
"""

from __future__ import annotations

from onlymove_engines import __version__
from onlymove_engines import games as drawers
from onlymove_engines.core.errors import BadNotation, BadPosition, GameOver, IllegalMove, OnlymoveError
from onlymove_engines.core.judgement import Grade, Judgement
from onlymove_engines.core.rules import Result
from onlymove_engines.core.value import Draw, Estimate, Loss, Margin, Mixed, Outcome, Value, Win
from onlymove_engines.games import UnknownGame
from onlymove_engines.play.players import BadPlayer

from onlymove.game import Analysis, Engine, Game, load
from onlymove.position import Position

__all__ = [
    "Analysis",
    "BadNotation",
    "BadPlayer",
    "BadPosition",
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
    "Mixed",
    "OnlymoveError",
    "Outcome",
    "Position",
    "Result",
    "UnknownGame",
    "Value",
    "Win",
    "__version__",
    "games",
    "load",
]


def games() -> tuple[str, ...]:
    """The ids of all games, those of other installed packages last.

    >>> games()[:2]
    ('tobito', 'haneto')
    """
    return tuple(card.id for card in drawers.list_games())

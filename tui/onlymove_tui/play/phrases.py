"""How a game ended, in one sentence: for the board and for games in lines."""

from __future__ import annotations

from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.rules import Result


def ending(game: AnyGame, result: Result) -> str:
    """`Top wins 24-20: three in a row.`"""
    who = "Drawn" if result.winner is None else f"{game.seats[result.winner]} wins"
    score = "" if result.score is None else f" {result.score[0]}-{result.score[1]}"
    reason = f": {result.reason}" if result.reason else ""
    return f"{who}{score}{reason}."

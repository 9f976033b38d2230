"""Why a move is bad: best play after it, move by move, to the claimed end."""

from __future__ import annotations

from typing import Any

from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.game import AnyGame, Turn

LONGEST_LINE = 120
DRAWN_LINE = 8


def refutation(game: AnyGame, position: Any, move: Any, analyst: Any, budget: Budget = UNLIMITED) -> list[Any]:
    """`move` and best play by both sides after it.

    In games with remoteness a won or lost line ends in the claimed result at the claimed distance; a drawn line
    shows `DRAWN_LINE` plies; a line in a game with a margin stops at the end or before a position comes back.
    """
    line, seen = [move], {position}
    position = game.rules.play(position, move)
    while game.rules.result(position) is None and len(line) < LONGEST_LINE and position not in seen:
        analysis: Analysis[Any] = analyst.analyse(position, budget)
        top = analysis.best_value()
        if top is None or (top.remoteness is None and top.margin is None and len(line) >= DRAWN_LINE):
            break
        seen.add(position)
        reply = next(iter(analysis.best()))
        if game.styles:
            turn = Turn(position, game.rules.to_move(position) or 0, analysis, analyst, budget)
            reply = next(iter(game.styles[0].choose(turn)))
        line.append(reply)
        position = game.rules.play(position, reply)
    return line


def format_line(game: AnyGame, position: Any, moves: list[Any]) -> list[str]:
    """The moves of a line as written, one after the other from `position`."""
    texts = []
    for move in moves:
        texts.append(game.notation.format_move(position, move))
        position = game.rules.play(position, move)
    return texts

"""Why a move is bad: best play after it, move by move, to the claimed end."""

from __future__ import annotations

from collections.abc import Sequence

from onlymove_engines.coach.in_line import analyse_after
from onlymove_engines.core.analysis import Analysis, AnyAnalyst, alternating
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.rules import M, P
from onlymove_engines.core.value import Move, Outcome
from onlymove_engines.play.conventions import Conventions
from onlymove_engines.play.line import Line, Node

LONGEST_LINE = 120
DRAWN_LINE = 8


def refutation(line: Line[P, M], node: Node[P, M], move: M, analyst: AnyAnalyst, budget: Budget = UNLIMITED) -> list[M]:
    """`move` from `node` and best play by both sides after it, by the law of the game under way.

    In games with remoteness a won or lost line ends in the claimed result at the claimed distance; a drawn line
    shows `DRAWN_LINE` plies; a line in a game with a margin goes on to the end, which a position that comes back is.
    """
    law, play = line.conventions, line.game.rules.play
    past, moves = [*node.positions(), play(node.position, move)], [move]
    while law.result(past) is None and len(moves) < LONGEST_LINE:
        analysis = analyse_after(law, past, alternating(analyst), budget, every=False)
        top = analysis.best_value()
        if top is None or (top.remoteness is None and top.margin is None and len(moves) >= DRAWN_LINE):
            break
        moves.append(_reply(law, past, analysis))
        past.append(play(past[-1], moves[-1]))
    return moves


def _reply(law: Conventions[P, M], past: Sequence[P], analysis: Analysis[M]) -> M:
    """The first of the best moves, whatever an engine would prefer; where nothing is won one that ends the game by
    coming back, so that the line is short."""
    best, top = analysis.best(), analysis.best_value()
    closing = {} if top is None or top.outcome is Outcome.WIN else law.closing(past)
    back = (move for move in best if law.game.rules.play(past[-1], move) in closing)
    return next(back, best[0])


def format_line(game: AnyGame, position: AnyPosition, moves: Sequence[Move]) -> list[str]:
    """The moves of a line as written, one after the other from `position`."""
    texts = []
    for move in moves:
        texts.append(game.notation.format_move(position, move))
        position = game.rules.play(position, move)
    return texts

"""Why a move is bad: best play after it, move by move, to the claimed end."""

from __future__ import annotations

from collections.abc import Sequence

from onlymove_engines.coach.in_line import analyse_after
from onlymove_engines.core.analysis import Analyst, AnyAnalyst, alternating
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.game import AnyGame, AnyPosition, Turn
from onlymove_engines.core.rules import M, P
from onlymove_engines.core.value import Move
from onlymove_engines.play.line import Line, Node
from onlymove_engines.play.opponent import find_style

LONGEST_LINE = 120
DRAWN_LINE = 8


def refutation(line: Line[P, M], node: Node[P, M], move: M, analyst: AnyAnalyst, budget: Budget = UNLIMITED) -> list[M]:
    """`move` from `node` and best play by both sides after it, by the law of the game under way.

    In games with remoteness a won or lost line ends in the claimed result at the claimed distance; a drawn line
    shows `DRAWN_LINE` plies; a line in a game with a margin stops at the end or before a position comes back.
    """
    law, rules, style, plain = line.conventions, line.game.rules, find_style(line.game, ""), alternating(analyst)
    is_bound = is_bound_by_its_past(line, node, plain, budget)
    past, moves, seen = [*node.positions(), rules.play(node.position, move)], [move], {node.position}
    while law.result(past) is None and len(moves) < LONGEST_LINE and past[-1] not in seen:
        position, seat = past[-1], rules.to_move(past[-1])
        analysis = analyse_after(law, past, plain, budget) if is_bound else plain.analyse(position, budget)
        top = analysis.best_value()
        if seat is None or top is None or (top.remoteness is None and top.margin is None and len(moves) >= DRAWN_LINE):
            break
        seen.add(position)
        liked = style.choose(Turn(position, seat, analysis, analyst, budget))
        moves.append(next(iter([reply for reply in liked if reply in analysis.moves] or analysis.best())))
        past.append(rules.play(position, moves[-1]))
    return moves


def is_bound_by_its_past(line: Line[P, M], node: Node[P, M], analyst: Analyst[P, M], budget: Budget) -> bool:
    """Whether best play from a node is another than from its position alone. Where it is not, the position is asked,
    which is much quicker."""
    if line.house_rule is not None:
        return True
    if not line.closing(node):
        return False
    return (
        analyse_after(line.conventions, node.positions(), analyst, budget).moves
        != analyst.analyse(node.position, budget).moves
    )


def format_line(game: AnyGame, position: AnyPosition, moves: Sequence[Move]) -> list[str]:
    """The moves of a line as written, one after the other from `position`."""
    texts = []
    for move in moves:
        texts.append(game.notation.format_move(position, move))
        position = game.rules.play(position, move)
    return texts

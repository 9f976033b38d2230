"""What the coach adds to a hint: what kind of move it takes, in words that name no cell, and which of the keeping
moves sets the opponent most problems."""

from __future__ import annotations

from collections import Counter

from onlymove_engines.core.analysis import Analysis, AnyAnalyst, Remarks
from onlymove_engines.core.value import other

from .analyst import TobitoAnalyst
from .codes import WHOLE
from .live import TobitoLiveAnalyst
from .rules import GOAL, HOME, Move, Position, after


def heat_of(analyst: AnyAnalyst, position: Position) -> tuple[int, int] | None:
    """Top's and Bottom's heat, by any analyst of the game."""
    assert isinstance(analyst, TobitoAnalyst | TobitoLiveAnalyst)
    return analyst.heat(position)


def remarks(position: Position, analysis: Analysis[Move], analyst: AnyAnalyst) -> Remarks[Move]:
    """Area, a remark for each best move, and the best moves ordered by the difference of heats."""
    best = analysis.best()
    kinds = Counter(kind_of(position, move) for move in best)
    counted = len(best) > 1
    area = tuple(f"{count} of {len(best)}: {kind}" if counted else kind for kind, count in kinds.most_common())
    heats = {move: heat_of(analyst, after(position, move)) for move in best}
    lead = {
        move: heat[position.to_move] - heat[other(position.to_move)] for move, heat in heats.items() if heat is not None
    }
    ranked = tuple(sorted(lead, key=lambda move: -lead[move])) if len(lead) == len(best) else ()
    said = {move: _remark(position, move, lead.get(move)) for move in best}
    return Remarks(area=area, moves=said, ranked=ranked)


def kind_of(position: Position, move: Move) -> str:
    """What sort of move it is, without a cell."""
    seat = position.to_move
    jumped = len(move.pawns)
    if jumped:
        return "a jump that carries off " + ("a pawn", "two pawns", "all three pawns")[jumped - 1]
    if move.neutral is not None:
        return "a jump that moves the neutral pawn"
    if move.landing in GOAL[seat]:
        return "a pawn reaches the goal row"
    if move.landing in HOME[seat]:
        return "a pawn moves along its home row" if move.origin in HOME[seat] else "a pawn goes back home"
    return "a quiet move"


def _remark(position: Position, move: Move, lead: int | None) -> str:
    """The kind, and how the heats stand afterwards."""
    kind = kind_of(position, move)
    return kind if lead is None else f"{kind}; chances {lead / WHOLE:+z.2f}"

"""What the coach adds to a hint: what the moves that keep the value have in common, in words that name no cell, and
which of them sets the opponent most problems."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from onlymove_engines.coach.hint import MOST_TOLD, Trait, telling
from onlymove_engines.coach.reasons import SHORT, format_threat
from onlymove_engines.coach.values import losing_replies, replies_said
from onlymove_engines.core.analysis import Analysis, AnyAnalyst, Remarks, alternating
from onlymove_engines.core.game import Turn
from onlymove_engines.core.value import Outcome, Seat, other

from .claims import passed
from .rules import GOAL, HOME, RULES, SIDES, Move, Position, after, between
from .styles import PRACTICAL

MOST_COUNTED = 9
"""Moves whose replies are counted: as many as are numbered."""
CARRIES = ((), ("carries off a pawn", "takes a pawn"), ("carries off two pawns", "takes two"), ("carries off three",))


def remarks(position: Position, analysis: Analysis[Move], analyst: AnyAnalyst) -> Remarks[Move]:
    """Area, a remark for each best move, and the best moves ordered by how easily the other side goes wrong."""
    best = analysis.best()
    chances = PRACTICAL.chances(Turn(position, position.to_move, analysis, analyst))
    ranked = tuple(move for move in chances if move in best)
    top = analysis.best_value()
    is_draw = top is not None and top.outcome is Outcome.DRAW
    counted = (ranked or best)[:MOST_COUNTED] if is_draw and not analysis.past_counts else ()
    said = {move: _said(position, move, analyst if move in counted else None) for move in best}
    told = telling(traits(position), analysis.keeping(), tuple(analysis.moves))
    danger = () if analysis.past_counts else threatened(position, analyst)
    area = (*danger, *told[: MOST_TOLD - len(danger)])
    return Remarks(area=area, moves=said, ranked=ranked)


def threatened(position: Position, analyst: AnyAnalyst) -> tuple[str, ...]:
    """Whether the other side would win soon if it were to move now."""
    there = passed(position)
    value = None if there is None else alternating(analyst).probe(there)
    if value is None or value.outcome is not Outcome.WIN or value.remoteness is None or value.remoteness > SHORT:
        return ()
    return (f"{format_threat(SIDES[other(position.to_move)], value.remoteness)}.",)


def traits(position: Position) -> tuple[Trait[Move], ...]:
    """What a move may do, without a cell."""
    seat = position.to_move
    own, goal, theirs = HOME[seat], GOAL[seat], HOME[other(seat)]
    return (
        Trait("jumps", "jump", _is_jump),
        Trait("carries off a pawn", "carry off a pawn", lambda move: bool(move.pawns)),
        Trait("carries off two pawns", "carry off two pawns", lambda move: len(move.pawns) > 1),
        Trait("moves the neutral pawn", "move the neutral pawn", lambda move: move.neutral is not None),
        Trait("reaches the goal row", "reach the goal row", lambda move: move.landing in goal),
        Trait("leaves home", "leave home", lambda move: move.origin in own and move.landing not in own),
        Trait("goes back home", "go back home", lambda move: move.origin not in own and move.landing in own),
        Trait("sends a pawn home", "send a pawn home", lambda move: any(cell in theirs for cell in move.pawns)),
        Trait("goes backwards", "go backwards", lambda move: _rows_gained(position, move) < 0),
        Trait("goes sideways", "go sideways", lambda move: _rows_gained(position, move) == 0),
    )


def _is_jump(move: Move) -> bool:
    return bool(between(move.origin, move.landing))


def _rows_gained(position: Position, move: Move) -> int:
    """How many rows nearer to its goal the pawn comes."""
    up = move.landing // 3 - move.origin // 3
    return -up if position.to_move == 0 else up


def _said(position: Position, move: Move, analyst: AnyAnalyst | None) -> tuple[str, ...]:
    """How many replies lose, where that is to be counted and known; else what the move does."""
    found = None if analyst is None else losing_replies(RULES, after(position, move), analyst)
    return (() if found is None else replies_said(*found)) or kind_of(position, move)


def kind_of(position: Position, move: Move) -> tuple[str, ...]:
    """What sort of move it is, and the same in fewer words."""
    seat = position.to_move
    if move.pawns:
        return CARRIES[len(move.pawns)]
    if move.neutral is not None:
        return "moves the neutral pawn", "neutral pawn"
    if move.landing in GOAL[seat]:
        return "reaches the goal row", "to the goal"
    if move.landing in HOME[seat]:
        return ("stays at home",) if move.origin in HOME[seat] else ("goes back home", "back home")
    return ("a jump",) if _is_jump(move) else ("a step",)


LESSON_TESTS: Final[Mapping[str, Callable[[Position, Seat, Move], bool]]] = MappingProxyType(
    {
        "steps": lambda _position, _seat, move: not _is_jump(move),
        "jumps": lambda _position, _seat, move: _is_jump(move),
        "takes": lambda _position, _seat, move: len(move.pawns) > 0,
        "takes two": lambda _position, _seat, move: len(move.pawns) > 1,
        "sends home": lambda _position, seat, move: set(move.pawns) <= set(HOME[other(seat)]),
        "arrives": lambda _position, seat, move: move.landing in GOAL[seat],
        "moves the neutral pawn": lambda _position, _seat, move: move.neutral is not None,
    }
)
"""What a move may do that lessons ask for; to take is to jump a pawn of the opponent."""

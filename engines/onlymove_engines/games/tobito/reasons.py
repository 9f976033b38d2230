"""Which rule forbids a move, in the words of the rules page: found target by target, as a move is entered."""

from __future__ import annotations

from collections.abc import Sequence

from onlymove_engines.core.rules import Target
from onlymove_engines.core.value import Seat, other

from .rules import (
    CELLS,
    EMPTY,
    GOAL,
    LINES,
    MIDDLE,
    NEUTRAL,
    PAWN,
    SIDES,
    Cell,
    Flight,
    Move,
    Position,
    after,
    flights,
    is_shut_in,
    name,
    placements,
)

NO_HIDING = "no hiding: the three cells of your own home row may not all be occupied"
EXAMPLES = ("+a2", "+b2", "+c2")
"""Of where jumped pawns are put down: no more are jumped."""

CELL = {name(cell): cell for cell in CELLS}


def forbidden_by(position: Position, seat: Seat, path: Sequence[Target]) -> str:
    """What forbids the first of these targets that cannot be chosen; else what is missing."""
    origin, *rest = (CELL[target] for target in path)
    if objection := _to_the_pawn(position, seat, origin):
        return objection
    if not rest:
        return "say where the pawn lands, as in b1b2"
    landing, *put = rest
    if objection := _to_the_landing(position, origin, landing):
        return objection
    flight = next(flight for flight in flights(position) if flight[:2] == (origin, landing))
    return _to_what_is_put_down(position, flight, put)


def _can_be_played(position: Position, flight: Flight, put: Sequence[Cell] = ()) -> bool:
    """Whether a legal move flies so, with jumped pawns put down on these cells among others."""
    moves = (move for move in placements(position, flight) if set(put) <= set(move.pawns))
    return any(not is_shut_in(after(position, move).cells, position.to_move) for move in moves)


def _to_the_pawn(position: Position, seat: Seat, origin: Cell) -> str:
    piece = position.cells[origin]
    if piece == EMPTY:
        return f"{name(origin)} is empty: move one of your pawns"
    if piece == NEUTRAL:
        return "nobody moves the neutral pawn, but you may jump it"
    if piece != PAWN[seat]:
        return f"{name(origin)} holds a pawn of {SIDES[other(seat)]}: move one of your pawns"
    if origin in GOAL[seat]:
        return "a pawn in its goal row is safe and done: it cannot move"
    ways = [flight for flight in flights(position) if flight.origin == origin]
    return "" if any(_can_be_played(position, flight) for flight in ways) else NO_HIDING


def _to_the_landing(position: Position, origin: Cell, landing: Cell) -> str:
    seat = position.to_move
    line = next((line for line in LINES[origin] if landing in line), None)
    if line is None:
        return "a pawn moves in any of the eight directions, straight on"
    for cell in line[: line.index(landing)]:
        if position.cells[cell] == EMPTY:
            return f"a pawn lands on the first empty cell of its line: that is {name(cell)}"
        if position.cells[cell] == PAWN[other(seat)] and cell in GOAL[other(seat)]:
            return "a pawn in its goal row cannot be jumped: it blocks the way"
    if position.cells[landing] != EMPTY:
        return f"{name(landing)} is not empty: a pawn lands on the first empty cell of its line"
    flight = next(flight for flight in flights(position) if flight[:2] == (origin, landing))
    return "" if _can_be_played(position, flight) else NO_HIDING


def _to_what_is_put_down(position: Position, flight: Flight, put: Sequence[Cell]) -> str:
    jumped = [position.cells[cell] for cell in flight.jumped]
    pawns, neutral = jumped.count(PAWN[other(position.to_move)]), jumped.count(NEUTRAL)
    for place, cell in enumerate(put):
        if place >= pawns + neutral:
            return f"nothing more to put down: this move jumps {pawns} opposing pawn{'s' * (pawns != 1)}"
        if cell == flight.landing:
            return "what you jump goes on another cell, but not where you land"
        if position.cells[cell] != EMPTY:
            return "what you jump goes on a cell that was empty before the move"
        if cell in put[:place]:
            return f"{name(cell)} is taken: each piece you jumped goes on a cell of its own"
        if place >= pawns and cell not in MIDDLE:
            return "the neutral pawn goes on an empty cell of the three middle rows"
    if len(put) < pawns + neutral:
        signs = "".join([*EXAMPLES[:pawns], *["*b3"] * neutral])
        can_go_on = _can_be_played(position, flight, put)
        return f"say where each piece you jumped is put down, as in {signs}" if can_go_on else NO_HIDING
    move = Move(flight.origin, flight.landing, tuple(sorted(put[:pawns])), put[pawns] if neutral else None)
    return NO_HIDING if is_shut_in(after(position, move).cells, position.to_move) else ""

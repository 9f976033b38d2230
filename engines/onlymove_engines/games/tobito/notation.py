"""Positions and moves as text, and reasons why a choice is not allowed.

A position such as `TTT/.../.../.../BBB T` lists the rows from the top, and then the side to move. A move such as
`b1b5+a2*b3` is the pawn and its landing cell, then `+` and the cell of each jumped opposing pawn, in ascending order,
and `*` and the cell of the neutral pawn.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

from onlymove_engines.core.errors import BadNotation, BadPosition, Unreachable
from onlymove_engines.core.game import SetUp
from onlymove_engines.core.rules import MovePath, Target, require_legal
from onlymove_engines.core.value import Seat, other

from .rules import (
    BETWEEN,
    CELLS,
    COLUMNS,
    EMPTY,
    GOAL,
    LINES,
    MIDDLE,
    NEUTRAL,
    NO_HIDING,
    PAWN,
    RULES,
    SIDES,
    TOP,
    Cell,
    Flight,
    Move,
    Position,
    Variant,
    apply_move,
    is_hiding,
    list_flights,
    list_placements,
)

NAMES = tuple("abc"[cell % COLUMNS] + str(cell // COLUMNS + 1) for cell in CELLS)
"""The names of the cells, `a1` to `c5`."""
CELL_NAMED = {text: cell for cell, text in enumerate(NAMES)}
_POSITION = re.compile(r"([TBN.]{3})/([TBN.]{3})/([TBN.]{3})/([TBN.]{3})/([TBN.]{3}) ([TB])")
_MOVE = re.compile(r"([a-c][1-5])([a-c][1-5])((?:\+[a-c][1-5])*)(?:\*([a-c][1-5]))?")
_PAWNS = 3

MISCOUNTED = "write +a2 for each pawn you jump, and *b3 for the neutral pawn"
EXAMPLES = ("+a2", "+b2", "+c2")


def to_text(move: Move) -> str:
    """Write the move. The text is the same in every position."""
    pawns = "".join("+" + NAMES[cell] for cell in move.pawns)
    neutral = "" if move.neutral is None else "*" + NAMES[move.neutral]
    return NAMES[move.origin] + NAMES[move.landing] + pawns + neutral


@dataclass(frozen=True, slots=True)
class TobitoNotation:
    variant: Variant

    def format_position(self, position: Position) -> str:
        c = position.cells
        return f"{c[12:]}/{c[9:12]}/{c[6:9]}/{c[3:6]}/{c[:3]} {PAWN[position.to_move]}"

    def parse_position(self, text: str) -> Position:
        """Read a position. Raises BadNotation if the form is wrong, and BadPosition if the pieces are.

        A neutral pawn in an outer row is refused, because no move puts it there and no rule covers it.
        """
        match = _POSITION.fullmatch(text.strip())
        if match is None:
            example = self.format_position(self.variant.start_for(0))
            raise BadNotation(f"expected five rows of three cells and the side to move, such as '{example}'")
        cells = match[5] + match[4] + match[3] + match[2] + match[1]
        wanted = {PAWN[seat]: (_PAWNS, f"pawns of {side}") for seat, side in enumerate(SIDES)}
        wanted[NEUTRAL] = self.variant.neutrals, "neutral pawn" if self.variant.neutrals else "neutral pawns"
        for piece, (number, what) in wanted.items():
            if cells.count(piece) != number:
                raise BadPosition(f"there must be {number} {what} on the board, not {cells.count(piece)}")
        if self.variant.neutrals and cells.index(NEUTRAL) not in MIDDLE:
            raise Unreachable("unreachable: the neutral pawn never leaves the three middle rows")
        return Position(cells, PAWN.index(match[6]))

    def format_move(self, position: Position, move: Move) -> str:
        return to_text(move)

    def parse_move(self, position: Position, text: str) -> Move:
        """Return the legal move written as `text`. Pawns of one colour may be in any order. Raises BadNotation,
        IllegalMove or GameOver."""
        match = _MOVE.fullmatch(text.strip())
        if match is None:
            raise BadNotation("a move is two cells, 'b1b2', then '+a2' for each piece jumped")
        pawns = tuple(sorted(CELL_NAMED[cell] for cell in match[3].split("+")[1:]))
        neutral = None if match[4] is None else CELL_NAMED[match[4]]
        move = Move(CELL_NAMED[match[1]], CELL_NAMED[match[2]], pawns, neutral)
        path = _list_targets(move, move.pawns)
        return require_legal(
            RULES, position, move, lambda: forbidden_by(position, position.to_move, path) or MISCOUNTED
        )

    def paths(self, position: Position, move: Move) -> Sequence[MovePath]:
        """Return every order of targets: the pawn, the landing cell, a cell for each jumped opposing pawn in any order,
        and then the neutral pawn's cell."""
        return [_list_targets(move, order) for order in permutations(move.pawns)]


def _list_targets(move: Move, order: Sequence[Cell]) -> MovePath:
    """Return the targets of a move that puts its jumped pawns down in this order."""
    neutral = () if move.neutral is None else (move.neutral,)
    return tuple(NAMES[cell] for cell in (move.origin, move.landing, *order, *neutral))


def describe_position(position: Position) -> list[str]:
    """Describe where each side's pawns are.

    >>> from .rules import TOBITO, TOP
    >>> describe_position(TOBITO.start_for(TOP))
    ['Top: a5 b5 c5.', 'Bottom: a1 b1 c1.']
    """
    owners = [*zip(SIDES, PAWN, strict=True), ("Neutral", NEUTRAL)]
    found = {who: [NAMES[cell] for cell in CELLS if position.cells[cell] == piece] for who, piece in owners}
    return [f"{who}: {' '.join(cells)}." for who, cells in found.items() if cells]


def put_piece(draft: Position, target: Target, piece: str) -> Position:
    cell = CELL_NAMED[target]
    return draft._replace(cells=draft.cells[:cell] + piece + draft.cells[cell + 1 :])


def set_up_of(variant: Variant) -> SetUp[Position]:
    pieces = {pawn: f"a pawn of {side}" for pawn, side in zip(PAWN, SIDES, strict=True)}
    neutral = {NEUTRAL: "the neutral pawn"} if variant.neutrals else {}
    return SetUp(
        pieces={**pieces, **neutral, EMPTY: "nothing"},
        put=put_piece,
        there=lambda draft, target: draft.cells[CELL_NAMED[target]],
        empty=Position(EMPTY * len(CELLS), TOP),
        turned=lambda draft: draft._replace(to_move=other(draft.to_move)),
    )


def forbidden_by(position: Position, seat: Seat, path: Sequence[Target]) -> str:
    origin, *rest = (CELL_NAMED[target] for target in path)
    piece = position.cells[origin]
    if piece == EMPTY:
        return f"{NAMES[origin]} is empty: move one of your pawns"
    if piece == NEUTRAL:
        return "you cannot move the neutral pawn, but you may jump it"
    if piece != PAWN[seat]:
        return f"the pawn on {NAMES[origin]} belongs to {SIDES[other(seat)]}: move one of your pawns"
    if origin in GOAL[seat]:
        return "a pawn in its goal row is safe: it cannot move"
    flights = {flight.landing: flight for flight in list_flights(position) if flight.origin == origin}
    if not any(_can_be_played(position, flight) for flight in flights.values()):
        return NO_HIDING
    if not rest:
        return "say where the pawn lands, as in b1b2"
    landing, *put = rest
    if landing not in flights:
        return _forbid_landing(position, origin, landing)
    if not _can_be_played(position, flights[landing]):
        return NO_HIDING
    return _forbid_placement(position, flights[landing], put)


def describe_pick(position: Position, path: Sequence[Target]) -> str:
    """Ask for the neutral pawn's cell if that comes after `path`. Otherwise return an empty text."""
    cells = [CELL_NAMED[target] for target in path]
    if len(cells) < 2:
        return ""
    jumped = [position.cells[cell] for cell in BETWEEN[cells[0], cells[1]]]
    pawns_put = len(cells) - 2
    is_neutral_next = NEUTRAL in jumped and pawns_put == jumped.count(PAWN[other(position.to_move)])
    return "Choose where you put the neutral pawn" if is_neutral_next else ""


def _can_be_played(position: Position, flight: Flight, put: Sequence[Cell] = ()) -> bool:
    """Whether some legal move makes this flight and puts jumped pawns on these cells, and perhaps more on others."""
    moves = (move for move in list_placements(position, flight) if set(put) <= set(move.pawns))
    return any(not is_hiding(apply_move(position, move).cells, position.to_move) for move in moves)


def _forbid_landing(position: Position, origin: Cell, landing: Cell) -> str:
    """Say why no pawn can move from `origin` to `landing`."""
    opponent = other(position.to_move)
    line = next((line for line in LINES[origin] if landing in line), None)
    if line is None:
        return "a pawn moves in a straight line, in any of the eight directions"
    for cell in line[: line.index(landing)]:
        if position.cells[cell] == EMPTY:
            return f"a pawn lands on the first empty cell in its direction, here {NAMES[cell]}"
        if position.cells[cell] == PAWN[opponent] and cell in GOAL[opponent]:
            return "a pawn in its goal row cannot be jumped: it blocks the way"
    return f"{NAMES[landing]} is not empty: a pawn lands on the first empty cell in its direction"


def _forbid_placement(position: Position, flight: Flight, put: Sequence[Cell]) -> str:
    """Say why the pieces that `flight` jumps cannot be put on these cells, or what is missing."""
    jumped = [position.cells[cell] for cell in flight.jumped]
    pawns, neutral = jumped.count(PAWN[other(position.to_move)]), jumped.count(NEUTRAL)
    for place, cell in enumerate(put):
        if place >= pawns + neutral:
            return f"you have nothing more to put down: this move jumps {pawns} opposing pawn{'s' * (pawns != 1)}"
        if cell == flight.landing:
            return "put the jumped piece on another cell, not where you land"
        if position.cells[cell] != EMPTY:
            return "put the jumped piece on a cell that was empty before the move"
        if cell in put[:place]:
            return f"{NAMES[cell]} is taken: put each piece you jumped on a different cell"
        if place >= pawns and cell not in MIDDLE:
            return "the neutral pawn goes on an empty cell of the three middle rows"
    if len(put) < pawns + neutral:
        signs = "".join([*EXAMPLES[:pawns], *["*b3"] * neutral])
        can_go_on = _can_be_played(position, flight, put)
        return f"say where each piece you jumped goes, as in {signs}" if can_go_on else NO_HIDING
    move = Move(flight.origin, flight.landing, tuple(sorted(put[:pawns])), put[pawns] if neutral else None)
    return NO_HIDING if is_hiding(apply_move(position, move).cells, position.to_move) else ""

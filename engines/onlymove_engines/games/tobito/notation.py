"""Positions and moves as text, and the paths of targets that enter a move.

`TTT/.../.../.../BBB T` is a position: rows from the top, then the side to move. `b1b5+a2*b3` is a move: pawn,
landing cell, `+` the cell of each jumped opposing pawn in ascending order of cells, `*` that of the neutral one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

from onlymove_engines.core.errors import BadNotation, BadPosition, GameOver, IllegalMove, Unreachable
from onlymove_engines.core.rules import MovePath

from .reasons import forbidden_by
from .rules import CELLS, MIDDLE, NEUTRAL, PAWN, RULES, SIDES, Cell, Move, Position, Variant, name, why_illegal

NAMES = tuple(name(cell) for cell in CELLS)
_CELL = {text: cell for cell, text in enumerate(NAMES)}
_POSITION = re.compile(r"([TBN.]{3})/([TBN.]{3})/([TBN.]{3})/([TBN.]{3})/([TBN.]{3}) ([TB])")
_MOVE = re.compile(r"([a-c][1-5])([a-c][1-5])((?:\+[a-c][1-5])*)(?:\*([a-c][1-5]))?")
_PAWNS = 3


def spell(move: Move) -> str:
    """The move as text; it reads the same from every position."""
    pawns = "".join("+" + NAMES[cell] for cell in move.pawns)
    neutral = "" if move.neutral is None else "*" + NAMES[move.neutral]
    return NAMES[move.origin] + NAMES[move.landing] + pawns + neutral


@dataclass(frozen=True, slots=True)
class TobitoNotation:
    """The notation of one variant: the neutral pawn is asked for in Haneto and refused in Tobito."""

    variant: Variant

    def format_position(self, position: Position) -> str:
        """Rows from the top, then the side to move."""
        c = position.cells
        return f"{c[12:]}/{c[9:12]}/{c[6:9]}/{c[3:6]}/{c[:3]} {PAWN[position.to_move]}"

    def parse_position(self, text: str) -> Position:
        """Raises BadNotation when the shape is wrong, BadPosition when the pieces are.

        A neutral pawn in an outer row is refused here: no move puts it there, and no rule says what follows.
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
        """One token, such as `b1b5+a2*b3`."""
        return spell(move)

    def parse_move(self, position: Position, text: str) -> Move:
        """The legal move spelled `text`; pawns of one colour may be named in any order."""
        match = _MOVE.fullmatch(text.strip())
        if match is None:
            raise BadNotation("a move is a pawn and where it lands, 'b1b2', then '+a2' for each piece jumped")
        pawns = tuple(sorted(_CELL[cell] for cell in match[3].split("+")[1:]))
        move = Move(_CELL[match[1]], _CELL[match[2]], pawns, None if match[4] is None else _CELL[match[4]])
        if RULES.result(position) is not None:
            raise GameOver("the game is over: three pawns stand in their goal row")
        if (objection := why_illegal(position, move)) is not None:
            raise IllegalMove(forbidden_by(position, position.to_move, _path(move, move.pawns)) or objection)
        return move

    def paths(self, position: Position, move: Move) -> Sequence[MovePath]:
        """Pawn, landing cell, a cell for each jumped opposing pawn in any order, then the neutral pawn's."""
        return [_path(move, order) for order in permutations(move.pawns)]


def _path(move: Move, order: Sequence[Cell]) -> MovePath:
    """The targets of a move, with its pawns put down in this order."""
    put = (*order,) if move.neutral is None else (*order, move.neutral)
    return tuple(NAMES[cell] for cell in (move.origin, move.landing, *put))


def cell_named(target: str) -> Cell:
    """The cell a target stands for."""
    return _CELL[target]

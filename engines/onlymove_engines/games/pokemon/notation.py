"""Positions and moves as text: `xxx/xcB/xxx 222112 1` and `a@00`, also the seed's `(a:0, 0)`.

Knows what a position may look like, not whether a game can lead to it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product

from onlymove_engines.core.errors import BadNotation, BadPosition, GameOver, IllegalMove
from onlymove_engines.core.rules import MovePath
from onlymove_engines.core.value import Seat

from .reasons import forbidden_by
from .rules import EACH, KINDS, RULES, TEAM_OF, Placement, Position, full_lines
from .targets import CELL_NAMES, CELLS, size_target

_BOARD = re.compile(r"[xabcABC]{3}/[xabcABC]{3}/[xabcABC]{3}")
_PLAIN_MOVE = re.compile(r"([abcABC])@([0-2][0-2])")
_NAMED_MOVE = re.compile(r"([abcABC])@([ABCabc][1-3])")
_SEED_MOVE = re.compile(r"\(\s*([abcABC])\s*:\s*([0-2])\s*,\s*([0-2])\s*\)")
_HANDS = {"".join(map(str, hands)): hands for hands in product(range(EACH + 1), repeat=len(KINDS))}
_HAND_TEXTS = {hands: text for text, hands in _HANDS.items()}
_SEATS: dict[str, Seat] = {"1": 0, "2": 1}


class PokemonNotation:
    """Text for positions and moves, and the two targets of a move: a size in the hand, a cell."""

    def format_position(self, position: Position) -> str:
        """Rows top to bottom, pieces left as `aAbBcC`, the side to move."""
        cells = position.cells
        return f"{cells[:3]}/{cells[3:6]}/{cells[6:]} {_HAND_TEXTS[position.hands]} {position.seat + 1}"

    def parse_position(self, text: str) -> Position:
        """The position spelled `text`. Raises BadNotation or BadPosition."""
        fields = text.split()
        if len(fields) != 3:
            raise BadNotation(f"a position has three parts, as in 'xxx/xcB/xxx 222112 1': '{text}'")
        board, hands_text, seat_text = fields
        if not _BOARD.fullmatch(board):
            raise BadNotation(f"the board is three rows of x, a, b, c, A, B, C, as in 'xxx/xcB/xxx': '{board}'")
        hands = _HANDS.get(hands_text)
        if hands is None:
            raise BadNotation(f"the pieces left are six digits 0-2 in the order {KINDS}: '{hands_text}'")
        seat = _SEATS.get(seat_text)
        if seat is None:
            raise BadNotation(f"the side to move is 1 or 2: '{seat_text}'")
        position = Position(board[:3] + board[4:7] + board[8:], hands, seat)
        _check(position)
        return position

    def format_move(self, position: Position, move: Placement) -> str:
        """`a@00`: the piece, then row and column from the top left."""
        return f"{move.piece}{CELLS[move.cell]}"

    def parse_move(self, position: Position, text: str) -> Placement:
        """The legal move spelled `a@00`, `(a:0, 0)` or `a@A1`. Raises BadNotation, IllegalMove or GameOver."""
        move = _read(text.strip())
        try:
            RULES.play(position, move)
        except GameOver:
            raise
        except IllegalMove as refusal:
            raise IllegalMove(_forbidden_by(position, move) or str(refusal)) from refusal
        return move

    def paths(self, position: Position, move: Placement) -> Sequence[MovePath]:
        """One way to enter a move: the piece, then the cell."""
        return ((size_target(move.piece), CELLS[move.cell]),)


def _forbidden_by(position: Position, move: Placement) -> str:
    """The rule that forbids a placement that was typed: pieces are named there, not only their sizes."""
    if TEAM_OF[move.piece] != position.seat:
        return f"{move.piece} is your opponent's: take a piece from your hand"
    return forbidden_by(position, position.seat, (size_target(move.piece), CELLS[move.cell]))


def say_move(_position: Position, move: Placement) -> str:
    """The move as the board's edges name it, `a@A1`."""
    return f"{move.piece}@{CELL_NAMES[move.cell]}"


def seed_move(move: Placement) -> str:
    """The move in the seed's spelling, `(a:0, 0)`."""
    row, column = divmod(move.cell, 3)
    return f"({move.piece}:{row}, {column})"


def _read(text: str) -> Placement:
    """The placement spelled `text`, legal or not."""
    if named := _NAMED_MOVE.fullmatch(text):
        piece, cell_name = named.groups()
        return Placement(piece, CELL_NAMES.index(cell_name.upper()))
    found = _PLAIN_MOVE.fullmatch(text) or _SEED_MOVE.fullmatch(text)
    if found is None:
        raise BadNotation(f"a move is a piece and a cell, as in 'a@A1' or 'a@00': '{text}'")
    piece, *cell = found.groups()
    row, column = map(int, "".join(cell))
    return Placement(piece, 3 * row + column)


def _check(position: Position) -> None:
    """Raise BadPosition if the counts, the turn or a finished line cannot be."""
    cells, hands, seat = position
    for kind, left in zip(KINDS, hands, strict=True):
        if cells.count(kind) + left > EACH:
            there = f"{cells.count(kind)} on the board and {left} left"
            raise BadPosition(f"more than {EACH} of the {size_target(kind)} {kind}: {there}")
    turns_ahead = sum(hands[1::2]) - sum(hands[::2])
    if turns_ahead != seat:
        raise BadPosition(f"player {seat + 1} cannot be to move with these pieces left")
    winners = {TEAM_OF[cells[line[0]]] for line in full_lines(cells)}
    if seat in winners:
        raise BadPosition("the side to move cannot have three in a row already")


NOTATION = PokemonNotation()

"""Positions and moves of Orbito as text, and reasons why a choice is not allowed. `W..B/..../..../.... W` is a
position, and `b3` and `c2d2b3` are moves."""

from __future__ import annotations

import re
from collections.abc import Sequence

from onlymove_engines.core.errors import BadNotation, BadPosition
from onlymove_engines.core.game import SetUp
from onlymove_engines.core.rules import MovePath, Target, require_legal
from onlymove_engines.core.value import Seat

from .rules import BIT, NEIGHBOURS, READING_ORDER, RULES, START, CellSet, Move, Position, settle

SPELLED_CELLS = tuple(file + row for row in "4321" for file in "abcd")
"""The cells in the order in which a position is written: rows from the top, columns from the left."""

POSITION = re.compile(r"([.WB]{4})/([.WB]{4})/([.WB]{4})/([.WB]{4}) ([WB])")
MOVE = re.compile(r"([a-d][1-4])(?:([a-d][1-4])([a-d][1-4]))?")
SPELLED_BITS = tuple(BIT[cell] for cell in SPELLED_CELLS)
CORNERS = ("a1", "a4", "d1", "d4")


class OrbitoNotation:
    def format_position(self, position: Position) -> str:
        white, black = position
        spelled = "".join(["W" if white & bit else "B" if black & bit else "." for bit in SPELLED_BITS])
        side = "WB"[RULES.to_move(position)]
        return f"{spelled[:4]}/{spelled[4:8]}/{spelled[8:12]}/{spelled[12:]} {side}"

    def parse_position(self, text: str) -> Position:
        found = POSITION.fullmatch(text.strip())
        if found is None:
            raise BadNotation(f"not an Orbito position: '{text}'; write it like W..B/..../..../.... W")
        board = found[1] + found[2] + found[3] + found[4]
        whites, blacks = board.count("W"), board.count("B")
        if whites - blacks not in {0, 1}:
            raise BadPosition(
                f"White has {whites} and Black {blacks} marbles: White must have as many as Black or one more"
            )
        if found[5] != "WB"[whites - blacks]:
            raise BadPosition(f"with {whites} white and {blacks} black marbles it must be the other side's turn")
        cells = [*zip(SPELLED_BITS, board, strict=True)]
        return Position(*(sum(bit for bit, glyph in cells if glyph == side) for side in "WB"))

    def format_move(self, position: Position, move: Move) -> str:
        return "".join(move)

    def parse_move(self, position: Position, text: str) -> Move:
        found = MOVE.fullmatch(text.strip())
        if found is None:
            raise BadNotation(f"not an Orbito move: '{text}'; write b3, or c2d2b3 to move c2 to d2 first")
        move = tuple(cell for cell in found.groups() if cell is not None)
        return require_legal(RULES, position, move, lambda: forbidden_by(position, RULES.to_move(position), move))

    def paths(self, position: Position, move: Move) -> tuple[MovePath]:
        return (move,)


NOTATION = OrbitoNotation()


SIDES = ("White", "Black")


def describe_position(position: Position) -> list[str]:
    """Describe where each side's marbles are now and after the next shift. When the game is over, describe where they
    end up.

    >>> from .notation import NOTATION
    >>> describe_position(NOTATION.parse_position("WB../..../..../.... W"))
    ['White: a4; after the next shift a3.', 'Black: b4; after the next shift a4.']
    """
    if RULES.result(position) is not None:
        final, extra = settle(position)
        after = f", after {extra} extra shift{'s' * (extra > 1)}" if extra else ""
        return [f"{side}: {list_cells(marbles)}{after}." for side, marbles in zip(SIDES, final, strict=True)]
    return [
        f"{side}: {list_cells(now)}; after the next shift {list_cells(coming)}." if now else f"{side}: none."
        for side, now, coming in zip(SIDES, position, position.shift(), strict=True)
    ]


def list_cells(marbles: CellSet) -> str:
    return " ".join(cell for cell in READING_ORDER if marbles & BIT[cell])


WHITE, BLACK, EMPTY = "W", "B", "."


def put_piece(draft: Position, target: Target, piece: str) -> Position:
    bit = BIT[target]
    return Position(draft.white & ~bit | bit * (piece == WHITE), draft.black & ~bit | bit * (piece == BLACK))


def piece_on(draft: Position, target: Target) -> str:
    bit = BIT[target]
    return WHITE if draft.white & bit else BLACK if draft.black & bit else EMPTY


SET_UP: SetUp[Position] = SetUp(
    {WHITE: "a white marble", BLACK: "a black marble", EMPTY: "nothing"}, put_piece, piece_on, START
)


BESIDE = "up, down, left or right"


def forbidden_by(position: Position, seat: Seat, path: Sequence[Target]) -> str:
    if any(cell not in BIT for cell in path):
        return "a cell is a column letter and a row number, a1 to d4"
    first, *rest = path
    if position[seat] & BIT[first]:
        return "you cannot move your own marbles: place one, or first move your opponent's"
    if not position.occupied & BIT[first]:
        return f"{first} has no marble of your opponent on it" if rest else ""
    if all(position.occupied & BIT[near] for near in NEIGHBOURS[first]):
        return f"{first} has no free cell next to it ({BESIDE})"
    if not rest:
        return f"{first} is not free: to move its marble, say where it goes and where yours goes"
    destination, *place = rest
    if destination not in NEIGHBOURS[first]:
        return f"move this marble to a free cell next to it ({BESIDE})"
    if position.occupied & BIT[destination]:
        return f"{destination} is not a free cell"
    if not place:
        return "now place one marble of your own on a free cell"
    if place == [destination]:
        return f"{destination} is not free: the marble you moved is there now"
    return f"{place[0]} is not a free cell" if place != [first] and position.occupied & BIT[place[0]] else ""

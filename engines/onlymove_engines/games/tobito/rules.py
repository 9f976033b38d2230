"""The rules of Tobito and Haneto, by Yamamoto Mitsuo: positions, legal moves, play and result. Haneto has the same
rules, with a neutral pawn on the board.

Sources: the rules page of the game's inventor, and the program that this project began with.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple, TypeAlias

from onlymove_engines.core.errors import GameOver, IllegalMove
from onlymove_engines.core.rules import Result
from onlymove_engines.core.value import Seat, other

Cell: TypeAlias = int

#     a  b  c
# 5  12 13 14   home of Top, goal of Bottom
# 4   9 10 11
# 3   6  7  8
# 2   3  4  5
# 1   0  1  2   home of Bottom, goal of Top
COLUMNS, ROWS = 3, 5
CELLS = range(COLUMNS * ROWS)
MIDDLE = range(COLUMNS, COLUMNS * (ROWS - 1))

TOP: Seat = 0
BOTTOM: Seat = 1
SIDES = ("Top", "Bottom")
HOME: tuple[tuple[Cell, ...], ...] = ((12, 13, 14), (0, 1, 2))
GOAL = (HOME[BOTTOM], HOME[TOP])

EMPTY, NEUTRAL = ".", "N"
PAWN = "TB"
"""The letter of each seat's pawns."""

NO_HIDING = "no hiding: the three cells of your own home row may not all be occupied"


class Position(NamedTuple):
    """`cells` has one letter for each cell, in the order of the picture above. `to_move` is the seat that moves."""

    cells: str
    to_move: Seat


class Move(NamedTuple):
    """A pawn's flight, and where the jumped pieces are put: the opponent's `pawns` in ascending order, and the
    `neutral` pawn."""

    origin: Cell
    landing: Cell
    pawns: tuple[Cell, ...] = ()
    neutral: Cell | None = None


class Flight(NamedTuple):
    """The movement of the mover's own pawn. `jumped` are the cells it jumps over, which are all occupied."""

    origin: Cell
    landing: Cell
    jumped: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Variant:
    """Tobito, or Haneto with its neutral pawn. `start` is the board of the start position."""

    name: str
    start: str

    @property
    def neutrals(self) -> int:
        return self.start.count(NEUTRAL)

    def start_for(self, seat: Seat) -> Position:
        return Position(self.start, seat)


TOBITO = Variant("tobito", "BBB.........TTT")
HANETO = Variant("haneto", "BBB....N....TTT")

DIRECTIONS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
"""The eight directions of flight as (columns, rows), clockwise from up the board."""


def _list_line(cell: Cell, columns: int, rows: int) -> tuple[Cell, ...]:
    """Return the cells from `cell` to the edge, without `cell` itself."""
    row, column = divmod(cell, COLUMNS)
    line = []
    while 0 <= (row := row + rows) < ROWS and 0 <= (column := column + columns) < COLUMNS:
        line.append(row * COLUMNS + column)
    return tuple(line)


LINES = tuple(tuple(_list_line(cell, *direction) for direction in DIRECTIONS) for cell in CELLS)
"""The lines from each cell, by cell and direction."""
BETWEEN = {
    (origin, landing): line[:passed]
    for origin in CELLS
    for line in LINES[origin]
    for passed, landing in enumerate(line)
}
"""The cells passed on the straight line from one cell to another."""


def has_invaded(cells: str, seat: Seat) -> bool:
    return all(cells[cell] == PAWN[seat] for cell in GOAL[seat])


def is_hiding(cells: str, seat: Seat) -> bool:
    """Whether the home row of `seat` is full. No move of `seat` may leave it full."""
    return all(cells[cell] != EMPTY for cell in HOME[seat])


def list_flights(position: Position) -> Iterator[Flight]:
    """List every flight of the side to move, including those that would leave its home row full."""
    cells, seat = position
    for origin in CELLS:
        if cells[origin] == PAWN[seat] and origin not in GOAL[seat]:
            for line in LINES[origin]:
                for passed, cell in enumerate(line):
                    if cells[cell] == EMPTY:
                        yield Flight(origin, cell, line[:passed])
                        break
                    if cells[cell] == PAWN[other(seat)] and cell in GOAL[other(seat)]:
                        break


def list_placements(position: Position, flight: Flight) -> Iterator[Move]:
    """List every way to put down the pieces that `flight` jumps. They go on cells that were empty before it, except the
    landing cell."""
    cells, seat = position
    jumped = [cells[cell] for cell in flight.jumped]
    free = [cell for cell in CELLS if cells[cell] == EMPTY and cell != flight.landing]
    for pawns in combinations(free, jumped.count(PAWN[other(seat)])):
        if NEUTRAL not in jumped:
            yield Move(flight.origin, flight.landing, pawns)
            continue
        for neutral in free:
            if neutral in MIDDLE and neutral not in pawns:
                yield Move(flight.origin, flight.landing, pawns, neutral)


def apply_move(position: Position, move: Move) -> Position:
    """Return the position after `move`. The move must be legal, except that it may fill its own home row."""
    seat = position.to_move
    cells = list(position.cells)
    cells[move.origin] = EMPTY
    for cell in BETWEEN[move.origin, move.landing]:
        if cells[cell] != PAWN[seat]:
            cells[cell] = EMPTY
    cells[move.landing] = PAWN[seat]
    for cell in move.pawns:
        cells[cell] = PAWN[other(seat)]
    if move.neutral is not None:
        cells[move.neutral] = NEUTRAL
    return Position("".join(cells), other(seat))


class TobitoRules:
    def to_move(self, position: Position) -> Seat:
        return position.to_move

    def legal_moves(self, position: Position) -> tuple[Move, ...]:
        """List the legal moves by pawn, direction, and where the jumped pieces go. There are none when the game is
        over."""
        if self.result(position) is not None:
            return ()
        return tuple(
            move
            for flight in list_flights(position)
            for move in list_placements(position, flight)
            if not is_hiding(apply_move(position, move).cells, position.to_move)
        )

    def play(self, position: Position, move: Move) -> Position:
        if self.result(position) is not None:
            raise GameOver("the game is over: three pawns stand in their goal row")
        flight = next((flight for flight in list_flights(position) if flight[:2] == move[:2]), None)
        if flight is None or move not in list_placements(position, flight):
            raise IllegalMove("no pawn can move so, or what it jumps cannot be put down so")
        after = apply_move(position, move)
        if is_hiding(after.cells, position.to_move):
            raise IllegalMove(NO_HIDING)
        return after

    def result(self, position: Position) -> Result | None:
        """Return who has won, or `None`. A side wins as soon as its three pawns are in its goal row. The side that has
        just moved is checked first."""
        for seat in (other(position.to_move), position.to_move):
            if has_invaded(position.cells, seat):
                return Result(seat, reason=f"{SIDES[seat]} has three pawns in the goal row")
        return None


RULES = TobitoRules()

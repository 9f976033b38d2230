"""The law of Tobito and Haneto, by Yamamoto Mitsuo: positions, legal moves, play and result.

Knows nothing of text, numbers or values. Haneto is the same law with one neutral pawn on the board.
Source: the rules page of the game's inventor and the seed program of this project.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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


class Position(NamedTuple):
    """`cells` is one letter a cell, in the order of the picture above; `to_move` is the seat that moves."""

    cells: str
    to_move: Seat


class Move(NamedTuple):
    """A pawn's flight, and where the jumped pieces are put: the opponent's `pawns` in ascending order of cells,
    and the `neutral` pawn."""

    origin: Cell
    landing: Cell
    pawns: tuple[Cell, ...] = ()
    neutral: Cell | None = None


class Flight(NamedTuple):
    """The part of a move that the mover's own pawn makes. `jumped` are the occupied cells on the way."""

    origin: Cell
    landing: Cell
    jumped: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Variant:
    """Tobito, or Haneto with its neutral pawn. `start` is the first position's board."""

    name: str
    start: str

    @property
    def neutrals(self) -> int:
        return self.start.count(NEUTRAL)

    def start_for(self, seat: Seat) -> Position:
        """The start when `seat` begins."""
        return Position(self.start, seat)


TOBITO = Variant("tobito", "BBB.........TTT")
HANETO = Variant("haneto", "BBB....N....TTT")

DIRECTIONS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
"""(columns, rows) of the eight ways to fly, clockwise from up the board."""


def _line(cell: Cell, columns: int, rows: int) -> tuple[Cell, ...]:
    """The cells from `cell` (left out) to the edge."""
    row, column = divmod(cell, COLUMNS)
    line = []
    while 0 <= (row := row + rows) < ROWS and 0 <= (column := column + columns) < COLUMNS:
        line.append(row * COLUMNS + column)
    return tuple(line)


LINES = tuple(tuple(_line(cell, *direction) for direction in DIRECTIONS) for cell in CELLS)


def has_invaded(cells: str, seat: Seat) -> bool:
    return all(cells[cell] == PAWN[seat] for cell in GOAL[seat])


def is_shut_in(cells: str, seat: Seat) -> bool:
    """Whether the home row of `seat` is full: a move that leaves it so is passive, and illegal."""
    return all(cells[cell] != EMPTY for cell in HOME[seat])


def fly(position: Position, origin: Cell, line: Sequence[Cell]) -> Flight | None:
    """The flight from `origin` to the first empty cell of `line`, or `None` when the way is blocked."""
    opponent = other(position.to_move)
    for passed, cell in enumerate(line):
        piece = position.cells[cell]
        if piece == EMPTY:
            return Flight(origin, cell, tuple(line[:passed]))
        if piece == PAWN[opponent] and cell in GOAL[opponent]:
            return None
    return None


def flights(position: Position) -> Iterator[Flight]:
    """Every flight of the side to move, whether or not the move turns out to be passive."""
    seat = position.to_move
    for origin in CELLS:
        if position.cells[origin] == PAWN[seat] and origin not in GOAL[seat]:
            for line in LINES[origin]:
                flight = fly(position, origin, line)
                if flight is not None:
                    yield flight


def placements(position: Position, flight: Flight) -> Iterator[Move]:
    """Every way to put down the pieces that `flight` jumps: on cells empty before it, except the landing cell."""
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


def after(position: Position, move: Move) -> Position:
    """The position after `move`, which must be legal but for passivity."""
    seat = position.to_move
    cells = list(position.cells)
    cells[move.origin] = EMPTY
    for cell in between(move.origin, move.landing):
        if cells[cell] != PAWN[seat]:
            cells[cell] = EMPTY
    cells[move.landing] = PAWN[seat]
    for cell in move.pawns:
        cells[cell] = PAWN[other(seat)]
    if move.neutral is not None:
        cells[move.neutral] = NEUTRAL
    return Position("".join(cells), other(seat))


_BETWEEN = {
    (origin, landing): line[:passed]
    for origin in CELLS
    for line in LINES[origin]
    for passed, landing in enumerate(line)
}


def between(origin: Cell, landing: Cell) -> tuple[Cell, ...]:
    """The cells passed on the straight way from `origin` to `landing`."""
    return _BETWEEN[origin, landing]


class TobitoRules:
    """The law of both variants, as the house asks for it."""

    def to_move(self, position: Position) -> Seat:
        return position.to_move

    def legal_moves(self, position: Position) -> tuple[Move, ...]:
        """By pawn, direction, then where the jumped pieces go; empty when the game is over."""
        if self.result(position) is not None:
            return ()
        return tuple(
            move
            for flight in flights(position)
            for move in placements(position, flight)
            if not is_shut_in(after(position, move).cells, position.to_move)
        )

    def play(self, position: Position, move: Move) -> Position:
        """The position after `move`. Raises GameOver, or IllegalMove with the rule that forbids it."""
        if self.result(position) is not None:
            raise GameOver("the game is over: three pawns stand in their goal row")
        objection = why_illegal(position, move)
        if objection is not None:
            raise IllegalMove(objection)
        return after(position, move)

    def result(self, position: Position) -> Result | None:
        """Invasion wins at once; looks at the side that has just moved first."""
        for seat in (other(position.to_move), position.to_move):
            if has_invaded(position.cells, seat):
                return Result(seat, reason=f"{SIDES[seat]} has three pawns in the goal row")
        return None


def why_illegal(position: Position, move: Move) -> str | None:
    """The rule that forbids `move` in a game that goes on, in words for a player; `None` when it is legal."""
    cells, seat = position
    if cells[move.origin] != PAWN[seat]:
        return f"{name(move.origin)} holds no pawn of {SIDES[seat]}"
    if move.origin in GOAL[seat]:
        return f"the pawn on {name(move.origin)} has reached its goal row and stays there"
    flight = next((f for f in flights(position) if f[:2] == move[:2]), None)
    if flight is None:
        return f"the pawn on {name(move.origin)} cannot fly to {name(move.landing)}"
    if move not in placements(position, flight):
        return _why_misplaced(position, flight, move)
    if is_shut_in(after(position, move).cells, seat):
        return f"passive: the home row of {SIDES[seat]} may not be full after its own move"
    return None


def _why_misplaced(position: Position, flight: Flight, move: Move) -> str:
    """What is wrong with where `move` puts the pieces that `flight` jumps."""
    jumped = [position.cells[cell] for cell in flight.jumped]
    pawns = jumped.count(PAWN[other(position.to_move)])
    if len(move.pawns) != pawns:
        return f"this flight jumps {pawns} opposing pawn{'s' * (pawns != 1)}, but {len(move.pawns)} would be put down"
    if (move.neutral is None) == (NEUTRAL in jumped):
        return f"this flight {'jumps' if NEUTRAL in jumped else 'does not jump'} the neutral pawn"
    if move.neutral is not None and move.neutral not in MIDDLE:
        return "the neutral pawn must stay in the three middle rows"
    return "jumped pieces go to different cells that were empty before the move, not to the landing cell"


def name(cell: Cell) -> str:
    """`a1` to `c5`, the word for a cell in notation and in messages."""
    row, column = divmod(cell, COLUMNS)
    return "abc"[column] + str(row + 1)


RULES = TobitoRules()

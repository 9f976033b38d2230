"""The rules of Orbito: two rings of cells that turn after every move.

A set of cells is an integer with one bit for each cell, numbered along the rings in the direction of the shift:

       a   b   c   d                    a    b    c    d
    4  .   .   .   .                4   0 | 11   10    9
    3  .   .   .   .    numbered    3   1 | 12   15 |  8
    2  .   .   .   .                2   2 | 13   14 |  7
    1  .   .   .   .                1   3    4    5 |  6

A shift rotates bits 0..11 by one, and bits 12..15 by one. Source: the printed rules of Orbito (FlexiQ).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from onlymove_engines.core.errors import GameOver, IllegalMove
from onlymove_engines.core.rules import Result
from onlymove_engines.core.value import Seat

Cell: TypeAlias = str
"""A column letter and a row digit, from `a1` at the bottom left to `d4` at the top right."""

CellSet: TypeAlias = int
"""A set of cells, with bit k for RING_ORDER[k]."""

Move: TypeAlias = tuple[Cell, ...]
"""`(place,)`, or `(origin, destination, place)` if an opposing marble is moved first."""

OUTER = ("a4", "a3", "a2", "a1", "b1", "c1", "d1", "d2", "d3", "d4", "c4", "b4")
INNER = ("b3", "b2", "c2", "c3")
RING_ORDER: tuple[Cell, ...] = OUTER + INNER
READING_ORDER: tuple[Cell, ...] = tuple(sorted(RING_ORDER))
BIT: dict[Cell, CellSet] = {cell: 1 << k for k, cell in enumerate(RING_ORDER)}
FULL: CellSet = (1 << 16) - 1
NEXT: dict[Cell, Cell] = {cell: ring[(k + 1) % len(ring)] for ring in (OUTER, INNER) for k, cell in enumerate(ring)}
"""Where a shift takes the marble on each cell."""
EXTRA_SHIFTS = 5
"""How many extra shifts a full board without a line makes. With the shift of the last move, there are six checks."""


def cell_set(names: Iterable[Cell]) -> CellSet:
    return sum(BIT[name] for name in names)


NEIGHBOURS: dict[Cell, tuple[Cell, ...]] = {
    cell: tuple(
        near for near in READING_ORDER if abs(ord(cell[0]) - ord(near[0])) + abs(int(cell[1]) - int(near[1])) == 1
    )
    for cell in READING_ORDER
}
LINES: tuple[CellSet, ...] = (
    *(cell_set(file + row for row in "1234") for file in "abcd"),
    *(cell_set(file + row for file in "abcd") for row in "1234"),
    cell_set(("a1", "b2", "c3", "d4")),
    cell_set(("a4", "b3", "c2", "d1")),
)


def shift(marbles: CellSet) -> CellSet:
    """Move every marble one step counter-clockwise along its own ring."""
    outer, inner = marbles & 0xFFF, marbles >> 12
    return ((outer << 1 | outer >> 11) & 0xFFF) | ((inner << 1 | inner >> 3) & 0xF) << 12


def has_line(marbles: CellSet) -> bool:
    """Whether four of the marbles fill a row, a column or a main diagonal."""
    return any(marbles & line == line for line in LINES)


class Position(NamedTuple):
    """The board after the shift. If both sides have equally many marbles, White is to move. If White has one more,
    Black is to move."""

    white: CellSet
    black: CellSet

    @property
    def occupied(self) -> CellSet:
        return self.white | self.black

    @property
    def marbles(self) -> int:
        """Return how many marbles are on the board. This is also the number of plies played."""
        return self.occupied.bit_count()

    def shift(self) -> Position:
        return Position(shift(self.white), shift(self.black))


START = Position(0, 0)


def count_extra_shifts(position: Position) -> int:
    """Count the extra shifts that a full board makes until there is a line: 0..5, and 5 if there is never one."""
    for count in range(EXTRA_SHIFTS):
        if has_line(position.white) or has_line(position.black):
            return count
        position = position.shift()
    return EXTRA_SHIFTS


def settle(position: Position) -> tuple[Position, int]:
    """Return the final board, and how many extra shifts a full board made to get there."""
    extra = count_extra_shifts(position) if position.occupied == FULL else 0
    for _ in range(extra):
        position = position.shift()
    return position, extra


def push_marble(position: Position, move: Move) -> Position:
    """Return the position after the first part of `move`, which pushes an opposing marble. Nothing is placed yet."""
    if len(move) == 1:
        return position
    change = BIT[move[0]] ^ BIT[move[1]]
    if position.white & BIT[move[0]]:
        return position._replace(white=position.white ^ change)
    return position._replace(black=position.black ^ change)


def place_marble(position: Position, place: Cell) -> Position:
    """Return the position with one more marble of the side to move on `place`. It has not shifted yet."""
    if position.marbles % 2:
        return position._replace(black=position.black | BIT[place])
    return position._replace(white=position.white | BIT[place])


class OrbitoRules:
    """The rules of a turn: you may push an opposing marble, you place one of yours, and then everything shifts."""

    def to_move(self, position: Position) -> Seat:
        return position.marbles % 2

    def legal_moves(self, position: Position) -> tuple[Move, ...]:
        """List every legal move, in the order of their notation. There are none when the game is over."""
        if self.result(position) is not None:
            return ()
        theirs = position.white if self.to_move(position) else position.black
        empty = [cell for cell in READING_ORDER if not position.occupied & BIT[cell]]
        moves: list[Move] = []
        for cell in READING_ORDER:
            if cell in empty:
                moves.append((cell,))
            elif theirs & BIT[cell]:
                # After the push, this cell is free and the marble's new cell is not.
                free = sorted([*empty, cell])
                targets = [near for near in NEIGHBOURS[cell] if near in empty]
                moves += [(cell, target, place) for target in targets for place in free if place != target]
        return tuple(moves)

    def play(self, position: Position, move: Move) -> Position:
        """Return the position after the push, the placement and the shift. Raises GameOver or IllegalMove."""
        if (result := self.result(position)) is not None:
            raise GameOver(f"the game is over: {result.reason}")
        if len(move) not in {1, 3} or any(cell not in BIT for cell in move):
            raise IllegalMove("a move is a cell, or three cells: from, to, place")
        if len(move) == 3:
            origin, destination, _ = move
            if not position[1 - self.to_move(position)] & BIT[origin]:
                raise IllegalMove(f"{origin} holds no marble of the opponent")
            if destination not in NEIGHBOURS[origin]:
                raise IllegalMove(f"{origin} and {destination} do not share a side")
            if position.occupied & BIT[destination]:
                raise IllegalMove(f"{destination} is not empty")
        pushed = push_marble(position, move)
        if pushed.occupied & BIT[move[-1]]:
            raise IllegalMove(f"{move[-1]} is not empty")
        return place_marble(pushed, move[-1]).shift()

    def result(self, position: Position) -> Result | None:
        """Return how the game ended, or `None`: by a line after the shift, or on a full board after its extra
        shifts."""
        final, extra = settle(position)
        white, black = has_line(final.white), has_line(final.black)
        when = f" after {extra} extra shift{'s' * (extra > 1)}" if extra else ""
        if white and black:
            return Result(None, reason=f"both have four in a row{when}")
        if white or black:
            return Result(0 if white else 1, reason=f"{'White' if white else 'Black'} has four in a row{when}")
        if position.occupied == FULL:
            return Result(None, reason="a full board without a line in six checks")
        return None


RULES = OrbitoRules()

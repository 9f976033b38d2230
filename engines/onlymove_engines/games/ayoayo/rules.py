"""The rules of Ayòayò: sowing in relays, captures of four, feeding, and the final sweep.

Pits are numbered in the direction of sowing, so that a seed always goes from pit p to pit (p + 1) % 12. A cell is a
pit's column, the same for both rows:

    cell        0    1    2    3    4    5
    row 0      11   10    9    8    7    6     player 0's, sown to the left
    row 1       0    1    2    3    4    5     player 1's, sown to the right

Source: the public program chidiwilliams/ayoayo. It does not say what happens if a sowing never ends or a position
repeats. This module decides that.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from onlymove_engines.core.errors import GameOver, IllegalMove
from onlymove_engines.core.rules import Result
from onlymove_engines.core.value import Seat, other

Pit: TypeAlias = int
"""A number from 0 to 11, in the direction of sowing."""

Cell: TypeAlias = int
"""A number from 0 to 5, the column of a pit. A move is the cell that is sown."""

Pits: TypeAlias = tuple[int, ...]
"""The seeds in pits 0..11."""

SEATS = ("First", "Second")
SEEDS = 48
HALF = SEEDS // 2
CAPTURED_AT = 4
CELLS = range(6)

DROP_LIMIT = 200
"""More drops than any sowing that ends. From boards that play can reach, the most is 91, counted over all of them. From
20 million random boards, the most was 126."""


@dataclass(frozen=True, slots=True)
class Position:
    """The seeds in the pits, the seeds captured by player 0 and by player 1, and whose turn it is."""

    pits: Pits
    captured: tuple[int, int]
    to_move: Seat

    def row(self, seat: Seat) -> Pits:
        return tuple(self.pits[pit_of(seat, cell)] for cell in CELLS)


START = Position((4,) * 12, (0, 0), 0)


class Act(enum.Enum):
    """The kinds of steps in a sowing."""

    PICK_UP = "pick up"
    DROP = "drop"
    CAPTURE = "capture"


class Event(NamedTuple):
    """One step of a sowing: the pit, the seeds then in hand and, for a capture, the player who takes the four seeds."""

    act: Act
    pit: Pit
    hand: int
    taker: Seat | None = None


class Sown(NamedTuple):
    """A board after a sowing, and the seeds that player 0 and player 1 captured."""

    pits: Pits
    captured: tuple[int, int]


def pit_of(seat: Seat, cell: Cell) -> Pit:
    return 11 - cell if seat == 0 else cell


def owner(pit: Pit) -> Seat:
    return 0 if pit >= 6 else 1


def cell_of(pit: Pit) -> Cell:
    return 11 - pit if pit >= 6 else pit


def sowing(pits: list[int], mover: Seat, pit: Pit) -> Iterator[Event]:
    """Sow `pit` for `mover`. Change `pits` step by step, and yield each step after it is done.

    A drop that makes four captures them. The mover gets them if its hand is then empty, and otherwise the owner of the
    row does. If the last seed joins other seeds, the mover picks all of them up and goes on.
    Raises IllegalMove if the sowing never ends.
    """
    hand, pits[pit] = pits[pit], 0
    yield Event(Act.PICK_UP, pit, hand)
    for _ in range(DROP_LIMIT):
        pit = (pit + 1) % 12
        pits[pit] += 1
        hand -= 1
        yield Event(Act.DROP, pit, hand)
        if pits[pit] == CAPTURED_AT:
            pits[pit] = 0
            yield Event(Act.CAPTURE, pit, hand, mover if hand == 0 else owner(pit))
        if hand == 0:
            if pits[pit] <= 1:
                return
            hand, pits[pit] = pits[pit], 0
            yield Event(Act.PICK_UP, pit, hand)
    raise IllegalMove("sowing from this pit would never end")


@lru_cache(maxsize=1 << 14)
def sow(pits: Pits, mover: Seat, cell: Cell) -> Sown | None:
    """Return the board after `mover` sows a cell with seeds, or `None` if the sowing never ends."""
    board = list(pits)
    captured = [0, 0]
    try:
        for event in sowing(board, mover, pit_of(mover, cell)):
            if event.taker is not None:
                captured[event.taker] += CAPTURED_AT
    except IllegalMove:
        return None
    return Sown(tuple(board), (captured[0], captured[1]))


def seeds_of(pits: Pits, seat: Seat) -> int:
    return sum(pits[6:]) if seat == 0 else sum(pits[:6])


@lru_cache(maxsize=1 << 14)
def permitted(pits: Pits, mover: Seat) -> tuple[Cell, ...]:
    """Return the cells that `mover` may sow, in ascending order, whatever has been captured.

    A cell may be sown if it is not empty and its sowing ends. If the opponent has no seeds, the sowing must also give
    them some.
    """
    cells = []
    for cell in CELLS:
        sown = sow(pits, mover, cell) if pits[pit_of(mover, cell)] else None
        if sown is not None and (seeds_of(pits, other(mover)) or seeds_of(sown.pits, other(mover))):
            cells.append(cell)
    return tuple(cells)


def swept(pits: Pits, seat: Seat) -> Sown:
    """Return the board after `seat` takes all seeds of its own row."""
    seeds = seeds_of(pits, seat)
    board = tuple(0 if owner(pit) == seat else count for pit, count in enumerate(pits))
    return Sown(board, (seeds, 0) if seat == 0 else (0, seeds))


def has_majority(position: Position) -> bool:
    return max(position.captured) > HALF


def to_move(position: Position) -> Seat:
    return position.to_move


def legal_moves(position: Position) -> tuple[Cell, ...]:
    return () if has_majority(position) else permitted(position.pits, position.to_move)


def play(position: Position, move: Cell) -> Position:
    """Return the position after sowing `move`. If the other player then has no legal move, it sweeps its own row."""
    moves = legal_moves(position)
    if not moves:
        raise GameOver("the game is over")
    if move not in moves:
        raise IllegalMove(why_not(position, move))
    sown = sow(position.pits, position.to_move, move)
    assert sown is not None
    after = taken(Position(sown.pits, position.captured, other(position.to_move)), sown)
    if permitted(after.pits, after.to_move):
        return after
    return taken(after, swept(after.pits, after.to_move))


def taken(position: Position, sown: Sown) -> Position:
    captured = (position.captured[0] + sown.captured[0], position.captured[1] + sown.captured[1])
    return Position(sown.pits, captured, position.to_move)


def why_not(position: Position, move: Cell) -> str:
    if move not in CELLS:
        return "there are pits 1 to 6"
    if not position.pits[pit_of(position.to_move, move)]:
        return f"pit {move + 1} is empty"
    if sow(position.pits, position.to_move, move) is None:
        return f"sowing pit {move + 1} would never end"
    return f"pit {move + 1} leaves the other row empty, and another pit feeds it"


def result(position: Position) -> Result | None:
    """Return how the game ended, or `None`: by a majority, or because no move is left. In the latter case the final
    sweep counts, even if it has not been made yet."""
    if has_majority(position):
        return decided(position.captured, "more than half of the seeds")
    if permitted(position.pits, position.to_move):
        return None
    final = taken(position, swept(position.pits, position.to_move))
    return decided(final.captured, "no move is left")


def decided(captured: tuple[int, int], reason: str) -> Result:
    """Return the result for these captures. The player who captured more seeds wins."""
    first, second = captured
    winner = None if first == second else 0 if first > second else 1
    return Result(winner, captured, reason)


def repeated(position: Position) -> Result:
    """Return the result of a game in which `position` came back. Both sides keep what they have captured. Nothing was
    captured in between, because captures only grow."""
    return decided(position.captured, "the position came back")


@dataclass(frozen=True, slots=True)
class Preview:
    """A summary of a sowing: the number of drops and relays, the pit of the last seed, and each capture as (pit,
    taker)."""

    drops: int
    relays: int
    last: Pit
    captures: tuple[tuple[Pit, Seat], ...]

    def captured(self, seat: Seat) -> int:
        """Return how many seeds the sowing captures for one player, without the final sweep."""
        return CAPTURED_AT * sum(taker == seat for _, taker in self.captures)


def events(position: Position, move: Cell) -> tuple[Event, ...]:
    pits = list(position.pits)
    return tuple(sowing(pits, position.to_move, pit_of(position.to_move, move)))


def preview(position: Position, move: Cell) -> Preview:
    steps = events(position, move)
    return Preview(
        drops=sum(step.act is Act.DROP for step in steps),
        relays=sum(step.act is Act.PICK_UP for step in steps) - 1,
        last=next(step.pit for step in reversed(steps) if step.act is Act.DROP),
        captures=tuple((step.pit, step.taker) for step in steps if step.taker is not None),
    )

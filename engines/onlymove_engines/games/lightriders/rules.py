"""The rules of Light Riders (the riddles.io competition): two riders choose directions in secret and then move at once.

The rules are the field, the riders, and how a round ends. Directions of travel are not part of a position. The screen
takes them from the history. Source: the competition's engine, as described in docs/engines/lightriders.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from onlymove_engines.core.errors import GameOver, IllegalMove
from onlymove_engines.core.rules import Result
from onlymove_engines.core.value import Seat

SMALLEST, MIN_START, LARGEST = 3, 4, 24
"""The fewest columns or rows of a field, the fewest at the start of a game, and the most."""

Cell: TypeAlias = int
"""The number of a cell, row by row from the top left: y * width + x."""

Step: TypeAlias = str
"""One rider's move: `u`, `d`, `l`, `r`, or `x`, the crash of a rider with no empty cell beside it."""

Round: TypeAlias = tuple[Step, Step]
"""The moves of both riders, rider 0's first."""

EMPTY: Final = "."
WALL: Final = "x"
HEADS: Final = "01"
RIDERS: Final = ("Rider 1", "Rider 2")
"""The riders' names for players. Positions and protocols number them 0 and 1."""

CRASH: Final = "x"
STEPS: Final[dict[Step, tuple[int, int]]] = {"u": (0, -1), "d": (0, 1), "l": (-1, 0), "r": (1, 0)}
"""Where each direction leads, as (x, y). x grows to the right and y downwards."""


@dataclass(frozen=True, slots=True)
class Position:
    """A field of `width` x `height` cells, row by row: `.` empty, `x` wall or trail, `0` and `1` the heads. A rider
    that has crashed has no head."""

    width: int
    height: int
    cells: str

    def head(self, seat: Seat) -> Cell | None:
        """Return the cell of the rider's head, or `None` if it has crashed."""
        found = self.cells.find(HEADS[seat])
        return None if found < 0 else found

    def find_neighbour(self, cell: Cell, step: Step) -> Cell | None:
        """Return the cell one step from `cell`, or `None` off the field."""
        dx, dy = STEPS[step]
        y, x = divmod(cell, self.width)
        if 0 <= x + dx < self.width and 0 <= y + dy < self.height:
            return (y + dy) * self.width + x + dx
        return None

    def list_neighbours(self, cell: Cell) -> Mapping[Cell, Step]:
        """Return the cells beside `cell` on the field, each with the step that leads there."""
        return neighbours(self.width, self.height)[cell]


@lru_cache(maxsize=32)
def neighbours(width: int, height: int) -> tuple[Mapping[Cell, Step], ...]:
    """List the neighbours of every cell of a field, each with the step that leads to it."""
    field = Position(width, height, "")
    ways = [{field.find_neighbour(cell, step): step for step in STEPS} for cell in range(width * height)]
    return tuple({near: step for near, step in way.items() if near is not None} for way in ways)


def find_landing(position: Position, seat: Seat, step: Step) -> Cell | None:
    """Return the empty cell that the rider's head moves to. Return `None` if the step makes the rider crash by
    itself."""
    head = position.head(seat)
    if head is None or step == CRASH:
        return None
    cell = position.find_neighbour(head, step)
    return cell if cell is not None and position.cells[cell] == EMPTY else None


def pair_steps(seat: Seat, own: Step, theirs: Step) -> Round:
    """Return the round in which the rider of `seat` plays `own`, and the other one `theirs`."""
    return (own, theirs) if seat == 0 else (theirs, own)


def advance(position: Position, steps: Round) -> Position:
    """Play one round. Any step is allowed, even one that crashes.

    Both old heads become walls. A rider crashes off the field, and on any cell that was not empty when the round began,
    including the cell that the other rider has just left. Both crash on a cell that both enter.
    """
    landings = [find_landing(position, seat, steps[seat]) for seat in (0, 1)]
    cells = [WALL if cell in HEADS else cell for cell in position.cells]
    if landings[0] != landings[1]:
        for seat, cell in enumerate(landings):
            if cell is not None:
                cells[cell] = HEADS[seat]
    return Position(position.width, position.height, "".join(cells))


class LightRidersRules:
    """The rules. A move is a pair of steps."""

    def to_move(self, position: Position) -> Seat | None:
        return None

    def moves_of(self, position: Position, seat: Seat) -> Sequence[Step]:
        """Return the directions into empty cells, or the crash if there are none. Empty when the game is over."""
        if self.result(position) is not None:
            return ()
        open_steps = tuple(step for step in STEPS if find_landing(position, seat, step) is not None)
        return open_steps or (CRASH,)

    def legal_moves(self, position: Position) -> Sequence[Round]:
        return tuple((a, b) for a in self.moves_of(position, 0) for b in self.moves_of(position, 1))

    def play(self, position: Position, move: Round) -> Position:
        if self.result(position) is not None:
            raise GameOver("the game is over: a rider has crashed")
        for seat in (0, 1):
            if move[seat] not in self.moves_of(position, seat):
                raise IllegalMove(f"{RIDERS[seat]} cannot play '{move[seat]}' here")
        return advance(position, move)

    def result(self, position: Position) -> Result | None:
        """Return how the game ended, or `None`. A rider that is alone on the field wins. If both have crashed, it is a
        draw."""
        alive = [seat for seat in (0, 1) if position.head(seat) is not None]
        if len(alive) == 2:
            return None
        if not alive:
            return Result(None, reason="both riders crashed")
        return Result(alive[0], reason=f"{RIDERS[1 - alive[0]]} crashed")


RULES: Final = LightRidersRules()

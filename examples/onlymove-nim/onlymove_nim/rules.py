"""The rules of Nim. There are three heaps. Take any number from one of them. The player who takes the last one wins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from onlymove.authoring import GameOver, IllegalMove, Result, Seat, other


@dataclass(frozen=True, slots=True)
class Position:
    """What is left of each heap, and who moves."""

    heaps: tuple[int, ...]
    seat: Seat


@dataclass(frozen=True, slots=True)
class Take:
    """So many from the heap of that number."""

    heap: int
    count: int


START = Position((3, 4, 5), 0)


def to_move(position: Position) -> Seat:
    """Whose turn it is; after the end, whose it would be."""
    return position.seat


def legal_moves(position: Position) -> Sequence[Take]:
    """From the first heap to the last, one to all of it."""
    return [Take(heap, count + 1) for heap, left in enumerate(position.heaps) for count in range(left)]


def play(position: Position, move: Take) -> Position:
    """The position after a move. Raises GameOver or IllegalMove."""
    if result(position) is not None:
        raise GameOver("the game is over: nothing is left")
    if move not in legal_moves(position):
        raise IllegalMove("there are not so many in that heap")
    heaps = (left - move.count * (heap == move.heap) for heap, left in enumerate(position.heaps))
    return Position(tuple(heaps), other(position.seat))


def result(position: Position) -> Result | None:
    """Who took the last one has won."""
    return None if any(position.heaps) else Result(other(position.seat), reason="the last one is taken")

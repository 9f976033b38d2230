"""Moves as numbers and positions as planes, for programs that learn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic

from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.rules import M, P
from onlymove_engines.core.value import Seat


@dataclass(frozen=True)
class Encoding(Generic[P, M]):
    """How a side sees the moves and positions of a game: each move has a number, and a position is planes of numbers.

    moves: for each seat, every move that it can ever make (if both sides move at once, its part of a round). The place
    of a move is its number. If a game turns the board so that both sides see their own pieces in the same way, moves
    that look the same to each side have the same number. channels: what each plane shows, in a word or two. rows,
    columns: the size of a plane. planes: the numbers from 0 to 255 of all planes of a position as `seat` sees it, plane
    by plane and row by row.
    """

    moves: tuple[tuple[M, ...], tuple[M, ...]]
    channels: tuple[str, ...]
    rows: int
    columns: int
    planes: Callable[[P, Seat], bytes]

    @property
    def shape(self) -> tuple[int, int, int]:
        """The numbers of channels, rows and columns."""
        return len(self.channels), self.rows, self.columns

    @property
    def actions(self) -> int:
        """Return how many move numbers there are."""
        return len(self.moves[0])

    @cached_property
    def numbers(self) -> tuple[dict[M, int], dict[M, int]]:
        """Return, for each seat, the number of every move."""
        first, second = ({move: number for number, move in enumerate(moves)} for moves in self.moves)
        return first, second


class NoEncoding(OnlymoveError):
    """The game does not define how its moves are numbered."""


def find_encoding(game: Any) -> Encoding[Any, Any]:
    """Return the encoding of a game, which is made at its first use. Raises NoEncoding."""
    if game.solved.encoding is None:
        raise NoEncoding(f"{game.facts.title} has no encoding, so its moves have no numbers")
    found: Encoding[Any, Any] = game.solved.encoding()
    return found

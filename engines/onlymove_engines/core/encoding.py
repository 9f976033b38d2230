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
    """Numbers for the moves of a game, and planes of numbers for its positions.

    `moves` lists, for each seat, every move that the seat can ever make. The index of a move is its number. If both
    sides move at once, these are one side's moves and not pairs. If a game turns the board so that both sides see their
    own pieces in the same way, moves that look alike have the same number. `channels` names what each plane shows.
    `rows` and `columns` are the size of a plane. `planes` returns all planes of a position as one seat sees it, as
    numbers from 0 to 255, plane by plane and row by row.
    """

    moves: tuple[tuple[M, ...], tuple[M, ...]]
    channels: tuple[str, ...]
    rows: int
    columns: int
    planes: Callable[[P, Seat], bytes]

    @property
    def shape(self) -> tuple[int, int, int]:
        return len(self.channels), self.rows, self.columns

    @property
    def actions(self) -> int:
        return len(self.moves[0])

    @cached_property
    def numbers(self) -> tuple[dict[M, int], dict[M, int]]:
        first, second = ({move: number for number, move in enumerate(moves)} for moves in self.moves)
        return first, second


def mark_letter(letter: str) -> bytes:
    """Return a table for `bytes.translate` that gives 1 for this letter and 0 for everything else."""
    return bytes(code == ord(letter) for code in range(256))


class NoEncoding(OnlymoveError):
    """The game does not define how its moves are numbered."""


def find_encoding(game: Any) -> Encoding[Any, Any]:
    """Return the encoding of a game. Raises NoEncoding."""
    if game.solved.encoding is None:
        raise NoEncoding(f"{game.facts.title} has no encoding, so its moves have no numbers")
    found: Encoding[Any, Any] = game.solved.encoding()
    return found

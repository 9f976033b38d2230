"""The rules of Pokémon Tic-Tac-Toe.

The board is a 3x3 grid. Each team has two small, two medium and two large pieces in hand. A turn places one of them on
an empty cell, or on a strictly smaller piece of either team, which then stays covered. Three visible pieces of one team
in a line win. If a side cannot place anything, the game is a draw.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple, TypeAlias

from onlymove_engines.core.errors import GameOver, IllegalMove
from onlymove_engines.core.rules import Result
from onlymove_engines.core.value import Seat, other

Piece: TypeAlias = str
"""`a` (small), `b` (medium) and `c` (large) are the pieces of Team Squirtle (seat 0), and `A`, `B` and `C` those of
Team Charmander (seat 1)."""

EMPTY = "x"
KINDS = "aAbBcC"
"""The six kinds of pieces, in the order in which positions count the pieces left."""

TEAMS = ("abc", "ABC")
"""The pieces of each seat, from small to large."""

SEATS = ("Squirtle", "Charmander")
"""The names of the teams."""

EACH = 2
"""How many pieces of a kind a team has at the start."""

SIZE = {EMPTY: 0, **{kind: size for team in TEAMS for size, kind in enumerate(team, start=1)}}
PLACE = {kind: place for place, kind in enumerate(KINDS)}
TEAM_OF = {kind: seat for seat, team in enumerate(TEAMS) for kind in team}

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
"""Rows, columns and diagonals. Cells count row by row from the top left:

    0 1 2
    3 4 5
    6 7 8
"""

_TEAM_SIGNS = str.maketrans("xabcABC", ".000111")


class Position(NamedTuple):
    """The visible piece of every cell, the pieces left of every kind in the order of `KINDS`, and who moves next.
    Covered pieces are not included, because they can never matter again."""

    cells: str
    hands: tuple[int, ...]
    seat: Seat


class Placement(NamedTuple):
    piece: Piece
    cell: int


START = Position(EMPTY * 9, (EACH,) * len(KINDS), 0)


@cache
def _full_lines(signs: str) -> tuple[tuple[int, int, int], ...]:
    return tuple(line for line in LINES if signs[line[0]] != "." and len({signs[cell] for cell in line}) == 1)


def full_lines(cells: str) -> tuple[tuple[int, int, int], ...]:
    """Return the lines in which all three visible pieces belong to one team."""
    return _full_lines(cells.translate(_TEAM_SIGNS))


class PokemonRules:
    def to_move(self, position: Position) -> Seat:
        return position.seat

    def legal_moves(self, position: Position) -> Sequence[Placement]:
        """List the moves cell by cell, with the smaller piece first. There are none when the game is over."""
        return () if full_lines(position.cells) else tuple(_placements(position))

    def play(self, position: Position, move: Placement) -> Position:
        self._refuse_illegal(position, move)
        cells = position.cells[: move.cell] + move.piece + position.cells[move.cell + 1 :]
        place = PLACE[move.piece]
        hands = (*position.hands[:place], position.hands[place] - 1, *position.hands[place + 1 :])
        return Position(cells, hands, other(position.seat))

    def result(self, position: Position) -> Result | None:
        """Return the result, or `None`. A full line wins for its team. If a side cannot place anything, the game is
        drawn."""
        lines = full_lines(position.cells)
        if lines:
            return Result(TEAM_OF[position.cells[lines[0][0]]], reason="three in a row")
        if next(_placements(position), None) is None:
            return Result(None, reason="no piece can be placed")
        return None

    def _refuse_illegal(self, position: Position, move: Placement) -> None:
        if self.result(position) is not None:
            raise GameOver("the game is over")
        if TEAM_OF.get(move.piece) != position.seat:
            raise IllegalMove(f"{move.piece} is not a piece of the side to move")
        if not position.hands[PLACE[move.piece]]:
            raise IllegalMove(f"no {move.piece} is left in hand")
        if not 0 <= move.cell < len(position.cells):
            raise IllegalMove(f"there is no cell {move.cell}")
        if SIZE[position.cells[move.cell]] >= SIZE[move.piece]:
            raise IllegalMove(f"{move.piece} does not cover {position.cells[move.cell]}: it must be bigger")


def _placements(position: Position) -> Iterator[Placement]:
    """List every piece in hand on every cell that it fits, even if a side has already won."""
    in_hand = [kind for kind in TEAMS[position.seat] if position.hands[PLACE[kind]]]
    for cell, visible in enumerate(position.cells):
        for kind in in_hand:
            if SIZE[kind] > SIZE[visible]:
                yield Placement(kind, cell)


RULES = PokemonRules()

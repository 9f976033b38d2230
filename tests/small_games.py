"""Games that can be solved in a moment, to test the solver that needs only rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from onlymove_engines.core.errors import BadNotation, GameOver, IllegalMove
from onlymove_engines.core.facts import Facts
from onlymove_engines.core.game import AnyGame, Game, Play, Solved, Symmetry
from onlymove_engines.core.repetition import THREEFOLD, Repetition
from onlymove_engines.core.rules import MovePath, Result

from tests.literal_game import LiteralPainter

LINES = [7, 56, 448, 73, 146, 292, 273, 84]
"""The eight lines, as bits of the nine cells."""
ALL = 511


class TicTacToe:
    """Tic-tac-toe. Positions are integers: nine bits of the first player's marks, and nine of the second's above
    them."""

    def to_move(self, position: int) -> int:
        return position.bit_count() % 2

    def legal_moves(self, position: int) -> Sequence[int]:
        if self.result(position) is not None:
            return ()
        taken = (position | position >> 9) & ALL
        return [cell for cell in range(9) if not taken >> cell & 1]

    def play(self, position: int, move: int) -> int:
        if self.result(position) is not None:
            raise GameOver("the game is over")
        if move not in self.legal_moves(position):
            raise IllegalMove("the cell is taken")
        return position | 1 << move + 9 * self.to_move(position)

    def result(self, position: int) -> Result | None:
        for seat, marks in ((0, position & ALL), (1, position >> 9)):
            if any(marks & line == line for line in LINES):
                return Result(seat)
        return Result(None) if position.bit_count() == 9 else None


class Words:
    """Writes and reads positions with two functions. Moves are letters."""

    def __init__(self, rules: Any, to_text: Callable[[Any], str], read: Callable[[str], Any]) -> None:
        self.rules, self.to_text, self.read = rules, to_text, read

    def format_position(self, position: Any) -> str:
        return self.to_text(position)

    def parse_position(self, text: str) -> Any:
        try:
            return self.read(text)
        except ValueError as error:
            raise BadNotation(f"no position: {text}") from error

    def format_move(self, position: Any, move: Any) -> str:
        return "abcdefghi"[move]

    def parse_move(self, position: Any, text: str) -> Any:
        move = "abcdefghi".index(text)
        self.rules.play(position, move)
        return move

    def paths(self, position: Any, move: Any) -> Sequence[MovePath]:
        return [(self.format_move(position, move),)]


def game_of(
    name: str,
    rules: Any,
    start: Any,
    notation: Words,
    symmetries: tuple[Symmetry[Any, Any], ...] = (),
    repetition: Repetition[Any] | None = None,
) -> AnyGame:
    return Game(
        facts=Facts(id=name, title=name, pitch="small", solved="drawn", max_plies=None if repetition else 9),
        seats=("First", "Second"),
        rules=rules,
        notation=notation,
        painter=LiteralPainter(),
        start=lambda options, seed: start,
        play=Play(repetition=repetition),
        solved=Solved(symmetries=symmetries),
    )


def make_turn(places: Sequence[int]) -> Symmetry[int, int]:
    """Return the symmetry of tic-tac-toe that takes each cell to another place."""

    def image(position: int) -> int:
        return sum(1 << places[cell % 9] + 9 * (cell // 9) for cell in range(18) if position >> cell & 1)

    return Symmetry("turned", image, lambda move: places[move])


QUARTER, MIRROR = make_turn([2, 5, 8, 1, 4, 7, 0, 3, 6]), make_turn([2, 1, 0, 5, 4, 3, 8, 7, 6])


def tic_tac_toe(symmetries: tuple[Symmetry[int, int], ...] = ()) -> AnyGame:
    rules = TicTacToe()
    return game_of("noughts", rules, 0, Words(rules, str, int), symmetries)


@dataclass(frozen=True)
class Pieces:
    """A position of Mu Torere: the piece on each point (`A`, `B` or `.`), and who moves."""

    points: str
    seat: int


CENTRE = 8


class MuTorere:
    """Mu Torere. Each side has four pieces on the eight points of a star, and the centre is empty. A piece moves to the
    empty point beside it, from the centre to any point, or to the centre if an opposing piece is beside it. A side that
    cannot move loses. Source: M. Ascher, "Mu Torere: An Analysis of a Maori Game", Mathematics Magazine 60(2), 1987."""

    def to_move(self, position: Pieces) -> int:
        return position.seat

    def legal_moves(self, position: Pieces) -> Sequence[int]:
        points, own = position.points, "AB"[position.seat]
        empty = points.index(".")
        if empty == CENTRE:
            both = "BA"[position.seat]
            return [p for p in range(8) if points[p] == own and both in (points[(p - 1) % 8], points[(p + 1) % 8])]
        return [p for p in sorted({(empty - 1) % 8, (empty + 1) % 8, CENTRE}) if points[p] == own]

    def play(self, position: Pieces, move: int) -> Pieces:
        if move not in self.legal_moves(position):
            raise IllegalMove("it cannot go there")
        points = list(position.points)
        points[points.index(".")], points[move] = points[move], "."
        return Pieces("".join(points), 1 - position.seat)

    def result(self, position: Pieces) -> Result | None:
        return None if self.legal_moves(position) else Result(1 - position.seat)


def mu_torere() -> AnyGame:
    rules = MuTorere()

    def parse(text: str) -> Pieces:
        points, seat = text.split()
        return Pieces(points, int(seat))

    words = Words(rules, lambda position: f"{position.points} {position.seat}", parse)
    return game_of("torere", rules, Pieces("AAAABBBB.", 0), words, repetition=THREEFOLD)


class CentreAgain(TicTacToe):
    """Tic-tac-toe in which the player who takes the centre moves again."""

    def to_move(self, position: int) -> int:
        return (position.bit_count() - ((position | position >> 9) >> 4 & 1)) % 2


def centre_again(symmetries: tuple[Symmetry[int, int], ...] = ()) -> AnyGame:
    rules = CentreAgain()
    return game_of("again", rules, 0, Words(rules, str, int), symmetries)

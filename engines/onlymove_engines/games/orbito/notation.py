"""Orbito on paper: `W..B/..../..../.... W` for positions, `b3` and `c2d2b3` for moves."""

from __future__ import annotations

import re

from onlymove_engines.core.errors import BadNotation, BadPosition, GameOver, IllegalMove
from onlymove_engines.core.rules import MovePath

from .reasons import forbidden_by
from .rules import BIT, RULES, Move, Position

SPELLED_CELLS = tuple(file + row for row in "4321" for file in "abcd")
"""The cells as a position is written: rows from the top, files from the left."""

POSITION = re.compile(r"([.WB]{4})/([.WB]{4})/([.WB]{4})/([.WB]{4}) ([WB])")
MOVE = re.compile(r"([a-d][1-4])(?:([a-d][1-4])([a-d][1-4]))?")
SPELLED_BITS = tuple(BIT[cell] for cell in SPELLED_CELLS)


class OrbitoNotation:
    """Text for positions and moves, to the letter of the project's page on the game."""

    def format_position(self, position: Position) -> str:
        """Four rows from the top, then the side to move."""
        white, black = position
        spelled = "".join(["W" if white & bit else "B" if black & bit else "." for bit in SPELLED_BITS])
        side = "WB"[RULES.to_move(position)]
        return f"{spelled[:4]}/{spelled[4:8]}/{spelled[8:12]}/{spelled[12:]} {side}"

    def parse_position(self, text: str) -> Position:
        """The position spelled `text`. Raises BadNotation for the shape, BadPosition for the numbers of marbles."""
        found = POSITION.fullmatch(text.strip())
        if found is None:
            raise BadNotation(f"not an Orbito position: '{text}'; write it like W..B/..../..../.... W")
        board = found[1] + found[2] + found[3] + found[4]
        whites, blacks = board.count("W"), board.count("B")
        if whites - blacks not in {0, 1}:
            raise BadPosition(
                f"White has {whites} and Black {blacks} marbles: White must have as many as Black or one more"
            )
        if found[5] != "WB"[whites - blacks]:
            raise BadPosition(f"with {whites} white and {blacks} black marbles it is the other side's move")
        white = black = 0
        for bit, glyph in zip(SPELLED_BITS, board, strict=True):
            if glyph == "W":
                white |= bit
            elif glyph == "B":
                black |= bit
        return Position(white, black)

    def format_move(self, position: Position, move: Move) -> str:
        """The cells one after the other: place, or from, to, place."""
        return "".join(move)

    def parse_move(self, position: Position, text: str) -> Move:
        """The legal move spelled `text`. Raises BadNotation, IllegalMove or GameOver."""
        found = MOVE.fullmatch(text.strip())
        if found is None:
            raise BadNotation(f"not an Orbito move: '{text}'; write b3, or c2d2b3 to move c2 to d2 first")
        move = tuple(cell for cell in found.groups() if cell is not None)
        try:
            RULES.play(position, move)
        except GameOver:
            raise
        except IllegalMove as refusal:
            raise IllegalMove(forbidden_by(position, RULES.to_move(position), move) or str(refusal)) from refusal
        return move

    def paths(self, position: Position, move: Move) -> tuple[MovePath]:
        """One way of entering it: [from, to,] place."""
        return (move,)


NOTATION = OrbitoNotation()

"""What one byte of the table says of a position, for its side to move.

0..11      lost (even) or won (odd) in that many plies
12         finished, drawn
13 + t     drawn, not finished; t in 0..240 is its trap: how likely, in 240ths, the side to move goes wrong in
           the rest of the game while the other side keeps the draw and sets the best traps it can, if a keeping
           move is played KEEPING_WEIGHT times as readily as a losing one (docs/engines/pokemon.md)
"""

from __future__ import annotations

from typing import TypeAlias

from onlymove_engines.core.value import Draw, Loss, Value, Win

Code: TypeAlias = int

DRAWN = 12
OPEN_DRAW = 13
TRAP_SCALE = 240
KEEPING_WEIGHT = 8
"""About e^2, by which an opponent of strength 50 prefers a move that keeps the draw (core.opponent)."""

MOST_MOVES = 27
MOST_PLIES = 12
NO_CODE = 255
"""Stands for a position that is not on record."""


def value_of(code: Code) -> Value:
    """The value for the side to move."""
    if code >= OPEN_DRAW or code == DRAWN:
        return Draw()
    return Win(code) if code % 2 else Loss(code)


def trap_of(code: Code) -> int:
    """The trap, 0..240, of a drawn position that goes on; 0 of any other."""
    return max(0, code - OPEN_DRAW)

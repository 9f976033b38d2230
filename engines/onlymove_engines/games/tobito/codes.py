"""The meaning of a table's bytes.

    bit 7          play from the start can reach the position, whichever side moves first
    bits 0-6   0   number not in use
               1   draw
           2 + r   win (r odd) or loss (r even) in r plies; at the end, the loser is to move
             127   the side to move has already won; no move leads to such a position

Heat is stored as a whole number, the sum of count * (UNIT / distance)^2 over the distances. UNIT is 27720, the least
common multiple of 1, ..., 12. The largest distances are 11 in Tobito and 12 in Haneto.
"""

from __future__ import annotations

import numpy as np

from onlymove_engines.compiled.jit import Array
from onlymove_engines.core.value import Draw, Loss, Value, Win

UNUSED = 0
DRAW = 1
SETTLED = 2
HAS_WON = 127
REACHABLE = 128
VALUE = 127

UNIT = 27720
WHOLE = UNIT * UNIT
"""A heat of 1."""
WON_HEAT = 65 * WHOLE
"""The winner's heat at the end. The loser's is 0. Both are as in the original program."""


def _decode(code: int) -> Value | None:
    """Return the value for a code without its reachable bit."""
    if code in (UNUSED, DRAW):
        return Draw() if code else None
    if code == HAS_WON:
        return Win(0)
    plies = code - SETTLED
    return Win(plies) if plies % 2 else Loss(plies)


VALUES = tuple(_decode(code) for code in range(VALUE + 1))
"""The value for each code, or `None` if it is not known."""


def value_of(code: int) -> Value | None:
    """Return the value for the side to move, or `None` if it is not known."""
    return VALUES[code & VALUE]


def is_reachable(code: int) -> bool:
    """Whether a game can lead to the position, whichever side moves first."""
    return code & REACHABLE > 0


def encode(outcome: Array, remoteness: Array) -> Array:
    """Return codes for outcomes (-1, 0, 1) and remoteness, without the reachable bit. Every number counts as in use."""
    codes = np.where(outcome == 0, DRAW, SETTLED + remoteness)
    return np.where((outcome == 1) & (remoteness == 0), HAS_WON, codes).astype(np.uint8)

"""Sets of cells as masks of 15 bits, and the symmetries of the board; compiled."""

from onlymove_engines.search.jit import kernel

ALL = 0x7FFF
COLUMN_A = 0x1249
NONE = 15
"""No cell."""


@kernel
def overturned(mask):
    """The rows in reverse order."""
    return (mask & 7) << 12 | (mask & 0x38) << 6 | mask & 0x1C0 | (mask & 0xE00) >> 6 | mask >> 12


@kernel
def mirrored(mask):
    """Columns a and c exchanged."""
    return (mask & COLUMN_A) << 2 | mask & (COLUMN_A << 1) | (mask >> 2) & COLUMN_A

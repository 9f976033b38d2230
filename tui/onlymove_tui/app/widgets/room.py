"""How the room on a screen with a board is shared out. Knows sizes only: no game and no widget."""

from __future__ import annotations

from dataclasses import dataclass

BOXES = ((104, 37), (76, 21))
"""Columns that the largest pictures of a scale take, lines that its lowest ones need; the largest scale first."""
LEAST_SIDE, LEAST_BESIDE_LARGEST = 28, 40
"""Columns beside a board, always and beside one of the largest scale."""
FRAMED = (120, 36)
"""A terminal on which borders pay: with them the board still has its next scale."""
UNFOLDED = 80
"""Columns from which there is room for anything beside the board."""
TABLED = 140
"""Columns from which the worth of every move has a panel of its own."""
TWO_STACKS = 60
"""Columns beside the board from which the panels stand in two stacks."""
FRAME = 2
"""What a border takes of either measure."""
DOCKED = 3
"""Lines under the board, the keys among them."""


@dataclass(frozen=True, slots=True)
class Room:
    """`side` columns are beside the board, or instead of it where the side `is_folded`; with `is_framed` the panels
    have borders and the title is in one of them, with `has_table` the worth of every move has a panel of its own."""

    side: int
    is_folded: bool
    is_framed: bool
    has_table: bool

    @property
    def has_two_stacks(self) -> bool:
        """Whether the panels stand in two stacks beside each other."""
        return self.side >= TWO_STACKS and not self.is_folded


def shared(width: int, height: int) -> Room:
    """The room on a terminal of this size: as much for the board as its picture can use, the rest beside it."""
    if width < UNFOLDED:
        return Room(width - FRAME, is_folded=True, is_framed=False, has_table=False)
    is_framed = width >= FRAMED[0] and height >= FRAMED[1]
    columns = width - (FRAME if is_framed else 0)
    lines = height - DOCKED - (FRAME if is_framed else 1)
    (largest, lines_of_largest), (usual, _) = BOXES
    if lines >= lines_of_largest and columns - largest >= LEAST_BESIDE_LARGEST:
        side = columns - largest
    else:
        side = max(LEAST_SIDE, columns - usual)
    return Room(side, is_folded=False, is_framed=is_framed, has_table=width >= TABLED)

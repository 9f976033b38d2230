"""How a position is put together on the board, piece by piece. Knows no game.

A draft is a position that need not be one: with a pawn too many, say. The notation says what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic

from .errors import BadNotation
from .rules import M, Notation, P, Target


@dataclass(frozen=True, slots=True)
class SetUp(Generic[P]):
    """`pieces` are what a cell may take, by the key that puts it there. `put` gives the draft with a piece on the cell
    of a target, which keeps what follows from the board, such as what is left in hand. `there` is the piece on a cell;
    empty where it is none of them. `empty` is the draft with nothing on it, `turned` the same draft with the other
    side to move; `None`: the pieces say who moves.
    """

    pieces: Mapping[str, str]
    put: Callable[[P, Target, str], P]
    there: Callable[[P, Target], str]
    empty: P
    turned: Callable[[P], P] | None = None

    def after(self, draft: P, target: Target) -> P:
        """The draft with the next of the pieces on a cell."""
        signs = list(self.pieces)
        found = self.there(draft, target)
        return self.put(draft, target, signs[(signs.index(found) + 1) % len(signs) if found in signs else 0])


def objection(notation: Notation[P, M], draft: P) -> str:
    """What is wrong with a draft, in the words of the notation; nothing where it is a position."""
    try:
        notation.parse_position(notation.format_position(draft))
    except BadNotation as refusal:
        return str(refusal)
    return ""

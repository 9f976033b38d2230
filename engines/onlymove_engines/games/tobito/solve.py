"""The workshop of both variants: builds a table, has it checked, counts it, and answers from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from onlymove_engines.core.analysis import Report, Section, Sections, silent

from .analyst import TobitoAnalyst
from .encoding import DRAW, REACHABLE, SETTLED, VALUE, decode_move
from .live import LiveAnalyst
from .rules import EMPTY, NEUTRAL, PAWN, Move, Position, Variant


class TobitoSolver:
    """The solver of one variant. What needs numba is imported where it is needed."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.encoding = f"{variant.name}-1"

    def build(self, jobs: int = 1, report: Report = silent) -> dict[str, Section]:
        """Solve the game; it takes a few seconds of one core, so `jobs` changes nothing."""
        from .building import Building  # noqa: PLC0415

        building = Building(self.variant)
        for what, share in building.steps():
            report(what, share)
        return building.sections()

    def verify(self, sections: Sections, full: bool, report: Report = silent) -> Iterator[str]:
        """Every value against its children's; `full`: also what can be reached, and the heats of a sample."""
        from .verification import findings  # noqa: PLC0415

        return findings(self.variant, sections, full, report)

    def counts(self, sections: Sections) -> dict[str, int]:
        """Reachable positions with both sides to move, mirror images told apart; the longest in plies."""
        from .building import orbit_sizes  # noqa: PLC0415

        codes = np.asarray(sections["codes"])
        reachable = codes & REACHABLE > 0
        value, weight = codes[reachable] & VALUE, orbit_sizes(self.variant)[reachable].astype(np.int64)
        is_won, is_lost = (value > DRAW) & (value % 2 == 1), (value > DRAW) & (value % 2 == 0)
        return {
            "positions": int(weight.sum()),
            "classes": int(reachable.sum()),
            "finished": int(weight[value == SETTLED].sum()),
            "wins": int(weight[is_won].sum()),
            "draws": int(weight[value == DRAW].sum()),
            "losses": int(weight[is_lost].sum()),
            "longest_win": int(value[is_won].max()) - SETTLED,
            "longest_loss": int(value[is_lost].max()) - SETTLED,
        }

    def analyst(self, sections: Sections | None) -> TobitoAnalyst | LiveAnalyst:
        """Answers from the table; without one the game is solved anew in memory, as far as the budget allows."""
        return LiveAnalyst(self.variant) if sections is None else TobitoAnalyst(self.variant, sections)

    def kernel_children(self, position: Position) -> Sequence[tuple[Move, Position]]:
        """Every legal move with the position after it, by the kernel, in the rules' order."""
        from ._kernel import law  # noqa: PLC0415

        seat = position.to_move
        moves, boards = np.empty(law.MOST_MOVES, np.int32), np.empty((law.MOST_MOVES, 3), np.int64)
        pieces = (PAWN[seat], PAWN[1 - seat], NEUTRAL)
        own, opp, neutral = (
            sum(1 << c for c, found in enumerate(position.cells) if found == piece) for piece in pieces
        )
        count = law.generate(own, opp, neutral, seat, moves, boards)
        return [
            (decode_move(code), _board([int(mask) for mask in after], pieces, seat))
            for code, after in zip(moves[:count].tolist(), boards[:count], strict=True)
        ]

    def warm(self) -> None:
        """Nothing: with its table a game needs no kernel, and no numba in memory."""


def _mask(position: Position, piece: str) -> int:
    """The set of cells that hold this piece."""
    return sum(1 << cell for cell, found in enumerate(position.cells) if found == piece)


def _board(masks: Sequence[int], pieces: Sequence[str], seat: int) -> Position:
    """The position with these sets of cells, after a move of `seat`."""
    cells = [EMPTY] * 15
    for mask, piece in zip(masks, pieces, strict=True):
        for cell in range(15):
            if mask >> cell & 1:
                cells[cell] = piece
    return Position("".join(cells), 1 - seat)

"""The table builder of both variants: builds a table, has it checked and counts it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from onlymove_engines.core.analysis import Report, Section, Sections, silent

from .encoding import DRAW, REACHABLE, SETTLED, VALUE
from .rules import Variant


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

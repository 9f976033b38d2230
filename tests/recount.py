"""Counts a solved game again, from arrays that tests of game packages compute with their own code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from onlymove_engines.core.solution import Kind, Solution

Counts: TypeAlias = npt.NDArray[np.int64]
Marks: TypeAlias = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Recount:
    """All positions that a game can lead to, with symmetric ones counted once. The arrays hold how many positions each
    stands for, its value, its distance from the end, and the numbers of its moves: all, those that keep the value,
    those that win, and those that lose."""

    weight: Counts
    value: Counts
    distance: Counts
    moves: Counts
    keeping: Counts
    winning: Counts
    losing: Counts

    def differences(self, solution: Solution, has_points: bool = False, shown: Marks | None = None) -> list[str]:
        """Return a line for each number in which the solution differs."""
        goes_on = self.moves > 0
        fair = goes_on if shown is None else goes_on & shown
        counted = (self.moves > 1) & (has_points | (self.value >= 0))
        share = (self.weight * self.keeping / np.maximum(self.moves, 1))[counted].sum() / self.weight[counted].sum()
        found = {
            "classes": len(self.weight),
            "positions": int(self.weight.sum()),
            "finished": int(self.weight[~goes_on].sum()),
            "choices": int(self.weight[counted].sum()),
            "only_moves": int(self.weight[counted & (self.keeping == 1)].sum()),
            "kept": round(float(share), 4),
        }
        wrong = [
            f"{name}: {output}, found {found[name]}"
            for name in found
            if (output := getattr(solution, name)) != found[name]
        ]
        is_won = fair & (self.value > 0)
        narrow = fair & (self.value == 0) & (self.keeping == 1) & (self.moves > 1)
        keys = (
            (Kind.LONGEST_WIN, is_won, self.distance, self.distance),
            (Kind.NARROWEST_DRAW, narrow, self.moves, self.moves),
            (Kind.MAX_MISLEADING, is_won, self.losing, 1000 * self.losing - self.winning),
        )
        for kind, chosen, figure, key in keys:
            top = key[chosen].max()
            extreme = int(figure[chosen][key[chosen] == top][0]), int((key[chosen] == top).sum())
            if extreme != (output := (solution.named[kind].figure, solution.named[kind].count)):
                wrong.append(f"{kind.value}: {output}, found {extreme}")
        return wrong

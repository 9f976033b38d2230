"""The figures of the solution for closed boards, counted again with the rules of the cross-check. The start is
searched."""

from __future__ import annotations

import numpy as np
import pytest
from onlymove_engines.core.analysis import Sections
from onlymove_engines.core.game import find_solution
from onlymove_engines.games.ayoayo import GAME
from onlymove_engines.games.ayoayo.rules import CAPTURED_AT, DROP_LIMIT

from tests.recount import Recount

from . import _kernel


@pytest.mark.slow
def test_the_numbers_of_the_solution_are_counted_again(sections: Sections) -> None:
    margins, ranks = np.array(sections["margin"]), np.array(sections["rank"])
    found = np.empty((len(margins), 5), np.int64)
    _kernel.count_moves(margins, DROP_LIMIT, found)
    seeds, *counts = found.T
    solution, ones = find_solution(GAME), np.ones(len(margins), np.int64)
    assert solution is not None
    recount = Recount(ones, margins.astype(np.int64), ranks.astype(np.int64), *counts)
    assert not recount.differences(solution, has_points=True, shown=seeds % (2 * CAPTURED_AT) == 0)

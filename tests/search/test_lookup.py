"""Answers from look-ups, in a game small enough to look up by hand."""

from __future__ import annotations

import numpy as np
import pytest
from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.value import Draw, Loss, Value, Win
from onlymove_engines.search.batch import read_only, split_batches
from onlymove_engines.search.chances import choose_worth_trying


@pytest.mark.parametrize(
    ("values", "tried"),
    [
        ({"x": Win(5), "y": Win(3), "z": Draw()}, {"y"}),
        ({"x": Win(5), "y": Win(3), "z": None}, {"y"}),
        ({"x": Draw(), "y": Loss(8), "z": None}, {"x", "z"}),
        ({"x": Loss(2), "y": Loss(8)}, {"y"}),
        ({"x": None, "y": None}, {"x", "y"}),
    ],
)
def test_known_moves_may_be_best_although_others_are_unknown(values: dict[str, Value | None], tried: set[str]) -> None:
    assert set(choose_worth_trying(Analysis(None, values))) == tried


def test_batches_leave_nothing_out() -> None:
    for length in range(8):
        found = list(split_batches("abcdefgh"[:length], 3))
        assert "".join(map(str, found)) == "abcdefgh"[:length]
        assert all(1 <= len(batch) <= 3 for batch in found)


def test_a_section_is_read_without_a_copy_and_cannot_be_written() -> None:
    section = np.arange(4)
    seen = read_only(section)
    section[0] = 7
    assert seen.tolist() == [7, 1, 2, 3]
    with pytest.raises(ValueError, match="read-only"):
        seen[0] = 0

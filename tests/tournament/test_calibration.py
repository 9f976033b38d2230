"""Levels are chosen from measurements: as many as make even steps, each with its own title."""

from __future__ import annotations

import pytest

from benchmarks.calibration.ladder import TITLES, choose_even_strengths, count_levels, titles


@pytest.mark.parametrize(
    ("span", "count"), [(1400, 8), (900, 8), (1450, 8), (610, 6), (700, 7), (100, 6), (2000, 11), (9000, 12)]
)
def test_there_are_eight_levels_if_the_steps_are_even(span: float, count: int) -> None:
    assert count_levels(span) == count


def test_strengths_are_chosen_on_the_straight_lines_between_those_measured() -> None:
    assert choose_even_strengths({0: 0, 50: 700, 100: 1400}) == [0, 14, 29, 43, 57, 71, 86, 100]
    assert choose_even_strengths({0: 0, 50: 1400, 100: 1400}) == [0, 7, 14, 21, 29, 36, 43, 100], (
        "what is flat is not used twice"
    )
    assert choose_even_strengths({0: 0, 50: 900, 60: 890, 100: 1400}) == sorted(
        choose_even_strengths({0: 0, 50: 900, 60: 890, 100: 1400})
    )


def test_no_title_comes_twice_and_more_levels_have_all_titles_of_fewer() -> None:
    for count in TITLES:
        found = titles(count, "Perfect")
        assert len({*found}) == count == len(found)
        assert count + 1 not in TITLES or {*found} <= {*titles(count + 1, "Perfect")}

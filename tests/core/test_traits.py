"""Sentences about the moves that keep the value agree with counts of the values."""

from __future__ import annotations

import pytest
from onlymove_engines.coach.hint import Trait, find_telling

EVEN: Trait[int] = Trait("stay even", lambda move: move % 2 == 0)
LARGE: Trait[int] = Trait("grow large", lambda move: move > 5, "Play a large one.", "The large ones stay.")


@pytest.mark.parametrize(
    ("trait", "keeping", "output"),
    [
        (EVEN, (2,), "The only good move stays even."),
        (EVEN, (2, 4), "Both good moves stay even."),
        (EVEN, (2, 4, 6), "All 3 good moves stay even."),
        (EVEN, (1, 2, 4), "2 of the 3 good moves stay even."),
        (EVEN, (1, 2, 3), "1 of the 3 good moves stays even."),
        (EVEN, (1, 2, 4, 6, 8), "Every move that stays even is good."),
        (EVEN, (1, 3), "No good move stays even."),
        (LARGE, (6, 7), "Play a large one."),
        (LARGE, (1, 2), "The large ones stay."),
    ],
)
def test_a_trait_is_described_by_its_count(trait: Trait[int], keeping: tuple[int, ...], output: str) -> None:
    assert trait.describe_count(keeping, range(1, 9)) == output


def test_the_only_good_move_may_differ_from_all_others() -> None:
    captures: Trait[int] = Trait("capture", lambda move: move > 1)
    assert captures.describe_count((1,), range(1, 9)) == "The only good move does not capture."


@pytest.mark.parametrize(
    ("do", "does"),
    [
        ("go home", "goes home"),
        ("reach c3", "reaches c3"),
        ("use a piece", "uses a piece"),
        ("pass", "passes"),
        ("carry a stone", "carries a stone"),
        ("stay", "stays"),
    ],
)
def test_one_move_has_its_own_verb(do: str, does: str) -> None:
    trait: Trait[int] = Trait(do, bool)
    assert trait.does == does


def test_a_trait_as_common_among_all_moves_is_left_out() -> None:
    assert find_telling((EVEN,), (1, 2), (1, 2, 3, 4)) == ()


def test_complementary_traits_are_given_once_and_the_strongest_first() -> None:
    odd: Trait[int] = Trait("stay odd", lambda move: move % 2 == 1)
    output = find_telling((LARGE, EVEN, odd), (2, 4, 6), range(1, 9))
    assert output == ("All 3 good moves stay even.", "1 of the 3 good moves grows large.")

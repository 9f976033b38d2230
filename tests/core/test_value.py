"""The order and arithmetic of values."""

from __future__ import annotations

import operator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from onlymove_engines.coach.hint import compare_with_best, describe_best, make_mixed_hint
from onlymove_engines.core.value import (
    Draw,
    Estimate,
    Loss,
    Margin,
    Mixed,
    Move,
    Outcome,
    Seat,
    Value,
    Win,
    other,
    proven,
    turn_value,
    value_before,
)

values = st.one_of(
    st.builds(Win, st.integers(1, 99)),
    st.builds(Loss, st.integers(0, 98)),
    st.just(Draw()),
)
margins = st.builds(proven, st.sampled_from(Outcome), st.none(), st.integers(-48, 48))


@given(st.one_of(values, margins), st.one_of(values, margins))
def test_the_other_side_prefers_the_opposite(a: Value, b: Value) -> None:
    assert turn_value(turn_value(a, 0, 1), 1, 0) == a == turn_value(a, 1, 1)
    assert (a < b) == (turn_value(b, 0, 1) < turn_value(a, 0, 1))


@given(values, values, st.sampled_from((0, 1)))
def test_a_better_position_makes_a_better_move_for_the_side_that_moves_there(a: Value, b: Value, seat: Seat) -> None:
    assert (a < b) == (value_before(a, seat, seat) < value_before(b, seat, seat))
    assert (a < b) == (value_before(b, seat, other(seat)) < value_before(a, seat, other(seat)))


def test_a_move_is_worth_what_comes_after_it_one_ply_earlier() -> None:
    assert value_before(Loss(2), 0, 1) == Win(3) == value_before(Win(2), 1, 1)
    assert value_before(Win(6), 1, 0) == Loss(7) == value_before(Loss(6), 0, 0)
    assert value_before(Draw(), 0, 1) == Draw() == value_before(Draw(), 0, 0)
    assert value_before(Margin(Outcome.WIN, 4), 0, 1, gain=3) == Margin(Outcome.LOSS, -1)
    assert value_before(Margin(Outcome.WIN, 4), 0, 0, gain=3) == Margin(Outcome.WIN, 7)
    assert value_before(Win(), 0, 1) == Loss()


@pytest.mark.parametrize("value", [Win(3), Loss(2), Draw(), Margin(Outcome.WIN, 1)])
def test_a_value_has_no_sign_to_turn_without_saying_who_sees_it(value: Any) -> None:
    with pytest.raises(TypeError):
        operator.neg(value)


def test_order_is_the_players_preference() -> None:
    ladder = [Loss(0), Loss(2), Loss(8), Draw(), Win(9), Win(3), Win(1)]
    assert sorted(ladder) == ladder


@given(margins, margins)
def test_the_result_counts_before_the_margin(a: Value, b: Value) -> None:
    if a.outcome != b.outcome:
        assert (a < b) == (a.outcome < b.outcome)


@pytest.mark.parametrize(
    ("value", "text", "sentence"),
    [
        (Win(5), "W5", "Win in 5 moves"),
        (Loss(8), "L8", "Loss in 8 moves"),
        (Draw(), "D", "Draw"),
        (proven(Outcome.WIN, None, 4), "+4", "Win, +4 points to come"),
        (proven(Outcome.LOSS, None, -1), "-1", "Loss, -1 point to come"),
    ],
)
def test_values_print_themselves(value: Value, text: str, sentence: str) -> None:
    assert (str(value), value.sentence()) == (text, sentence)


def test_regret_is_measured_against_the_other_sides_mix() -> None:
    mixed = Mixed(
        0.0, ({"u": 0.5, "d": 0.5}, {"l": 0.5, "r": 0.5}), {"u": {"l": 1, "r": -1}, "d": {"l": -1, "r": 1}}, True
    )
    assert mixed.regret(0, "u") == mixed.regret(1, "r") == 0
    assert mixed.list_sound_moves(0) == ("u", "d")
    lopsided = Mixed(1.0, ({"u": 1.0, "d": 0.0}, {"l": 1.0}), {"u": {"l": 1}, "d": {"l": -1}}, True)
    assert lopsided.regret(0, "d") == 1.0
    assert lopsided.list_sound_moves(0) == ("u",)


def test_a_move_that_loses_to_a_reply_is_not_sound_in_a_certain_win() -> None:
    """The opponent is lost with every mix, also with one that never plays the reply that punishes `d`."""
    payoffs: dict[Move, dict[Move, float]] = {"u": {"l": 1.0, "r": 1.0}, "d": {"l": -1.0, "r": 1.0}}
    mixed = Mixed(1.0, ({"u": 1.0, "d": 0.0}, {"l": 0.0, "r": 1.0}), payoffs, exact=True)
    assert mixed.list_sound_moves(0) == ("u",)
    names: dict[Move, str] = {"u": "up", "d": "down", "l": "left", "r": "right"}
    assert describe_best(mixed, 0, names) == "Up is best."
    assert compare_with_best(mixed, 0, "d", names) == "If your opponent plays left, down loses and up wins."


@pytest.mark.parametrize("expected", [-0.0, -1e-9, 0.0])
def test_nothing_is_worth_minus_zero(expected: float) -> None:
    even = Mixed(expected, ({"a": 1.0}, {"a": 1.0}), {"a": {"a": expected}}, exact=True)
    output = [str(even), str(Estimate(expected, 3)), Estimate(expected, 3).sentence()]
    output += [line for seat in (0, 1) for line in make_mixed_hint(even, seat, 1).lines]
    assert not any("-0" in text for text in output), output


def prove_partly(expected: float, *rows: tuple[float | None, ...]) -> Mixed:
    """Return a position worth `expected`, won or held by the first row. `None` is an estimate of 0.9."""
    names: tuple[Move, ...] = ("u", "d", "l", "r")
    own, replies = names[: len(rows)], names[: len(rows[0])]
    matrix = {
        a: {b: 0.9 if p is None else p for b, p in zip(replies, row, strict=True)}
        for a, row in zip(own, rows, strict=True)
    }
    estimated = frozenset(
        (a, b) for a, row in zip(own, rows, strict=True) for b, p in zip(replies, row, strict=True) if p is None
    )
    mixes = ({a: float(a == own[0]) for a in own}, {b: float(b == replies[0]) for b in replies})
    return Mixed(expected, mixes, matrix, exact=True, estimated=estimated)


def test_estimates_beside_a_proven_win_leave_open_what_moves_give_away() -> None:
    mixed = prove_partly(1.0, (1.0, 1.0), (1.0, -1.0), (1.0, None), (None, 0.0))
    assert mixed.list_sound_moves(0) == ("u",)
    assert [mixed.bound_regret(0, move) for move in ("u", "d", "l", "r")] == [(0, 0), (1, 1), (0, 1), (0.5, 1)]
    assert mixed.has_estimates
    assert [mixed.bound_regret(1, reply) for reply in ("u", "d")] == [(0, 0), (0, 0)], "lost, whatever is played"

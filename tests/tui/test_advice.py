"""Percentages in a narrow column never run into each other, and each move of a hint has its own line."""

from __future__ import annotations

import pytest
from onlymove_engines.coach.hint import LAST_STAGE, ShownMove, align_moves, describe_best, make_mixed_hint
from onlymove_engines.core.value import Mixed, Move
from onlymove_tui.app.panels.value_rows import matrix_rows
from onlymove_tui.app.widgets.layout import SIDE_WIDTH


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_the_matrix_fits_the_side_panel(count: int) -> None:
    moves = "udlr"[:count]
    mix: dict[Move, float] = dict.fromkeys(moves, 1 / count)
    mixed = Mixed(-1.0, (mix, mix), {a: dict.fromkeys(moves, -1.0) for a in moves}, exact=True)
    for row in matrix_rows(mixed, 0):
        text = "".join(run[0] for run in row)
        assert len(text) <= SIDE_WIDTH, text
        assert "%0" not in text, text


def test_the_words_give_way_together_and_never_wrap() -> None:
    some = (ShownMove("a5c3+c4", "D", ("16 of 26 replies lose", "16 of 26 lose")), ShownMove("b1", "L12", ("a jump",)))
    for width in range(14, 41):
        lines = align_moves(some, width)
        assert len({len(move) for move, _ in lines}) == 1, "values stand in a column"
        assert all(len(f"{move}  {words}".rstrip()) <= width for move, words in lines), width
        output = lines[0][1]
        assert output == ("16 of 26 replies lose" if width >= 34 else "16 of 26 lose" if width >= 26 else ""), width


def test_a_sound_move_that_is_no_part_of_the_mix_is_called_sound() -> None:
    payoff: dict[Move, dict[Move, float]] = {"u": {"l": 0.0}, "r": {"l": 0.0}, "d": {"l": -1.0}}
    mixed = Mixed(0.0, ({"u": 0.0, "r": 1.0, "d": 0.0}, {"l": 1.0}), payoff, exact=True)
    lines = [line.split() for line in make_mixed_hint(mixed, 0, LAST_STAGE).format_lines(SIDE_WIDTH)]
    assert lines == [["r", "100", "%", "of", "the", "time"], ["u", "0", "%", "also", "sound"]]


@pytest.mark.parametrize(
    ("worth", "does"), [(1.0, "wins whatever your opponent plays"), (-1.0, "loses against best play")]
)
def test_where_every_move_has_the_same_result_the_hint_and_the_explanation_say_which(worth: float, does: str) -> None:
    mix: dict[Move, float] = {"u": 0.5, "r": 0.5}
    mixed = Mixed(worth, (mix, {"l": 1.0}), {move: {"l": worth} for move in mix}, exact=True)
    sentence = f"Every move {does}."
    assert make_mixed_hint(mixed, 0, 1).lines == (sentence,)
    assert describe_best(mixed, 0, {"u": "up", "r": "right"}) == sentence


@pytest.mark.parametrize(("worth", "alike"), [(-0.92, "bad"), (-0.4, "good")])
def test_moves_that_all_nearly_lose_are_called_equally_bad(worth: float, alike: str) -> None:
    mix: dict[Move, float] = {"u": 0.5, "r": 0.5}
    mixed = Mixed(worth, (mix, {"l": 1.0}), {move: {"l": worth} for move in mix}, exact=False)
    assert describe_best(mixed, 0, {"u": "up", "r": "right"}) == f"Every move is about equally {alike}."


def test_the_better_moves_of_a_nearly_lost_position_are_called_the_least_bad() -> None:
    names: dict[Move, str] = {"u": "up", "r": "right", "d": "down"}
    payoffs: dict[Move, dict[Move, float]] = {"u": {"l": -0.8}, "r": {"l": -0.8}, "d": {"l": -1.0}}
    mixed = Mixed(-0.8, ({"u": 0.5, "r": 0.5, "d": 0.0}, {"l": 1.0}), payoffs, exact=False)
    assert describe_best(mixed, 0, names) == "Up and right seem the least bad."

"""Payoffs in a narrow column keep their sign and never run into each other."""

from __future__ import annotations

import pytest
from onlymove_engines.core.value import Mixed, Move
from onlymove_tui.app.panels.advice import matrix_rows, signed
from onlymove_tui.app.widgets.table import SIDE_WIDTH


@pytest.mark.parametrize(
    ("payoff", "text"),
    [(0.52, "+.52"), (-0.03, "-.03"), (0.0, ".00"), (-0.001, ".00"), (1.0, "+1.0"), (-0.999, "-1.0")],
)
def test_payoffs_fit_four_columns(payoff: float, text: str) -> None:
    assert signed(payoff) == text


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_the_matrix_fits_the_side_panel(count: int) -> None:
    moves = "udlr"[:count]
    mix: dict[Move, float] = dict.fromkeys(moves, 1 / count)
    mixed = Mixed(-1.0, (mix, mix), {a: dict.fromkeys(moves, -1.0) for a in moves}, exact=True)
    for row in matrix_rows(mixed, 0):
        text = "".join(run[0] for run in row)
        assert len(text) <= SIDE_WIDTH, text
        assert "%-" not in text, text

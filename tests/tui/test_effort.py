"""Players decide how long and how deep an engine searches, in the app and in line mode. This does not affect
judgements."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.live.engine import FREE, Effort, prepare_thought
from onlymove_engines.play.session import Session
from onlymove_tui.app.screens.settings import SettingsScreen
from onlymove_tui.cli import run

from tests.commands import install_games
from tests.heap_game import Heap, HeapAnalyst, heap_game, searched_heap_game, with_analyst
from tests.heap_game import settle as settle_home
from tests.tui.live_games import AGAINST
from tests.tui.pilots import board, make_board_app, make_settings, press, settle


class Attentive(HeapAnalyst):
    """Notes the budget of each answer."""

    def __init__(self) -> None:
        super().__init__(None)
        self.budgets: list[Budget] = []

    def analyse(self, position: tuple[int, int], budget: Budget = UNLIMITED) -> Analysis[int]:
        self.budgets.append(budget)
        return super().analyse(position)


def collect_budgets(effort: Effort, known: Analysis[int] | None = None) -> list[Budget]:
    """Return the budgets of an engine with this effort, which is given ten seconds when the clock shows 100."""
    analyst = Attentive()
    session: Session[Any, Any] = Session(heap_game(), (7, 1), AGAINST)
    think = prepare_thought(session, 1, analyst, Random(1), known, effort)
    think(Budget.seconds(10.0, lambda: 100.0))
    return analyst.budgets


def test_an_engine_has_the_time_and_the_depth_that_were_chosen() -> None:
    (free,) = collect_budgets(FREE)
    assert (free.deadline, free.depth) == (110.0, None), "as long as a question may take"
    (short,) = collect_budgets(Effort(0.5, 3))
    assert (short.deadline, short.depth) == (100.5, 3)
    (long,) = collect_budgets(Effort(30.0))
    assert (long.deadline, long.depth) == (130.0, None), "more than a hint may take"


def test_the_engine_uses_the_coachs_analysis_unless_an_effort_is_chosen() -> None:
    known = HeapAnalyst(None).analyse((7, 1))
    assert collect_budgets(FREE, known) == []
    assert len(collect_budgets(Effort(depth=1), known)) == 1


async def test_limits_of_engines_stand_in_the_file_and_not_on_the_screen(tmp_path: Path) -> None:
    app = make_board_app(make_settings(tmp_path / "settings.toml", think=2.5, depth=3))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert board(app).live.effort == Effort(2.5, 3)
        await press(pilot, "s")
        form = app.screen
        assert isinstance(form, SettingsScreen)
        assert not {"think", "depth"} & {field.id for field in form.fields}


@pytest.mark.parametrize(("text", "is_limited"), [("1.5", True), ("0", False)])
def test_think_on_the_command_line_goes_before_the_settings(
    text: str, is_limited: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found: list[float | None] = []

    class Timed(HeapAnalyst):
        def analyse(self, position: Heap, budget: Budget = UNLIMITED) -> Analysis[int]:
            found.append(budget.find_seconds_left())
            return super().analyse(position, budget)

    settle_home(tmp_path, monkeypatch)
    install_games(monkeypatch, with_analyst(searched_heap_game(), Timed))
    monkeypatch.setenv("ONLYMOVE_THINK", "9")
    assert run(["play", "heap", "--plain", "--from", "5 0", "--seats", "engine,engine", "--think", text]) == 0
    least = min(seconds for seconds in found if seconds is not None)
    assert least <= 1.5 if is_limited else least > 9.0


@pytest.mark.parametrize("text", ["-1", "nan", "3601", "long"])
def test_an_invalid_time_is_refused(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", "heap", "--plain", "--think", text]) == 2
    assert capsys.readouterr().err.count("\n") == 1

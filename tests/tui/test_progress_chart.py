"""Progress over weeks: the chart agrees with the games, kinds of mistakes are counted, and everything fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from onlymove_engines.coach.drill import Drill, Origin
from onlymove_engines.core.judgement import Grade, Judgement
from onlymove_engines.core.value import Draw, Loss, Win
from onlymove_engines.play.players import HUMAN, Player, PlayerKind
from onlymove_engines.play.session import Session
from onlymove_tui.app.panels.progress_rows import (
    LINES,
    chart_rows,
    due_day_rows,
    full_progress_rows,
    kind_rows,
)
from onlymove_tui.app.widgets.canvas import Row, row_width
from onlymove_tui.store.entries import GameDetails
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.progress import WEEKS, Week

from tests.amounts import limit_values
from tests.tui.pilots import make_menu_app, press, settle, text
from tests.tui.tiny_game import tiny_game

MONDAY = date(2026, 11, 16)
BEST = Judgement(Grade.BEST, Win(3), Win(3))
BLUNDER = Judgement(Grade.BLUNDER, Win(3), Loss(2), flagged=True)
MISSED = Judgement(Grade.MISSED_WIN, Win(3), Draw(), flagged=True)
SLOW = Judgement(Grade.INACCURACY, Win(3), Win(9), slower=3)
POINTS = Judgement(Grade.INACCURACY, Win(3), Win(3), points_lost=4, flagged=True)


def words(rows: Sequence[Row]) -> list[str]:
    """Return rows as text."""
    return ["".join(run for run, _ in row).rstrip() for row in rows]


def fill_store(path: Path) -> GameStore:
    """Save a game of more than a year ago, one of three weeks ago, and four of this week."""
    now = [datetime(2026, 11, 18, 12, tzinfo=UTC)]
    store = GameStore(path, lambda _: tiny_game(), clock=lambda: now[0])
    for days, judged in ((400, BEST), (21, MISSED), (1, BEST), (1, BLUNDER), (0, SLOW), (0, POINTS)):
        now[0] = datetime(2026, 11, 18, 12, tzinfo=UTC) - timedelta(days=days)
        session: Session[Any, Any] = Session(tiny_game(), players=(HUMAN, Player(PlayerKind.ENGINE, strength=70)))
        session.play(session.legal_moves()[0]).judgements[0] = judged
        session.resign(0)
        store.save(session, GameDetails())
    return store


def test_weeks_and_kinds_are_those_of_the_games(tmp_path: Path) -> None:
    store = fill_store(tmp_path / "games.sqlite3")
    found = store.progress.read("tiny")
    assert len(found.weeks) == WEEKS
    assert [week.monday for week in found.weeks[-2:]] == [MONDAY - timedelta(days=7), MONDAY]
    assert (found.weeks[-1].kept, found.weeks[-1].decisions) == (2, 4)
    assert (found.weeks[-4].kept, found.weeks[-4].decisions) == (0, 1)
    assert sum(week.decisions for week in found.weeks) == 5, "a year ago is too long ago"
    assert found.kinds == (("blunder", 1), ("missed win", 1), ("lost points", 1), ("inaccuracy", 1))
    store.close()


@pytest.mark.parametrize("ascii_only", [False, True])
def test_a_bar_is_as_high_as_the_share_that_was_kept(ascii_only: bool) -> None:
    full = "#" if ascii_only else "█"
    weeks = [Week(MONDAY - timedelta(days=7 * ago), kept, 10) for ago, kept in ((2, 10), (1, 4), (0, 0))]
    rows = words(chart_rows(weeks, 20, ascii_only))
    bars = rows[1 : 1 + LINES]
    assert [sum(row[6 + 4 * number :][:1] == full for row in bars) for number in range(3)] == [5, 2, 0]
    assert rows[1].startswith("100 %")
    assert "Nov 02" in rows[-1]
    assert "good moves" in rows[0]
    assert chart_rows([Week(MONDAY)], 60, ascii_only) == [], "nothing to tell"


@pytest.mark.parametrize("width", [36, 53, 70, 120])
def test_chart_kinds_and_days_keep_to_their_width(width: int) -> None:
    weeks = [Week(MONDAY - timedelta(days=7 * ago), 5, 10) for ago in range(WEEKS)]
    rows = [
        *chart_rows(weeks, width, False),
        *kind_rows([("missed win", 999), ("inaccuracy", 1)], width, False),
        *due_day_rows([1000, 0, 3] * 5, MONDAY, width),
    ]
    assert all(row_width(row) <= width for row in rows)


def test_days_in_a_row_end_where_a_day_was_left_out(tmp_path: Path) -> None:
    now = [datetime(2026, 11, 18, 12, tzinfo=UTC)]
    store = GameStore(tmp_path / "games.sqlite3", clock=lambda: now[0])
    store.drills.add([Drill("any", "somewhere", 0, Origin.MISTAKE)])
    number = store.drills.list_due()[0].number
    for ago in (5, 2, 1):
        now[0] = datetime(2026, 11, 18, 12, tzinfo=UTC) - timedelta(days=ago)
        store.drills.answer(number, solved=False)
    now[0] = datetime(2026, 11, 18, 12, tzinfo=UTC)
    assert store.drills.streak() == 2, "today is not over yet"
    store.drills.answer(number, solved=True)
    assert store.drills.streak() == 3
    now[0] += timedelta(days=2)
    assert store.drills.streak() == 0
    store.close()


def test_parts_appear_if_there_are_enough_lines(tmp_path: Path) -> None:
    store = fill_store(tmp_path / "games.sqlite3")
    found = store.progress.read("tiny")
    for height in range(4, 40):
        assert len(full_progress_rows(found, 53, height, False)) <= max(
            height, len(full_progress_rows(found, 53, 0, False))
        )
    titles = [
        row for row in words(full_progress_rows(replace(found, ahead=(2, 0)), 53, 39, False)) if "Drills due" in row
    ]
    assert titles == ["Drills due on each day"]
    assert "per week" in "\n".join(words(full_progress_rows(found, 53, 39, False)))
    assert "per week" not in "\n".join(words(full_progress_rows(found, 53, 12, False)))
    store.close()


@pytest.mark.parametrize(
    "size", limit_values([(60, 20), (100, 30), (200, 55), (80, 24), (120, 40), (160, 50)], 3), ids=str
)
async def test_the_page_is_complete_and_has_the_chart_if_it_fits(tmp_path: Path, size: tuple[int, int]) -> None:
    store = fill_store(tmp_path / "games.sqlite3")
    store.drills.add([Drill("tiny", "3,4 0", 0, Origin.MISTAKE)])
    app = make_menu_app(store=store)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        await press(pilot, "p", "up")
        shown = text(app)
        assert "…" not in shown
        panel, page = app.screen.query_one("#detail-panel"), app.screen.query_one("#detail")
        assert page.region.bottom <= panel.region.bottom, "nothing is below the panel"
        for part in () if size[0] < 100 else ("100 %", "good moves", "Kinds of mistakes", "missed win", "engine 70"):
            assert part in shown, part
    store.close()


def test_on_a_larger_screen_the_chart_is_taller_and_its_bars_wider() -> None:
    weeks = [Week(MONDAY - timedelta(days=7 * ago), 5, 10) for ago in range(12)]
    small, large = words(chart_rows(weeks, 60, False)), words(chart_rows(weeks, 138, False, 20))
    assert len(large) - len(small) == 20 - LINES
    assert max(map(len, small)) < 60
    assert max(map(len, large)) == 6 + 12 * 6, "wider, but not as wide as the screen"
    assert sum("█" in row for row in large[1:]) == 10, "half of its lines"

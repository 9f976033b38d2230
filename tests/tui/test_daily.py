"""The position of the day: it is the same for everybody, can be tried once, and its result is one line that does not
give the answer away."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from onlymove_engines import games
from onlymove_engines.coach.drill import Drill, Origin, daily_drill, fits, read_setting
from onlymove_engines.coach.values import find_values
from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.budget import UNLIMITED
from onlymove_engines.core.facts import GameId
from onlymove_tables.open import open_game
from onlymove_tui.app.screens.drill import DrillScreen
from onlymove_tui.app.screens.drills import DrillsScreen
from onlymove_tui.cli.console import Caller
from onlymove_tui.cli.play import daily_command
from onlymove_tui.play import training
from onlymove_tui.play.training import result_line
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.learning import DailyStore, Mark
from onlymove_tui.store.profiles import find_places

from tests.tui.pilots import make_menu_app, notice, press, settle, store_at, text

DAY = date(2026, 11, 21)
GAMES = games.list_games()
BY_TABLE = [facts.id for facts in GAMES if not games.load(facts.id).facts.plays_by_search]
BY_SEARCH = [pytest.param(facts.id, marks=pytest.mark.slow) for facts in GAMES if facts.id not in BY_TABLE]
DAYS = 3
POSITION = Drill("tiny", "3,4 0", 0, Origin.CONVERT)
"""Heaps of 3 and 4. The only winning move takes one on the right."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[GameStore]:
    opened = store_at(tmp_path / "games.sqlite3")
    yield opened
    opened.close()


@pytest.fixture
def book(store: GameStore) -> DailyStore:
    return store.daily


@pytest.mark.parametrize("game_id", [*BY_TABLE, *BY_SEARCH])
def test_a_date_gives_every_game_one_interesting_position(game_id: GameId) -> None:
    game = games.load(game_id)
    found = []
    for ahead in range(DAYS):
        drill = daily_drill(game, open_game(game).analyst, DAY.toordinal() + ahead)
        assert drill == daily_drill(game, open_game(game).analyst, DAY.toordinal() + ahead)
        assert drill is not None
        found.append(drill)
        tree = read_setting(game, drill.position)
        values = find_values(tree, tree.here, open_game(game).analyst, UNLIMITED) if game_id in BY_TABLE else None
        assert not isinstance(values, Analysis) or fits(drill.origin, values, 0), drill
    assert len(set(found)) == len(found), "days differ"


def test_only_the_first_attempt_counts(book: DailyStore) -> None:
    for solved, with_hint in ((False, False), (True, False)):
        book.save(DAY, "tiny", solved, with_hint)
    book.save(DAY, "heap", solved=True, with_hint=True)
    assert book.read_marks(DAY) == {"tiny": Mark.WRONG, "heap": Mark.HINTED}
    assert not book.read_marks(DAY + timedelta(days=1))


def test_days_in_a_row_end_where_one_was_missed(book: DailyStore) -> None:
    for ago in (0, 1, 2, 4):
        book.save(DAY - timedelta(days=ago), "tiny", solved=True)
    assert [book.streak(DAY + timedelta(days=days)) for days in (0, 1, 2)] == [3, 3, 0]


def test_the_line_to_share_gives_nothing_away() -> None:
    first, second = GAMES[:2]
    assert result_line(GAMES[:2], DAY, {first.id: Mark.HINTED}, 1) == (
        f"onlymove 2026-11-21  {first.title} (✓)  {second.title} ·  1 of 2"
    )
    marks = {first.id: Mark.RIGHT, second.id: Mark.WRONG}
    assert result_line(GAMES[:2], DAY, marks, 3).endswith(f"{first.title} ✓  {second.title} ✗  1 of 2, 3-day streak")


def test_in_line_mode_an_attempted_position_is_not_asked_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    asked = GAMES[0]
    first = CliRunner().invoke(daily_command, [asked.id], obj=Caller(), input="solution\n\n")
    assert first.exit_code == 0, first.output
    assert "keep" in first.output or "hold" in first.output
    again = CliRunner().invoke(daily_command, [asked.id], obj=Caller(), input="")
    (line,) = again.output.splitlines()
    assert f"{asked.title} ✗" in line
    assert line == first.output.splitlines()[-1]
    assert find_places("").games.is_relative_to(tmp_path)


async def test_the_list_offers_it_until_it_was_tried(monkeypatch: pytest.MonkeyPatch, store: GameStore) -> None:
    monkeypatch.setattr(training, "daily_drill", lambda *_: POSITION)
    app = make_menu_app(store=store)
    last = len(app.services.library.list_facts()) - 1
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "d")
        assert "position of the day" in text(app)
        await press(pilot, *["down"] * last, "enter")
        assert isinstance(app.screen, DrillScreen)
        assert "the position of the day" in text(app).splitlines()[0]
        await press(pilot, "m", *"R1", "enter")
        assert "is correct" in notice(app)
        await press(pilot, "n", "q")
        assert isinstance(app.screen, DrillsScreen)
        assert store.daily.read_marks(date.today()) == {"tiny": Mark.RIGHT}
        assert f"Today's positions {'· ' * last}✓" in text(app)
        assert not any(offer.is_daily and offer.game == "tiny" for offer in app.screen.known.offers)
        await press(pilot, "ctrl+p", *"copy today", "enter")
        assert app.clipboard == result_line(app.services.library.list_facts(), date.today(), {"tiny": Mark.RIGHT}, 1)

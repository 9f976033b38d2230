"""The position of the day: at each level it is the same for everybody. It can be tried once, and its result is one line
that does not give the answer away."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from onlymove_engines import games
from onlymove_engines.coach.drill import (
    SHORT_WINS,
    DailyLevel,
    Drill,
    Origin,
    daily_drill,
    fits,
    read_setting,
)
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
from onlymove_tui.play.training import UNTIL_NEXT_LEVEL, choose_daily_level, result_line
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.learning import DRILL_STAGES, NOTHING_LEARNED, DailyResult, DailyStore, Learned, Mark
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


@pytest.mark.parametrize("level", DailyLevel)
@pytest.mark.parametrize("game_id", [*BY_TABLE, *BY_SEARCH])
def test_a_date_gives_every_game_one_interesting_position_at_each_level(game_id: GameId, level: DailyLevel) -> None:
    game = games.load(game_id)
    found = []
    for ahead in range(DAYS):
        drill = daily_drill(game, open_game(game).analyst, DAY.toordinal() + ahead, level)
        assert drill == daily_drill(game, open_game(game).analyst, DAY.toordinal() + ahead, level)
        assert drill is not None
        found.append(drill)
        tree = read_setting(game, drill.position)
        values = find_values(tree, tree.here, open_game(game).analyst, UNLIMITED) if game_id in BY_TABLE else None
        assert not isinstance(values, Analysis) or fits(drill.origin, values, 0), drill
    assert len(set(found)) == len(found), "days differ"


@pytest.mark.parametrize("game_id", BY_TABLE)
def test_below_the_hardest_level_the_end_is_near_and_there_is_a_choice(game_id: GameId) -> None:
    game = games.load(game_id)
    analyst = open_game(game).analyst
    for level, longest in ((DailyLevel.EASY, 3), (DailyLevel.MEDIUM, 9)):
        for ahead in range(10):
            drill = daily_drill(game, analyst, DAY.toordinal() + ahead, level)
            assert drill is not None
            assert (drill.origin in SHORT_WINS) is (level is DailyLevel.EASY)
            tree = read_setting(game, drill.position)
            values = find_values(tree, tree.here, analyst, UNLIMITED)
            assert isinstance(values, Analysis)
            top = values.best_value()
            assert top is not None
            assert (top.remoteness or 0) <= longest, drill
            keeping = [value for value in values.moves.values() if value is not None and value.outcome == top.outcome]
            assert len(keeping) > 1 or drill.origin is Origin.WIN_IN_ONE, drill


EASY, MEDIUM, HARD = DailyLevel
RIGHT, HINTED, WRONG = Mark
EXPERT = Learned(reached=frozenset(DRILL_STAGES))


@pytest.mark.parametrize(
    ("latest", "learned", "level"),
    [
        ((), NOTHING_LEARNED, EASY),
        ((), EXPERT, MEDIUM),
        (((EASY, RIGHT),), EXPERT, EASY),
        (((EASY, RIGHT), (EASY, RIGHT)), NOTHING_LEARNED, MEDIUM),
        (((EASY, RIGHT), (EASY, HINTED)), NOTHING_LEARNED, EASY),
        (((MEDIUM, RIGHT), (EASY, RIGHT)), NOTHING_LEARNED, MEDIUM),
        (((MEDIUM, WRONG), (MEDIUM, WRONG)), NOTHING_LEARNED, EASY),
        (((MEDIUM, WRONG), (MEDIUM, RIGHT)), NOTHING_LEARNED, MEDIUM),
        (((MEDIUM, HINTED), (MEDIUM, HINTED)), NOTHING_LEARNED, MEDIUM),
        (((EASY, WRONG), (EASY, WRONG)), NOTHING_LEARNED, EASY),
        (((HARD, RIGHT), (HARD, RIGHT)), NOTHING_LEARNED, HARD),
    ],
)
def test_the_level_follows_what_the_player_knows_and_the_last_two_results(
    latest: tuple[tuple[DailyLevel, Mark], ...], learned: Learned, level: DailyLevel
) -> None:
    """The latest result comes first."""
    assert choose_daily_level([DailyResult(*each) for each in latest], learned) is level


def test_the_level_of_a_day_does_not_change_with_its_own_result(book: DailyStore) -> None:
    for ago in (2, 1, 0):
        book.save(DAY - timedelta(days=ago), "tiny", solved=True, level=EASY)
    before = book.list_before(DAY, "tiny", UNTIL_NEXT_LEVEL)
    assert before == [DailyResult(EASY, RIGHT, 1)] * 2
    assert choose_daily_level(before, NOTHING_LEARNED) is MEDIUM
    assert book.list_before(DAY, "heap", UNTIL_NEXT_LEVEL) == []


def test_only_the_first_attempt_counts(book: DailyStore) -> None:
    for solved, with_hint in ((False, False), (True, False)):
        book.save(DAY, "tiny", solved, with_hint)
    book.save(DAY, "heap", solved=True, with_hint=True)
    assert book.read_results(DAY) == {"tiny": DailyResult(HARD, WRONG), "heap": DailyResult(HARD, HINTED, 1)}
    assert not book.read_results(DAY + timedelta(days=1))


def test_the_try_that_solved_a_position_is_stored_once(book: DailyStore) -> None:
    book.save(DAY, "tiny", solved=False)
    for tries in (3, 5):
        book.save_tries(DAY, "tiny", tries)
    assert book.read_results(DAY) == {"tiny": DailyResult(HARD, WRONG, 3)}


def test_days_in_a_row_end_where_one_was_missed(book: DailyStore) -> None:
    for ago in (0, 1, 2, 4):
        book.save(DAY - timedelta(days=ago), "tiny", solved=True)
    assert [book.streak(DAY + timedelta(days=days)) for days in (0, 1, 2)] == [3, 3, 0]


def test_the_line_to_share_gives_nothing_away() -> None:
    first, second = GAMES[:2]
    assert result_line(GAMES[:2], DAY, {first.id: DailyResult(EASY, HINTED, 1)}, 1) == (
        f"onlymove 2026-11-21: {first.title} (easy) 1 try with a hint, 1-day streak"
    )
    results = {first.id: DailyResult(MEDIUM, WRONG, 3), second.id: DailyResult(HARD, WRONG)}
    assert result_line(GAMES[:2], DAY, results, 3) == (
        f"onlymove 2026-11-21: {first.title} (medium) 3 tries, {second.title} (hard) not solved, 3-day streak"
    )
    assert result_line(GAMES, DAY, {}, 0) == ""


def test_in_line_mode_an_attempted_position_is_not_asked_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    asked = GAMES[0]
    first = CliRunner().invoke(daily_command, [asked.id], obj=Caller(), input="solution\n\n")
    assert first.exit_code == 0, first.output
    assert "win" in first.output, "the first one is easy"
    again = CliRunner().invoke(daily_command, [asked.id], obj=Caller(), input="")
    (line,) = again.output.splitlines()
    assert f"{asked.title} (easy) not solved, 1-day streak" in line
    assert line == first.output.splitlines()[-1]
    assert find_places("").games.is_relative_to(tmp_path)


def test_the_line_can_be_printed_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    first, second = GAMES[:2]
    none = CliRunner().invoke(daily_command, ["--result"], obj=Caller(), standalone_mode=False)
    assert (none.return_value, none.output) == (1, "You have not tried today's position yet.\n")
    asked = CliRunner().invoke(daily_command, [first.id], obj=Caller(), input="solution\n\n")
    for arguments in ([], [first.id]):
        printed = CliRunner().invoke(daily_command, [*arguments, "--result"], obj=Caller(), standalone_mode=False)
        assert (printed.return_value, printed.output) == (0, f"{asked.output.splitlines()[-1]}\n")
    other = CliRunner().invoke(daily_command, [second.id, "--result"], obj=Caller(), standalone_mode=False)
    assert other.return_value == 1


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
        for answer in ("R3", "R1"):
            await press(pilot, "m", *answer, "enter")
        assert "is correct" in notice(app)
        await press(pilot, "n")
        result = DailyResult(EASY, WRONG, 2)
        assert store.daily.read_results(store.find_today()) == {"tiny": result}
        line = result_line(app.services.library.list_facts(), store.find_today(), {"tiny": result}, 1)
        assert line in notice(app), "the round ends with it"
        await press(pilot, "c")
        assert app.clipboard == line
        await press(pilot, "enter")
        assert isinstance(app.screen, DrillsScreen)
        assert line in " ".join(text(app).split())
        assert not any(offer.is_daily and offer.game == "tiny" for offer in app.screen.known.offers)
        app.copy_to_clipboard("")
        await press(pilot, "c")
        assert app.clipboard == line

"""The progress page says what the games and drills on disk say, and is complete on every screen."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest
from onlymove_engines.coach.drill import Drill, Origin
from onlymove_engines.coach.figures import Figures, count_figures, list_solo_choices
from onlymove_engines.coach.judge import Coaching
from onlymove_engines.core.facts import Level
from onlymove_engines.core.judgement import Grade, Judgement
from onlymove_engines.core.value import Draw, Loss, Value, Win
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.ladder import Scored, find_rating
from onlymove_engines.play.players import HUMAN, Player, PlayerKind
from onlymove_engines.play.session import Session
from onlymove_tui.app.panels.progress_rows import (
    ASCII_LEVELS,
    LEVELS,
    format_kept,
    list_row,
    progress_rows,
    recent_bars,
)
from onlymove_tui.app.screens.drills import DrillsScreen
from onlymove_tui.app.screens.history import ProgressScreen
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.store.entries import GameDetails
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.progress import RECENT, DrillCount, Progress, Tally
from onlymove_tui.store.schema import StoreTrouble

from tests.tui.pilots import make_menu_app, press, settle, text
from tests.tui.saved_sessions import GAME_IDS, play_session, random_session
from tests.tui.tiny_game import TinyAnalyst, tiny_game

FIRST = GAME_IDS[0]


def words(rows: list[Row]) -> list[str]:
    """Return rows as text."""
    return ["".join(run for run, _ in row).rstrip() for row in rows]


def make_players(strength: int, seat: int = 0) -> tuple[Player, Player]:
    """Return the players of a game between a person at `seat` and an engine."""
    engine = Player(PlayerKind.ENGINE, "", strength)
    return (HUMAN, engine) if seat == 0 else (engine, HUMAN)


def make_recent_figures(*games: tuple[int, int]) -> tuple[Figures, ...]:
    """Return the figures of games with these numbers of decisions, and with this many in which the value was held."""
    return tuple(Figures({}, kept, decisions, 0, None, None) for kept, decisions in games)


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_the_figures_are_those_of_the_games(store: GameStore, game_id: str) -> None:
    """The stored figures are the same as those found by replaying each game from its moves."""
    expected = []
    for seed in range(2 * RECENT):
        session = random_session(game_id, seed, 20)
        if session.result is None:
            session.resign(0)
        number = store.save(session, GameDetails())
        if len(session.human_seats) == 1:
            saved = store.load(number).session
            expected.append(replace(count_figures(list_solo_choices(saved.node.path())), unjudged=0))
    assert len(expected) > 3
    assert store.progress.read(game_id).lately == tuple(expected[-RECENT:])


def test_results_are_counted_by_engine_and_agree_with_the_record(store: GameStore) -> None:
    random = Random(1)
    for _ in range(20):
        seat = random.choice((0, 1))
        session = play_session(FIRST, players=make_players(random.choice((0, 70, 100)), seat))
        if random.random() < 0.3:
            session.agree_draw()
        else:
            session.resign(random.choice((0, 1)))
        store.save(session, GameDetails(imported=random.random() < 0.2))
    store.save(play_session(FIRST, players=make_players(5)), GameDetails())
    found = store.progress.read(FIRST)
    assert [engine.strength for engine in found.against] == [100, 70, 0]
    assert found.total == store.progress.read_tallies()[FIRST]
    assert store.progress.read(GAME_IDS[1]).total == Tally()


def test_mistakes_are_counted_by_what_they_gave_away_even_with_a_hint(store: GameStore) -> None:
    def make_flagged(grade: Grade, before: Value | None, after: Value | None) -> Judgement:
        return Judgement(grade, before, after, flagged=True)

    session = play_session(FIRST, 0, make_players(100))
    slips = [
        make_flagged(Grade.BLUNDER, Win(5), Loss(8)),
        make_flagged(Grade.BLUNDER, Win(3), Loss(2)),
        make_flagged(Grade.MISSED_WIN, Win(3), Draw()),
        make_flagged(Grade.BLUNDER, None, None),
        make_flagged(Grade.BLUNDER, Draw(), Loss(2)),
    ]
    for slip in slips:
        parent = session.node
        session.play(session.legal_moves()[0]).judgements[0] = slip
        if slip is slips[-1]:
            parent.hinted.add(0)
    session.node.judgements[1] = slips[0]
    session.resign(0)
    store.save(session, GameDetails())
    assert store.progress.read(FIRST).mistakes == (
        ("Win -> Loss", 2),
        ("Win -> Draw", 1),
        ("Blunder", 1),
        ("Draw -> Loss", 1),
    )


def test_drills_are_due_begun_or_learnt(path: Path) -> None:
    now = [datetime(2026, 11, 20, tzinfo=UTC)]
    store = GameStore(path, clock=lambda: now[0])
    store.drills.add(Drill(FIRST, str(number), 0, Origin.MISTAKE) for number in range(4))
    first, second, third, _ = store.drills.list_due([FIRST])
    for drill in (first, second, third):
        store.drills.answer(drill.number, solved=True)
    assert store.progress.read(FIRST).drills == DrillCount(due=1, begun=3)
    now[0] += timedelta(minutes=15)
    for drill in (first, second):
        store.drills.answer(drill.number, solved=True)
    assert store.progress.read(FIRST).drills == DrillCount(due=2, learnt=2)
    now[0] += timedelta(days=100)
    assert store.progress.read(FIRST).drills == DrillCount(due=4), "what is learnt is due again in time"
    store.close()


def test_damage_is_reported_in_one_line(path: Path, store: GameStore) -> None:
    session = play_session(FIRST, players=make_players(100))
    session.resign(0)
    store.save(session, GameDetails())
    raw = sqlite3.connect(path, isolation_level=None)
    raw.execute("UPDATE node SET judgements = '{\"0\": {}}'")
    raw.close()
    with pytest.raises(StoreTrouble) as caught:
        store.progress.read(FIRST)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("levels", [LEVELS, ASCII_LEVELS])
def test_the_picture_is_full_only_where_nothing_was_lost(levels: str) -> None:
    shown = recent_bars(make_recent_figures((0, 9), (1, 9), (8, 9), (99, 100), (9, 9), (0, 0)), levels is ASCII_LEVELS)
    columns = [sign for sign, _ in shown]
    assert columns[0] == levels[0]
    assert columns[4] == levels[-1]
    assert columns.count(levels[-1]) == 1
    assert columns[:5] == sorted(columns[:5], key=levels.index)
    assert columns[5] == "·"
    assert ASCII_LEVELS.isascii()
    assert len(set(levels)) == 8


def test_a_hundred_percent_means_all() -> None:
    assert (format_kept(999, 1000), format_kept(7, 7), format_kept(0, 3), format_kept(0, 0)) == (
        "99 %",
        "100 %",
        "0 %",
        "",
    )


def engine(style: str, strength: int) -> Player:
    """An engine."""
    return Player(PlayerKind.ENGINE, style, strength)


FULL = Progress(
    {
        engine("prudent", 100): Tally(0, 3, 2),
        engine("bold", 100): Tally(1, 0, 0),
        engine("bold", 70): Tally(4, 1, 0),
        engine("", 40): Tally(10, 0, 0),
        engine("bold", 0): Tally(1, 0, 0),
    },
    make_recent_figures((1, 4), (2, 4), (3, 4), (4, 4)),
    (("Draw -> Loss", 4), ("Win -> Draw", 2), ("Win -> Loss", 1)),
    DrillCount(due=3, learnt=12, begun=5),
)


def test_the_line_of_a_game() -> None:
    assert words([list_row("Two Heaps", FULL, False)]) == ["Two Heaps            22 games       ▂▄▆█  62 %  3 due"]
    assert words([list_row("Two Heaps", FULL, True)]) == ["Two Heaps            22 games       .-+#  62 %  3 due"]


def test_the_page_of_a_game() -> None:
    assert words(progress_rows(FULL, 53)) == [
        "against           won  drawn   lost",
        "prudent 100         0      3      2",
        "bold 70             4      1      0",
        "engine 40          10      0      0",
        "others              2      0      0",
        "total              16      4      2",
        "",
        "Good first try  10 of 16 moves, last 4 games",
        "Mistakes        Draw → Loss: 4, Win → Draw: 2",
        "Drills          3 due now, 5 begun, 12 learnt",
    ]
    assert words(progress_rows(FULL, 80))[-2] == "Mistakes        Draw → Loss: 4, Win → Draw: 2, Win → Loss: 1"
    levels = (Level("novice", "Novice", "bold", 70, 0, 0),)
    assert "Novice              4      1      0" in words(progress_rows(FULL, 53, levels))
    rated = replace(FULL, rated=(Scored("novice", 1.0),))
    assert "Rating          4 more rated games until your rating shows; next: Novice" in words(
        progress_rows(rated, 80, levels)
    )
    assert "Rating          after 4 more games; next: Novice" in words(progress_rows(rated, 53, levels))
    rated = replace(FULL, rated=(Scored("novice", 1.0),) * 5)
    assert f"Rating          {find_rating(levels, rated.rated)}, provisional; next: Novice" in words(
        progress_rows(rated, 53, levels)
    )
    only = Progress({engine("best", 0): Tally(1, 0, 0)}, make_recent_figures((0, 0)), (), DrillCount())
    assert words(progress_rows(only, 53))[1:] == [
        "random              1      0      0",
        "",
        "Good first try  no moves judged yet",
    ]


@pytest.fixture
def history(games: GameStore) -> GameStore:
    """Save two games of the tiny game, one without a mistake and one with one."""
    for moves in (("R1", "L1", "R1", "L1", "R1", "L1", "R1"), ("R3", "L2", "L1", "R1")):
        game = tiny_game()
        session: Session[object, object] = Session(game, None, make_players(80))
        live = LiveGame(session, Coaching())
        for spelled in moves:
            move, seat = game.notation.parse_move(session.position, spelled), session.to_move
            if seat == 0:
                live.store_values(live.node, TinyAnalyst().analyse(session.position))  # type: ignore[arg-type]
                live.offer(0, move)
                if live.stopped_move is not None:
                    live.play_stopped_move()
            else:
                session.play(move)
        games.save(session, GameDetails())
    return games


async def test_from_the_menu_to_the_progress_of_a_game_and_back(history: GameStore) -> None:
    app = make_menu_app(store=history)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "p")
        assert isinstance(app.screen, ProgressScreen)
        assert "No finished games against the engine yet." in text(app), "the first game was never played"
        await press(pilot, "up")
        shown = text(app)
        assert "Two Heaps             2 games         █▁  75 %" in shown
        assert "engine 80           1      0      1" in shown
        assert "Mistakes        Win → Loss: 1" in shown
        await press(pilot, "d")
        assert isinstance(app.screen, DrillsScreen)
        await press(pilot, "escape", "escape")
        assert "onlymove" in text(app)


def _footer(shown: str) -> list[tuple[str, str]]:
    pairs = [item.split() for item in shown.splitlines()[-1].split("  ")]
    return [(pair[0], pair[1]) for pair in pairs if len(pair) == 2]


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
async def test_nothing_of_it_is_cut(history: GameStore, size: tuple[int, int]) -> None:
    app = make_menu_app(store=history, ascii_only=True)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        await press(pilot, "p", "up")
        assert "…" not in text(app)
        assert text(app).isascii()
        assert "#_  75 %" in text(app)


async def test_without_a_disk_it_says_so(games: GameStore, tmp_path: Path) -> None:
    app = make_menu_app(store=games)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        with closing(sqlite3.connect(tmp_path / "games.sqlite3")) as raw:
            raw.execute("ALTER TABLE drill RENAME TO lost")
        await press(pilot, "p")
        assert "no such table" in text(app)

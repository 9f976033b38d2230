"""The player's rating: which games count and why others do not, where it is shown, and which level it suggests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random

import pytest
from onlymove_engines.coach.judge import Coaching, OnBad, judge
from onlymove_engines.coach.values import Known
from onlymove_engines.core.game import AnyGame
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play import ladder
from onlymove_engines.play.ladder import Scored, describe_rating, find_rating
from onlymove_engines.play.players import HUMAN, Player, PlayerKind, Players, read_player, set_level
from onlymove_engines.play.session import AnySession, Session
from onlymove_engines.play.tree import find_house_rule
from onlymove_tui.app.launch import Preferences
from onlymove_tui.app.live_games import LiveGames, find_autosave
from onlymove_tui.app.panels.progress_rows import suggest_level
from onlymove_tui.store.entries import GameDetails
from onlymove_tui.store.exchange import Importer, to_record
from onlymove_tui.store.games import Autosave, GameStore

from tests.tui.live_games import reply, store_current_values
from tests.tui.pilots import make_board_app, make_settings, press, settle, store_at, text
from tests.tui.test_sides import LEVELLED, LEVELS, form_of
from tests.tui.tiny_game import TinyAnalyst

NOVICE, MASTER = (read_player(LEVELLED, level.id) for level in LEVELS)
AGAINST_NOVICE: Players = (HUMAN, NOVICE)


def find(game_id: str) -> AnyGame:
    return LEVELLED


@pytest.fixture
def store(tmp_path: Path) -> GameStore:
    """Return a store in which each game ends a minute after the one before."""
    minutes = count()
    clock = lambda: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=next(minutes))  # noqa: E731
    return GameStore(tmp_path / "games.sqlite3", find, clock)


def start_level_game(
    store: GameStore, players: Players = AGAINST_NOVICE, unrated: str = "", **changes: object
) -> LiveGame:
    """Return a game against a level, with everything about its current position known."""
    session: AnySession = Session(LEVELLED, players=players)
    live = LiveGame(session, Coaching(), True, Autosave(store, session, GameDetails(unrated=unrated)), Random(1))
    live.set_analyst(TinyAnalyst())
    return store_current_values(live)


def read_details(live: LiveGame) -> GameDetails:
    assert isinstance(live.saver, Autosave)
    return live.saver.details


def get_known_values(live: LiveGame) -> Known:
    """Return what the moves at the current position are worth."""
    values = live.node.values
    assert values is not None
    return values


def play_on(live: LiveGame) -> None:
    """Let both sides move once."""
    if live.session.choosing_seat is not None:
        live.offer(live.session.choosing_seat, next(iter(live.session.legal_moves())))
        if live.stopped_move is not None:
            live.play_stopped_move()
        store_current_values(live)
    if live.list_choosing_engines():
        reply(live)


def test_a_game_against_a_level_counts_when_it_ends(store: GameStore) -> None:
    live = start_level_game(store)
    play_on(live)
    assert store.progress.list_rated() == {}
    live.resign(0)
    (counted,) = store.progress.list_rated()["tiny"]
    assert (counted.level, counted.score) == ("novice", 0.0)
    assert read_details(live).unrated == ""


def change_sides(live: LiveGame) -> None:
    """Let the person play the other side, for one move of each."""
    live.set_players((MASTER, HUMAN))
    play_on(live)
    play_on(live)


HELP: dict[str, Callable[[LiveGame], object]] = {
    ladder.HINTED: lambda live: live.prepare_hint(),
    ladder.VALUES: lambda live: live.show_values(True),
    ladder.TAKEN_BACK: lambda live: live.undo(),
    ladder.EXPLAINED: lambda live: live.prepare_refutation(live.node, next(iter(live.session.legal_moves()))),
    ladder.REVIEWED: lambda live: live.mark_reviewed(),
    ladder.RESEATED: change_sides,
}


@pytest.mark.parametrize("why", HELP)
def test_any_help_makes_a_game_unrated_and_is_named(store: GameStore, why: str) -> None:
    live = start_level_game(store)
    play_on(live)
    HELP[why](live)
    if not live.session.is_over:
        live.resign(live.session.near_seat)
    assert read_details(live).unrated == why
    assert store.progress.list_rated() == {}


def test_a_held_move_that_is_kept_is_no_help_and_one_thought_over_is(store: GameStore) -> None:
    trial = start_level_game(store)
    slip = next(
        move for move in trial.session.legal_moves() if judge(get_known_values(trial), move, trial.coaching, 0).flagged
    )
    for rethinks, why in ((False, ""), (True, ladder.TAKEN_BACK)):
        live = start_level_game(store)
        for _ in range(2):
            live.offer(0, slip)
        assert live.stopped_move is not None
        if rethinks:
            live.rethink()
        else:
            live.play_stopped_move()
        live.resign(0)
        assert read_details(live).unrated == why


def test_resigning_while_a_move_is_stopped_loses(store: GameStore) -> None:
    live = start_level_game(store)
    while live.stopped_move is None:
        seat, moves = live.session.choosing_seat, live.session.legal_moves()
        assert seat is not None, "no slip came up"
        slips = [move for move in moves if judge(get_known_values(live), move, live.coaching, seat).flagged]
        live.offer(seat, (slips if live.node.ply else [m for m in moves if m not in slips])[0])
        if live.stopped_move is None:
            store_current_values(live)
            reply(live)
    live.resign(0)
    assert store.progress.list_rated()["tiny"][0].score == 0.0


def test_a_move_returned_by_the_tutor_counts_as_help(store: GameStore) -> None:
    live = start_level_game(store)
    live.set_coaching(replace(live.coaching, on_bad=OnBad.UNDO))
    slip = next(
        move for move in live.session.legal_moves() if judge(get_known_values(live), move, live.coaching, 0).flagged
    )
    verdict = live.offer(0, slip)
    assert verdict is not None
    assert verdict.is_taken_back
    live.resign(0)
    assert read_details(live).unrated == ladder.TAKEN_BACK


def test_other_conditions_than_those_of_the_level_are_named(store: GameStore) -> None:
    own = Player(PlayerKind.ENGINE, "idle", 33)
    live = start_level_game(store, (HUMAN, own))
    play_on(live)
    live.resign(0)
    assert read_details(live).unrated == ladder.NO_LEVEL
    ruled: AnySession = Session(LEVELLED, None, AGAINST_NOVICE, find_house_rule(LEVELLED, "left-stands"))
    ruled.play(ruled.legal_moves()[0])
    ruled.resign(0)
    assert ladder.score_game(ruled, "", False) == (ladder.HOUSE_RULE, None)
    searching = replace(LEVELLED, facts=replace(LEVELLED.facts, plays_by_search=True))
    hurried: AnySession = Session(searching, players=AGAINST_NOVICE)
    hurried.play(hurried.legal_moves()[0])
    hurried.resign(0)
    assert ladder.score_game(hurried, "", True) == (ladder.SEARCH, None)


def test_another_start_does_not_count() -> None:
    usual: AnySession = Session(LEVELLED, players=AGAINST_NOVICE)
    assert ladder.find_changed_start(usual, {"heaps": "3-4"}, 1) == ""
    assert ladder.find_changed_start(usual, {"heaps": "2-2"}, 1) == ladder.START
    assert ladder.find_changed_start(Session(LEVELLED, (1, 1, 0), AGAINST_NOVICE), {}, 1) == ladder.START


def test_guests_are_never_rated(store: GameStore) -> None:
    live_games = LiveGames(Preferences(make_settings()), Random(1), store, is_guest=True)
    live = live_games.make(Session(LEVELLED, players=AGAINST_NOVICE), {}, 1, training=False)
    autosave = find_autosave(live)
    live.offer(0, live.session.legal_moves()[0])
    live.resign(0)
    assert autosave is not None
    assert autosave.details.unrated == ladder.GUEST
    assert store.progress.list_rated() == {}


@pytest.mark.parametrize(("profile", "is_rated"), [("", True), ("ada", True), ("guest-0f3a", False)])
def test_in_a_kiosk_only_guests_are_unrated(profile: str, is_rated: bool) -> None:
    app = make_board_app(kiosk=True, profile=profile)
    assert app.services.live_games.is_guest != is_rated


def test_two_people_rate_nothing_and_hear_nothing(store: GameStore) -> None:
    live = start_level_game(store, (HUMAN, HUMAN))
    play_on(live)
    live.resign(0)
    assert (read_details(live).unrated, read_details(live).rated) == ("", None)
    assert describe_rating(LEVELS, (), None, "") == ""


def test_a_loss_that_is_taken_back_still_counts(store: GameStore) -> None:
    live = start_level_game(store)
    play_on(live)
    live.resign(0)
    before = store.progress.list_rated()
    live.undo()
    assert store.progress.list_rated() == before
    live.resign(1)
    assert store.progress.list_rated() == before
    assert (
        describe_rating(LEVELS, before["tiny"], read_details(live).rated, read_details(live).unrated)
        == "The game was rated when it first ended."
    )


def test_a_game_in_which_nothing_was_played_is_not_rated(store: GameStore) -> None:
    live = start_level_game(store)
    live.resign(0)
    assert (read_details(live).unrated, read_details(live).rated) == ("", None)


def test_a_game_that_was_killed_remembers_what_helped(store: GameStore) -> None:
    live = start_level_game(store)
    play_on(live)
    live.prepare_hint()
    play_on(live)
    assert isinstance(live.saver, Autosave)
    assert live.saver.number is not None
    assert store.load(live.saver.number).details.unrated == ladder.HINTED


def test_imported_games_are_not_rated(store: GameStore, tmp_path: Path) -> None:
    live = start_level_game(store)
    play_on(live)
    live.resign(0)
    elsewhere = GameStore(tmp_path / "other.sqlite3", find)
    (entry,) = store.list()
    Importer(elsewhere).add([to_record(entry, store.load(entry.number))])
    assert elsewhere.count() == 1
    assert elsewhere.progress.list_rated() == {}
    elsewhere.close()


def test_a_deleted_game_no_longer_counts(store: GameStore) -> None:
    for _ in range(2):
        live = start_level_game(store)
        play_on(live)
        live.resign(0)
    games = store.progress.list_rated()["tiny"]
    assert list(games) == sorted(games, key=lambda game: game.ended)
    store.delete(store.list()[0].number)
    assert store.progress.list_rated()["tiny"] == games[:1]


def test_the_words_at_the_end_say_what_changed() -> None:
    first, second = Scored("novice", 1.0, "1"), Scored("master", 0.0, "2")
    before, after = find_rating(LEVELS, (first,)), find_rating(LEVELS, (first, second))
    assert before is not None
    assert after is not None
    change = round(after.points - before.points)
    assert describe_rating(LEVELS, (first, second), second, "") == f"Rating {after} ({change:+}), provisional"
    assert describe_rating(LEVELS, (first, second), first, "") == f"Rating {before}, provisional"
    assert describe_rating(LEVELS, (), None, "you used a hint") == "Not rated: you used a hint."
    assert describe_rating((), (), None, "a hint") == ""


def test_only_a_level_is_changed_to_another_level() -> None:
    master = LEVELS[1]
    assert set_level(LEVELLED, AGAINST_NOVICE, master) == (HUMAN, MASTER)
    assert set_level(LEVELLED, (NOVICE, HUMAN), master) == (MASTER, HUMAN)
    for others in ((HUMAN, HUMAN), (NOVICE, NOVICE), (HUMAN, Player(PlayerKind.ENGINE, "idle", 33))):
        assert set_level(LEVELLED, others, master) == others


def test_the_menu_names_the_level_to_play() -> None:
    assert suggest_level(LEVELS, ()) == "Suggested opponent: Novice."
    assert suggest_level((), ()) == ""
    won = (Scored("novice", 1.0),)
    assert suggest_level(LEVELS, won) == f"Your rating is {find_rating(LEVELS, won)}. Suggested opponent: Master."


async def test_summary_menu_and_form_show_rating_and_level(tmp_path: Path) -> None:
    """After a win against Novice and a loss, the summary rates the game, and the menu and the form offer the level
    that fits."""
    games = store_at(tmp_path / "games.sqlite3")
    app = make_board_app(games=(LEVELLED,), store=games, players=AGAINST_NOVICE, training=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "enter", "1", "R", "R")
        lost = find_rating(LEVELS, games.progress.list_rated()["tiny"])
        assert f"Rating {lost}" in " ".join(text(app).split()), "the summary says nothing of the rating"
        await press(pilot, "a", "h", "enter", "1", "R", "R")
        assert "Not rated: you used a hint." in " ".join(text(app).split())
        await press(pilot, "q", "up")
        assert f"Your rating is {lost}. Suggested opponent: Novice." in " ".join(text(app).split())
        await press(pilot, "enter")
        form = form_of(pilot)
        assert form.all_fields["engine.1"].value == "novice"
        assert "Suggested for you." in form.all_fields["engine.1"].describe()


async def test_the_summary_of_a_game_of_two_people_names_no_rating(tmp_path: Path) -> None:
    app = make_board_app(
        games=(LEVELLED,), store=store_at(tmp_path / "games.sqlite3"), players=(HUMAN, HUMAN), training=False
    )
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await press(pilot, "h", "enter", "1", "R", "R")
        assert "Accuracy" in text(app)
        assert "Not rated" not in text(app)


def test_a_game_against_an_engine_that_is_still_compiled_does_not_count(store: GameStore) -> None:
    live = start_level_game(store)
    live.begin_preparing()
    live.set_training(False)
    live.offer(0, next(iter(live.session.moves_of(0))))
    reply(live)
    assert read_details(live).unrated == ladder.UNPREPARED

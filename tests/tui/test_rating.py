"""The player's rating: which games are rated, how they are left, where it is shown, and which level it suggests."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random

import pytest
from onlymove.pictures.colours import Tone
from onlymove_engines.core.game import AnyGame
from onlymove_engines.games import load
from onlymove_engines.live.engine import FREE, Effort
from onlymove_engines.live.live_game import LiveGame, allows_help, is_revealed
from onlymove_engines.play.ladder import Scored, find_rating
from onlymove_engines.play.players import (
    HUMAN,
    Player,
    PlayerKind,
    Players,
    describe_level,
    read_player,
    set_level,
)
from onlymove_engines.play.session import AnySession, Session
from onlymove_engines.play.tree import find_house_rule
from onlymove_tui.app.commands import TRAINING, list_commands
from onlymove_tui.app.launch import Preferences
from onlymove_tui.app.live_games import LiveGames, NotRated, read_rating
from onlymove_tui.app.panels.progress_rows import suggest_level
from onlymove_tui.app.widgets.choices import Choices
from onlymove_tui.play.phrases import own_ending_text
from onlymove_tui.play.situations import HELP_LATER, PLAYERS_STAY, find_present
from onlymove_tui.store.entries import GameDetails
from onlymove_tui.store.exchange import Importer, to_record
from onlymove_tui.store.games import LEFT_AFTER, Autosave, GameStore
from textual.pilot import Pilot

from tests.tui.live_games import reply, store_current_values
from tests.tui.pilots import (
    board,
    make_board_app,
    make_menu_app,
    make_settings,
    notice,
    press,
    session,
    settle,
    store_at,
    text,
)
from tests.tui.test_sides import LEVELLED, LEVELS, choose, form_of
from tests.tui.tiny_game import TinyAnalyst, tiny_game

NOVICE, MASTER = (read_player(LEVELLED, level.id) for level in LEVELS)
AGAINST_NOVICE: Players = (HUMAN, NOVICE)
HUMAN_AND_STYLE: Players = (HUMAN, Player(PlayerKind.ENGINE, "idle", 33))
SLIP = ("R", 3)
"""A bad first move."""


def find(game_id: str) -> AnyGame:
    return LEVELLED


@pytest.fixture
def store(tmp_path: Path) -> GameStore:
    """Return a store in which each game ends a minute after the one before."""
    minutes = count()
    clock = lambda: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=next(minutes))  # noqa: E731
    return GameStore(tmp_path / "games.sqlite3", find, clock)


def start_level_game(
    store: GameStore, players: Players = AGAINST_NOVICE, is_rated: bool = True, training: bool = True
) -> LiveGame:
    """Return a game against a level, with everything about its current position known."""
    live_games = LiveGames(Preferences(make_settings()), Random(1), store)
    live = live_games.make(Session(LEVELLED, players=players), {}, 1, training, is_rated=is_rated)
    live.set_analyst(TinyAnalyst())
    return store_current_values(live)


def read_details(live: LiveGame) -> GameDetails:
    assert isinstance(live.saver, Autosave)
    return live.saver.details


def play_on(live: LiveGame) -> None:
    """Let both sides move once."""
    if live.session.choosing_seat is not None:
        live.offer(live.session.choosing_seat, next(iter(live.session.legal_moves())))
        if live.stopped_move is not None:
            live.play_stopped_move()
        store_current_values(live)
    if live.list_choosing_engines():
        reply(live)


def test_a_rated_game_counts_when_it_ends(store: GameStore) -> None:
    live = start_level_game(store)
    play_on(live)
    assert store.progress.list_rated() == {}
    live.resign(0)
    (counted,) = store.progress.list_rated()["tiny"]
    assert (counted.level, counted.score) == ("novice", 0.0)
    assert not live.is_rated


def test_no_training_game_counts_and_none_says_why(store: GameStore) -> None:
    live = start_level_game(store, is_rated=False)
    play_on(live)
    live.resign(0)
    assert store.progress.list_rated() == {}
    assert read_rating(live) == ""


def test_no_move_of_a_rated_game_is_stopped_judged_or_explained_before_its_end(store: GameStore) -> None:
    for is_rated in (True, False):
        live = start_level_game(store, is_rated=is_rated)
        verdict = live.offer(0, SLIP)
        assert verdict is not None
        assert (verdict.stopped_move is None) is is_rated
        assert (live.training, live.comments, is_revealed(live), allows_help(live)) == (not is_rated,) * 4
        live.resign(0)
        assert live.training
        assert is_revealed(live)
        assert allows_help(live)


def test_a_rated_game_has_no_limits_on_its_engine(store: GameStore) -> None:
    live = start_level_game(store)
    live.set_effort(Effort(seconds=0.1))
    assert live.effort == FREE
    play_on(live)
    live.resign(0)
    assert live.effort == Effort(seconds=0.1)


@pytest.mark.parametrize(
    ("session", "options"),
    [
        (Session(LEVELLED, players=HUMAN_AND_STYLE), {}),
        (Session(LEVELLED, players=(HUMAN, HUMAN)), {}),
        (Session(LEVELLED, players=(NOVICE, MASTER)), {}),
        (Session(LEVELLED, None, AGAINST_NOVICE, find_house_rule(LEVELLED, "left-stands")), {}),
        (Session(LEVELLED, (1, 1, 0), AGAINST_NOVICE), {}),
        (Session(LEVELLED, players=AGAINST_NOVICE), {"heaps": "2-2"}),
        (Session(tiny_game(), players=HUMAN_AND_STYLE), {}),
    ],
    ids=["a style", "two people", "two engines", "a house rule", "another start", "an option", "no levels"],
)
def test_only_a_game_against_a_level_from_the_usual_start_can_be_rated(
    store: GameStore, session: AnySession, options: dict[str, str]
) -> None:
    with pytest.raises(NotRated):
        LiveGames(Preferences(make_settings()), Random(1), store).make(session, options, 1, True, is_rated=True)


def test_a_guest_cannot_play_a_rated_game(store: GameStore) -> None:
    live_games = LiveGames(Preferences(make_settings()), Random(1), store, is_guest=True)
    with pytest.raises(NotRated, match="guests"):
        live_games.make(Session(LEVELLED, players=AGAINST_NOVICE), {}, 1, training=False, is_rated=True)


@pytest.mark.parametrize(("profile", "is_rated"), [("", True), ("ada", True), ("guest-0f3a", False)])
def test_in_a_kiosk_only_guests_are_unrated(profile: str, is_rated: bool) -> None:
    app = make_board_app(kiosk=True, profile=profile)
    assert app.services.live_games.is_guest != is_rated


def test_a_loss_that_is_taken_back_still_counts(store: GameStore) -> None:
    live = start_level_game(store)
    play_on(live)
    live.resign(0)
    before = store.progress.list_rated()
    assert read_rating(live) == "Rated. 4 more rated games until your rating shows."
    live.undo()
    assert store.progress.list_rated() == before
    assert not live.is_rated
    live.resign(1)
    assert store.progress.list_rated() == before
    assert read_rating(live) == "The game was rated when it first ended."
    again = LiveGames(Preferences(make_settings()), Random(1), store).load(1)
    assert not again.is_rated
    again.undo()
    assert not again.is_rated


def test_a_game_in_which_nothing_was_played_is_not_rated(store: GameStore) -> None:
    live = start_level_game(store)
    live.resign(0)
    assert read_details(live).rated is None
    assert store.progress.list_rated() == {}


def test_a_rated_game_that_was_killed_goes_on_as_rated(store: GameStore) -> None:
    live = start_level_game(store)
    play_on(live)
    again = LiveGames(Preferences(make_settings()), Random(1), store).load(1)
    assert again.is_rated
    assert again.session.node.ply == live.session.node.ply
    again.resign(0)
    assert [game.score for game in store.progress.list_rated()["tiny"]] == [0.0]


def test_the_rematch_of_a_rated_game_is_rated_unless_the_players_changed(store: GameStore) -> None:
    live_games = LiveGames(Preferences(make_settings()), Random(1), store)
    live = start_level_game(store)
    play_on(live)
    live.resign(0)
    rematch = live_games.make_rematch(live, swapped=True)
    assert rematch.is_rated
    assert rematch.session.players == (NOVICE, HUMAN)
    live.undo()
    live.set_players((HUMAN, HUMAN))
    live.resign(0)
    assert not live_games.make_rematch(live, swapped=False).is_rated


# Games that are left.


class ScriptedClock:
    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


def leave_rated_game(tmp_path: Path) -> tuple[GameStore, ScriptedClock]:
    clock = ScriptedClock()
    store = GameStore(tmp_path / "games.sqlite3", find, clock)
    play_on(start_level_game(store))
    return store, clock


def test_a_rated_game_left_for_thirty_days_is_lost_and_not_a_moment_earlier(tmp_path: Path) -> None:
    store, clock = leave_rated_game(tmp_path)
    clock.now += LEFT_AFTER - timedelta(seconds=1)
    assert store.forfeit_left_games() == []
    assert LiveGames(Preferences(make_settings()), Random(1), store).load(1).is_rated
    clock.now += timedelta(seconds=1)
    live = LiveGames(Preferences(make_settings()), Random(1), store).load(1)
    assert not live.is_rated
    assert live.session.result is not None
    assert own_ending_text(live, live.session.result) == "You lose: you left the game."
    assert [game.score for game in store.progress.list_rated()["tiny"]] == [0.0]
    assert store.forfeit_left_games() == [], "it is lost once"
    assert store.list()[0].is_over
    store.close()


def test_time_that_goes_back_loses_no_rated_game(tmp_path: Path) -> None:
    store, clock = leave_rated_game(tmp_path)
    clock.now -= 2 * LEFT_AFTER
    assert store.forfeit_left_games() == []
    store.close()


def test_a_clock_that_was_ahead_for_once_loses_no_rated_game(tmp_path: Path) -> None:
    store, clock = leave_rated_game(tmp_path)
    clock.now += 50 * LEFT_AFTER
    assert store.forfeit_left_games() == ["tiny"]
    clock.now -= 50 * LEFT_AFTER
    assert store.forfeit_left_games() == []
    assert store.find_rated("tiny") is not None, "it goes on"
    assert not store.progress.list_rated().get("tiny")
    clock.now += LEFT_AFTER
    assert store.forfeit_left_games() == ["tiny"]
    store.close()


def test_only_rated_games_are_lost_by_leaving_them(tmp_path: Path) -> None:
    clock = ScriptedClock()
    store = GameStore(tmp_path / "games.sqlite3", find, clock)
    play_on(start_level_game(store, is_rated=False))
    ended = start_level_game(store)
    play_on(ended)
    ended.resign(0)
    ended.undo()
    clock.now += 2 * LEFT_AFTER
    assert store.forfeit_left_games() == []
    assert store.find_rated("tiny") is None
    assert len(store.progress.list_rated()["tiny"]) == 1
    store.close()


def test_a_rated_game_is_lost_for_another_one_of_its_kind_only(tmp_path: Path) -> None:
    store, _ = leave_rated_game(tmp_path)
    store.forfeit_rated("heap")
    assert store.find_rated("tiny") is not None
    store.forfeit_rated("tiny")
    assert store.find_rated("tiny") is None
    assert [game.score for game in store.progress.list_rated()["tiny"]] == [0.0]
    store.close()


def test_a_rated_game_lost_elsewhere_goes_on_here_as_an_unrated_copy(tmp_path: Path) -> None:
    store, _ = leave_rated_game(tmp_path)
    here = LiveGames(Preferences(make_settings()), Random(1), store).load(1)
    elsewhere = GameStore(tmp_path / "games.sqlite3", find)
    elsewhere.forfeit_rated("tiny")
    here.resign(1 - here.session.near_seat)
    assert store.count() == 2
    assert [game.score for game in store.progress.list_rated()["tiny"]] == [0.0], "one game, one score"
    elsewhere.close()
    store.close()


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


def test_only_a_level_is_changed_to_another_level() -> None:
    master = LEVELS[1]
    assert set_level(LEVELLED, AGAINST_NOVICE, master) == (HUMAN, MASTER)
    assert set_level(LEVELLED, (NOVICE, HUMAN), master) == (MASTER, HUMAN)
    for others in ((HUMAN, HUMAN), (NOVICE, NOVICE), (HUMAN, Player(PlayerKind.ENGINE, "idle", 33))):
        assert set_level(LEVELLED, others, master) == others


def test_the_menu_names_the_level_to_play() -> None:
    facts = LEVELLED.facts
    assert suggest_level(facts, ()) == "Suggested opponent: Novice."
    assert suggest_level(tiny_game().facts, ()) == ""
    won = (Scored("novice", 1.0),) * 2
    assert suggest_level(facts, won) == "3 more rated games until your rating shows. Suggested opponent: Master."
    many = (*won, *won, Scored("novice", 1.0))
    shown = f"Your rating is {find_rating(LEVELS, many)}, provisional."
    assert suggest_level(facts, many) == f"{shown} Suggested opponent: Master."
    draws = (Scored("master", 0.5),) * 2
    beaten = "3 more rated games until your rating shows. You have beaten Master, the highest level."
    assert suggest_level(replace(facts, solved="draw"), draws) == beaten
    assert "Suggested opponent: Master" in suggest_level(replace(facts, solved="first player wins"), draws)


def test_a_level_is_described_by_what_it_does_and_stronger_ones_see_farther() -> None:
    told = [describe_level(load("tobito"), level) for level in load("tobito").facts.levels]
    assert told[0] == "Plays any move, without looking."
    assert told[1] == "Sees 1 move ahead, and is careless."
    assert told[-1] == "Never gives the result away."
    seen = [int(words.split()[1]) for words in told[1:-1]]
    assert seen == sorted(seen)
    assert describe_level(load("lightriders"), load("lightriders").facts.levels[1]).startswith("Looks 1 round ahead")
    assert "points with a move" in describe_level(load("ayoayo"), load("ayoayo").facts.levels[1])


# In the app.

REFUSED = ("t", "u", "r", "h", "v", "w", "X", "e", "D")


def test_every_command_of_training_is_refused_in_a_rated_game(store: GameStore) -> None:
    live = start_level_game(store)
    situation = find_present(live)
    training = {command.id for command in list_commands("play") if command.group == TRAINING}
    for name in training - {"learn", "drill_these"}:  # these are for the time after the game
        assert situation.refuse(name) == HELP_LATER, name
    play_on(live)
    live.resign(0)
    assert not any(find_present(live).refuse(name) for name in training)


async def begin_rated(pilot: Pilot[int]) -> None:
    """Choose a rated game in the form and start it."""
    await press(pilot, "end", "enter")
    await choose(pilot, "mode", "rated")
    await press(pilot, "home")
    form_of(pilot).query_one(Choices).mark(0)
    await press(pilot, "enter")
    await settle(pilot)


async def test_in_a_rated_game_keys_for_help_answer_one_sentence_and_move_nothing(tmp_path: Path) -> None:
    app = make_menu_app(games=(LEVELLED,), store=store_at(tmp_path / "games.sqlite3"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await begin_rated(pilot)
        assert board(app).title_rows()[1] == [("rated", Tone.DIM)]
        for key in REFUSED:
            before = session(app).node
            await press(pilot, key)
            assert HELP_LATER in notice(app), key
            assert session(app).node is before
            await press(pilot, "left")
        for key in ("x", "P"):
            await press(pilot, key)
            assert PLAYERS_STAY in notice(app), key
        await press(pilot, "backspace")
        assert "You have chosen nothing yet. q leaves the game." in notice(app)
        words = dict(board(app).footer())
        assert not {"hint", "undo", "values", "why"} & words.keys()
        await press(pilot, "enter", "1", "R", "R", "v")
        assert HELP_LATER not in notice(app)
        assert "4 more rated games until your rating shows" in " ".join(text(app).split())


async def test_a_rated_game_waits_in_the_menu_and_another_one_is_asked_about_first(tmp_path: Path) -> None:
    games = GameStore(tmp_path / "games.sqlite3", find)
    app = make_menu_app(games=(LEVELLED,), store=games)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await begin_rated(pilot)
        await press(pilot, "enter", "1", "q")
        assert "Resume rated Two Heaps" in text(app)
        await press(pilot, "home")
        assert f"lost if you leave it for {LEFT_AFTER.days} days" in " ".join(text(app).split())
        await begin_rated(pilot)
        assert "You have a rated game under way." in " ".join(text(app).split())
        assert games.find_rated("tiny") is not None
        await press(pilot, "escape", "r")
        assert board(app).live.is_rated
        await press(pilot, "q")
        await begin_rated(pilot)
        await press(pilot, "enter")
        assert board(app).live.is_rated
        assert session(app).node.ply == 0
        assert games.find_rated("tiny") is None
        assert [game.score for game in games.progress.list_rated()["tiny"]] == [0.0]


async def test_the_menu_says_which_rated_game_was_left_for_too_long(tmp_path: Path) -> None:
    store, clock = leave_rated_game(tmp_path)
    clock.now += LEFT_AFTER
    app = make_menu_app(games=(LEVELLED,), store=store)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "You left a rated game of Two Heaps for 30 days, so it is lost." in " ".join(text(app).split())
        assert "Resume" not in text(app)


async def test_the_form_of_a_rated_game_has_levels_and_the_usual_start_only(tmp_path: Path) -> None:
    app = make_menu_app(games=(LEVELLED,), store=store_at(tmp_path / "games.sqlite3"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "end", "enter")
        form = form_of(pilot)
        assert form.fields[0].id == "mode"
        assert form.fields[0].value == "training"
        await choose(pilot, "engine.1", "idle")
        await choose(pilot, "mode", "rated")
        assert [field.id for field in form.fields] == ["mode", "side", "engine.1"]
        assert form.all_fields["engine.1"].value == "novice"
        assert form.all_fields["engine.1"].describe().endswith("Rating 1000. Suggested for you.")
        await choose(pilot, "side", "1")
        assert [field.id for field in form.fields] == ["mode", "side", "engine.0"]
        await press(pilot, "x")
        assert form.all_fields["side"].value == "0"
        await choose(pilot, "mode", "training")
        assert "training" in [field.id for field in form.fields]


async def test_a_guest_is_not_offered_a_rated_game(tmp_path: Path) -> None:
    app = make_menu_app(games=(LEVELLED,), store=store_at(tmp_path / "games.sqlite3"), profile="guest-0f3a")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "end", "enter")
        assert "mode" not in [field.id for field in form_of(pilot).fields if field.is_open]


async def test_a_training_game_names_no_rating(tmp_path: Path) -> None:
    app = make_board_app(
        games=(LEVELLED,), store=store_at(tmp_path / "games.sqlite3"), players=AGAINST_NOVICE, training=False
    )
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await press(pilot, "h", "enter", "1", "R", "R")
        assert "good" in text(app)
        assert "ated" not in text(app)

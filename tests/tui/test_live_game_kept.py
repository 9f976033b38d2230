"""Every change of a match is saved before the screen shows it."""

from __future__ import annotations

from random import Random
from typing import Any

from onlymove_engines.play.session import AnySession, Session
from onlymove_tui.app.launch import Preferences
from onlymove_tui.app.live_games import LiveGames
from onlymove_tui.store.games import Autosave, GameStore

from tests.tui.live_games import AGAINST, FRIENDS, Witness, is_kept, make_heap_game, reply
from tests.tui.pilots import make_settings
from tests.tui.tiny_game import tiny_game


def test_every_change_has_been_kept_when_the_front_end_hears_of_it() -> None:
    live = make_heap_game(players=AGAINST)
    steps: dict[str, Any] = {
        "a stopped move's first attempt": lambda: live.offer(0, 2),
        "a move thought over": live.rethink,
        "a hint": lambda: [climb() for climb in (live.prepare_hint(straight=True),) if climb],
        "a move": lambda: live.offer(0, 1),
        "an engine's reply": lambda: reply(live),
        "a bad move": lambda: live.offer(0, 1 if live.session.position == (5, 0) else 2),
        "a bad move kept": live.play_stopped_move,
        "an undo": live.undo,
        "a redo": live.redo,
        "training": lambda: live.set_training(False),
        "the objective": live.toggle_objective,
        "other players": lambda: live.set_players(FRIENDS),
        "a resignation": lambda: live.resign(0),
        "a resignation taken back": live.undo,
        "a draw": lambda: live.offer_draw(0),
    }
    for name, step in steps.items():
        step()
        assert is_kept(live), f"{name} is not on disk"


def test_problems_with_saving_are_known_after_every_change() -> None:
    live = make_heap_game()
    assert isinstance(live.saver, Witness)
    live.saver.trouble = "the disk is full"
    live.offer(0, 1)
    assert live.trouble == "the disk is full"
    live.saver.trouble = ""
    live.undo()
    assert live.trouble == ""


def test_a_change_during_the_writing_is_written_next(games: GameStore) -> None:
    session: AnySession = Session(tiny_game(), (4, 4, 0))
    live = LiveGames(Preferences(make_settings()), Random(1), games, in_background=True).make(
        session, {}, 0, training=False
    )
    saver = live.saver
    assert isinstance(saver, Autosave)
    assert not saver.has_changed
    for seat in (0, 1):
        live.offer(seat, session.legal_moves()[0])
    assert saver.has_changed
    write = saver.begin_writing()
    live.offer(0, session.legal_moves()[0])
    assert write() == ""
    assert ([entry.plies for entry in games.list()], saver.has_changed) == ([2], True)
    assert saver.begin_writing()() == ""
    assert ([entry.plies for entry in games.list()], saver.has_changed) == ([3], False)


def test_an_app_that_ends_writes_what_is_not_on_disk(games: GameStore) -> None:
    session: AnySession = Session(tiny_game(), (4, 4, 0))
    live = LiveGames(Preferences(make_settings()), Random(1), games, in_background=True).make(
        session, {}, 0, training=False
    )
    live.offer(0, session.legal_moves()[0])
    assert isinstance(live.saver, Autosave)
    live.saver.save_now()
    assert ([entry.plies for entry in games.list()], live.saver.has_changed) == ([1], False)

"""Every change of a match is saved before the screen shows it."""

from __future__ import annotations

from random import Random
from typing import Any

from onlymove_engines.play.session import AnySession, Session
from onlymove_tui.app.launch import Preferences
from onlymove_tui.app.matches import Matches
from onlymove_tui.store.games import Autosave, GameStore

from tests.tui.matches import AGAINST, FRIENDS, Witness, is_kept, make_heap_match, reply
from tests.tui.pilots import make_settings
from tests.tui.tiny_game import tiny_game


def test_every_change_has_been_kept_when_the_front_end_hears_of_it() -> None:
    match = make_heap_match(players=AGAINST)
    steps: dict[str, Any] = {
        "a stopped move's first attempt": lambda: match.offer(0, 2),
        "a move thought over": match.rethink,
        "a hint": lambda: [climb() for climb in (match.prepare_hint(straight=True),) if climb],
        "a move": lambda: match.offer(0, 1),
        "an engine's reply": lambda: reply(match),
        "a bad move": lambda: match.offer(0, 1 if match.session.position == (5, 0) else 2),
        "a bad move kept": match.play_stopped_move,
        "an undo": match.undo,
        "a redo": match.redo,
        "training": lambda: match.set_training(False),
        "the objective": match.toggle_objective,
        "other players": lambda: match.set_players(FRIENDS),
        "a resignation": lambda: match.resign(0),
        "a resignation taken back": match.undo,
        "a draw": lambda: match.offer_draw(0),
    }
    for name, step in steps.items():
        step()
        assert is_kept(match), f"{name} is not on disk"


def test_problems_with_saving_are_known_after_every_change() -> None:
    match = make_heap_match()
    assert isinstance(match.saver, Witness)
    match.saver.trouble = "the disk is full"
    match.offer(0, 1)
    assert match.trouble == "the disk is full"
    match.saver.trouble = ""
    match.undo()
    assert match.trouble == ""


def test_a_change_during_the_writing_is_written_next(games: GameStore) -> None:
    session: AnySession = Session(tiny_game(), (4, 4, 0))
    match = Matches(Preferences(make_settings()), Random(1), games, in_background=True).make(
        session, {}, 0, training=False
    )
    saver = match.saver
    assert isinstance(saver, Autosave)
    assert not saver.has_changed
    for seat in (0, 1):
        match.offer(seat, session.legal_moves()[0])
    assert saver.has_changed
    write = saver.begin_writing()
    match.offer(0, session.legal_moves()[0])
    assert write() == ""
    assert ([entry.plies for entry in games.list()], saver.has_changed) == ([2], True)
    assert saver.begin_writing()() == ""
    assert ([entry.plies for entry in games.list()], saver.has_changed) == ([3], False)


def test_an_app_that_ends_writes_what_is_not_on_disk(games: GameStore) -> None:
    session: AnySession = Session(tiny_game(), (4, 4, 0))
    match = Matches(Preferences(make_settings()), Random(1), games, in_background=True).make(
        session, {}, 0, training=False
    )
    match.offer(0, session.legal_moves()[0])
    assert isinstance(match.saver, Autosave)
    match.saver.save_now()
    assert ([entry.plies for entry in games.list()], match.saver.has_changed) == ([1], False)

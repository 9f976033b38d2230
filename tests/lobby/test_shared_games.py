"""Challenges and games of a lobby on disk: they are found, joined, resumed after a kill, and removed, and false records
are not believed."""

from __future__ import annotations

import errno
import os
import stat
from functools import partial
from pathlib import Path

import pytest
from onlymove_tui.lobby import lobby
from onlymove_tui.lobby.accounts import NoLobby
from onlymove_tui.lobby.challenges import JoinedChallenge, OpenChallenge
from onlymove_tui.lobby.lobby import Lobby, find_lobby_folder
from onlymove_tui.lobby.presence import ALIVE_SECONDS, BEAT_SECONDS, Clocks
from onlymove_tui.lobby.record_file import RecordTrouble, RequestKind
from onlymove_tui.lobby.shared_game import GRACE_SECONDS, SharedGame

from tests.lobby.lobbies import (
    ScriptedFiles,
    Time,
    begin_game,
    list_records,
    make_terms,
    open_lobby,
    open_on_machine,
    show_all_alive,
)

ME = os.geteuid()


def play_and_look(shared_game: SharedGame, other: SharedGame, text: str) -> None:
    """Play a move, and check that the other side sees it."""
    shared_game.send_move(shared_game.game.notation.parse_move(shared_game.tree.here.position, text))
    assert other.look()


def test_opponent_and_onlookers_see_each_move(ada: Lobby, bob: Lobby) -> None:
    first, second = begin_game(ada, bob, make_terms())
    seen = bob.open_game(first.opening.challenge_id, ME)
    play_and_look(first, second, "L2")
    play_and_look(second, first, "R1")
    assert seen.look()
    assert first.standing.moves == second.standing.moves == seen.standing.moves == (("L", 2), ("R", 1))
    assert [first.person(seat).name for seat in (0, 1)] == ["ada", "bob"]


def test_a_killed_player_comes_back_to_the_same_position(ada: Lobby, bob: Lobby) -> None:
    first, second = begin_game(ada, bob, make_terms())
    play_and_look(first, second, "L2")
    path = first.readers[0].path
    first.close()
    with path.open("ab") as stream:
        stream.write(b'{"do":"move","epo')
    again = ada.resume_game(second.opening.challenge_id)
    assert again.standing.moves == (("L", 2),)
    play_and_look(second, again, "R1")
    play_and_look(again, second, "L1")
    assert second.standing.ply == 3, "what a killed process left of a line is nothing"


@pytest.mark.parametrize("version", [1, 2, 99])
def test_challenges_and_games_of_other_versions_are_ignored(
    ada: Lobby, bob: Lobby, tmp_path: Path, clock: Time, version: int
) -> None:
    first, second = begin_game(ada, bob, make_terms())
    first.close()
    second.close()
    waiting = OpenChallenge.open(ada, make_terms())
    waiting.close()
    for path in list_records(ada):
        path.write_bytes(path.read_bytes().replace(b'"version":3', b'"version":%d' % version))
    show_all_alive(ada)
    for player in (ada, bob, open_lobby(tmp_path, "cat", clock)):
        assert lobby.list_entries(player) == []
    with pytest.raises(RecordTrouble, match="another version"):
        ada.resume_game(first.opening.challenge_id)
    with pytest.raises(RecordTrouble, match="another version"):
        JoinedChallenge.join(bob, waiting.challenge_id, ME)
    clock.now += 2 * lobby.WEEK
    lobby.remove_old_records(ada)
    lobby.remove_old_records(bob)
    assert list_records(ada) == []


def test_a_choice_fixed_before_a_kill_can_be_revealed_after_it(ada: Lobby, bob: Lobby) -> None:
    first, second = begin_game(ada, bob, make_terms("duel"))
    first.send_move("a")
    first.close()
    second.send_move("b")
    again = ada.resume_game(second.opening.challenge_id)
    assert again.find_choice() == "a"
    for _ in range(2):
        again.look()
        second.look()
    assert again.standing.moves == second.standing.moves == (("a", "b"),)


def test_a_hidden_choice_is_in_no_file_that_others_can_read(ada: Lobby, bob: Lobby, tmp_path: Path) -> None:
    first, _ = begin_game(ada, bob, make_terms("duel"))
    first.send_move("c")
    for path in list_records(ada):
        assert '"move"' not in path.read_text()
    for path in (tmp_path / "ada" / "seats").iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "ada" / "seats").stat().st_mode) == 0o700


def test_a_dropped_game_can_be_resumed(ada: Lobby, bob: Lobby) -> None:
    first, _ = begin_game(ada, bob, make_terms())
    number = first.opening.challenge_id
    with pytest.raises(RecordTrouble, match="another session"):
        ada.resume_game(number)
    del first
    ada.resume_game(number).close()


def test_an_undo_is_requested_and_accepted(ada: Lobby, bob: Lobby) -> None:
    first, second = begin_game(ada, bob, make_terms())
    play_and_look(first, second, "L2")
    first.ask(RequestKind.UNDO, 0)
    second.look()
    second.answer(True)
    first.look()
    assert first.standing.moves == second.standing.moves == ()


def test_time_is_claimed_when_a_player_stays_away(ada: Lobby, bob: Lobby, clock: Time) -> None:
    first, second = begin_game(ada, bob, make_terms(clock="30"))
    first.close()
    clock.now += 30 + GRACE_SECONDS / 2
    second.look()
    assert not second.standing.is_over
    clock.now += BEAT_SECONDS
    second.look()
    assert second.standing.agreed is not None
    assert second.standing.agreed.winner == 1


@pytest.mark.parametrize("clock_terms", ["", "5+3"])
def test_a_game_continues_when_the_hosts_clock_is_set_back(tmp_path: Path, clock: Time, clock_terms: str) -> None:
    steady = Time(50.0)
    clocks = Clocks(clock, steady, ScriptedFiles(clock))
    ada, bob = (open_on_machine(tmp_path, name, clocks) for name in ("ada", "bob"))
    first, second = begin_game(ada, bob, make_terms(clock=clock_terms))
    first.send_move(("L", 1))
    second.look()
    clock.now -= 3600
    steady.now += BEAT_SECONDS
    second.send_move(("R", 1))
    for shared_game in (first, second, first):
        shared_game.look()
    assert first.standing.ply == second.standing.ply == 2
    assert first.is_here(1)
    assert not clock_terms or first.seconds_left == (303.0, 301.0)
    second.close()
    clock.now += 2 * ALIVE_SECONDS
    steady.now += 2 * ALIVE_SECONDS
    first.look()
    assert not first.is_here(1)
    again = bob.resume_game(second.opening.challenge_id)
    assert again.standing.ply == 2
    first.look()
    assert first.is_here(1)
    assert [one.is_alive for one in lobby.list_entries(bob)] == [True]


def test_a_damaged_line_is_reported_and_skipped(ada: Lobby, bob: Lobby) -> None:
    first, second = begin_game(ada, bob, make_terms())
    with second.readers[0].path.open("ab") as stream:
        stream.write(b"\xff nonsense\n")
    play_and_look(first, second, "L2")
    assert second.standing.ply == 1
    assert second.damage == "your opponent's record is damaged at line 3; the game continues without it"


def test_only_the_named_player_may_join(
    ada: Lobby, bob: Lobby, tmp_path: Path, clock: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = OpenChallenge.open(ada, make_terms(wanted="bob"))
    cat = open_lobby(tmp_path, "cat", clock)
    with pytest.raises(RecordTrouble, match="for another player"):
        JoinedChallenge.join(cat, opened.challenge_id, ME)
    with monkeypatch.context() as as_if:
        as_if.setattr("onlymove_tui.lobby.challenges.may_join", lambda *_: True)
        joined = JoinedChallenge.join(cat, opened.challenge_id, ME)
    assert not opened.look(), "nor does the opener believe a program that asks all the same"
    with pytest.raises(RecordTrouble, match="for another player"):
        joined.look()
    assert [one.challenge_id for one in lobby.list_entries(cat)] == []
    assert [one.challenge_id for one in lobby.list_entries(bob)] == [opened.challenge_id]
    JoinedChallenge.join(bob, opened.challenge_id, ME)
    assert opened.look()


def test_a_player_with_the_code_may_join_and_no_record_contains_the_code(
    ada: Lobby, bob: Lobby, tmp_path: Path
) -> None:
    opened = OpenChallenge.open(ada, make_terms(has_code=True))
    wrong = JoinedChallenge.join(bob, opened.challenge_id, ME, "xxxxxx")
    assert not opened.look()
    with pytest.raises(RecordTrouble, match="not the code"):
        wrong.look()
    right = JoinedChallenge.join(bob, opened.challenge_id, ME, opened.code.upper())
    assert opened.look()
    assert right.look()
    assert all(opened.code not in path.read_text() for path in list_records(ada))


def test_two_players_who_join_at_once_learn_which_of_them_plays(
    ada: Lobby, bob: Lobby, tmp_path: Path, clock: Time
) -> None:
    opened = OpenChallenge.open(ada, make_terms())
    cat = open_lobby(tmp_path, "cat", clock)
    joined = [JoinedChallenge.join(player, opened.challenge_id, ME) for player in (bob, cat)]
    assert opened.look()
    found = []
    for one in joined:
        try:
            found.append(str(one.look()))
        except RecordTrouble as trouble:
            found.append(str(trouble))
    assert sorted(found) == ["True", "another player has joined this game"]


def test_a_player_joins_a_challenge_only_once(ada: Lobby, bob: Lobby) -> None:
    first, _ = begin_game(ada, bob, make_terms())
    with pytest.raises(RecordTrouble, match="another session"):
        ada.resume_game(first.opening.challenge_id)


def test_a_game_that_was_left_is_not_read_any_more(ada: Lobby, bob: Lobby) -> None:
    """A timer may call a closed screen once more. By then, its files may belong to somebody else."""
    opened = OpenChallenge.open(ada, make_terms())
    joined = JoinedChallenge.join(bob, opened.challenge_id, ME)
    opened.look()
    for waiting in (opened, joined):
        waiting.close()
        assert not waiting.look()
    shared_game = ada.resume_game(opened.challenge_id)
    shared_game.close()
    assert not shared_game.look()
    with pytest.raises(RecordTrouble, match="left"):
        shared_game.send_resignation()


def test_a_player_is_present_while_the_record_shows_signs_of_life(ada: Lobby, bob: Lobby, clock: Time) -> None:
    first, second = begin_game(ada, bob, make_terms())
    first.look()
    second.look()
    assert second.is_here(0)
    clock.now += 60
    second.look()
    assert not second.is_here(0)


def test_a_joining_player_is_told_to_wait_and_nobody_joins_their_own_challenge(ada: Lobby, bob: Lobby) -> None:
    opened = OpenChallenge.open(ada, make_terms())
    JoinedChallenge.join(bob, opened.challenge_id, ME)
    (seen,) = lobby.list_entries(bob)
    assert (seen.is_mine, seen.is_joining) == (True, True)
    with pytest.raises(RecordTrouble, match="your own"):
        JoinedChallenge.join(ada, opened.challenge_id, ME)


# False records.


def test_a_lobby_that_anybody_may_clear_is_refused(ada: Lobby, tmp_path: Path) -> None:
    (tmp_path / "rooms").mkdir()
    (tmp_path / "rooms").chmod(0o777)
    with pytest.raises(NoLobby, match="1777"):
        ada.folders.check()
    (tmp_path / "rooms").chmod(0o1777)
    ada.folders.check()


@pytest.mark.parametrize("kind", ["link", "hard link", "pipe", "writable", "folder", "renamed"])
def test_a_record_of_doubtful_ownership_is_not_read(ada: Lobby, tmp_path: Path, kind: str) -> None:
    opened = OpenChallenge.open(ada, make_terms())
    true, false = ada.folders.path_of(ME, opened.challenge_id), ada.folders.path_of(ME, "b" * 16)
    if kind == "link":
        false.symlink_to(true)
    elif kind == "hard link":
        false.hardlink_to(true)
    elif kind == "pipe":
        os.mkfifo(false)
    elif kind == "folder":
        false.mkdir()
    else:
        false.write_bytes(true.read_bytes())
        false.chmod(0o666 if kind == "writable" else 0o644)
    with pytest.raises(RecordTrouble):
        ada.read_opening("b" * 16, ME)


def test_the_lobby_folder_is_the_named_one_or_the_accounts_own(tmp_path: Path) -> None:
    assert find_lobby_folder(tmp_path, {"ONLYMOVE_ROOMS": "/srv/rooms"}) == Path("/srv/rooms")
    assert find_lobby_folder(tmp_path, {}) in (tmp_path, Path("/var/lib/onlymove/rooms"))


@pytest.mark.parametrize("is_joining", [False, True])
def test_a_challenge_that_cannot_be_written_leaves_nothing_behind(
    ada: Lobby, bob: Lobby, monkeypatch: pytest.MonkeyPatch, is_joining: bool
) -> None:
    opened = OpenChallenge.open(ada, make_terms())
    files = list_records(ada)

    def is_full(file: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("onlymove_tui.lobby.record_file.os.write", is_full)
    come = (
        partial(JoinedChallenge.join, bob, opened.challenge_id, ME)
        if is_joining
        else partial(OpenChallenge.open, bob, make_terms())
    )
    with pytest.raises(RecordTrouble, match="No space left"):
        come()
    assert list_records(ada) == files
    assert list(bob.secrets.list_all()) == []

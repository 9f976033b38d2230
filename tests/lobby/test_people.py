"""Players are known by their accounts, which may have any name and number."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from onlymove_tui.lobby.accounts import Person, find_own_person
from onlymove_tui.lobby.challenges import OpenChallenge
from onlymove_tui.lobby.lobby import Lobby
from onlymove_tui.lobby.record_file import Accepting, RecordTrouble, format_line, parse_line

from tests.lobby.lobbies import Time, begin_game, list_records, make_terms, open_lobby


def test_a_player_is_named_after_the_account_or_its_profile() -> None:
    me = find_own_person()
    assert me.format_name(me.uid) == me.name
    profile, stranger = Person(me.uid, "bob"), me.uid + 12345
    assert profile.format_name(stranger) == f"bob@{me.name}"
    assert profile.is_called("bob", me.uid)
    assert not profile.is_called("bob", stranger)
    assert not Person(stranger, me.name).is_called(me.name, me.uid), "an account that goes by another one's name"


@pytest.mark.parametrize("name", ["j\u00fcrgen", "CORP\\alice", "alice@corp.example", "with space", "x" * 200])
def test_an_account_with_any_name_and_number_can_open_and_join_challenges(
    tmp_path: Path, clock: Time, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    account = SimpleNamespace(pw_name=name)
    monkeypatch.setattr("onlymove_tui.lobby.accounts.pwd.getpwuid", lambda _: account)
    mine = open_lobby(tmp_path, "", clock)
    assert mine.who == find_own_person()
    shared_game, _ = begin_game(mine, open_lobby(tmp_path, "bob", clock), make_terms())
    assert mine.who.format_name(by=mine.who.uid + 1) == name
    assert shared_game.person(0).format_name(by=mine.who.uid + 1) == name
    for called in (name, mine.who.name):
        assert mine.who.is_called(called, by=mine.who.uid + 1), called


@pytest.mark.parametrize("uid", [0, 1000, 1345601105, 2**32 - 2])
def test_every_account_can_be_accepted(uid: int) -> None:
    line = Accepting(joiner="a" * 16, uid=uid)
    assert parse_line(format_line(line)) == line


def test_a_line_that_nobody_could_read_is_not_written(ada: Lobby) -> None:
    with pytest.raises(RecordTrouble, match="could not be read back"):
        OpenChallenge.open(ada, make_terms(wanted="\x1b[2J"))
    assert not list_records(ada)
    assert not list(ada.secrets.list_all())

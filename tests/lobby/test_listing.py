"""Which challenges and games a lobby lists, and which files it removes, no matter who fills it and with what."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from onlymove_engines import games
from onlymove_engines.core.errors import OnlymoveError
from onlymove_tui.lobby import lobby
from onlymove_tui.lobby.accounts import LIMITS, Folders, Limits, Person, RecordFile
from onlymove_tui.lobby.challenges import ID_SIGNS, JoinedChallenge, OpenChallenge
from onlymove_tui.lobby.lobby import Lobby, LobbyEntry
from onlymove_tui.lobby.presence import ALIVE_SECONDS
from onlymove_tui.lobby.record_file import LARGEST, RecordReader, Refusing, SecretsFolder, format_line

from tests.lobby.lobbies import (
    Time,
    begin_game,
    find_game,
    forge_challenge,
    list_records,
    make_clocks,
    make_terms,
    open_lobby,
    show_all_alive,
)

ME = os.geteuid()


def make_id(number: int) -> str:
    """Return the id of a challenge, different for each number."""
    return "".join(ID_SIGNS[number >> 5 * place & 31] for place in range(16))


def test_the_list_has_challenges_to_join_games_to_continue_and_games_to_watch(
    ada: Lobby, bob: Lobby, tmp_path: Path, clock: Time
) -> None:
    first, _ = begin_game(ada, bob, make_terms())
    opened = OpenChallenge.open(ada, make_terms("duel"))
    cat = open_lobby(tmp_path, "cat", clock)
    mine, theirs = lobby.list_entries(bob)
    assert (mine.is_mine, mine.first, mine.second) == (True, "ada", "bob")
    assert (theirs.is_mine, theirs.has_begun, theirs.challenge_id) == (False, False, opened.challenge_id)
    assert [(one.is_mine, one.has_begun) for one in lobby.list_entries(cat)] == [(False, False), (False, True)]
    first.send_resignation()
    assert [one.challenge_id for one in lobby.list_entries(bob)] == [opened.challenge_id], "nothing to go on with"


def test_a_finished_game_is_replayed_only_once_for_the_list(ada: Lobby, bob: Lobby, reads: Reads) -> None:
    first, _ = begin_game(ada, bob, make_terms())
    first.send_resignation()
    assert reads.list_and_count(bob)[0] == []
    assert reads.list_and_count(bob) == ([], 0, 0)


def test_games_an_account_has_played_do_not_hide_its_open_challenges(
    ada: Lobby, bob: Lobby, tmp_path: Path, clock: Time
) -> None:
    """All profiles of a kiosk belong to one account."""
    first, second = begin_game(ada, bob, make_terms())
    first.send_resignation()
    first.close()
    second.close()
    clock.now += 2 * ALIVE_SECONDS
    opened = OpenChallenge.open(ada, make_terms())
    eve = open_lobby_as_eve(tmp_path, clock, Limits(listed=1))
    assert [one.challenge_id for one in lobby.list_entries(eve)] == [opened.challenge_id]


def test_many_players_on_one_account_see_all_its_challenges(ada: Lobby, tmp_path: Path, clock: Time) -> None:
    bob = open_lobby(tmp_path, "bob", clock, Limits(names=1, records=1, listed=1))
    opened = {OpenChallenge.open(ada, make_terms()).challenge_id for _ in range(3)}
    found = {one.challenge_id for one in lobby.list_entries(bob)}
    assert found == opened, f"{len(opened - found)} of {len(opened)} challenges are hidden"


def test_a_lobby_full_of_files_does_not_hide_your_own_challenges(ada: Lobby, tmp_path: Path, clock: Time) -> None:
    bob = open_lobby(tmp_path, "bob", clock, Limits(entries=0, names=0))
    first, _ = begin_game(ada, bob, make_terms())
    assert [one.challenge_id for one in lobby.list_entries(bob)] == [first.opening.challenge_id]


def test_old_records_are_removed_by_their_owners(ada: Lobby, bob: Lobby, clock: Time, tmp_path: Path) -> None:
    first, second = begin_game(ada, bob, make_terms())
    OpenChallenge.open(ada, make_terms()).close()
    first.send_resignation()
    first.close()
    second.close()
    count = len(list_records(ada))
    lobby.remove_old_records(ada)
    assert len(list_records(ada)) == count
    clock.now += 2 * lobby.DAY
    lobby.remove_old_records(ada)
    assert len(list_records(ada)) == count - 1, "the one that nobody joined"
    clock.now += lobby.WEEK
    lobby.remove_old_records(ada)
    lobby.remove_old_records(bob)
    assert list_records(ada) == []
    assert list(ada.secrets.list_all()) == list(bob.secrets.list_all()) == []


# Files of other accounts.


class Reads:
    """Notes which records are opened, and counts the bytes that are read."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.names: list[str] = []
        self.bytes = 0
        read, begin = os.pread, RecordReader.__init__

        def count_bytes(file: int, size: int, offset: int) -> bytes:
            found = read(file, size, offset)
            self.bytes += len(found)
            return found

        def count_files(reader: RecordReader, path: Path, *how: Any) -> None:
            self.names.append(path.name)
            begin(reader, path, *how)

        monkeypatch.setattr("onlymove_tui.lobby.record_file.os.pread", count_bytes)
        monkeypatch.setattr(RecordReader, "__init__", count_files)

    def list_and_count(self, player: Lobby) -> tuple[list[LobbyEntry], int, int]:
        """Return the list, how many records were opened to make it, and how many bytes were read."""
        self.names, self.bytes = [], 0
        return lobby.list_entries(player), len(self.names), self.bytes


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Reads:
    return Reads(monkeypatch)


def open_lobby_as_eve(folder: Path, clock: Time, limits: Limits = LIMITS) -> Lobby:
    """Return the lobby as another account sees it. For that account, the files of this one are a stranger's."""
    secrets, eve = SecretsFolder(folder / "eve" / "seats"), Person(ME + 1, "eve")
    return Lobby(folder / "rooms", secrets, eve, find_game, make_clocks(clock), limits)


def long_record(player: Lobby, size: int) -> str:
    """Write a challenge whose record has this size, because so many players were refused. Return its id."""
    challenge_id = forge_challenge(player)
    refusal = format_line(Refusing(time=1.0, joiner="a" * 16, uid=1))
    with player.folders.path_of(ME, challenge_id).open("ab") as stream:
        stream.write(refusal * (size // len(refusal)))
    return challenge_id


def test_records_with_hard_links_are_not_read(ada: Lobby, reads: Reads, tmp_path: Path, clock: Time) -> None:
    record = ada.folders.path_of(ME, long_record(ada, 840_000))
    for number in range(1989):
        os.link(record, record.with_name(f"{make_id(number)}.table"))
    assert reads.list_and_count(open_lobby_as_eve(tmp_path, clock)) == ([], 0, 0)


def test_a_file_that_cannot_be_a_record_is_not_opened(ada: Lobby, reads: Reads, tmp_path: Path, clock: Time) -> None:
    opened = OpenChallenge.open(ada, make_terms())
    folder = ada.folders.path_of(ME, opened.challenge_id).parent
    false = [folder / f"{make_id(number)}.table" for number in range(8)]
    false[0].touch()
    false[1].symlink_to(ada.folders.path_of(ME, opened.challenge_id))
    os.mkfifo(false[2])
    false[3].mkdir()
    false[4].touch()
    os.truncate(false[4], 1 << 40)
    false[5].write_text("{}")
    false[5].chmod(0o666)
    false[6].symlink_to("/dev/zero")
    (folder / "longer-than-any-number.table").write_text("{}")
    for looker in (open_lobby_as_eve(tmp_path, clock), ada):
        found, files, _ = reads.list_and_count(looker)
        assert [one.challenge_id for one in found] == [opened.challenge_id]
        assert files == 1


def test_the_number_and_size_of_records_read_from_one_account_are_limited(
    ada: Lobby, reads: Reads, tmp_path: Path, clock: Time
) -> None:
    for _ in range(LIMITS.records + 30):
        long_record(ada, 100_000)
    looker = open_lobby_as_eve(tmp_path, clock)
    opened: set[str] = set()
    for _ in range(40):
        found, _, count = reads.list_and_count(looker)
        opened.update(reads.names)
        assert len(found) <= LIMITS.listed
        assert count <= lobby.MAX_BYTES + lobby.LONG_BEGINNING
    assert len(opened) == LIMITS.records
    assert reads.list_and_count(looker)[1:] == (0, 0), "what has been read and has not changed is not read again"


def test_the_list_reads_the_beginning_of_a_record_again_only_after_a_change(
    ada: Lobby, bob: Lobby, reads: Reads, tmp_path: Path, clock: Time
) -> None:
    looker = open_lobby_as_eve(tmp_path, clock)
    opened = OpenChallenge.open(ada, make_terms())
    assert [one.has_begun for one in lobby.list_entries(looker)] == [False]
    joined = JoinedChallenge.join(bob, opened.challenge_id, ME)
    assert opened.look()
    assert joined.look()
    opened.close()
    joined.close()
    show_all_alive(ada)
    assert [one.has_begun for one in lobby.list_entries(looker)] == [True]
    challenge_id = ada.resume_game(opened.challenge_id)
    challenge_id.send_move(("L", 1))
    show_all_alive(ada)
    assert reads.list_and_count(looker)[1:] == (0, 0), "who has sat down does not change"


@pytest.mark.parametrize("change", ["cut", "a pipe", "a folder", "gone", "nonsense", "somebody else's"])
def test_a_file_that_changes_while_it_is_read_is_skipped(ada: Lobby, tmp_path: Path, clock: Time, change: str) -> None:
    """The file changes after its folder was searched and before it is opened."""
    opened, changed = OpenChallenge.open(ada, make_terms()), forge_challenge(ada)
    path = ada.folders.path_of(ME, changed)

    class ChangingFolders(Folders):
        """Changes the record when it has been found."""

        def records(self, uid: int, ending: str, beginning: str = "") -> list[RecordFile]:
            found = super().records(uid, ending, beginning)
            if uid != ME:
                return found
            path.unlink()
            if change == "a pipe":
                os.mkfifo(path)
            elif change == "a folder":
                path.mkdir()
            elif change == "somebody else's":
                path.symlink_to("/etc/passwd")
            elif change != "gone":
                path.write_bytes(b"" if change == "cut" else b"\n" * LARGEST)
            return found

    eve = open_lobby_as_eve(tmp_path, clock)
    eve.folders = ChangingFolders(eve.folders.place, eve.who.uid, clock, eve.clocks.files)
    files = len(os.listdir("/proc/self/fd"))
    assert [one.challenge_id for one in lobby.list_entries(eve)] == [opened.challenge_id]
    assert len(os.listdir("/proc/self/fd")) == files, "what is refused does not stay open"


def test_open_challenges_come_before_any_number_of_games_to_watch(
    ada: Lobby, bob: Lobby, tmp_path: Path, clock: Time
) -> None:
    opened = OpenChallenge.open(ada, make_terms())
    games = [begin_game(ada, bob, make_terms()) for _ in range(LIMITS.listed + 1)]
    show_all_alive(ada)
    found = lobby.list_entries(open_lobby_as_eve(tmp_path, clock))
    assert (found[0].challenge_id, found[0].has_begun) == (opened.challenge_id, False)
    assert [one.has_begun for one in found[1:]] == [True] * (LIMITS.listed - 1)
    assert len(games) > len(found) - 1


def test_challenges_for_you_come_first_then_your_own_then_those_for_anybody(
    ada: Lobby, bob: Lobby, tmp_path: Path, clock: Time
) -> None:
    cat = open_lobby(tmp_path, "cat", clock)
    looked_at = begin_game(ada, cat, make_terms())[0].opening.challenge_id
    away = OpenChallenge.open(cat, make_terms())
    show_all_alive(ada)
    clock.now += 2 * ALIVE_SECONDS
    anybody = OpenChallenge.open(ada, make_terms())
    game = begin_game(bob, cat, make_terms())[0].opening.challenge_id
    own = OpenChallenge.open(bob, make_terms())
    mine = OpenChallenge.open(ada, make_terms(wanted="bob"))
    for number in (looked_at, anybody.challenge_id, game, own.challenge_id, mine.challenge_id):
        os.utime(ada.folders.path_of(ME, number), (clock.now, clock.now))
    order = [mine.challenge_id, game, own.challenge_id, anybody.challenge_id, away.challenge_id, looked_at]
    assert [one.challenge_id for one in lobby.list_entries(bob)] == order


@pytest.mark.parametrize("written", [b"\n" * LARGEST, b'{"x":' + b"[" * 4000 + b"\n"], ids=["lines", "nested"])
def test_a_file_with_wrong_contents_does_not_stop_the_list(
    ada: Lobby, bob: Lobby, reads: Reads, written: bytes
) -> None:
    opened = OpenChallenge.open(ada, make_terms())
    stranger = ada.folders.path_of(ME, "z" * 16)
    stranger.write_bytes(written)
    stranger.chmod(0o644)
    found, _, count = reads.list_and_count(bob)
    assert [one.challenge_id for one in found] == [opened.challenge_id]
    assert count <= 2 * lobby.LONG_BEGINNING


@pytest.mark.parametrize(
    "terms",
    [{"clock": "soon"}, {"clock": "0"}, {"clock": "nan"}, {"game": "\x1b[2J"}, {"start": "\x1b]52;c;eA==\x07"},
     {"start": "\u202e3,4 0"}, {"rule": "\r"}, {"name": "eve\n"}, {"table": "z" * 16}],
    ids=repr,
)  # fmt: skip
def test_a_record_that_no_app_writes_is_not_listed(bob: Lobby, terms: dict[str, object]) -> None:
    """Its text could reach the terminal as a command, or make the list fail."""
    forge_challenge(bob, **terms)
    assert lobby.list_entries(bob) == []


@pytest.mark.parametrize("terms", [{"game": "gone"}, {"start": "-3,4 0"}, {"start": "9" * 900}, {"rule": "none such"}])
def test_a_challenge_for_an_unknown_game_cannot_be_joined(bob: Lobby, terms: dict[str, object]) -> None:
    challenge_id = forge_challenge(bob, **terms)
    with pytest.raises(OnlymoveError):
        JoinedChallenge.join(bob, challenge_id, bob.who.uid)
    assert [path.name for path in list_records(bob)] == [f"{challenge_id}.table"]
    assert list(bob.secrets.list_all()) == []


def test_a_game_that_is_gone_leaves_no_file_open(ada: Lobby, bob: Lobby) -> None:
    """The list is made every second, so open files would add up."""
    begin_game(ada, bob, make_terms())
    bob.find_game = games.load
    files = len(os.listdir("/proc/self/fd"))
    assert lobby.list_entries(bob) == []
    assert len(os.listdir("/proc/self/fd")) == files

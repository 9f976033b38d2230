"""A third account in a lobby for all accounts can watch, and nothing else. The tests must run as root, which alone can
act as other accounts."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from onlymove_engines.core.errors import OnlymoveError
from onlymove_tui.cli.meet import Waiter
from onlymove_tui.lobby import lobby
from onlymove_tui.lobby.accounts import LIMITS, Folders, Limits, Person
from onlymove_tui.lobby.challenges import ID_SIGNS, MAX_TRIES, JoinedChallenge, OpenChallenge
from onlymove_tui.lobby.lobby import Lobby
from onlymove_tui.lobby.presence import Clocks
from onlymove_tui.lobby.record_file import VERSION, Joining, SecretsFolder, format_line
from onlymove_tui.lobby.shared_game import SharedGame

from tests.lobby.lobbies import ScriptedFiles, Time, find_game, make_terms

ADA, BOB, CAT = 40001, 40002, 40003
NAMES = {ADA: "ada", BOB: "bob", CAT: "cat"}

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")


def as_account(uid: int, do: Callable[[], object]) -> str:
    """Do something as an account, in a separate process. Return the result as text, or the name of the error."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        output = "nothing"
        try:
            os.setgroups([])
            os.setgid(uid)
            os.setuid(uid)
            os.umask(0o077)
            output = str(do())
        except (OSError, OnlymoveError) as error:
            output = type(error).__name__
        finally:
            os.write(write, output.encode())
            os._exit(0)
    os.close(write)
    with os.fdopen(read) as stream:
        output = stream.read()
    os.waitpid(child, 0)
    return output


@pytest.fixture
def place() -> Iterator[Path]:
    """Yield a lobby as an administrator sets it up, with a home folder for each account."""
    folder = Path(tempfile.mkdtemp(prefix="accounts-"))
    folder.chmod(0o755)
    (folder / "rooms").mkdir()
    (folder / "rooms").chmod(0o1777)
    for uid, name in NAMES.items():
        (folder / name).mkdir()
        os.chown(folder / name, uid, uid)
    yield folder
    shutil.rmtree(folder)


def open_lobby(place: Path, uid: int, limits: Limits = LIMITS) -> Lobby:
    """Return the lobby as an account sees it."""
    secrets = SecretsFolder(place / NAMES[uid] / "seats")
    return Lobby(place / "rooms", secrets, Person(uid, NAMES[uid]), find_game, limits=limits)


def open_challenge(place: Path, game: str) -> str:
    """Let the first account open a challenge and the second join it. Return its id."""
    number = as_account(ADA, lambda: OpenChallenge.open(open_lobby(place, ADA), make_terms(game)).challenge_id)
    assert as_account(BOB, lambda: JoinedChallenge.join(open_lobby(place, BOB), number, ADA).challenge_id) == number
    return number


def open_with_code(place: Path) -> tuple[str, str]:
    """Let the first account open a challenge with a code. Return its id and the code."""

    def open_it() -> str:
        opened = OpenChallenge.open(open_lobby(place, ADA), make_terms(has_code=True))
        return f"{opened.challenge_id} {opened.code}"

    number, code = as_account(ADA, open_it).split()
    return number, code


def do_in_game(place: Path, uid: int, number: str, do: Callable[[SharedGame], object]) -> str:
    """Let one of the two players do something in their game. Return the result as text."""

    def resume_and_do() -> object:
        shared_game = open_lobby(place, uid).resume_game(number)
        shared_game.look()
        return do(shared_game)

    return as_account(uid, resume_and_do)


def accept_joiner(place: Path, number: str) -> None:
    """Let the first account accept the player who wants to join."""
    assert look_repeatedly(place, number, 1) == ["True"]


def look_repeatedly(place: Path, number: str, count: int) -> list[str]:
    """Let the first account look `count` times for a player who wants to join. Return after each look whether the game
    has begun, as text."""

    def look() -> object:
        kept = open_lobby(place, ADA).secrets.get(number)
        assert kept is not None
        shared_game = OpenChallenge(open_lobby(place, ADA), kept)
        return " ".join(str(shared_game.look()) for _ in range(count))

    return as_account(ADA, look).split()


def folder_of(place: Path, uid: int) -> Path:
    """Return an account's folder in the lobby. It is created if it does not exist."""
    folder = place / "rooms" / str(uid)

    def make() -> None:
        folder.mkdir(exist_ok=True)
        folder.chmod(0o755)

    assert as_account(uid, make) == "None"
    return folder


def files_in(place: Path) -> list[Path]:
    """Return the records of all accounts."""
    return sorted(path for path in (place / "rooms").rglob("*") if not path.is_dir())


def make_id(number: int) -> str:
    """Turn a number into the id of a challenge or of a joining player."""
    return "".join(ID_SIGNS[number >> 5 * sign & 31] for sign in range(16))


def want_to_join(place: Path, shared_game: str, name: str, joiner: str = "q" * 16) -> None:
    """Write a line in which the third account asks to join a challenge, as no app would."""
    path = place / "rooms" / str(CAT) / f"{shared_game}.{joiner}.seat"
    path.parent.mkdir(0o755, exist_ok=True)
    path.parent.chmod(0o755)
    joining = Joining(time=1.0, read=1, version=VERSION, challenge_id=shared_game, joiner=joiner, name=name)
    path.write_bytes(format_line(joining))
    path.chmod(0o644)


def let_others_go_first(place: Path, number: str) -> None:
    """Let the second account touch its record, so that it counts as the last one that asked to join."""
    (record,) = (place / "rooms" / str(BOB)).glob(f"{number}.*.seat")
    assert as_account(BOB, lambda: os.utime(record)) == "None"


def list_seen(place: Path, uid: int, limits: Limits = LIMITS) -> str:
    """List the challenges and games that an account sees, each as its id and the account that opened it."""

    def list_here() -> str:
        found = lobby.list_entries(open_lobby(place, uid, limits))
        return " ".join(f"{one.challenge_id}@{one.uid}" for one in found)

    return as_account(uid, list_here)


def test_a_third_account_can_watch_but_not_change_or_forge_anything(place: Path) -> None:
    number = open_challenge(place, "tiny")
    accept_joiner(place, number)
    do_in_game(place, ADA, number, lambda shared_game: shared_game.send_move(("L", 1)))
    records = files_in(place)
    assert {path.suffix for path in records} == {".table", ".seat", ".alive"}
    for record in records:
        for forbidden in (
            lambda path: path.open("ab"),
            lambda path: path.unlink(),
            lambda path: path.rename(path.with_name("x")),
            lambda path: path.chmod(0o666),
            lambda path: os.utime(path, (1, 1)),
        ):
            assert as_account(CAT, lambda forbidden=forbidden, record=record: forbidden(record)) == "PermissionError"  # type: ignore[misc]
    assert as_account(CAT, lambda: open_lobby(place, CAT).open_game(number, ADA).standing.moves) == "(('L', 1),)"
    # A record of the third account that claims to be the second player's is ignored.
    second = next(path for path in records if path.name.endswith(".seat"))
    forged = folder_of(place, CAT) / second.name
    assert as_account(CAT, lambda: forged.write_bytes(second.read_bytes())) == str(second.stat().st_size)
    move = json.dumps({"do": "move", "time": 1, "read": 9, "epoch": 0, "ply": 1, "move": "R4"}) + "\n"
    as_account(CAT, lambda: forged.open("a").write(move))
    assert do_in_game(place, BOB, number, lambda shared_game: shared_game.standing.moves) == "(('L', 1),)"
    do_in_game(place, BOB, number, lambda shared_game: shared_game.send_move(("R", 4)))
    assert do_in_game(place, ADA, number, lambda shared_game: shared_game.standing.ply) == "2"


def test_only_its_owner_can_read_a_hidden_choice_and_its_secret(place: Path) -> None:
    number = open_challenge(place, "duel")
    accept_joiner(place, number)
    do_in_game(place, ADA, number, lambda shared_game: shared_game.send_move("c"))
    for uid in (BOB, CAT):
        kept = place / "ada" / "seats" / f"{number}.json"
        assert as_account(uid, kept.read_bytes) == "PermissionError"
        for record in files_in(place):
            assert '"nonce"' not in as_account(uid, record.read_text)
    assert do_in_game(place, ADA, number, lambda shared_game: shared_game.find_choice()) == "c"


def test_a_record_under_another_players_name_is_not_accepted(place: Path) -> None:
    """An account cannot join a challenge that is meant for another account by using its name."""
    number = as_account(
        ADA, lambda: OpenChallenge.open(open_lobby(place, ADA), make_terms(wanted=str(BOB))).challenge_id
    )

    def pretend() -> object:
        false = Lobby(place / "rooms", SecretsFolder(place / "cat" / "seats"), Person(CAT, str(BOB)), find_game)
        return JoinedChallenge.join(false, number, ADA).challenge_id

    assert as_account(CAT, pretend) == "RecordTrouble"
    as_account(CAT, lambda: want_to_join(place, number, str(BOB)))
    assert look_repeatedly(place, number, 3) == ["False"] * 3
    (record,) = (path for path in files_in(place) if path.name == f"{number}.table")
    assert len(record.read_text().splitlines()) == 1, "what another account wants there is not even looked at"
    assert as_account(BOB, lambda: JoinedChallenge.join(open_lobby(place, BOB), number, ADA).challenge_id) == number
    assert look_repeatedly(place, number, 1) == ["True"]


def test_a_lobby_that_another_account_owns_is_refused(place: Path) -> None:
    """The owner of a folder can remove the files of other accounts in it."""
    os.chown(place / "rooms", CAT, CAT)
    assert as_account(ADA, open_lobby(place, ADA).folders.check) == "NoLobby"
    assert as_account(CAT, open_lobby(place, CAT).folders.check) == "None"


# Attempts that do not harm other players.


def test_files_of_a_third_account_hide_no_player(place: Path) -> None:
    """The third account fills both the lobby's main folder and its own folder with files."""
    folder = folder_of(place, CAT)

    def fill() -> None:
        for number in range(400):
            (place / "rooms" / f"{make_id(number)}.table").touch()
            (folder / f"{make_id(number)}.table").touch()

    assert as_account(CAT, fill) == "None"
    number = open_challenge(place, "tiny")
    assert list_seen(place, BOB, Limits(names=20)) == f"{number}@{ADA}"
    accept_joiner(place, number)


def test_a_folder_with_very_many_entries_is_searched_less_often(place: Path) -> None:
    clock = Time(time.time())
    folders = Folders(place / "rooms", BOB, clock, limits=Limits(entries_a_second=10))
    for number in range(100):
        (place / "rooms" / make_id(number)).touch()
    assert ADA not in folders.accounts()
    shared_game = as_account(ADA, lambda: OpenChallenge.open(open_lobby(place, ADA), make_terms()).challenge_id)
    clock.now += 9.0
    assert ADA not in folders.accounts()
    assert folders.find(ADA) is not None, "who is asked for is found all the same"
    assert folders.path_of(ADA, shared_game).exists()
    clock.now += 2.0
    assert ADA in folders.accounts()


def test_taking_the_names_of_other_folders_locks_nobody_out(place: Path) -> None:
    def take() -> None:
        for name in (str(ADA), f"{ADA}.1", str(BOB), f"0{BOB}", f"{BOB}.x"):
            (place / "rooms" / name).mkdir()
        (place / "rooms" / f"{ADA}.2").touch()
        (place / "rooms" / f"{BOB}.1").symlink_to(place / "cat")

    assert as_account(CAT, take) == "None"
    number = open_challenge(place, "tiny")
    assert list_seen(place, BOB) == f"{number}@{ADA}"
    accept_joiner(place, number)
    assert do_in_game(place, ADA, number, lambda shared_game: shared_game.send_move(("L", 1))) == "None"
    assert do_in_game(place, BOB, number, lambda shared_game: shared_game.standing.ply) == "1"
    folders = {path.parent.name for path in files_in(place) if path.suffix in (".table", ".seat")}
    assert folders == {f"{ADA}.3", f"{BOB}.2"}


def test_wrong_codes_from_a_third_account_neither_close_a_challenge_nor_delay_it(place: Path) -> None:
    number, code = open_with_code(place)
    tries = MAX_TRIES + 5

    def try_codes() -> None:
        for joiner in range(tries):
            want_to_join(place, number, "cat", make_id(joiner))

    assert as_account(CAT, try_codes) == "None"
    assert look_repeatedly(place, number, tries) == ["False"] * tries
    (record,) = (path for path in files_in(place) if path.name == f"{number}.table")
    assert record.read_text().count("refuse") == MAX_TRIES, "then the account is not looked at any more"
    assert (
        as_account(BOB, lambda: JoinedChallenge.join(open_lobby(place, BOB), number, ADA, code).challenge_id) == number
    )
    assert look_repeatedly(place, number, 1) == ["True"]


def test_a_copied_joiner_id_neither_blocks_nor_fools_the_real_joiner(place: Path) -> None:
    number, code = open_with_code(place)

    def look() -> object:
        kept = open_lobby(place, BOB).secrets.get(number)
        assert kept is not None
        return JoinedChallenge(open_lobby(place, BOB), kept).look()

    joiner = as_account(BOB, lambda: JoinedChallenge.join(open_lobby(place, BOB), number, ADA, code).joiner)
    as_account(CAT, lambda: want_to_join(place, number, "cat", joiner))
    let_others_go_first(place, number)
    assert look_repeatedly(place, number, 1) == ["False"], "the third account is looked at first, and refused"
    assert as_account(BOB, look) == "False"
    assert look_repeatedly(place, number, 1) == ["True"]
    assert as_account(BOB, look) == "True"
    free = open_challenge(place, "tiny")
    (joiner,) = (
        path.name.split(".")[1]
        for path in files_in(place)
        if path.name.startswith(f"{free}.") and path.suffix == ".seat"
    )
    as_account(CAT, lambda: want_to_join(place, free, "cat", joiner))
    let_others_go_first(place, free)
    assert look_repeatedly(place, free, 1) == ["True"]
    number = free
    assert as_account(BOB, lambda: open_lobby(place, BOB).resume_game(free)) == "RecordTrouble"
    assert as_account(BOB, look) == "RecordTrouble", "it was the third account that sat down"


def test_a_copied_challenge_id_attracts_nobody(place: Path) -> None:
    number = as_account(ADA, lambda: OpenChallenge.open(open_lobby(place, ADA), make_terms()).challenge_id)
    record, copy = files_in(place)[0], folder_of(place, CAT) / f"{number}.table"

    def take() -> None:
        copy.write_bytes(record.read_bytes())
        copy.chmod(0o644)

    assert as_account(CAT, take) == "None"
    assert set(list_seen(place, BOB).split()) == {f"{number}@{ADA}", f"{number}@{CAT}"}
    as_account(BOB, lambda: JoinedChallenge.join(open_lobby(place, BOB), number, ADA))
    accept_joiner(place, number)
    assert list_seen(place, BOB) == f"{number}@{ADA}"
    assert do_in_game(place, BOB, number, lambda shared_game: shared_game.person(0).uid) == str(ADA)


class FreshFiles(ScriptedFiles):
    """A file system on which every file has just been changed, so that all players seem to be online."""

    def read(self, found: os.stat_result) -> float:
        return self.clock()


def test_dead_challenges_of_a_third_account_are_tried_only_twice(place: Path) -> None:
    """`meet` tries to join a player who waits, and then waits itself, even if somebody always seems to wait."""

    def open_many() -> None:
        for _ in range(30):
            OpenChallenge.open(open_lobby(place, CAT), make_terms())

    assert as_account(CAT, open_many) == "None"

    def wait() -> str:
        clock = Time(time.time())
        folder, secrets = place / "rooms", SecretsFolder(place / "ada" / "seats")
        clocks = Clocks(clock, clock, FreshFiles(clock))
        waiter = Waiter(Lobby(folder, secrets, Person(ADA, "ada"), find_game, clocks), find_game("tiny"))
        places = []
        for _ in range(60):
            clock.now += 1.0
            waiter.look()
            places.append(waiter.place)
        tried = {one.challenge_id for one in places if isinstance(one, JoinedChallenge)}
        return f"{len(tried)} {isinstance(places[-1], OpenChallenge)}"

    assert as_account(ADA, wait) == "2 True"


def test_accounts_with_folders_from_an_administrator_need_no_shared_writable_folder(place: Path) -> None:
    (place / "rooms").chmod(0o755)
    assert as_account(ADA, lambda: OpenChallenge.open(open_lobby(place, ADA), make_terms())) == "NoLobby"
    for uid in (ADA, BOB):
        (place / "rooms" / str(uid)).mkdir(0o755)
        os.chown(place / "rooms" / str(uid), uid, uid)
    number = open_challenge(place, "tiny")
    accept_joiner(place, number)
    assert as_account(CAT, lambda: open_lobby(place, CAT).open_game(number, ADA).standing.ply) == "0"

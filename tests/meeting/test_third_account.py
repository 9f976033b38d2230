"""What a third account can do in a room for all accounts: look on, and nothing else. Needs to be run as root, who alone
can become somebody else.
"""

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
from onlymove_tui.meeting.kept import Drawer
from onlymove_tui.meeting.people import Person
from onlymove_tui.meeting.room import MeetingRoom
from onlymove_tui.meeting.table import Table
from onlymove_tui.meeting.waiting import JoinedTable, OpenTable

from tests.meeting.rooms import find_game, wanted

ADA, BOB, CAT = 40001, 40002, 40003
NAMES = {ADA: "ada", BOB: "bob", CAT: "cat"}

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")


def as_account(uid: int, do: Callable[[], object]) -> str:
    """What an account says after doing something in a process of its own: the result, or what stopped it."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setgid(uid)
            os.setuid(uid)
            os.umask(0o077)
            told = str(do())
        except (OSError, OnlymoveError) as error:
            told = type(error).__name__
        os.write(write, told.encode())
        os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    with os.fdopen(read) as stream:
        return stream.read()


@pytest.fixture
def place() -> Iterator[Path]:
    """A room as an administrator makes it, and a home for each account."""
    folder = Path(tempfile.mkdtemp(prefix="accounts-"))
    folder.chmod(0o755)
    (folder / "rooms").mkdir()
    (folder / "rooms").chmod(0o1777)
    for uid, name in NAMES.items():
        (folder / name).mkdir()
        os.chown(folder / name, uid, uid)
    yield folder
    shutil.rmtree(folder)


def room(place: Path, uid: int) -> MeetingRoom:
    """The room as an account sees it."""
    drawer = Drawer(place / NAMES[uid] / "seats")
    return MeetingRoom(place / "rooms", drawer, Person(uid, NAMES[uid]), find_game, time.time)


def open_table(place: Path, game: str) -> str:
    """A table of the first account, joined by the second one."""
    number = as_account(ADA, lambda: OpenTable.open(room(place, ADA), wanted(game)).table)
    assert as_account(BOB, lambda: JoinedTable.join(room(place, BOB), number).table) == number
    return number


def at_table(place: Path, uid: int, number: str, do: Callable[[Table], object]) -> str:
    """One of the two does something there."""

    def sit() -> object:
        table = room(place, uid).sit_down(number)
        table.look()
        return do(table)

    return as_account(uid, sit)


def accept(place: Path, number: str) -> None:
    """The first account lets somebody sit down."""

    def look() -> object:
        kept = room(place, ADA).drawer.get(number)
        assert kept is not None
        return OpenTable(room(place, ADA), kept).look()

    assert as_account(ADA, look) == "True"


def test_a_third_account_looks_on_and_can_change_and_forge_nothing(place: Path) -> None:
    number = open_table(place, "tiny")
    accept(place, number)
    at_table(place, ADA, number, lambda table: table.move(("L", 1)))
    records = sorted((place / "rooms").iterdir())
    assert len(records) == 2
    for record in records:
        for forbidden in (
            lambda path: path.open("ab"),
            lambda path: path.unlink(),
            lambda path: path.rename(path.with_name("x")),
            lambda path: path.chmod(0o666),
            lambda path: os.utime(path, (1, 1)),
        ):
            assert as_account(CAT, lambda forbidden=forbidden, record=record: forbidden(record)) == "PermissionError"  # type: ignore[misc]
    assert as_account(CAT, lambda: room(place, CAT).look_on(number).standing.moves) == "(('L', 1),)"
    # A record of its own that says it is the second player's is nobody's.
    second = next(path for path in records if path.name.endswith(".seat"))
    forged = second.with_name(f"{number}.{'z' * 16}.seat")
    as_account(CAT, lambda: forged.write_bytes(second.read_bytes()))
    move = json.dumps({"do": "move", "time": 1, "seen": 9, "epoch": 0, "ply": 1, "move": "R4"}) + "\n"
    as_account(CAT, lambda: forged.open("a").write(move))
    assert at_table(place, BOB, number, lambda table: table.standing.moves) == "(('L', 1),)"
    at_table(place, BOB, number, lambda table: table.move(("R", 4)))
    assert at_table(place, ADA, number, lambda table: table.standing.ply) == "2"


def test_a_hidden_choice_and_what_it_comes_of_are_the_owners_alone(place: Path) -> None:
    number = open_table(place, "duel")
    accept(place, number)
    at_table(place, ADA, number, lambda table: table.move("c"))
    for uid in (BOB, CAT):
        kept = place / "ada" / "seats" / f"{number}.json"
        assert as_account(uid, kept.read_bytes) == "PermissionError"
        for record in sorted((place / "rooms").iterdir()):
            assert '"nonce"' not in as_account(uid, record.read_text)
    assert at_table(place, ADA, number, lambda table: table.chosen()) == "c"


def test_a_record_under_somebody_elses_name_is_not_taken_for_his(place: Path) -> None:
    """A table opened for one account cannot be joined by another one that uses its name."""
    number = as_account(ADA, lambda: OpenTable.open(room(place, ADA), wanted(wanted=str(BOB))).table)

    def pretend() -> object:
        false = MeetingRoom(place / "rooms", Drawer(place / "cat" / "seats"), Person(CAT, str(BOB)), find_game)
        return JoinedTable.join(false, number).table

    assert as_account(CAT, pretend) == number
    kept = as_account(ADA, lambda: OpenTable(room(place, ADA), room(place, ADA).drawer.get(number)).look())  # type: ignore[arg-type]
    assert kept == "False"


def test_a_room_that_another_account_owns_is_refused(place: Path) -> None:
    """Whoever owns a folder may remove what others keep there."""
    os.chown(place / "rooms", CAT, CAT)
    assert as_account(ADA, lambda: room(place, ADA).check()) == "NoRoom"
    assert as_account(CAT, lambda: room(place, CAT).check()) == "None"

"""The file of a match: whatever happens to it, no complete game is lost, and no character of it."""

from __future__ import annotations

import re
import resource
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onlymove.tournament.journal import FileInUse, Journal, Moved, OtherMatch
from onlymove.tournament.match import Standing, play_match
from onlymove.tournament.referee import Plan, common_tags, play
from onlymove.tournament.workers import WorkerPool
from onlymove_engines import games
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.records.record import parse_records

from .test_match import Unlucky

pytestmark = pytest.mark.usefixtures("_tiny_is_installed")

PLAN = Plan("tiny", ("best@40", "random"), seed=5)
PAIRS = 3
BOM = "\ufeff".encode()


@pytest.fixture(scope="module")
def records(_tiny_is_installed: None) -> list[bytes]:
    """Return the records of a whole match, in order, each with the blank line after it."""
    return [play(PLAN, number).encode() + b"\n" for number in range(2 * PAIRS)]


def resume(path: Path) -> tuple[Moved | None, set[int]]:
    """Open the file of a match and close it. Return what was moved away, and the games that need not be played."""
    with closing(Journal(path, PLAN, common_tags(PLAN))) as journal:
        return journal.resume(), set(journal.found)


def continue_match(path: Path) -> Standing:
    with closing(Journal(path, PLAN, common_tags(PLAN))) as journal:
        journal.resume()
        return play_match(PLAN, PAIRS, WorkerPool(Unlucky(), 2), journal)


@contextmanager
def match_file(text: bytes) -> Iterator[Path]:
    with TemporaryDirectory() as folder:
        (Path(folder) / "m").write_bytes(text)
        yield Path(folder) / "m"


def count_characters(*texts: bytes) -> Counter[int]:
    """Count the bytes of texts, except blank space and byte order marks."""
    return Counter(byte for text in texts for byte in b"".join(text.replace(BOM, b"").split()))


def read_all(path: Path) -> list[bytes]:
    """Return the contents of the file and of everything beside it."""
    return [each.read_bytes() for each in path.parent.iterdir()]


# Edits that leave every game complete.
HARMLESS: dict[str, Callable[[bytes, Random], bytes]] = {
    "as it was": lambda text, _: text,
    "CRLF": lambda text, _: text.replace(b"\n", b"\r\n"),
    "CR": lambda text, _: text.replace(b"\n", b"\r"),
    "no blank line at the end": lambda text, _: text[:-1],
    "no line break at the end": lambda text, _: text.rstrip(),
    "lines of spaces": lambda text, _: text.replace(b"\n\n", b"\n \t \n"),
    "more blank lines": lambda text, dice: text.replace(b"\n\n", b"\n" * dice.randrange(3, 6)),
    "no blank lines": lambda text, _: text.replace(b"\n\n", b"\n"),
    "a BOM": lambda text, _: BOM + text,
    "a line of another program": lambda text, _: b"% seen\n" + text,
    "a tag before the others": lambda text, _: text.replace(b"[Game ", b'[Event "club"]\n[Game '),
    "a comment with tags": lambda text, _: text.replace(b"\n\n1. ", b'\n\n{see\n\\[Game "x"\\]} 1. '),
    "no line breaks between games": lambda text, _: text.replace(b"\n\n[", b" ["),
    "tags without their line breaks": lambda text, _: text.replace(b"]\n[D", b"] [D"),
}


@pytest.mark.parametrize("edit", HARMLESS.values(), ids=HARMLESS)
def test_a_harmless_edit_costs_no_game(records: list[bytes], edit: Callable[[bytes, Random], bytes]) -> None:
    with match_file(edit(b"".join(records), Random(1))) as path:
        assert resume(path) == (None, {*range(2 * PAIRS)})
        with match_file(b"".join(records)) as whole:
            assert continue_match(path) == continue_match(whole)
        assert len(parse_records(path.read_bytes().decode("utf-8-sig"), games.load)) == 2 * PAIRS


@given(st.data())
def test_a_complete_game_is_never_played_again(records: list[bytes], data: st.DataObject) -> None:
    """Games may stand in any order, and some may be missing. The last one may be cut anywhere."""
    order = data.draw(st.permutations(range(2 * PAIRS)))
    kept = order[: data.draw(st.integers(1, 2 * PAIRS))]
    cut = b""
    if len(kept) < len(order):
        next_one = records[order[len(kept)]]
        cut = next_one[: data.draw(st.integers(0, len(next_one.rstrip()) - 1))]
    edit = data.draw(st.sampled_from(list(HARMLESS.values())))
    text = edit(b"".join(records[number] for number in kept) + cut, Random(1))
    with match_file(text) as path:
        moved, found = resume(path)
        assert found == {*kept}
        assert moved is None or cut
        assert count_characters(*read_all(path)) == count_characters(text)
        with match_file(b"".join(records)) as whole:
            assert continue_match(path) == continue_match(whole)
        assert resume(path) == (None, {*range(2 * PAIRS)})


def cut_out(text: bytes, dice: Random) -> bytes:
    begin, end = sorted(dice.randrange(len(text) + 1) for _ in range(2))
    return text[:begin] + text[end:]


def insert(text: bytes, dice: Random) -> bytes:
    place = dice.randrange(len(text) + 1)
    junk = (b"{", b"}", b"(", b"\0", b"\xff", b'[Game "', b'"]\n', b"\n\n", b"%", b"1-0", b"*", b"dear diary\n")
    return text[:place] + dice.choice(junk) + text[place:]


def repeat(text: bytes, dice: Random) -> bytes:
    begin, end = sorted(dice.randrange(len(text) + 1) for _ in range(2))
    return text[:end] + text[begin:end] + text[end:]


EDITS = [*HARMLESS.values(), cut_out, insert, repeat]


@settings(max_examples=150)
@given(st.lists(st.sampled_from(EDITS), max_size=4), st.integers(0, 1 << 32))
def test_no_character_is_ever_lost(
    records: list[bytes], edits: list[Callable[[bytes, Random], bytes]], seed: int
) -> None:
    """Whatever was done to the file, each character of it is afterwards in the file or beside it. No game is counted
    twice. If the file is refused, it is unchanged."""
    text, dice = b"".join(records), Random(seed)
    for edit in edits:
        text = edit(text, dice)
    with match_file(text) as path:
        before = path.with_name("m.bak")
        before.write_bytes(b"mine\n")
        try:
            _, found = resume(path)
        except OtherMatch:
            assert sorted(read_all(path)) == sorted([text, b"mine\n"])
            return
        assert count_characters(*read_all(path)) == count_characters(text, b"mine\n")
        assert before.read_bytes() == b"mine\n"
        complete = parse_records(path.read_bytes().decode("utf-8-sig", "replace"), games.load)
        assert len(complete) == len(found), "the file has complete games only"
        continue_match(path)
        assert resume(path) == (None, {*range(2 * PAIRS)})


def test_what_does_not_count_is_named(records: list[bytes]) -> None:
    damaged = [
        records[0],
        records[0],
        records[1].replace(b'[Second "best@40"]', b'[Second "me"]'),
        records[2].replace(b"1. ", b"1. R9 "),
        records[3].replace(b'[Pair "2"]', b'[Pair "two"]'),
        records[4].replace(b" 3. L1 1-0", b" *").replace(b"1-0", b"*"),
        records[5].rstrip()[:-3],
    ]
    with match_file(b"".join(damaged)) as path:
        moved, found = resume(path)
        assert found == {0}
        assert moved is not None
        assert moved.path == path.with_name("m.bak")
        text = moved.path.read_text()
        lines = [int(reason.partition(":")[0].removeprefix("line ")) for reason in moved.reasons]
        assert [text.split("\n")[line - 1][:5] for line in lines] == [
            "[Game",
            "[Game",
            "1. R9",
            "[Game",
            "[Game",
            "[Game",
        ]
        assert [reason.partition(": ")[2].partition(":")[0] for reason in moved.reasons] == [
            "a game of pair 1 that the match already has",
            "a game of pair 1 with other players",
            "move 1. R9",
            "the tags are not those of a game in a match",
            "a game of pair 3 without its result",
            "a game of pair 3 without its result",
        ]
        assert str(moved).endswith("; and 3 more")


@pytest.mark.parametrize("junk", [b"\xff", b"\x9b", b"\0", "\u2028".encode()])
def test_a_game_counts_only_if_review_can_read_it(records: list[bytes], junk: bytes) -> None:
    with match_file(records[0].replace(b" 1-0", junk + b" 1-0").replace(b" 0-1", junk + b" 0-1")) as path:
        text = path.read_bytes().decode("utf-8-sig", "replace")
        try:
            count = len(parse_records(text, games.load))
        except OnlymoveError:
            count = 0
        assert len(resume(path)[1]) == count


def test_an_older_file_beside_it_is_never_overwritten(records: list[bytes]) -> None:
    with match_file(records[0][:-9]) as path:
        for name in ("m.bak", "m.bak2", "m.bak3"):
            assert not path.with_name(name).exists()
            moved, _ = resume(path)
            assert moved is not None
            assert moved.path.name == name
            path.write_bytes(records[0][:-9])


def test_nothing_is_removed_before_the_new_file_is_on_disk(records: list[bytes]) -> None:
    """The disk is full after any number of bytes. The file is then as it was, and nothing unfinished is beside it."""
    text = records[0][:-9] + b"".join(records[1:])
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    for most in range(0, len(b"".join(records[1:])), 101):
        with match_file(text) as path:
            try:
                resource.setrlimit(resource.RLIMIT_FSIZE, (most, limits[1]))
                with pytest.raises(OSError, match="File too large"):
                    resume(path)
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, limits)
            assert path.read_bytes() == text
            beside = [each.read_bytes() for each in path.parent.iterdir() if each != path]
            assert beside in ([], [records[0][:-9] + b"\n\n"]), "at most a copy of what would have left the file"


def test_a_record_is_written_whole_or_not_at_all(records: list[bytes]) -> None:
    first, second = (record.decode().removesuffix("\n") for record in records[:2])
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with match_file(b"") as path, closing(Journal(path, PLAN, common_tags(PLAN))) as journal:
        journal.append(first)
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (len(records[0]) + 50, limits[1]))
            with pytest.raises(OSError, match=f"File too large: '{re.escape(str(path))}'"):
                journal.append(second)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert path.read_bytes() == records[0]
        journal.append(second)
        assert path.read_bytes() == records[0] + records[1]


def test_a_file_that_was_replaced_is_still_locked(records: list[bytes]) -> None:
    with match_file(records[0] + b"dear diary") as path, closing(Journal(path, PLAN, common_tags(PLAN))) as journal:
        assert journal.resume() is not None
        with pytest.raises(FileInUse):
            resume(path)
        journal.append(records[1].decode().removesuffix("\n"))
        journal.close()
        assert resume(path) == (None, {0, 1})


def test_a_file_keeps_its_permissions_and_its_name(records: list[bytes]) -> None:
    with match_file(records[0][:-9]) as path:
        path.chmod(0o640)
        link = path.with_name("link")
        link.symlink_to(path)
        moved, _ = resume(link)
        assert moved is not None
        assert link.is_symlink()
        assert [each.stat().st_mode & 0o777 for each in (path, moved.path)] == [0o640, 0o640]
        assert path.read_bytes() == b""


@pytest.mark.parametrize("name", ["Game", "Match", "Referee"])
@pytest.mark.parametrize("number", range(2))
def test_one_game_of_another_match_is_enough_to_refuse_a_file(records: list[bytes], name: str, number: int) -> None:
    text = [*records[:2]]
    text[number] = text[number].replace(f'[{name} "'.encode(), f'[{name} "x'.encode())
    with match_file(b"".join(text)) as path:
        with pytest.raises(OtherMatch, match=f"contains another match: {name} 'x"):
            resume(path)
        assert path.read_bytes() == b"".join(text)


def test_a_command_with_a_line_break_can_be_continued() -> None:
    plan = Plan("tiny", ("cmd:sh -c 'exit\n3'", "random"))
    with match_file(b"") as path:
        for found in (set(), {0}):
            with closing(Journal(path, plan, common_tags(plan))) as journal:
                assert journal.resume() is None
                assert set(journal.found) == found
                journal.append(play(plan, len(found)))

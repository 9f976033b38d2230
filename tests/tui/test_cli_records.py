"""Games as files: they are reviewed, imported into the history, and exported again."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from io import BytesIO, TextIOWrapper
from itertools import count
from pathlib import Path
from typing import Any

import click
import pytest
from onlymove_engines.core.errors import as_sentence
from onlymove_engines.play.session import AnySession, Session
from onlymove_tui.cli import records, run
from onlymove_tui.cli.records import BATCH, read_played_records
from onlymove_tui.store.entries import GameDetails
from onlymove_tui.store.games import Autosave, GameStore
from onlymove_tui.store.learning import Learned, Milestone
from onlymove_tui.store.profiles import find_places
from onlymove_tui.store.schema import StoreTrouble, describe_unsaved

from tests.commands import give_input, install_games, replace_stream
from tests.heap_game import HEAP, heap_game, settle

GAME = """[Game "heap"]
[Date "2026.11.20"]
[First "Ada"]
[Second "Bo"]
[Result "*"]

1. 1? (1. 2 {the right one}) 1... 1 2. 2 *
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a home folder with a record of the heap game and no history."""
    settle(tmp_path, monkeypatch)
    game = heap_game()
    install_games(monkeypatch, game)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.txt").write_text(GAME)
    return tmp_path


def test_a_review_judges_every_move_anew(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert HEAP % 3 == 2, "two is the only move that wins"
    assert run(["review", "game.txt", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    first, second, third = found["moves"]
    assert (first["class"], first["before"], first["after"], first["best"]) == ("blunder", "W13", "L14", ["2"])
    assert (second["class"], second["only"], second["after"]) == ("best", True, "W13")
    assert third["class"] == "forced"
    assert [move["why"] for move in found["moves"]] == [
        ["Second's only winning reply is 1.", "Only 2 would have won."],
        [],
        [],
    ]
    assert found["figures"][0]["kept"] == 0
    assert [(move["ply"], move["number"]) for move in found["moves"]] == [(1, 1), (2, 1), (3, 2)]
    assert (found["figures"][0]["turning_point"], found["figures"][0]["turning_number"]) == (1, 1)
    assert found["tags"]["First"] == "Ada"


def test_a_page_says_why_a_move_is_bad(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["review", "game.txt", "--html"]) == 0
    assert "only winning reply is 1." in capsys.readouterr().out


def test_a_review_in_lines(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["review", "game.txt"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Heap: Ada - Bo  *"
    assert "First threw away a win in 13 moves. Win in 13 moves → Loss. Best: 2" in lines[1]
    assert [line.strip() for line in lines[2:4]] == ["Second's only winning reply is 1.", "Only 2 would have won."]
    assert lines[6] == "First: 0 of 1 move was good. Not counted: 1 with nothing to decide."


@pytest.mark.parametrize("options", [(), ("--step",)])
def test_a_review_in_lines_is_ascii_if_the_settings_say_so(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], options: tuple[str, ...]
) -> None:
    monkeypatch.setenv("ONLYMOVE_ASCII", "on")
    give_input(monkeypatch, b"next\n")
    assert run(["review", "game.txt", *options]) == 0
    out = capsys.readouterr().out
    assert "Win in 13 moves -> Loss." in out
    assert out.isascii()


def test_a_game_in_which_nothing_was_played_is_neither_reviewed_nor_exported(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = GAME.partition("1. ")[0] + "*\n"
    (home / "both.txt").write_text(f"{empty}\n{GAME}")
    (home / "empty.txt").write_text(empty)
    assert run(["review", "both.txt"]) == 0
    assert capsys.readouterr().out.count("Heap: ") == 1
    assert run(["review", "empty.txt"]) == 2
    assert capsys.readouterr().err == "onlymove: 'empty.txt': this game has no moves.\n"
    store = GameStore(find_places().games, lambda _: heap_game())
    asked: AnySession = Session(heap_game())
    asked.node.hinted.add(0)
    Autosave(store, asked, GameDetails()).save()
    assert store.count() == 1
    store.close()
    assert run(["export"]) == 0
    assert capsys.readouterr().out == ""


def test_imported_games_are_exported_again(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["import", "game.txt"]) == 0
    assert capsys.readouterr().out == "Imported 1 game.\n"
    assert run(["export"]) == 0
    text = capsys.readouterr().out
    assert text.endswith("1. 1? (1. 2 {the right one}) 1... 1 2. 2 *\n\n")
    assert '[First "Ada"]\n[Second "Bo"]' in text
    (home / "again.txt").write_text(text)
    assert run(["import", "again.txt", "--json"]) == 0
    assert [found["game"] for found in json.loads(capsys.readouterr().out)] == ["heap"]


def test_a_game_is_not_imported_twice(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["import", "game.txt"]) == 0
    assert run(["import", "game.txt"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "Imported 0 games; 1 was already there."
    other = GAME.replace("Ada", "Eve")
    (home / "thrice.txt").write_text("\n".join([GAME, GAME, other, other]))
    assert run(["import", "thrice.txt"]) == 0
    assert capsys.readouterr().out == "Imported 1 game; 3 were already there.\n"
    assert run(["export"]) == 0
    assert capsys.readouterr().out.count("[Game ") == 2


def test_nothing_is_imported_when_one_game_is_refused(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "bad.txt").write_text(GAME + "\n" + GAME.replace("2. 2 *", "2. 3 *"))
    assert run(["import", "bad.txt"]) == 2
    err = capsys.readouterr().err
    assert err == "onlymove: Line 15: move 2. 3: not a move: 3.\n"
    assert run(["export"]) == 0
    assert capsys.readouterr().out == ""


def write_games(path: Path, number: int) -> None:
    """Write so many different games."""
    path.write_text("".join(GAME.replace("Ada", f"Ada {each}") for each in range(number)))


def test_games_are_imported_in_batches(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_games(home / "many.txt", 2 * BATCH + 1)
    assert run(["import", "many.txt", "--json"]) == 0
    assert len({one["number"] for one in json.loads(capsys.readouterr().out)}) == 2 * BATCH + 1
    assert run(["import", "many.txt"]) == 0
    assert capsys.readouterr().out == f"Imported 0 games; {2 * BATCH + 1} were already there.\n"


def test_an_import_that_is_stopped_keeps_complete_games_and_can_be_repeated(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_games(home / "many.txt", BATCH + 3)
    write, calls = GameStore.write, count(1)

    def stop_at_the_second(store: GameStore, drafts: Any) -> Any:
        if next(calls) == 2:
            os.kill(os.getpid(), signal.SIGTERM)
        return write(store, drafts)

    monkeypatch.setattr(GameStore, "write", stop_at_the_second)
    assert run(["import", "many.txt"]) == 128 + signal.SIGTERM
    assert capsys.readouterr() == (
        "",
        "onlymove: Stopped. Games that were imported by then stay. To import the others, use the same command again.\n",
    )
    assert run(["import", "many.txt"]) == 0
    assert capsys.readouterr().out == f"Imported 3 games; {BATCH} were already there.\n"


def test_an_import_that_fills_the_disk_says_what_stays(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    full, stay = (
        describe_unsaved("games.sqlite3: database or disk is full"),
        "Games that were imported by then stay.",
    )
    write = GameStore.write
    for number, output in (
        (BATCH + 1, f"onlymove: {as_sentence(full)} {stay}\n"),
        (1, f"onlymove: {as_sentence(full)}\n"),
    ):
        calls = count(0)

        def fail_at_the_second(
            store: GameStore, drafts: Any, calls: Iterator[int] = calls, first: bool = number == 1
        ) -> Any:
            if next(calls) + first:
                raise StoreTrouble(full)
            return write(store, drafts)

        write_games(home / "many.txt", number)
        monkeypatch.setattr(GameStore, "write", fail_at_the_second)
        assert run(["import", "many.txt"]) == 2
        assert capsys.readouterr() == ("", output)


def test_an_import_says_how_far_it_is(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said: list[tuple[str, float]] = []

    @contextmanager
    def note_progress() -> Iterator[Callable[[str, float], None]]:
        yield lambda what, share: said.append((what, share))

    monkeypatch.setattr(records, "show_progress", note_progress)
    write_games(home / "many.txt", 3)
    assert run(["import", "many.txt"]) == 0
    assert [what for what, _ in said] == ["checking the games"] * 3 + ["importing the games"] * 3
    assert said[0][1] == 0.0 < said[1][1] < said[2][1] < 1.0


def test_a_file_with_too_many_moves_is_not_reviewed(home: Path) -> None:
    write_games(home / "many.txt", 3)
    assert len(read_played_records("many.txt", most_moves=12)[0]) == 3
    with pytest.raises(click.UsageError, match="more than 11 moves"):
        read_played_records("many.txt", most_moves=11)


def test_a_record_keeps_its_date_and_every_tag_of_others(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tags = '[Date "1994.05.??"]\n[First "Ada"]\n[Second "?"]\n[Event "Club \\"A\\", é"]\n[Round "3.1"]\n'
    (home / "old.txt").write_text(f'[Game "heap"]\n{tags}[Result "*"]\n\n1. 1 *\n', "utf-8")
    assert run(["import", "old.txt"]) == 0
    capsys.readouterr()
    assert run(["export"]) == 0
    head = capsys.readouterr().out.partition("\n\n")[0]
    assert head == f'[Game "heap"]\n{tags}[Result "*"]'


@pytest.mark.parametrize("command", [["export"], ["review", "named.txt", "--html"], ["review", "named.txt", "--json"]])
def test_files_are_utf_8_in_every_locale(home: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]) -> None:
    (home / "named.txt").write_text(GAME.replace("Ada", "Núria ✓"), "utf-8")
    assert run(["import", "named.txt"]) == 0
    stdout = TextIOWrapper(written := BytesIO(), "latin-1", errors="replace")
    replace_stream(monkeypatch, "stdout", stdout)
    assert run(command) == 0
    stdout.flush()
    assert "Núria ✓" in written.getvalue().decode()


def test_a_record_without_date_and_names_is_given_none(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "bare.txt").write_text('[Game "heap"]\n\n1. 1 *\n')
    assert run(["import", "bare.txt"]) == 0
    capsys.readouterr()
    assert run(["export"]) == 0
    assert '[Date "????.??.??"]\n[First "?"]\n[Second "?"]\n' in capsys.readouterr().out


@pytest.mark.parametrize("name", ["missing.txt", "empty.txt"])
def test_an_unusable_file_is_one_line(home: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    (home / "empty.txt").write_text("\n")
    assert run(["review", name]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"onlymove: '{name}': ")
    assert err.count("\n") == 1


def test_export_and_import_include_learning_progress(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(GameStore.open(find_places("").games)) as store:
        store.lessons.save("heap", range(3), [Milestone.LESSONS])
    assert run(["export"]) == 0
    text = capsys.readouterr().out
    assert text == "%learned heap 3 lessons\n\n"
    (home / "learned.txt").write_text(text)
    assert run(["--profile", "other", "import", "learned.txt"]) == 0
    assert "Imported your lesson progress in 1 game." in capsys.readouterr().out
    with closing(GameStore.open(find_places("other").games)) as store:
        assert store.lessons.read_game("heap") == Learned(frozenset(range(3)), frozenset((Milestone.LESSONS,)))
    (home / "empty.txt").write_text("% nothing\n")
    assert run(["import", "empty.txt"]) == 2


def test_the_name_of_a_file_stays_as_it_is(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "notes").write_text("")
    assert run(["review", "notes"]) == 2
    assert run(["import", "gone"]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "onlymove: 'notes': no readable games found.",
        "onlymove: 'gone': No such file or directory.",
    ]

"""A table must be the one that the rules give. Otherwise one line refuses it, and the shipped table answers."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from onlymove_engines import games
from onlymove_engines.core.analysis import alternating
from onlymove_engines.core.errors import TableMismatch, UnusableTable
from onlymove_engines.core.game import AnyGame
from onlymove_tables.build import build_into
from onlymove_tables.file_format import list_table, read_header, read_manifest
from onlymove_tables.open import SEARCH_VARIABLE, load_first, open_game, open_table, package_folder, user_folder
from onlymove_tables.verify import verify_table
from onlymove_tui.cli import run

from tests.heap_game import HeapSolver

from .tampering import SomeSections, rewrite_table

FIRST, SECOND = [facts.id for facts in games.list_games() if games.load(facts.id).solved.solver is not None][:2]
"""Two games with tables."""


@pytest.fixture
def searched_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder that $ONLYMOVE_TABLES names."""
    folder = tmp_path / "named"
    folder.mkdir()
    monkeypatch.setenv(SEARCH_VARIABLE, str(folder))
    return folder


def make_false_sections() -> SomeSections:
    """Return sections in which the heap of 12 lasts two plies too long."""
    sections = HeapSolver().build()
    return sections | {"remoteness": sections["remoteness"] + np.int16(2) * (sections["heaps"] == 12)}


def test_a_changed_table_with_all_sums_redone_is_refused(heap: AnyGame, table: Path) -> None:
    rewrite_table(table, table, make_false_sections())
    with pytest.raises(TableMismatch, match="this table does not match the rules: sha256") as refusal:
        open_table(heap)
    assert "\n" not in str(refusal.value)
    note = open_game(heap).note
    assert note == str(refusal.value)


def test_sections_that_trade_places_are_refused(heap: AnyGame, table: Path) -> None:
    header, offset = read_header(table)
    one, two = header.sections
    traded = (dataclasses.replace(two, name=one.name), dataclasses.replace(one, name=two.name))
    packed = table.read_bytes()[offset:]
    table.write_bytes(dataclasses.replace(header, sections=traded).to_bytes() + packed)
    with pytest.raises(TableMismatch, match="sections"):
        open_table(heap)


def test_a_table_that_differs_from_the_shipped_one_is_reported_once(
    heap: AnyGame, table: Path, searched_folder: Path
) -> None:
    rewrite_table(table, searched_folder / table.name, make_false_sections())
    output: list[str] = []
    opened = open_game(heap, output.append)
    analyst, note = opened.analyst, opened.note
    assert not note, "the shipped table answers"
    assert str(alternating(analyst).probe((12, 0))) == "L8"
    (line,) = output
    assert line.startswith(f"{searched_folder / table.name}: this table does not match the rules")
    assert line.endswith("Using the shipped table instead")


def test_a_correct_table_of_the_user_is_used_silently(heap: AnyGame, table: Path) -> None:
    build_into(heap, user_folder())
    output: list[str] = []
    load_first(heap, output.append)
    assert output == []


def test_changed_rules_do_not_depend_on_the_shipped_table(
    heap: AnyGame, other_rules: AnyGame, table: Path, searched_folder: Path
) -> None:
    build_into(other_rules, searched_folder)
    entry = read_manifest(table.parent)[heap.id]
    list_table(table.parent, heap.id, dataclasses.replace(entry, sha256="0" * 64))
    assert list(open_table(other_rules)["heaps"]) == list(range(21))


def a_folder(path: Path) -> None:
    path.mkdir()


def make_empty(path: Path) -> None:
    path.write_bytes(b"")


def make_unreadable(path: Path) -> None:
    """Make a file that nobody can read, not even root."""
    path.symlink_to(path)


def cut_short(path: Path) -> None:
    path.write_bytes(read_shipped_table(FIRST)[:-1])


def write_other_game(path: Path) -> None:
    path.write_bytes(read_shipped_table(SECOND))


def make_future_version(path: Path) -> None:
    path.write_bytes(read_shipped_table(FIRST).replace(b"onlymove-table 1 ", b"onlymove-table 2 ", 1))


def with_other_fields(path: Path) -> None:
    header, _ = read_header(package_folder() / f"{FIRST}.tbl")
    line = header.to_bytes().replace(b'"count":', b'"counted":').split(b"\n", 1)[1]
    path.write_bytes(b"onlymove-table 1 " + hashlib.sha256(line).hexdigest().encode() + b"\n" + line)


def read_shipped_table(game_id: str) -> bytes:
    return (package_folder() / f"{game_id}.tbl").read_bytes()


@pytest.mark.parametrize(
    "bad", [a_folder, make_empty, make_unreadable, cut_short, write_other_game, make_future_version, with_other_fields]
)
def test_a_bad_table_is_one_line_and_the_shipped_one_answers(
    bad: Callable[[Path], None], searched_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["analyse", FIRST, "--format", "tsv"]) == 0
    expected = capsys.readouterr()
    bad(searched_folder / f"{FIRST}.tbl")
    with pytest.raises(UnusableTable):
        list(verify_table(games.load(FIRST)))
    assert run(["tables", "verify", FIRST]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert str(searched_folder) in err
    assert run(["analyse", FIRST, "--format", "tsv"]) == 0
    out, err = capsys.readouterr()
    assert (out, expected.err) == (expected.out, "")
    assert err.count("\n") == 1
    assert err.endswith(". Using the shipped table instead.\n")


def test_a_table_that_lies_is_listed_as_refused_and_verified_as_wrong(
    searched_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shipped = package_folder() / f"{FIRST}.tbl"
    sections = {name: np.array(section) for name, section in open_table(games.load(FIRST)).items()}
    next(iter(sections.values()))[7] ^= 1
    rewrite_table(shipped, searched_folder / shipped.name, sections)
    assert run(["tables", "list"]) == 0
    (row,) = [line for line in capsys.readouterr()[0].splitlines() if line.startswith(FIRST)]
    assert "refused" in row
    assert "this table does not match the rules" in row
    assert run(["tables", "verify", FIRST]) == 1
    assert capsys.readouterr()[0].endswith(f"{FIRST}: 1 finding\n")


def test_a_full_check_of_a_table_that_is_refused_names_what_is_wrong(heap: AnyGame, table: Path) -> None:
    rewrite_table(table, table, make_false_sections())
    findings = list(verify_table(heap, full=True))
    assert "this table does not match the rules" in findings[0]
    assert "heap: 12 0: remoteness is stored as 10, but it must be 8" in findings


def test_sections_that_lie_beyond_the_payload_are_no_table(heap: AnyGame, table: Path) -> None:
    header, offset = read_header(table)
    packed = table.read_bytes()[offset:]
    for wrong in ({"offset": header.size}, {"length": 1 << 40}, {"dtype": "nothing"}):
        plans = tuple(dataclasses.replace(plan, **wrong) for plan in header.sections)
        table.write_bytes(dataclasses.replace(header, sections=plans).to_bytes() + packed)
        with pytest.raises(UnusableTable):
            list(verify_table(heap, full=True))
        with pytest.raises(TableMismatch):
            open_table(heap)


def test_a_match_reports_a_skipped_table_once(searched_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_empty(searched_folder / f"{FIRST}.tbl")
    assert (
        run(["match", FIRST, "--first", "random", "--second", "random", "--games", "2", "--executor", "local:1"]) == 0
    )
    assert capsys.readouterr()[1].count(". Using the shipped table") == 1


@pytest.mark.parametrize("arguments", [("tables", "verify"), ("tables", "verify", "--full"), ("prove",)])
def test_a_missing_table_is_reported(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    (searched,) = [facts.id for facts in games.list_games() if games.load(facts.id).solved.solver is None]
    assert run([*arguments, searched]) == 0
    out, err = capsys.readouterr()
    assert (out.count("\n"), err) == (1, "")
    assert "played by search" in out

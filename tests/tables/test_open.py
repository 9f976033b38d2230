"""Tables are opened if they are complete and right. Otherwise one clear line refuses them, and live search replaces
them."""

from __future__ import annotations

import dataclasses
import lzma
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from onlymove_engines.core.analysis import alternating
from onlymove_engines.core.errors import MissingTable, TableMismatch
from onlymove_engines.core.game import AnyGame
from onlymove_tables.build import build_into, lay_out
from onlymove_tables.file_format import read_header
from onlymove_tables.open import (
    SEARCH_VARIABLE,
    cache_folder,
    find_tables,
    inflate,
    open_game,
    open_table,
    user_folder,
)

from tests.heap_game import HeapSolver


def flip(path: Path, at: int) -> None:
    """Change one byte of a file."""
    data = bytearray(path.read_bytes())
    data[at] ^= 0x20
    path.write_bytes(data)


def find_unpacked_table() -> Path:
    """Return the only unpacked copy in the cache."""
    (copy,) = cache_folder().glob("*.bin")
    return copy


def test_an_opened_table_equals_the_built_one(heap: AnyGame, table: Path) -> None:
    built = HeapSolver().build()
    opened = open_table(heap)
    assert sorted(opened) == sorted(built)
    for name, section in built.items():
        array = np.asarray(opened[name])
        np.testing.assert_array_equal(array, section)
        assert array.dtype == section.dtype
        assert not array.flags.writeable


def test_the_second_opening_maps_the_same_inflated_copy(heap: AnyGame, table: Path) -> None:
    open_table(heap)
    before = find_unpacked_table().stat()
    open_table(heap)
    assert find_unpacked_table().stat().st_ino == before.st_ino


def test_the_payload_is_little_endian_on_every_machine(heap: AnyGame) -> None:
    big = {"numbers": np.array([1, 258], dtype=">i4")}
    little = {"numbers": np.array([1, 258], dtype="<i4")}
    assert lay_out(big) == lay_out(little)
    assert lay_out(big)[1][:8] == b"\x01\0\0\0\x02\x01\0\0"


def test_a_section_of_fractions_is_refused() -> None:
    with pytest.raises(TypeError, match="'heat'"):
        lay_out({"heat": np.array([0.5])})


@pytest.mark.parametrize("at", [0, 20, 100, -1, -40], ids=["magic", "checksum", "header", "last byte", "payload"])
def test_any_flipped_byte_of_the_file_is_refused(heap: AnyGame, table: Path, at: int) -> None:
    open_table(heap)
    flip(table, at)
    with pytest.raises(TableMismatch) as refusal:
        open_table(heap)
    assert "\n" not in str(refusal.value)
    assert str(table) in str(refusal.value)


@pytest.mark.parametrize("length", [0, 10, 200, -1], ids=["empty", "magic only", "half a header", "one byte short"])
def test_a_truncated_file_is_refused(heap: AnyGame, table: Path, length: int) -> None:
    table.write_bytes(table.read_bytes()[:length])
    with pytest.raises(TableMismatch):
        open_table(heap)


def test_another_games_table_is_refused(heap: AnyGame, table: Path) -> None:
    other = dataclasses.replace(heap, facts=dataclasses.replace(heap.facts, id="pile"))
    table.rename(table.with_name("pile.tbl"))
    with pytest.raises(TableMismatch, match="a table of heap, not of pile"):
        open_table(other)


def test_a_table_built_from_other_rules_is_refused(other_rules: AnyGame, table: Path) -> None:
    with pytest.raises(TableMismatch, match="other rules"):
        open_table(other_rules)


def test_a_table_of_another_format_is_refused(heap: AnyGame, table: Path) -> None:
    table.write_bytes(table.read_bytes().replace(b"onlymove-table 1 ", b"onlymove-table 9 ", 1))
    with pytest.raises(TableMismatch, match="format 9"):
        open_table(heap)


@pytest.mark.parametrize("damage", ["a flipped byte", "cut short"])
def test_a_damaged_inflated_copy_is_replaced(heap: AnyGame, table: Path, damage: str) -> None:
    open_table(heap)
    whole = find_unpacked_table().read_bytes()
    before = find_unpacked_table().stat()
    if damage == "cut short":
        find_unpacked_table().write_bytes(whole[:-1])
    else:
        flip(find_unpacked_table(), 3)
    os.utime(find_unpacked_table(), ns=(before.st_atime_ns, before.st_mtime_ns))
    assert list(open_table(heap)["heaps"]) == list(range(21))
    assert find_unpacked_table().read_bytes() == whole


def test_without_a_writable_cache_the_table_is_held_in_memory(
    heap: AnyGame, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocker = tmp_path / "a file where a folder should be"
    blocker.write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocker))
    assert list(open_table(heap)["heaps"]) == list(range(21))


def test_without_a_table_live_search_answers(heap: AnyGame) -> None:
    with pytest.raises(MissingTable):
        open_table(heap)
    opened = open_game(heap)
    analyst, note = opened.analyst, opened.note
    assert note
    assert "onlymove tables build heap" in note
    assert str(alternating(analyst).probe((7, 0))) == "W5"


def test_a_refused_table_is_reported_and_replaced_by_search(heap: AnyGame, table: Path) -> None:
    flip(table, -1)
    opened = open_game(heap)
    analyst, note = opened.analyst, opened.note
    assert note
    assert "damaged" in note
    assert str(alternating(analyst).probe((6, 0))) == "L4"


def test_a_good_table_needs_no_note(heap: AnyGame, table: Path) -> None:
    opened = open_game(heap)
    analyst, note = opened.analyst, opened.note
    assert not note
    assert str(alternating(analyst).probe((6, 0))) == "L4"


def test_the_named_folder_comes_first(
    heap: AnyGame, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = tmp_path / "named"
    build_into(heap, named)
    monkeypatch.setenv(SEARCH_VARIABLE, str(named))
    assert find_tables(heap)[0] == named / "heap.tbl"


def test_the_shipped_table_replaces_an_outdated_one_of_the_user(
    heap: AnyGame, other_rules: AnyGame, table: Path
) -> None:
    build_into(other_rules, user_folder())
    assert find_tables(heap)[0] == table
    assert find_tables(other_rules)[0] == user_folder() / "heap.tbl"


def test_a_payload_that_unpacks_to_something_else_is_refused(heap: AnyGame, table: Path) -> None:
    header, _ = read_header(table)
    with pytest.raises(TableMismatch, match="unpacked payload"):
        inflate(table, header, lzma.compress(b"something else"))
    with pytest.raises(TableMismatch, match="cannot be unpacked"):
        inflate(table, header, b"something else")


def test_opening_loads_neither_numba_nor_textual() -> None:
    code = "import sys, onlymove_tables.open; sys.exit('numba' in sys.modules or 'textual' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_many_processes_may_open_a_fresh_table_at_once(table: Path) -> None:
    code = (
        "import sys, pathlib; from onlymove_tables.file_format import read_header;"
        "from onlymove_tables.open import payload_of;"
        "path = pathlib.Path(sys.argv[1]); header, offset = read_header(path);"
        "sys.exit(len(payload_of(path, header, offset)) != header.size)"
    )
    workers = [subprocess.Popen([sys.executable, "-c", code, str(table)]) for _ in range(4)]
    assert [worker.wait() for worker in workers] == [0] * 4
    assert find_unpacked_table().stat().st_size == read_header(table)[0].size

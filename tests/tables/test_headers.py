"""A table file from somebody else costs no more than its header may say, and each field of the header is checked."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import lzma
import tracemalloc
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onlymove_engines import games
from onlymove_engines.core.errors import TableMismatch, UnusableTable
from onlymove_tables.build import build_into
from onlymove_tables.file_format import FILE_NAME, read_header, read_manifest
from onlymove_tables.open import (
    SEARCH_VARIABLE,
    inflate,
    load_table,
    open_game,
    open_table,
    package_folder,
    user_folder,
)
from onlymove_tui.cli import run

from tests.heap_game import settle
from tests.small_games import mu_torere

from .tampering import rewrite_table

FIRST = games.list_games()[0].id
MEGABYTE = 1 << 20
FIELDS = ("count", "digest", "encoding", "game", "packed_sha256", "packed_size", "sections", "sha256", "size")
PLAN = ("dtype", "length", "name", "offset")
ABSENT = object()
WRONG: tuple[Any, ...] = (
    "many", "", "\x1b[2J\n", "../../x", "a" * 60_000, -1, 0, 1.5, 1e300, 1 << 62, 1 << 70, True, None, [], {}, [[]],
    ABSENT,
)  # fmt: skip


def write_table(path: Path, fields: Mapping[str, Any], packed: bytes) -> None:
    """Write a table file with these fields and the right checksum of the header."""
    line = json.dumps(fields).encode() + b"\n"
    path.write_bytes(b"onlymove-table 1 " + hashlib.sha256(line).hexdigest().encode() + b"\n" + line + packed)


def read_table(path: Path) -> tuple[dict[str, Any], bytes]:
    """Return the fields of a table file, and its packed payload."""
    header, offset = read_header(path)
    return dataclasses.asdict(header), path.read_bytes()[offset:]


def change(fields: dict[str, Any], name: str, value: Any) -> dict[str, Any]:
    return {key: each for key, each in (fields | {name: value}).items() if each is not ABSENT}


@pytest.fixture
def foreign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the place of a table that is searched for before the shipped one."""
    monkeypatch.setenv(SEARCH_VARIABLE, str(tmp_path))
    return tmp_path / f"{FIRST}.tbl"


@pytest.mark.parametrize("value", WRONG, ids=lambda value: f"{value!r:.20}")
def test_every_field_of_a_header_is_checked(value: Any, foreign: Path) -> None:
    game, (fields, packed) = games.load(FIRST), read_table(package_folder() / f"{FIRST}.tbl")
    plans = fields["sections"]
    wrong = [change(fields, name, value) for name in FIELDS]
    wrong += [change(fields, "sections", [change(plans[0], name, value), *plans[1:]]) for name in PLAN]
    for each in wrong:
        if json.dumps(each) != json.dumps(fields):
            write_table(foreign, each, packed)
            with pytest.raises(TableMismatch) as refusal:
                load_table(game, foreign)
            assert str(refusal.value).isprintable()
            assert len(str(refusal.value)) < 200_000


@pytest.mark.parametrize(
    "line", [b"[" * 50_000, b"null", b"[]", b'"x"', b"7", b"{}", b"NaN", b"\xff", b""], ids=lambda line: f"{line!r:.9}"
)
def test_another_document_is_no_header(line: bytes, foreign: Path) -> None:
    foreign.write_bytes(b"onlymove-table 1 " + hashlib.sha256(line + b"\n").hexdigest().encode() + b"\n" + line + b"\n")
    with pytest.raises(UnusableTable):
        read_header(foreign)


@pytest.mark.parametrize(("name", "value"), [("count", "many"), ("size", -1), ("sections", [[]]), ("game", None)])
def test_a_wrong_header_is_one_line_for_every_command(
    name: str, value: Any, foreign: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fields, packed = read_table(package_folder() / f"{FIRST}.tbl")
    write_table(foreign, change(fields, name, value), packed)
    assert run(["tables", "list"]) == 0
    (row,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith(FIRST)]
    assert "refused" in row
    assert "the header cannot be read" in row
    assert run(["analyse", FIRST]) == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith("Using the shipped table instead.")
    assert run(["tables", "verify", FIRST]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_no_more_is_unpacked_than_the_header_says(table: Path) -> None:
    header, _ = read_header(table)
    packed = lzma.compress(bytes(64 * MEGABYTE), preset=0)
    tracemalloc.start()
    with pytest.raises(TableMismatch):
        inflate(table, header, packed)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < MEGABYTE


def test_many_empty_streams_cost_no_time(table: Path) -> None:
    header, _ = read_header(table)
    with pytest.raises(TableMismatch):
        inflate(table, header, lzma.compress(b"") * 100_000)


def test_a_stream_that_asks_for_much_memory_is_refused(table: Path) -> None:
    header, _ = read_header(table)
    window = {"id": lzma.FILTER_LZMA2, "dict_size": 1 << 28, "mf": lzma.MF_HC3, "mode": lzma.MODE_FAST, "nice_len": 8}
    with pytest.raises(TableMismatch, match="cannot be unpacked"):
        inflate(table, header, lzma.compress(b"x", filters=[window]))


def test_a_small_file_is_no_large_table_and_a_large_one_no_small_table(foreign: Path) -> None:
    fields, packed = read_table(package_folder() / f"{FIRST}.tbl")
    write_table(foreign, fields | {"packed_size": 1 << 40}, packed)
    with pytest.raises(UnusableTable, match="1,099,511,627,776 bytes cannot be a packed table of 1,701,824 bytes"):
        read_header(foreign)
    length = 1 << 33
    fields |= {
        "count": length,
        "size": length,
        "sections": [{"name": "a", "dtype": "|u1", "length": length, "offset": 0}],
    }
    write_table(foreign, fields, packed)
    with pytest.raises(UnusableTable, match="cannot be a packed table of 8,589,934,592 bytes"):
        read_header(foreign)


def test_a_file_longer_than_its_header_says_is_not_read(foreign: Path) -> None:
    fields, packed = read_table(package_folder() / f"{FIRST}.tbl")
    write_table(foreign, fields, packed)
    with foreign.open("ab") as file:
        file.truncate(1 << 40)  # a sparse file takes no space
    with pytest.raises(UnusableTable, match="the payload has 1,099,51"):
        load_table(games.load(FIRST), foreign)


def test_another_table_of_a_game_made_from_its_rules_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(tmp_path, monkeypatch)
    game = mu_torere()
    path = user_folder() / build_into(game, user_folder()).file
    right = {name: np.asarray(section) for name, section in open_table(game).items()}
    for wrong in (
        {"other": right["codes"]},
        {name: section for name, section in right.items() if name != "keys"},
        right | {"codes": right["codes"][1:]},
        right | {"keys_3": right["keys"]},
        right | {"keys_2": right["keys"]},
        right | {"alphabets": np.zeros(0, np.uint8)},
    ):
        rewrite_table(path, path, wrong)
        assert open_game(game).note


@pytest.mark.parametrize(
    "text", ["heap = 3", "[heap]\nfile = 'x'", "[heap.counts]\na = 'x'", f"x = {'[' * 50_000}"], ids=range(4)
)
def test_a_manifest_of_another_kind_is_unreadable(text: str, tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text(text)
    with pytest.raises(TableMismatch, match="unreadable"):
        read_manifest(tmp_path)

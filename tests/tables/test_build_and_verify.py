"""Building writes complete files and a correct list, and verifying finds every error."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from onlymove_engines.core.analysis import Report, Section, ignore_report
from onlymove_engines.core.errors import MissingTable
from onlymove_engines.core.game import AnyGame
from onlymove_tables.build import build_into, build_table
from onlymove_tables.file_format import read_header, read_manifest
from onlymove_tables.verify import verify_table

from tests.heap_game import HeapSolver


def test_a_good_table_has_no_findings(heap: AnyGame, table: Path) -> None:
    assert list(verify_table(heap, full=True)) == []


def test_the_manifest_lists_what_was_built(heap: AnyGame, table: Path) -> None:
    header, _ = read_header(table)
    entry = read_manifest(table.parent)["heap"]
    assert entry.counts == {"positions": 21, "losses": 7}
    assert (entry.sha256, entry.size, entry.digest) == (header.sha256, header.size, header.digest)
    assert entry.build == "onlymove tables build heap"
    assert header.count == 21


def test_a_second_game_joins_the_manifest(heap: AnyGame, table: Path) -> None:
    build_into(dataclasses.replace(heap, facts=dataclasses.replace(heap.facts, id="pile")), table.parent)
    assert sorted(read_manifest(table.parent)) == ["heap", "pile"]


def test_building_twice_gives_the_same_bytes(heap: AnyGame, table: Path) -> None:
    before = table.read_bytes()
    build_table(heap, table)
    assert table.read_bytes() == before


@pytest.mark.usefixtures("_small_disk")
def test_nothing_is_left_behind_when_the_write_fails(heap: AnyGame, tmp_path: Path) -> None:
    with pytest.raises(OSError, match="File too large"):
        build_table(heap, tmp_path / "out" / "heap.tbl")
    assert list((tmp_path / "out").iterdir()) == []


def test_a_game_without_a_table_cannot_be_built(heap: AnyGame, tmp_path: Path) -> None:
    with pytest.raises(MissingTable, match="played by search"):
        build_table(
            dataclasses.replace(heap, solved=dataclasses.replace(heap.solved, solver=None)), tmp_path / "heap.tbl"
        )


def test_a_damaged_file_is_a_finding(heap: AnyGame, table: Path) -> None:
    data = bytearray(table.read_bytes())
    data[-30] ^= 1
    table.write_bytes(data)
    (finding,) = verify_table(heap)
    assert "damaged" in finding


def test_a_wrong_value_is_found_by_the_rules(heap: AnyGame, table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build_with_a_mistake(heap, table, monkeypatch)
    findings = list(verify_table(heap))
    assert any("12 0 is stored as L10, but its moves give L8" in finding for finding in findings), findings
    assert any("13 0 is stored as W9, but its moves give W11" in finding for finding in findings), findings


def test_a_rebuild_that_differs_is_a_finding(heap: AnyGame, table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build_with_a_mistake(heap, table, monkeypatch)
    assert any("a rebuild gives different bytes" in finding for finding in verify_table(heap, full=True))


def test_a_manifest_that_contradicts_the_file_is_a_finding(heap: AnyGame, table: Path) -> None:
    manifest = table.with_name("MANIFEST.toml")
    manifest.write_text(manifest.read_text().replace('losses" = 7', 'losses" = 8').replace("heap-1", "heap-2"))
    findings = list(verify_table(heap, full=True))
    assert any("encoding is heap-1, but the manifest says heap-2" in finding for finding in findings)
    assert any("'losses': 7}, but the manifest says" in finding for finding in findings)


def test_a_missing_table_is_a_finding(heap: AnyGame) -> None:
    (finding,) = verify_table(heap)
    assert "found no table of heap" in finding


def build_with_a_mistake(heap: AnyGame, table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Build a table in which the heap of 12 lasts two plies too long."""
    right = HeapSolver.build

    def wrong(self: HeapSolver, jobs: int = 1, report: Report = ignore_report) -> dict[str, Section]:
        sections = right(self, jobs, report)
        return sections | {"remoteness": sections["remoteness"] + np.int16(2) * (sections["heaps"] == 12)}

    with monkeypatch.context() as patch:
        patch.setattr(HeapSolver, "build", wrong)
        build_into(heap, table.parent)

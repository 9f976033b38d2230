"""A table is the same file for every number of jobs, and the shipped one."""

from __future__ import annotations

import lzma
from pathlib import Path

import numpy as np
import pytest
from onlymove_engines import games
from onlymove_engines.core.analysis import Section
from onlymove_tables.build import build_table, compress, lay_out
from onlymove_tables.file_format import read_manifest
from onlymove_tables.open import package_folder

SHIPPED = read_manifest(package_folder())


def test_packing_is_the_same_for_any_number_of_jobs_and_unpacks_to_the_payload() -> None:
    sections: dict[str, Section] = {
        "bytes": np.arange(1000, dtype=np.uint8),
        "pairs": np.arange(300, dtype=np.uint16),
        "words": np.arange(7, dtype=np.int64) ** 20,
    }
    plans, payload = lay_out(sections)
    packed = compress(plans, payload, jobs=1)
    assert compress(plans, payload, jobs=3) == packed
    assert lzma.decompress(packed, lzma.FORMAT_XZ) == payload


@pytest.mark.slow
@pytest.mark.parametrize("game_id", SHIPPED)
def test_one_job_and_two_build_the_same_file_with_the_shipped_values(game_id: str, tmp_path: Path) -> None:
    entries = [build_table(games.load(game_id), tmp_path / f"{jobs}.tbl", jobs) for jobs in (1, 2)]
    assert (tmp_path / "1.tbl").read_bytes() == (tmp_path / "2.tbl").read_bytes()
    assert entries[0].sha256 == SHIPPED[game_id].sha256, "a build gives other values than the shipped table has"

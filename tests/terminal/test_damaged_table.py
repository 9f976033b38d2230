"""A table that cannot be trusted is named in one line, and the game continues with the shipped table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from onlymove_tables.file_format import read_header
from onlymove_tables.open import SEARCH_VARIABLE, package_folder

from tests.amounts import limit_values

from .boards import FIRST, play_a_ply
from .conftest import Spawn

pytestmark = pytest.mark.terminal


def truncate(table: bytes) -> bytes:
    return table[: len(table) // 2]


def flip_byte(table: bytes) -> bytes:
    middle = len(table) // 2
    return table[:middle] + bytes([table[middle] ^ 0xFF]) + table[middle + 1 :]


def prepend_other_format(table: bytes) -> bytes:
    return b"%PDF-1.7\n" + table


def make_outdated(table: bytes) -> bytes:
    """Return the table as another version of the rules would have built it, undamaged."""
    header, offset = read_header(package_folder() / f"{FIRST.id}.tbl")
    return replace(header, digest="0" * len(header.digest)).to_bytes() + table[offset:]


@pytest.mark.parametrize(
    "harm", limit_values([make_outdated, truncate, flip_byte, prepend_other_format, lambda table: b""])
)
def test_play_goes_on_with_the_shipped_table(
    spawn: Spawn, home: dict[str, str], tmp_path: Path, harm: Callable[[bytes], bytes]
) -> None:
    name = f"{FIRST.id}.tbl"
    folder = tmp_path / "tables"
    folder.mkdir()
    (folder / name).write_bytes(harm((package_folder() / name).read_bytes()))
    terminal = spawn("play", FIRST.id, environ={SEARCH_VARIABLE: str(folder)})
    terminal.wait_for("to move")
    terminal.wait_for("instead.")  # a screen is not painted at once
    assert "Using the shipped table instead." in " ".join(terminal.text().split())
    assert str(folder) not in terminal.text()
    assert sum(name in line for line in terminal.text().split("\n")) == 1
    play_a_ply(terminal, home)

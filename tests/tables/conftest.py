"""The heap game with its own game package and user folders."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from onlymove_engines.core.game import AnyGame
from onlymove_tables.build import build_into

from tests.heap_game import heap_game, package_of, settle


@pytest.fixture
def heap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AnyGame:
    """Return the heap game, set up in a temporary folder."""
    settle(tmp_path, monkeypatch)
    return heap_game()


@pytest.fixture
def table(heap: AnyGame, tmp_path: Path) -> Path:
    """Return the file of the game's table, newly built into the package's folder."""
    return package_of(tmp_path) / build_into(heap, package_of(tmp_path)).file


@pytest.fixture
def other_rules(heap: AnyGame) -> AnyGame:
    """Return the same game after a change to its rules."""
    return dataclasses.replace(heap, solved=dataclasses.replace(heap.solved, digest_sources=("rules.py",)))

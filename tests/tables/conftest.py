"""The heap game with a game package folder, user folders and a package folder of its own."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from onlymove_engines.core.game import AnyGame
from onlymove_tables.build import build_into

from tests.heap_game import heap_game, package_of, settle


@pytest.fixture
def heap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AnyGame:
    """The game, at home in a temporary folder."""
    settle(tmp_path, monkeypatch)
    return heap_game()


@pytest.fixture
def table(heap: AnyGame, tmp_path: Path) -> Path:
    """The file of the game's table, freshly built into the package's folder."""
    return package_of(tmp_path) / build_into(heap, package_of(tmp_path)).file


@pytest.fixture
def other_rules(heap: AnyGame) -> AnyGame:
    """The same game after its rules were edited."""
    return dataclasses.replace(heap, solved=dataclasses.replace(heap.solved, digest_sources=("rules.py",)))

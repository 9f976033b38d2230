"""Players with empty home folders, and the app in its own terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import pytest

from .harness import Pty

APP = (sys.executable, "-m", "onlymove_tui")

Spawn: TypeAlias = Callable[..., Pty]


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """Return the environment of a new player at a capable local terminal."""
    kept = {
        name: os.environ[name] for name in ("PATH", "PYTHONPATH", "NUMBA_CACHE_DIR", "SYSTEMROOT") if name in os.environ
    }
    folders = {
        variable: str(tmp_path / variable.lower())
        for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME")
    }
    return {
        **kept,
        **folders,
        "HOME": str(tmp_path),
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "PYTHONWARNINGS": "error",
    }


@pytest.fixture
def spawn(home: dict[str, str]) -> Iterator[Spawn]:
    """Return a function that starts the app, or any command, in a terminal. The terminals are closed when the test
    ends."""
    running: list[Pty] = []

    def start(
        *arguments: str,
        environ: Mapping[str, str] | None = None,
        without: Sequence[str] = (),
        command: Sequence[str] = APP,
        columns: int = 80,
        rows: int = 24,
    ) -> Pty:
        complete = {name: value for name, value in {**home, **(environ or {})}.items() if name not in without}
        running.append(Pty([*command, *arguments], complete, columns, rows))
        return running[-1]

    yield start
    for terminal in running:
        terminal.close()

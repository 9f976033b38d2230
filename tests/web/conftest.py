"""No browser is given up on a slow machine, and nothing is written into the player's own folders."""

from __future__ import annotations

from pathlib import Path

import pytest
from onlymove_tui.web import connections, server

LONG = 1e6
"""More seconds than any test takes."""


@pytest.fixture(autouse=True)
def _wait_for_slow_machines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Prevent that browsers are given up or apps killed on a slow machine."""
    monkeypatch.setattr(server, "LEAVING_SECONDS", LONG)
    monkeypatch.setattr(server, "CLOSING_SECONDS", LONG)
    monkeypatch.setattr(server, "HEARTBEAT_SECONDS", LONG)
    monkeypatch.setattr(connections, "HEAD_SECONDS", LONG)
    monkeypatch.setattr(connections, "ANSWER_SECONDS", LONG)


@pytest.fixture(autouse=True)
def _set_own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in ("DATA", "CONFIG", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind))

"""Players of a shared game are killed again and again. `python -m tests.lobby.kills` runs this for longer."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lobby.kills import kill


@pytest.mark.slow
def test_killed_processes_lose_nothing_and_agree(tmp_path: Path) -> None:
    found = kill(20, 3, tmp_path)
    assert found.wrong == []
    assert found.kills >= 20

"""A whole game between two logins over a real sshd, either side killed on the way; `make rooms` is the long run."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from .rooms import kill

pytestmark = pytest.mark.terminal


def test_a_game_between_two_logins_survives_kills_and_is_the_same_for_all() -> None:
    with tempfile.TemporaryDirectory(prefix="rooms-") as folder:
        found = kill(2, 5, Path(folder), "pokemon")
    assert found.wrong == []
    assert found.kills >= 2
    assert found.plies

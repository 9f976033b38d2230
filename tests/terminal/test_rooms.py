"""A whole game between two logins over a real sshd, either side killed on the way; `make rooms` is the long run."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from .accounts import needs_root
from .hosts import AccountHost, Host
from .rooms import kill

pytestmark = pytest.mark.terminal


def test_a_game_between_two_logins_survives_kills_and_is_the_same_for_all() -> None:
    with tempfile.TemporaryDirectory(prefix="rooms-") as folder:
        found = kill(2, 5, Host(Path(folder)), "pokemon")
    assert found.wrong == []
    assert found.kills >= 2
    assert found.plies


@needs_root
@pytest.mark.slow
def test_so_does_one_between_two_accounts_and_neither_reads_what_the_other_has_fixed() -> None:
    """Where both move at once."""
    with tempfile.TemporaryDirectory(prefix="rooms-") as folder:
        Path(folder).chmod(0o755)
        found = kill(2, 3, AccountHost(Path(folder)), "lightriders")
    assert found.wrong == []
    assert found.kills >= 2
    assert found.peeks

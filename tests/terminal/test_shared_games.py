"""Two logins play a whole game over a real sshd, and either side is killed on the way. `make shared-games` runs
this for longer."""

from __future__ import annotations

import grp
import os
import pwd
import tempfile
from pathlib import Path

import pytest

from .accounts import Accounts, needs_root
from .hosts import AccountHost, Host
from .shared_games import kill

pytestmark = pytest.mark.terminal


def test_a_game_between_two_logins_survives_kills_and_is_the_same_for_all() -> None:
    with tempfile.TemporaryDirectory(prefix="shared-games-") as folder:
        found = kill(2, 5, Host(Path(folder)), "pokemon")
    assert found.wrong == []
    assert found.kills >= 2
    assert found.plies


@needs_root
@pytest.mark.slow
def test_two_accounts_play_a_whole_game_and_cannot_read_each_others_choices() -> None:
    """In a game with simultaneous moves."""
    with tempfile.TemporaryDirectory(prefix="shared-games-") as folder:
        Path(folder).chmod(0o755)
        found = kill(2, 3, AccountHost(Path(folder)), "lightriders")
    assert found.wrong == []
    assert found.kills >= 2
    assert found.peeks


@needs_root
def test_a_run_that_was_killed_leaves_no_account_behind() -> None:
    with tempfile.TemporaryDirectory() as folder:
        child = os.fork()
        if child == 0:
            Accounts(Path(folder)).add("ada")
            os._exit(0)
        os.waitpid(child, 0)
        mark = f"om{child}"
        assert [account.pw_name for account in pwd.getpwall() if account.pw_name.startswith(mark)] == [f"{mark}ada"]
        Accounts(Path(folder)).close()
        left = [*(account.pw_name for account in pwd.getpwall()), *(group.gr_name for group in grp.getgrall())]
        assert [name for name in left if name.startswith(mark)] == []

"""What the tests of matches share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from onlymove.tournament import referee

from tests.commands import install_games
from tests.tui.tiny_game import tiny_game


@pytest.fixture(scope="module")
def _tiny_is_installed() -> Iterator[None]:
    """Let matches find the tiny game beside the installed ones."""
    with pytest.MonkeyPatch.context() as patch:
        install_games(patch, tiny_game())
        referee.open_context.cache_clear()
        yield
        referee.open_context.cache_clear()

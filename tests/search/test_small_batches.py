"""Plain code answers a few positions, and kernels many. If nothing can be compiled, plain code answers all."""

from __future__ import annotations

from typing import Any

import pytest
from onlymove_engines import games
from onlymove_engines.search import batch
from onlymove_engines.search.batch import TableAnalyst
from onlymove_tables.open import open_game


def find_tobito(quick: int) -> TableAnalyst[Any, Any]:
    """Return the analyst of Tobito. Plain code answers this many positions first."""
    analyst: Any = open_game(games.load("tobito")).analyst
    analyst.quick = quick
    return analyst  # type: ignore[no-any-return]


def test_plain_code_answers_until_kernels_would_have_been_loaded() -> None:
    few = find_tobito(10)
    assert [few.is_quicker_plainly(count) for count in (4, 6, 1, 1)] == [True, True, False, False]
    assert [few.is_quicker_plainly(count) for few in [find_tobito(10)] for count in (4, 7, 1)] == [True, False, False]


def test_without_a_compiler_plain_code_answers_all(monkeypatch: pytest.MonkeyPatch) -> None:
    few = find_tobito(10)
    monkeypatch.setattr(batch, "has_compiler", lambda: False)
    assert [few.is_quicker_plainly(count) for count in (8, 8, 1000)] == [True, True, True]

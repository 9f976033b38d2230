"""Plain code answers a few positions, and kernels many. If nothing can be compiled, plain code answers all."""

from __future__ import annotations

import pytest
from onlymove_engines.search import lookup
from onlymove_engines.search.lookup import SmallBatches


def test_plain_code_answers_until_kernels_would_have_been_loaded() -> None:
    few = SmallBatches(10)
    assert [few.suffices(count) for count in (4, 6, 1, 1)] == [True, True, False, False]
    assert not SmallBatches(10).suffices(11)


def test_without_a_compiler_plain_code_answers_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookup, "has_compiler", lambda: False)
    few = SmallBatches(10)
    assert [few.suffices(count) for count in (8, 8, 1000)] == [True, True, True]

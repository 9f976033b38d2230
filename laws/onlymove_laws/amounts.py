"""Chooses the size of a test: a sample in `make test`, and everything in `make test-slow`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

import pytest


def parametrize_amount(name: str, sample: int | range, everything: int | range) -> pytest.MarkDecorator:
    """Run a test with a small number now, and with the full number in the slow suite."""
    return pytest.mark.parametrize(name, [sample, pytest.param(everything, marks=pytest.mark.slow)])


def limit_values(values: Iterable[Any], count: int = 1) -> Sequence[Any]:
    """Return values for `parametrize`. The first `count` run in every test run, and the others only in the slow
    suite."""
    rest = iter(values)
    now = list(islice(rest, count))
    return [*now, *(pytest.param(value, marks=pytest.mark.slow) for value in rest)]

"""Chooses which values a test runs with: a few in `make test`, and all in `make test-slow`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

import pytest


def limit_values(values: Iterable[Any], count: int = 1) -> Sequence[Any]:
    """Return values for `parametrize`. The first `count` run in every test run, and the others only in the slow
    suite."""
    rest = iter(values)
    now = list(islice(rest, count))
    return [*now, *(pytest.param(value, marks=pytest.mark.slow) for value in rest)]


def parametrize_sample(names: Sequence[str], sample: Iterable[Any], everything: Iterable[Any]) -> pytest.MarkDecorator:
    """Run a test with the values of a sample in every test run, and with those of everything in the slow suite. Each
    value is a tuple with an item for each name."""
    rest = [pytest.param(*values, marks=pytest.mark.slow) for values in everything]
    return pytest.mark.parametrize(names, [*sample, *rest])

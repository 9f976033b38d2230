"""Shared by every test: compiled kernels are kept in a folder named by their sources."""

from __future__ import annotations

import gc

from onlymove_tables.kernels import cache as kernel_cache

kernel_cache.prepare()


def pytest_collection_finish() -> None:
    """What is loaded by now stays: the collector need not look through it again in every test."""
    gc.collect()
    gc.freeze()

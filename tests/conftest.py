"""Shared by every test: compiled kernels are kept in a folder named by their sources, and compiled once."""

from __future__ import annotations

import gc
import subprocess
import sys

import pytest
from onlymove_tables.kernels import cache as kernel_cache
from onlymove_tables.kernels import compile as kernel_compiler
from onlymove_tui.play import knowledge

KERNELS = kernel_cache.prepare()

SHORT_SECONDS = 0.05


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Before workers begin, one process compiles what otherwise each of them would compile for itself."""
    if KERNELS is not None and not kernel_compiler.complete_file(KERNELS).exists():
        config.get_terminal_writer().line("Compiling the kernels, once for all workers.")
        subprocess.run([sys.executable, "-m", kernel_compiler.__name__], check=True)


@pytest.fixture(autouse=True)
def _searches_by_time_are_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A board that searches by time thinks of every round for a second: none of what is tested needs that long."""
    monkeypatch.setattr(knowledge, "ROUND_SECONDS", SHORT_SECONDS)


def pytest_collection_finish() -> None:
    """What is loaded by now stays: the collector need not look through it again in every test."""
    gc.collect()
    gc.freeze()

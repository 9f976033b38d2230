"""The kernel folder is named so that kernels compiled for something else are never taken for complete."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from importlib import resources
from pathlib import Path

import pytest
from onlymove_tables.kernels import cache as kernel_cache


@pytest.fixture
def engines(tmp_path: Path) -> Callable[[str], Path]:
    """Puts the same small kernel source into a folder of a name."""

    def place(name: str) -> Path:
        kernel = tmp_path / name / "_kernel"
        kernel.mkdir(parents=True)
        (kernel / "sow.py").write_text("seeds = 48\n")
        return tmp_path / name

    return place


def test_the_folder_changes_with_what_numba_tells_kernels_apart_by(
    engines: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = engines("here"), engines("there")
    found = []

    def look(home: Path) -> None:
        monkeypatch.setattr(resources, "files", lambda package: home)
        found.append(kernel_cache.digest())

    look(here)
    look(there)
    (here / "_kernel" / "sow.py").write_text("seeds = 47\n")
    look(here)
    monkeypatch.setattr(sys.implementation, "cache_tag", "cpython-399")
    look(here)
    monkeypatch.setattr(kernel_cache, "compiler", lambda: "another numba")
    look(here)
    assert len(set(found)) == len(found) == 5
    assert kernel_cache.digest() == found[-1], "and with nothing else"


def test_the_folder_changes_with_what_kernels_share(
    engines: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """numba looks at the file of a kernel alone, not at those of the kernels that were compiled into it."""
    home = engines("home")
    (home / "search").mkdir()
    monkeypatch.setattr(resources, "files", lambda package: home)
    found = [kernel_cache.digest()]
    for text in ("def popcount(word): ...\n", "def popcount(bits): ...\n"):
        (home / "search" / "bits.py").write_text(text)
        found.append(kernel_cache.digest())
    assert len(set(found)) == len(found)


def test_the_compiler_is_known_without_being_imported() -> None:
    script = "import sys; from onlymove_tables.kernels import cache as k; print(k.compiler(), 'numba' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert "numba" in said[0]
    assert int(said[1]) > 0
    assert said[2] == "False"

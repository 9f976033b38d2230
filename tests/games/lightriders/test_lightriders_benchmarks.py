"""The matches that docs/engines/lightriders.md reports can be played by its commands."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def bench(name: str, **environ: str) -> list[str]:
    """What a benchmark prints, a line each, without its title."""
    told = {f"LIGHTRIDERS_{key.upper()}": value for key, value in environ.items()}
    command = [sys.executable, "-m", "benchmarks", name]
    ran = subprocess.run(command, cwd=ROOT, env={**os.environ, **told}, capture_output=True, text=True, check=True)
    return [line.strip() for line in ran.stdout.splitlines()[2:]]


@pytest.mark.slow
def test_the_matches_between_the_styles_are_played() -> None:
    last = bench("lightriders", matches="voronoi", games="2", ms="1", bank="20")[-1]
    assert last.startswith("engine against voronoi:")
    assert "over 2 games at 20 + 1 ms" in last

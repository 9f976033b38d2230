"""The matches that docs/engines/lightriders.md reports can be played by its commands, and their referee is strict."""

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


PATIENT = {"ms": "1", "bank": "400", "grace": "120"}
"""Little to think, and a referee that does not mind how busy the machine is."""


def test_a_rival_that_says_no_direction_has_lost_and_it_is_said() -> None:
    score, longest, failures = bench("rivals", rival="echo nonsense", games="2", **PATIENT)
    assert score.startswith("onlymove against echo nonsense: 100 % +- 0 over 2 games at 400 + 1 ms (2 won")
    assert longest.startswith("our longest answer ")
    assert failures.endswith("0 of ours, 2 of theirs")


@pytest.mark.slow
def test_against_itself_no_answer_fails() -> None:
    score, _, failures = bench("rivals", games="1", **PATIENT)
    assert "over 1 games" in score
    assert failures.endswith("0 of ours, 0 of theirs")


@pytest.mark.slow
def test_the_matches_between_the_styles_are_played() -> None:
    last = bench("lightriders", matches="voronoi", games="2", ms="1", bank="20")[-1]
    assert last.startswith("engine against voronoi:")
    assert "over 2 games at 20 + 1 ms" in last

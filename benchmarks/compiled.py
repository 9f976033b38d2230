"""What our additions to numba save: the kernels of Light Riders as they are, and compiled and called by numba alone.

Both ways run in turns, seven times, each in processes and kernel folders of its own. Times are processor time. Every
figure is a median. `docs/compiled.md` says what the additions are.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from statistics import median
from typing import TypeAlias

from onlymove_engines.games import find_facts
from onlymove_tables.kernels.cache import SHARED_VARIABLE, VARIABLE

from benchmarks._memory import REPORT

TIMES = 7
DEPTH = 13
"""How many rounds the search looks ahead."""
GAME = find_facts("lightriders").id

Figures: TypeAlias = dict[str, float]

ALONE = "jit.NEWEST_NUMBA = (0, 0)  # numba is then taken for one that our additions do not know"

LOAD = """
import gc, json, sys, time
from onlymove_engines.compiled import jit
{first}
from onlymove_engines import games
from onlymove_tables.kernels import prepare
from onlymove_tables.kernels.compiler import GARBAGE

prepare()
gc.set_threshold(GARBAGE)
game = games.load({game!r})
begun = time.process_time()
for unit in game.solved.kernels:
    unit()
print(json.dumps({{"seconds": time.process_time() - begun}}))
"""
"""Compiles every kernel that a board needs, or loads it if it is stored."""

SEARCH = """
from onlymove_engines.core.budget import Budget
from onlymove_engines.games.lightriders import official_start
from onlymove_engines.games.lightriders.live import Lookahead

begun, leaves = time.process_time(), 0
for seed in range(4):
    lookahead = Lookahead(16, 16)
    for _ in lookahead.saddle(official_start(16, 16, seed), 0, Budget(depth=DEPTH)):
        pass
    leaves += lookahead.all_evaluations
print(json.dumps({"seconds": time.process_time() - begun, "leaves": leaves}))
"""
"""Searches four positions to a fixed depth, so that both ways do the same work."""


def measure(folder: str, first: str, *work: str) -> tuple[Figures, float]:
    """Return the figures that the last part of the work prints, and the peak of the process in MB."""
    environ = os.environ | {VARIABLE: folder, SHARED_VARIABLE: os.path.join(folder, "nowhere")}
    script = LOAD.format(first=first, game=GAME) + "".join(work) + REPORT
    done = subprocess.run([sys.executable, "-c", script], env=environ, capture_output=True, text=True, check=True)
    *_, figures, peak = done.stdout.splitlines()
    return json.loads(figures), float(peak)


def measure_way(first: str) -> Figures:
    """Compile, load and search once, in a new folder for kernels."""
    with tempfile.TemporaryDirectory() as folder:
        compiled, compiling_peak = measure(folder, first)
        size = sum(os.path.getsize(os.path.join(place, name)) for place, _, names in os.walk(folder) for name in names)
        loaded, loading_peak = measure(folder, first)
        searched, _ = measure(folder, first, SEARCH.replace("DEPTH", str(DEPTH)))
    return {
        "compiling (s)": compiled["seconds"],
        "peak while compiling (MB)": compiling_peak,
        "stored kernels (MB)": size / 1e6,
        "loading stored kernels (s)": loaded["seconds"],
        "peak after loading (MB)": loading_peak,
        "a search (s)": searched["seconds"],
        "leaves of the search": searched["leaves"],
    }


def run() -> Iterator[str]:
    found: dict[str, list[Figures]] = {"": [], ALONE: []}
    for _ in range(TIMES):
        for first, figures in found.items():
            figures.append(measure_way(first))
    for name in found[""][0]:
        ours, alone = (median(figures[name] for figures in found[first]) for first in ("", ALONE))
        ratio = median(b[name] / a[name] for a, b in zip(found[""], found[ALONE], strict=True))
        yield f"{name}: {ours:.4g}, by numba alone {alone:.4g}, ratio {ratio:.2f}"

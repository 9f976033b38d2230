"""`make bench`: run every benchmark in this folder, or those named, and print what they measured.

The function `run` of each yields one line per figure. `GAME=PROGRAM` names a reference program to be measured against,
`before=FOLDER` an earlier checkout. When all have run, docs/benchmarks.md is written anew.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from inspect import getdoc
from pathlib import Path

from onlymove_engines import __version__
from onlymove_tables.kernels import prepare

from benchmarks._references import PROGRAMS, take

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "benchmarks.md"


def main(arguments: list[str]) -> None:
    """Run the benchmarks in alphabetical order."""
    names = take(arguments)
    prepare()
    figures: dict[str, list[str]] = {}
    for path in sorted(HERE.glob("*.py")):
        if path.stem.startswith("_") or (names and path.stem not in names):
            continue
        print(f"\n{path.stem}")
        figures[path.stem] = []
        # By its name and not by its path: what plays side by side finds the module again in another process.
        for line in import_module(f"benchmarks.{path.stem}").run():
            print(f"  {line}", flush=True)
            figures[path.stem].append(line)
    if not names:
        PAGE.write_text(page(figures), "utf-8")


def page(figures: Mapping[str, Sequence[str]]) -> str:
    """Return the page with everything that one run measured, and on which machine."""
    loads = " ".join(f"{load:.1f}" for load in os.getloadavg())
    with_what = ", ".join(f"{name}={Path(path).name}" for name, path in PROGRAMS.items()) or "none"
    parts = [
        "# Benchmarks",
        "This page shows how fast onlymove is on one machine: the figures of one run of `make bench`, which writes the"
        " page. Compare figures only within the run. A ratio of two programs that ran in turns tells you more than"
        " seconds do."
        ' "before" is a figure of an earlier version; the ratio to it also depends on how busy the machine was.'
        ' A "target" is a limit that we do not want to exceed.',
        f"The machine: {processor()}, {os.cpu_count()} cores, load average {loads} at the end;"
        f" onlymove {__version__}, Python {platform.python_version()} on {platform.system()} {platform.machine()}."
        f" Reference programs: {with_what}.",
    ]
    for name, lines in figures.items():
        about = (getdoc(import_module(f"benchmarks.{name}")) or "").partition("\n\n")[0].replace("\n", " ")
        parts += [f"## {name}", about, "\n".join(["| what | measured |", "| --- | --- |", *map(row, lines)])]
    return "\n\n".join(parts) + "\n"


def row(line: str) -> str:
    """Return a row of a table. The text before the first colon names the figure. A line without a colon has no name."""
    name, colon, figure = line.partition(": ")
    return f"| {name} | {figure} |" if colon else f"| | {line} |"


def processor() -> str:
    """Return the processor's name if the system tells it."""
    facts = Path("/proc/cpuinfo")
    lines = facts.read_text("utf-8").splitlines() if facts.exists() else []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.processor() or "processor unknown")


main(sys.argv[1:])

"""`make bench`: run every benchmark in this folder, or those named, and print what they measured.

The function `run` of each yields one line a figure. `GAME=PROGRAM` names a reference program to be measured against,
`before=FOLDER` an earlier checkout.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from onlymove_tables.kernels.prepare import prepare

from benchmarks._references import take


def main(arguments: list[str]) -> None:
    """Run the benchmarks in alphabetical order."""
    names = take(arguments)
    prepare()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        if path.stem.startswith("_") or (names and path.stem not in names):
            continue
        print(f"\n{path.stem}")
        # By its name and not by its path: what plays side by side finds the module again in another process.
        for line in import_module(f"benchmarks.{path.stem}").run():
            print(f"  {line}", flush=True)


main(sys.argv[1:])

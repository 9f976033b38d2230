"""`make bench`: run every benchmark in this folder, or those named, and print what they measured."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterable
from pathlib import Path

from onlymove_tables import kernel_cache


def lines(path: Path) -> Iterable[str]:
    """What the benchmark in `path` reports: its function `run` yields one line a figure."""
    spec = importlib.util.spec_from_file_location(f"benchmarks_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"not a Python file: {path}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: Iterable[str] = module.run()
    return found


def main(names: list[str]) -> None:
    """Run the benchmarks in alphabetical order."""
    kernel_cache.prepare()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        if path.stem.startswith("_") or (names and path.stem not in names):
            continue
        print(f"\n{path.stem}")
        for line in lines(path):
            print(f"  {line}", flush=True)


main(sys.argv[1:])

"""Run `onlymove engine lightriders` of a checkout, for a match against another checkout on a busy machine.

    onlymove match lightriders --first "cmd:python benchmarks/fitting/riders_program.py NEW" \\
        --second "cmd:python benchmarks/fitting/riders_program.py OLD" --clock 1+0.02 --games 200

The program loads its compiled code before it reads a line, so that the plain rules choose no move. It plans its time by
its own CPU clock, as the match measures it. By wall time a busy machine would let it think less.
"""

from __future__ import annotations

import sys
import time
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace


def main(checkout: Path) -> int:
    """Speak the protocol until the match ends. Returns the exit code."""
    sys.path[:0] = [str(checkout / part) for part in ("engines", "tables", "library", "tui")]
    import_module("onlymove_tables.kernels").prepare()
    for unit in import_module("onlymove_engines.games.lightriders.analyst").UNITS:
        unit()
    vars(import_module("onlymove_tui.cli.engine"))["time"] = SimpleNamespace(monotonic=time.process_time)
    code: int = import_module("onlymove_tui.cli").run(["engine", "lightriders"])
    return code


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))

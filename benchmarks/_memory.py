"""How much memory a piece of work needs, measured in a process of its own.

`ru_maxrss` will not do: a child begins with its parent's peak. Where the system tells the peak of a process by itself
(Linux), that is taken; elsewhere the figure is an upper bound.
"""

from __future__ import annotations

import subprocess
import sys

REPORT = """
import resource, sys
from pathlib import Path
status = Path("/proc/self/status")
lines = status.read_text().splitlines() if status.exists() else []
peaks = [int(line.split()[1]) for line in lines if line.startswith("VmHWM")]
unit = 2**20 if sys.platform == "darwin" else 1024
print(peaks[0] // 1024 if peaks else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // unit)
"""


def peak_megabytes(work: str) -> int:
    """Return the peak resident size, in MB, of a fresh process that runs the Python source `work`."""
    source = f"from onlymove_tables.kernels import prepare\nprepare()\n{work}\n{REPORT}"
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    return int(done.stdout.split()[-1])

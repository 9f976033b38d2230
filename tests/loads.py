"""Finds out which packages a command loads, in a new process."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
from onlymove_tui.cli import run
code = run(sys.argv[2:])
roots = {name.partition(".")[0] for name in sys.modules if "." in name}
print(code, *sorted(roots & set(sys.argv[1].split())), file=sys.stderr)
"""


def loads(suspects: str, *arguments: str, typed: str = "") -> list[str]:
    """Return which of the packages in `suspects` are loaded after a command has run with the input `typed`."""
    command = [sys.executable, "-c", PROGRAM, suspects, *arguments]
    done = subprocess.run(command, input=typed, capture_output=True, text=True, check=False)
    code, *found = done.stderr.splitlines()[-1].split()
    assert code == "0", done.stderr
    return found

"""What a command loads: asked of a process of its own."""

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
    """Which packages among `suspects` the command line has modules of when it has answered what is `typed`."""
    command = [sys.executable, "-c", PROGRAM, suspects, *arguments]
    done = subprocess.run(command, input=typed, capture_output=True, text=True, check=False)
    code, *found = done.stderr.splitlines()[-1].split()
    assert code == "0", done.stderr
    return found

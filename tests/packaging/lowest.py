"""Prints constraints for `make test-lowest`: every dependency at the lowest version that pyproject.toml allows.

The tools for tests are at their pinned versions. What all of those depend on is left to the installer.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).parents[2]
BOUND = re.compile(r"([\w.-]+)(?:>=|==)([\w.]+)")


def list_lowest(pyproject: str, pinned: str) -> Iterator[str]:
    """The lines, from the texts of pyproject.toml and constraints.txt. Raises ValueError for a dependency without a
    lower bound."""
    found = tomllib.loads(pyproject)
    project, tools = found["project"], found["dependency-groups"]["dev"]
    own = set()
    for dependency in chain(project["dependencies"], *project["optional-dependencies"].values()):
        bound = BOUND.match(dependency)
        if bound is None:
            raise ValueError(f"{dependency} has no lower bound")
        own.add(bound[1])
        yield f"{bound[1]}=={bound[2]}"
    yield from (line for line in pinned.splitlines() if line.partition("==")[0] in set(tools) - own)


if __name__ == "__main__":
    sys.stdout.writelines(
        f"{line}\n"
        for line in list_lowest((ROOT / "pyproject.toml").read_text(), (ROOT / "constraints.txt").read_text())
    )

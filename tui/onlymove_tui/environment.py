"""What this program sets in its environment for the libraries that it loads, and what others are to find there."""

from __future__ import annotations

import os
from typing import Final

THREADS: Final = "OPENBLAS_NUM_THREADS"
"""numpy starts so many threads for linear algebra (openmathlib.org/OpenBLAS/docs/runtime_variables), one for each core
where nothing is said: 65 ms of processor time on two cores, and here nobody multiplies matrices."""

GIVEN: Final = os.environ.get(THREADS)


def spare_threads() -> None:
    """Before numpy is loaded: no threads for linear algebra, unless the player wants some."""
    os.environ.setdefault(THREADS, "1")


def outer_environment() -> dict[str, str]:
    """The environment for other people's programs: as it was given to this one."""
    outer = dict(os.environ)
    if GIVEN is None:
        outer.pop(THREADS, None)
    return outer

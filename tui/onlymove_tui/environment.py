"""What this program sets in its environment for the libraries that it loads, what other programs are to find there, and
how much memory it may take."""

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


RESERVE: Final = 64 << 20
"""Bytes that a process beyond its limit still gets, to save and to leave."""


def limit_memory(megabytes: int) -> None:
    """From now on this process, and each that it starts, may have this much memory of its own; 0: no limit. More is
    refused by MemoryError.

    The limit is on writable private memory (RLIMIT_DATA; Linux counts mappings too, macOS none). Address space would
    measure nothing: a session with a search has five times more of it than memory.
    """
    if megabytes:
        import resource  # noqa: PLC0415 - Windows has none, and is told in one line that it is not served

        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        limit, reserved = (
            wanted if most == resource.RLIM_INFINITY else min(wanted, most)
            for wanted in (megabytes << 20, (megabytes << 20) + RESERVE)
        )
        resource.setrlimit(resource.RLIMIT_DATA, (limit, reserved))


def use_reserve() -> None:
    """This process is about to end: what it needs for that is not refused because its memory is used up."""
    import resource  # noqa: PLC0415 - as above

    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))

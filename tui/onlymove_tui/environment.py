"""Environment variables for the libraries that this program loads and the programs that it starts; its memory limit."""

from __future__ import annotations

import os
from typing import Final

THREADS: Final = "OPENBLAS_NUM_THREADS"
"""The environment variable with the number of threads that numpy starts for linear algebra
(openmathlib.org/OpenBLAS/docs/runtime_variables). Without it, numpy starts one for each core, which takes 65 ms of
processor time on two cores, and this program does no linear algebra."""

GIVEN: Final = os.environ.get(THREADS)


def limit_threads() -> None:
    """Stop numpy from starting threads, unless the player has asked for some. Call this before numpy is loaded."""
    os.environ.setdefault(THREADS, "1")


def outer_environment() -> dict[str, str]:
    """Return the environment for other programs: the one that this program was started with."""
    outer = dict(os.environ)
    if GIVEN is None:
        outer.pop(THREADS, None)
    return outer


RESERVE: Final = 64 << 20
"""Extra bytes for a process that has reached its limit, so that it can save the game and end."""


def limit_memory(megabytes: int) -> None:
    """Limit the memory of this process and of each process that it starts. 0 means no limit. Beyond the limit,
    MemoryError is raised.

    The limit is on writable private memory (RLIMIT_DATA). Linux counts mappings too, but macOS does not. A limit on
    address space would be useless, because a session with a search has five times more of it than memory.
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
    """Raise the limit by the reserve, because a process needs memory to end."""
    import resource  # noqa: PLC0415 - as above

    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))

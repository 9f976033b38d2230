"""Limits the memory of this process and of the programs that it starts."""

from __future__ import annotations

from typing import Final

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

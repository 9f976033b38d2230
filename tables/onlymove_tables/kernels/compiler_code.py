"""Gives back the memory that the compiler's machine code takes, once the kernels are loaded.

To load compiled kernels, numba starts LLVM, and up to 80 MB of LLVM's code stay mapped though nothing runs it again.
On Linux the pages are let go: they are unwritten copies of a file, so whatever is needed after all comes back from
that file by itself. Elsewhere, and wherever the kernel refuses, nothing happens.
"""

from __future__ import annotations

import ctypes
import mmap
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

LIBRARY = "libllvmlite"
CODE = "r-xp"
"""Mapped to be run, never written: nothing of this process is in it (proc_pid_maps(5))."""

MAPS = Path("/proc/self/maps")


def spans(maps: str) -> Iterator[tuple[int, int]]:
    """First address and length in bytes of each stretch of the library's code, from the text of `MAPS`."""
    for line in maps.splitlines():
        fields = line.split(maxsplit=5)
        if len(fields) == 6 and fields[1] == CODE and Path(fields[5]).name.startswith(LIBRARY):
            first, end = (int(address, 16) for address in fields[0].split("-"))
            yield first, end - first


def give_back() -> None:
    """Let go of the compiler's code, wherever this system can do that."""
    if sys.platform != "linux":
        return
    with suppress(OSError, AttributeError):
        advise = ctypes.CDLL(None).madvise
        for first, length in spans(MAPS.read_text()):
            advise(ctypes.c_void_p(first), ctypes.c_size_t(length), mmap.MADV_DONTNEED)

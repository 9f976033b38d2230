"""The one decorator of every compiled kernel.

Kernels are cached on disk only when the process has named a folder for them (`NUMBA_CACHE_DIR`, set by
`onlymove_tables.kernel_cache` before the first kernel is imported); otherwise they are compiled in memory.
numba's own choice of folder would fail on a read-only install and would not see edits in other files.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile `function` for integers and arrays, without the interpreter lock."""
    caching = bool(os.environ.get("NUMBA_CACHE_DIR"))
    return cast(F, numba.njit(cache=caching, nogil=True)(function))


def inlined(function: F) -> F:
    """Compile a small part of other kernels into them, where a call with many arrays would cost more than its work."""
    caching = bool(os.environ.get("NUMBA_CACHE_DIR"))
    return cast(F, numba.njit(cache=caching, nogil=True, forceinline=True)(function))

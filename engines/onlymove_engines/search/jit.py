"""The decorators of every compiled kernel.

Kernels are cached on disk only when the process has named a folder for them (`NUMBA_CACHE_DIR`, set by
`onlymove_tables.kernels.cache` before the first kernel is imported); otherwise they are compiled in memory.
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
    return _compiled(function, _nrt=True)


def inlined(function: F) -> F:
    """Compile a small part of other kernels into them, where a call with many arrays would cost more than its work.

    Like `lean`: it makes no array.
    """
    return _compiled(function, _nrt=False, forceinline=True)


def lean(function: F) -> F:
    """Compile a kernel that makes no array of its own, without counting references to its arguments.

    The caller holds them anyway, and in a search with many arrays the counting costs several times the work. A kernel
    that does make one fails to compile ("NRT required"). Parts inherit the choice, so `kernel` states its own.
    """
    return _compiled(function, _nrt=False)


def _compiled(function: F, **options: bool) -> F:
    """`_nrt` is numba's own switch for reference counts; unknown to its type hints."""
    njit: Any = numba.njit
    caching = bool(os.environ.get("NUMBA_CACHE_DIR"))
    return cast(F, njit(cache=caching, nogil=True, **options)(function))

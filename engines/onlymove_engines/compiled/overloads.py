"""Stores the kernels that numba calls itself, in place of numba's own cache.

numba's cache is no substitute, because it goes by dates, needs write access even to read, and ends the program when the
disk is full. This module loads numba, so import it only to compile a kernel. Unlike `translation`, it is used with any
version of numba.
"""

from __future__ import annotations

import pickle
from contextlib import suppress
from typing import Any

from numba.core import serialize
from numba.core.compiler import CompileResult

from .jit import Store

UNREADABLE = (pickle.UnpicklingError, EOFError, ValueError, AttributeError, ImportError, TypeError)
"""What numba raises if what was stored is not a kernel that it can use."""


def store_overloads(dispatcher: Any, store: Store) -> None:
    """Have numba look for the forms of a kernel in this store before it compiles them, and put new ones there."""
    dispatcher._cache = OverloadCache(store)


class OverloadCache:
    """What numba asks of a cache. An overload is the form of a kernel for arguments of certain types."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.cache_path = store.folder

    def load_overload(self, signature: object, target: Any) -> Any:
        """Return the stored form for these types, or `None` if there is none."""
        target.refresh()
        for stored in self._store.read_forms(signature, target.codegen().magic_tuple()):
            with suppress(*UNREADABLE):
                return CompileResult._rebuild(target, *stored)
        return None

    def save_overload(self, signature: object, result: Any) -> None:
        """Store the form that numba compiled for these types."""
        self._store.write_form(signature, result.codegen.magic_tuple(), serialize.dumps(result._reduce()))

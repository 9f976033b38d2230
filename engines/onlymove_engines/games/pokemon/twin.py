"""Opens the compiled twin, room by room, only when a loop needs it: numba costs a second to load."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any


@cache
def kernels(room: str) -> Any:
    """The module `law`, `table`, `batch` or `search` of the compiled twin; its functions take integers and arrays."""
    return import_module(f"{__package__}._kernel.{room}")

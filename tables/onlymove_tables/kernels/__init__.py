"""Has a process keep the kernels that it compiles, and look for kept ones. Loads nothing: every start comes by here."""

from __future__ import annotations

from typing import Any

from onlymove_engines.search.jit import Function, store_kernels_in


def prepare() -> None:
    """Store this process's kernels, and look for stored ones, from now on."""
    store_kernels_in(keep)


def keep(function: Function) -> Any:
    """What keeps the compiled forms of a function."""
    from onlymove_tables.kernels.cache import KernelForms  # noqa: PLC0415 - for those who compile

    return KernelForms(function)

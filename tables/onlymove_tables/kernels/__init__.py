"""Lets a process store the kernels that it compiles and find stored ones. Loads nothing large, because this runs at
every start."""

from __future__ import annotations

from onlymove_engines.compiled.jit import Function, Store, refuse_folder_settings, store_kernels_in

COMPILING = "compiling the engine (first run only)"
"""What waiting callers are told while kernels are compiled."""


def prepare() -> None:
    """Store the kernels that this process compiles from now on, and use stored ones where they exist. Nothing in the
    current folder changes how they are compiled."""
    store_kernels_in(keep)
    refuse_folder_settings()


def keep(function: Function) -> Store:
    """Return the object that stores a function's compiled forms."""
    from onlymove_tables.kernels.cache import KernelForms  # noqa: PLC0415 - for those who compile

    return KernelForms(function)

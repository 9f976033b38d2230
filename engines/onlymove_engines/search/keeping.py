"""Who keeps compiled kernels from one run to the next, if anybody does. Loads nothing: every start comes by here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

Foreign: TypeAlias = Any
"""What numba gives and takes without saying what it is."""

Function: TypeAlias = Callable[..., Foreign]
Keeper: TypeAlias = Callable[[Function], Foreign]
"""Gives what keeps the compiled forms of a function: machine code, and what numba has to call itself."""

_keepers: list[Keeper] = []


def keep_with(keeper: Keeper) -> None:
    """From now on what is compiled is kept there; where nobody is named, it lasts as long as the process."""
    _keepers[:] = [keeper]


def keeper() -> Keeper | None:
    """Who keeps what is compiled."""
    return _keepers[0] if _keepers else None

"""Modules that are loaded when something of theirs is first asked for: what one answer from a table does not need."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

GIVING_WAY = threading.Lock()
"""Two threads may need a module at the same time: only one of them removes what stands for it, and never the module."""


class Late(ModuleType):
    """Stands for a module until something in it is used, in whatever thread. (The standard library's `LazyLoader` loads
    the module as soon as a second module imports it.)"""

    def __getattr__(self, name: str) -> Any:
        with GIVING_WAY:
            if sys.modules.get(self.__name__) is self:
                del sys.modules[self.__name__]
        value = getattr(import_module(self.__name__), name)
        setattr(self, name, value)
        return value


def load_late(name: str) -> None:
    """From now on to import the module `name`, where it is installed, loads it only when it is used."""
    if name not in sys.modules and (spec := find_spec(name)) is not None:
        sys.modules[name] = late = Late(name)
        late.__spec__ = spec


def late_parts(package: str) -> Callable[[str], ModuleType]:
    """A package's `__getattr__` (PEP 562): its modules as attributes, each imported when it is first named."""

    def part(name: str) -> ModuleType:
        if name.startswith("_"):
            raise AttributeError(f"{package} has no {name}")
        return import_module(f"{package}.{name}")

    return part

"""Modules that are imported only when something in them is first used."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from threading import Lock
from types import ModuleType
from typing import Any

_GIVING_WAY = Lock()
"""Two threads may need a module at the same time. The lock makes sure that only one of them removes its placeholder."""


class LazyModule(ModuleType):
    """A placeholder that loads a module when something in it is first used, in any thread. The standard library's
    `LazyLoader` already loads it when a second module imports it."""

    def __getattr__(self, name: str) -> Any:
        with _GIVING_WAY:
            if sys.modules.get(self.__name__) is self:
                del sys.modules[self.__name__]
        value = getattr(import_module(self.__name__), name)
        setattr(self, name, value)
        return value


def import_lazily(name: str) -> None:
    """Make the next import of the module `name` load it only when it is used. This has no effect if it is not
    installed. A module inside a package must be installed, because looking for it would load the package."""
    is_inside = "." in name
    spec = None if is_inside or name in sys.modules else find_spec(name)
    if name not in sys.modules and (is_inside or spec is not None):
        sys.modules[name] = module = LazyModule(name)
        module.__spec__ = spec


def lazy_modules(package: str) -> Callable[[str], ModuleType]:
    """Return a package's `__getattr__` (PEP 562), which imports each of its modules when it is first used."""

    def module(name: str) -> ModuleType:
        if name.startswith("_"):
            raise AttributeError(f"the package {package} has no attribute '{name}'")
        return import_module(f"{package}.{name}")

    return module

"""The product's source files for the tests of the architecture: names, text and syntax trees."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

ROOT = Path(__file__).parents[2]
IMPORT_ROOTS = {
    "onlymove_engines": ROOT / "engines",
    "onlymove_tables": ROOT / "tables",
    "onlymove": ROOT / "library",
    "onlymove_tui": ROOT / "tui",
}

AnyFunction: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Source:
    """A module of the product. `name` is its full name, as in an import."""

    name: str
    file: Path

    @cached_property
    def text(self) -> str:
        return self.file.read_text("utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @property
    def is_package(self) -> bool:
        return self.file.name == "__init__.py"

    @property
    def is_kernel(self) -> bool:
        """Whether numba compiles the module. Kernels have their own rules of style."""
        return any(part.startswith("_kernel") for part in self.name.split("."))

    @property
    def place(self) -> str:
        """Return the path of the file for messages."""
        return str(self.file.relative_to(ROOT))

    def imported_names(self) -> Iterator[str]:
        """Yield the full name of everything that the module imports."""
        folder = self.name.split(".") if self.is_package else self.name.split(".")[:-1]
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                home = folder[: len(folder) + 1 - node.level] if node.level else []
                whole = ".".join([*home, *filter(None, [node.module])])
                yield from (f"{whole}.{alias.name}" for alias in node.names)

    def functions(self) -> Iterator[AnyFunction]:
        """Return every function and method, including inner ones."""
        return (node for node in ast.walk(self.tree) if isinstance(node, AnyFunction))


def read_sources() -> dict[str, Source]:
    """Return every module of the packages, by name."""
    found = {}
    for package, root in IMPORT_ROOTS.items():
        for file in sorted((root / package).rglob("*.py")):
            name = ".".join(file.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
            found[name] = Source(name, file)
    return found


SOURCES = read_sources()

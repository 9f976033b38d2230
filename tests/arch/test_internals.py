"""What is not documented in a library may change in its next version. Each such use has one place and a reason."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import textual
from onlymove_tui.terminal import textual_internals

from .sources import ROOT, SOURCES, Source

COMPILED = "onlymove_engines.compiled"


def list_imports(source: Source) -> Iterator[str]:
    """Yield the modules that a module imports, wherever it does so."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            is_package = node.module == "numba.core"
            yield from (f"{node.module}.{alias.name}" if is_package else node.module for alias in node.names)


def test_only_the_package_that_compiles_imports_numba_and_llvm() -> None:
    outside = [
        source.place
        for source in SOURCES.values()
        for name in list_imports(source)
        if name.partition(".")[0] in ("numba", "llvmlite") and not source.name.startswith(f"{COMPILED}.")
    ]
    assert not outside


def test_the_page_about_compiled_code_lists_every_module_of_numba_that_is_used() -> None:
    page = (ROOT / "docs" / "compiled.md").read_text("utf-8")
    used = {
        (name, source.file.name)
        for source in SOURCES.values()
        if source.name.startswith(f"{COMPILED}.")
        for name in list_imports(source)
        if name.startswith("numba.")
    }
    assert len(used) > 5
    rows = [line for line in page.splitlines() if line.startswith("|")]
    for name, file in sorted(used):
        assert any(f"`{file}`" in row and f"`{name}`" in row for row in rows), (name, file)


APP = [source for source in SOURCES.values() if source.name.startswith("onlymove_tui.")]
STANDARD = {"_asdict", "_exit", "_fields", "_replace"}
"""Names of named tuples and of `os`, which are public in spite of their first character."""


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def list_names(tree: ast.AST) -> Iterator[str]:
    """Yield the private names in a syntax tree: attributes that are used, and functions and attributes that are
    defined."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield from filter(is_private, [name])
            case ast.Assign(targets=targets):
                yield from (each.id for each in targets if isinstance(each, ast.Name) and is_private(each.id))
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield from filter(is_private, [name])


@cache
def list_private_names() -> frozenset[str]:
    """Return every private name in Textual."""
    files = Path(textual.__file__).parent.rglob("*.py")
    return frozenset(name for file in files for name in list_names(ast.parse(file.read_text("utf-8"))))


@cache
def list_private_names_of(kind: type) -> frozenset[str]:
    """Return every private name in the source of a class."""
    return frozenset(list_names(ast.parse(textwrap.dedent(inspect.getsource(kind)))))


def list_inherited_names(source: Source) -> Iterator[str]:
    """Yield the private names in the classes of a module that their base classes in Textual have too."""
    for node in source.tree.body:
        if isinstance(node, ast.ClassDef):
            bases = getattr(import_module(source.name), node.name).__mro__
            theirs = [list_private_names_of(base) for base in bases if base.__module__.partition(".")[0] == "textual"]
            if theirs:
                yield from set(list_names(node)) & frozenset.union(*theirs)


def list_borrowed_names(source: Source) -> Iterator[str]:
    """Yield the private names of Textual that a module imports, or asks of another object than `self`."""
    yield from (
        name
        for node in ast.walk(source.tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "textual"
        for name in (*(node.module or "").split("."), *(alias.name for alias in node.names))
        if is_private(name)
    )
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Attribute) and is_private(node.attr) and node.attr not in STANDARD:
            is_own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
            if not is_own and node.attr in list_private_names():
                yield node.attr


def test_only_one_module_names_what_is_private_in_textual() -> None:
    found = {
        source.place: sorted({*list_borrowed_names(source), *list_inherited_names(source)})
        for source in APP
        if "__main__" not in source.name
    }
    place = SOURCES[textual_internals.__name__].place
    assert len(found.pop(place)) > 15
    assert not {name: names for name, names in found.items() if names}

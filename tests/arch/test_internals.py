"""What is not documented in a library may change in its next version. Each such use has one place and a reason."""

from __future__ import annotations

import ast
from collections.abc import Iterator

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

"""No module imports itself, directly or through others. Imports for types only and late imports count too."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import TypeAlias

from .sources import SOURCES, Source

Imports: TypeAlias = Mapping[str, set[str]]


def resolve_module(source: Source, module: str | None, level: int) -> str:
    """Return the full name of the module that a `from` line imports from."""
    if not level:
        return module or ""
    parts = source.name.split(".")
    package = parts[: len(parts) - level + (1 if source.is_package else 0)]
    return ".".join([*package, *([module] if module else [])])


def list_imports(source: Source) -> Iterator[str]:
    """Yield every module of ours that a source imports, anywhere. `from package import name` means the module
    `package.name` if it exists, and otherwise the package's own file. An import also runs the files of the packages
    above. This does not count, because a package may gather what is inside it."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in SOURCES)
        elif isinstance(node, ast.ImportFrom):
            origin = resolve_module(source, node.module, node.level)
            named = (f"{origin}.{alias.name}" for alias in node.names)
            yield from (name if name in SOURCES else origin for name in named if name in SOURCES or origin in SOURCES)


def import_graph() -> dict[str, set[str]]:
    """Return the modules that each module imports."""
    return {name: set(list_imports(source)) - {name} for name, source in SOURCES.items()}


def find_circle(imports: Imports) -> list[str]:
    """Return the modules of a circle of imports, the first also at the end. Empty if there is none."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_import_closes_a_circle() -> None:
    assert find_circle(import_graph()) == []


def test_a_circle_is_found_and_named() -> None:
    imports = {"p.a": {"p.b"}, "p.b": {"p.c"}, "p.c": {"p.a", "p.d"}, "p.d": set[str]()}
    assert sorted(set(find_circle(imports))) == ["p.a", "p.b", "p.c"]


SCATTERED = """
from typing import TYPE_CHECKING
from . import budget
from .value import Value
import onlymove_engines.core.rules as law
if TYPE_CHECKING:
    from onlymove_engines.core.game import Game
def late():
    from onlymove_engines.core import scene, errors
"""


def test_late_relative_and_type_only_imports_are_seen(tmp_path: Path) -> None:
    file = tmp_path / "probe.py"
    file.write_text(SCATTERED)
    found = {name.rpartition(".")[2] for name in list_imports(Source("onlymove_engines.core.probe", file))}
    assert found == {"budget", "value", "rules", "game", "scene", "errors"}

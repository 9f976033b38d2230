"""No module imports itself, directly or through others. Imports for types only and late imports count too."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterator, Mapping
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


def find_path(imports: Imports, start: str, goal: str) -> list[str] | None:
    """Return the shortest path from one module to another along imports."""
    came_from, queue = {start: ""}, deque([start])
    while queue:
        here = queue.popleft()
        if here == goal:
            path = [here]
            while came_from[path[-1]]:
                path.append(came_from[path[-1]])
            return path[::-1]
        for there in sorted(imports[here] - came_from.keys()):
            came_from[there] = here
            queue.append(there)
    return None


def find_cycles(imports: Imports) -> list[list[str]]:
    """Return a shortest cycle through every import that closes one, each cycle once."""
    found: dict[frozenset[str], list[str]] = {}
    for who in sorted(imports):
        for what in sorted(imports[who]):
            back = find_path(imports, what, who)
            if back is not None:
                found.setdefault(frozenset(back), [who, *back])
    return list(found.values())


def format_cycle(circle: list[str]) -> str:
    return " -> ".join(name.partition(".")[2] for name in circle)


def test_no_import_closes_a_circle() -> None:
    found = find_cycles(import_graph())
    assert not found, "\n".join(["circles of imports:", *map(format_cycle, found)])


def test_a_circle_is_found_and_named() -> None:
    imports = {"p.a": {"p.b"}, "p.b": {"p.c"}, "p.c": {"p.a", "p.d"}, "p.d": set[str]()}
    assert [format_cycle(circle) for circle in find_cycles(imports)] == ["a -> b -> c -> a"]


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

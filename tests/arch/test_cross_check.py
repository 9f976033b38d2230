"""The code that checks a table shares nothing with the code that built it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest
from onlymove_engines import games

from .sources import SOURCES

GAME_PACKAGES = sorted(
    {game.facts.package for facts in games.list_games() if (game := games.load(facts.id)).solved.solver is not None}
)

MEANING = ("index", "codes", "rules", "symmetry")
"""The meaning of numbers and bytes, and the facts of the rules: files of a game package's digest."""

TOOLS = {
    f"onlymove_engines.{name}" for name in ("core.analysis", "compiled.bitset", "compiled.cell_sets", "compiled.jit")
}
"""What solver and cross-check may also share: names of types, the counting and moving of bits, and the compiler."""


def imports(module: str) -> Iterator[str]:
    """Yield the modules of this project that a module imports."""
    for node in ast.walk(SOURCES[module].tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            home = module.split(".")[: -node.level] if node.level else []
            whole = ".".join([*home, node.module] if node.module else home)
            names = [part if (part := f"{whole}.{alias.name}") in SOURCES else whole for alias in node.names]
        yield from (name for name in names if name.startswith("onlymove"))


def functions(module: str) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Return the functions and methods of a module, with their names."""
    return ((node.name, node) for node in ast.walk(SOURCES[module].tree) if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize("package", GAME_PACKAGES)
def test_a_table_is_verified_by_other_code_than_built_it(package: str) -> None:
    facts = {name for name in (f"{package}.{file}" for file in MEANING) if name in SOURCES}
    assert set(imports(f"{package}._kernel.cross_check")) <= TOOLS, "the cross-check uses nothing else"
    used = [name for name, function in functions(f"{package}.table") if "cross_check" in ast.unparse(function)]
    assert used == ["derive"], "the builder does not use it"
    behind = {name for fact in facts for name in imports(fact) if name.startswith(package)}
    assert behind <= facts, "what both use states facts and solves nothing"

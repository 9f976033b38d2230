"""What a table is held against shares no code with what built it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest
from onlymove_engines import games

from .sources import SOURCES

DRAWERS = sorted({game.folder for card in games.title_cards() if (game := games.load(card.id)).solver is not None})

MEANING = {"index", "codes", "rules", "symmetry"}
"""What numbers and bytes mean, and the facts of the rules: files of a drawer's digest."""


def drawer_imports(drawer: str, module: str) -> Iterator[str]:
    """The modules of a drawer that one of its modules imports, as named there; of late parts those that are used."""
    for node in ast.walk(SOURCES[f"{drawer}.{module}"].tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            yield from [node.module] if node.module and node.module != "_kernel" else [a.name for a in node.names]
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value) == "_kernel":
            yield f"_kernel.{node.attr}"


@pytest.mark.parametrize("drawer", DRAWERS)
def test_a_table_is_verified_by_other_code_than_built_it(drawer: str) -> None:
    assert not list(drawer_imports(drawer, "_kernel.witness")), "the loops stand alone"
    assert set(drawer_imports(drawer, "witness")) <= {"witness", "_kernel", "_kernel.witness"} | MEANING
    assert "_kernel.witness" not in set(drawer_imports(drawer, "table")), "the builder does not use it"

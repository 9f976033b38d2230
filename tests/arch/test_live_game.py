"""A live game changes itself. Outside its class, its attributes can be read but not assigned: they are properties
without a setter, or `Final`. An assignment to one is an error of types, which mypy finds in the product and in tests.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from onlymove_engines.live.live_game import LiveGame

from .sources import SOURCES

(CLASS,) = (
    node
    for node in ast.walk(SOURCES[LiveGame.__module__].tree)
    if isinstance(node, ast.ClassDef) and node.name == LiveGame.__name__
)


def list_assigned() -> Iterator[tuple[str, bool]]:
    """Yield each attribute that the class assigns on its instances, and whether that makes it `Final`."""
    for node in ast.walk(CLASS):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and ast.unparse(node.value) == "self":
            yield node.attr, (node.lineno, node.col_offset) in FINAL


FINAL = {
    (node.target.lineno, node.target.col_offset)
    for node in ast.walk(CLASS)
    if isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation).partition("[")[0] == "Final"
}


def test_no_attribute_of_a_live_game_can_be_assigned_from_outside() -> None:
    assigned = dict(list_assigned())
    assert len(assigned) > 20
    assert [name for name, is_final in assigned.items() if not name.startswith("_") and not is_final] == []


def test_no_property_of_a_live_game_has_a_setter() -> None:
    properties = {name: each for name, each in vars(LiveGame).items() if isinstance(each, property)}
    assert len(properties) > 10
    assert [name for name, each in properties.items() if each.fset is not None or each.fdel is not None] == []

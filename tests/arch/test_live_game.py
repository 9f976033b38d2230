"""A live game, its session and its clock change only by their methods. Outside their classes, attributes can be read
but not assigned: they are properties without a setter, or `Final`. mypy finds an assignment to one, also in tests."""

from __future__ import annotations

import ast

import pytest
from onlymove_engines.live.clock import GameClock
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.session import Session

from .sources import SOURCES

KINDS = (LiveGame, Session, GameClock)


def find_class(kind: type) -> ast.ClassDef:
    (found,) = (
        node
        for node in SOURCES[kind.__module__].tree.body
        if isinstance(node, ast.ClassDef) and node.name == kind.__name__
    )
    return found


def list_assigned(kind: type) -> dict[str, bool]:
    """Return each attribute that a class assigns on its instances, and whether it is `Final`."""
    final = {
        node.target
        for node in ast.walk(find_class(kind))
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation).partition("[")[0] == "Final"
    }
    return {
        node.attr: node in final
        for node in ast.walk(find_class(kind))
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and ast.unparse(node.value) == "self"
    }


@pytest.mark.parametrize("kind", KINDS)
def test_no_attribute_can_be_assigned_from_outside(kind: type) -> None:
    assigned = list_assigned(kind)
    assert len(assigned) >= 5
    assert [name for name, is_final in assigned.items() if not name.startswith("_") and not is_final] == []


@pytest.mark.parametrize("kind", KINDS)
def test_no_property_has_a_setter(kind: type) -> None:
    properties = {name: each for name, each in vars(kind).items() if isinstance(each, property)}
    assert properties
    assert [name for name, each in properties.items() if each.fset is not None or each.fdel is not None] == []

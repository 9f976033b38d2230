"""Tests know the product by its public names, so that what is private can change without them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from .sources import ROOT, SOURCES
from .test_internals import STANDARD, is_private, list_private_names

TESTS = ROOT / "tests"
BY_TEXT = {"setattr", "getattr", "delattr", "hasattr"}
"""Functions and methods that are given the name of an attribute as text."""


def list_defined(tree: ast.AST) -> Iterator[str]:
    """Yield the names of functions, classes, variables and attributes that a syntax tree defines."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name


@cache
def list_private_names_of_the_product() -> frozenset[str]:
    """Return every private name of the product, except those that Textual has too, and those that another program looks
    for, such as `_repr_svg_`."""
    defined = {name for source in SOURCES.values() for name in list_defined(source.tree) if not name.endswith("_")}
    return frozenset(filter(is_private, defined)) - STANDARD - list_private_names()


def list_used(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of each attribute that is asked of another object than `self`, and of each name that
    is imported from the product."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id="self" | "cls")):
                pass
            case ast.Attribute(attr=name, lineno=line):
                yield line, name
            case ast.ImportFrom(module=str(module), names=names, lineno=line) if module.startswith("onlymove"):
                yield from ((line, alias.name) for alias in names)
            case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called), args=args, lineno=line):
                texts = [each.value for each in args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
                yield from ((line, text.rpartition(".")[2]) for text in texts if called in BY_TEXT)


def find_private_uses(path: Path) -> list[str]:
    private = list_private_names_of_the_product()
    used = list_used(ast.parse(path.read_text("utf-8")))
    return [f"{path.relative_to(ROOT)}:{line}: {name}" for line, name in used if name in private]


def test_no_test_names_what_is_private_in_the_product() -> None:
    assert len(list_private_names_of_the_product()) > 100
    assert [use for path in sorted(TESTS.rglob("*.py")) for use in find_private_uses(path)] == []


def test_a_private_name_is_found_however_it_is_used() -> None:
    name = min(list_private_names_of_the_product())
    uses = (
        f"board.{name}",
        f"from onlymove_tui.app import {name}",
        f"monkeypatch.setattr(board, '{name}', 1)",
        f"patch.setattr('onlymove_tui.app.{name}', 1)",
        f"getattr(board, '{name}')",
    )
    for use in uses:
        found = [each for _, each in list_used(ast.parse(use))]
        assert name in found, use
    assert name not in [each for _, each in list_used(ast.parse(f"self.{name} = 1"))]

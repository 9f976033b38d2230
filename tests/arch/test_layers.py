"""CONTRIBUTING says which package imports which. That is the import graph."""

from __future__ import annotations

import re

import pytest

from tests.arch.sources import ROOT, SOURCES

ARROW = re.compile(r"`(\w+) → ([\w, ]+)`")
LAYERS = {
    "onlymove_engines": ("Inside the engines,", "Inside the app's layer"),
    "onlymove_tui": ("Inside the app's layer", "Inside the app itself"),
}
"""For each layer, the words of CONTRIBUTING before and after what is said of its packages."""


def find_imports(layer: str) -> dict[str, set[str]]:
    """Return which packages of a layer each of them imports."""
    names = [name.split(".") for name, source in SOURCES.items() if source.is_package]
    found = {name[1]: set[str]() for name in names if name[0] == layer and len(name) == 2}
    for name, source in SOURCES.items():
        package = name.split(".")[1] if name.startswith(f"{layer}.") else ""
        if package in found:
            used = {used.split(".")[1] for used in source.imported_names() if used.startswith(f"{layer}.")}
            found[package] |= (used & found.keys()) - {package}
    return found


def read_contributing(layer: str) -> dict[str, set[str]]:
    """Return what CONTRIBUTING says about them."""
    before, after = LAYERS[layer]
    text = " ".join((ROOT / "CONTRIBUTING.md").read_text("utf-8").split())
    paragraph = text.partition(before)[2].partition(after)[0]
    return {package: set(used.split(", ")) for package, used in ARROW.findall(paragraph)}


@pytest.mark.parametrize("layer", LAYERS)
def test_contributing_draws_the_import_graph(layer: str) -> None:
    graph = find_imports(layer)
    assert read_contributing(layer) == {package: used for package, used in graph.items() if used}


def test_the_bottom_package_imports_no_other() -> None:
    assert find_imports("onlymove_engines")["core"] == find_imports("onlymove_tui")["store"] == set()

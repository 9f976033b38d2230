"""CONTRIBUTING says which package imports which. That is the import graph."""

from __future__ import annotations

import re

from tests.arch.sources import ROOT, SOURCES

ENGINES = "onlymove_engines"
ARROW = re.compile(r"`(\w+) → ([\w, ]+)`")


def find_imports() -> dict[str, set[str]]:
    """Return which packages of the engines each of them imports."""
    packages = {name.split(".")[1] for name in SOURCES if name.startswith(f"{ENGINES}.")}
    found = {package: set[str]() for package in packages}
    for name, source in SOURCES.items():
        if name.startswith(f"{ENGINES}."):
            package = name.split(".")[1]
            used = {used.split(".")[1] for used in source.imported_names() if used.startswith(f"{ENGINES}.")}
            found[package] |= (used & packages) - {package}
    return found


def read_contributing() -> dict[str, set[str]]:
    """Return what CONTRIBUTING says about it."""
    text = " ".join((ROOT / "CONTRIBUTING.md").read_text("utf-8").split())
    paragraph = text.partition("Inside the engines,")[2].partition("Inside the app")[0]
    return {package: set(used.split(", ")) for package, used in ARROW.findall(paragraph)}


def test_contributing_draws_the_import_graph_of_the_engines() -> None:
    graph = find_imports()
    assert read_contributing() == {package: used for package, used in graph.items() if used}
    assert graph["core"] == set()

"""What house style can be counted: lengths, names that mean one thing, types that are named.

Each list of exceptions may only get shorter: an entry that is no longer needed fails too.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator

import pytest

from .sources import SOURCES, Source

LONGEST_FILE = 300
LONGEST_FUNCTION = 50
LONG_FILES: set[str] = set()

MOST_LINES_WITH_ANY = 112

ENTRY_POINTS = {"main"}
"""What a module that is run is expected to be called."""

AMBIGUOUS: set[str] = set()
"""Names of functions and classes that three homes give to different things."""

PLAIN = [source for source in SOURCES.values() if not source.is_kernel]


def test_no_file_is_too_long() -> None:
    long = {source.name for source in PLAIN if source.text.count("\n") > LONGEST_FILE}
    assert long == LONG_FILES, f"over {LONGEST_FILE} lines: {long - LONG_FILES}; no longer: {LONG_FILES - long}"


def test_no_function_is_too_long() -> None:
    for source in PLAIN:
        for function in source.functions():
            length = (function.end_lineno or function.lineno) - function.lineno + 1
            assert length <= LONGEST_FUNCTION, f"{source.place}:{function.lineno} {function.name}: {length} lines"


def home(source: Source) -> str:
    """A module's name; the same job in several drawers is one home."""
    return re.sub(r"\.games\.\w+", ".games.*", source.name)


def test_a_name_means_one_thing() -> None:
    homes = defaultdict(set)
    for source in PLAIN:
        for node in source.tree.body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                homes[node.name].add(home(source))
    found = {name: places for name, places in homes.items() if len(places) > 2 and name not in ENTRY_POINTS}
    told = "\n".join(f"{name}: {', '.join(sorted(found[name]))}" for name in sorted(found.keys() - AMBIGUOUS))
    assert not told, f"one name, one thing:\n{told}"
    assert found.keys() == AMBIGUOUS, f"take these from AMBIGUOUS: {sorted(AMBIGUOUS - found.keys())}"


def annotated(source: Source) -> Iterator[tuple[str, ast.expr, int]]:
    """Everything with a type of its own: its name, the type, the line. A function stands for what it returns."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.arg) and node.annotation is not None:
            yield node.arg, node.annotation, node.lineno
        elif isinstance(node, ast.AnnAssign):
            yield ast.unparse(node.target), node.annotation, node.lineno
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns is not None:
            yield node.name, node.returns, node.lineno


def untyped_analysts(source: Source) -> list[str]:
    """The lines on which an analyst may be anything."""
    return [
        f"{source.place}:{line} {name}: {ast.unparse(kind)}"
        for name, kind, line in annotated(source)
        if "analyst" in name.lower() and re.fullmatch(r"Any( \| None)?|dict\[\w+, Any\]", ast.unparse(kind))
    ]


def test_an_analyst_has_a_type() -> None:
    told = [line for source in PLAIN for line in untyped_analysts(source)]
    assert not told, "\n".join(told)


def test_few_lines_say_that_anything_will_do() -> None:
    count = sum(bool(re.search(r"\bAny\b", line)) for source in SOURCES.values() for line in source.text.splitlines())
    assert count <= MOST_LINES_WITH_ANY, f"{count} lines with Any: name the types"


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ("def f(analyst: Any) -> None: ...", 1),
        ("class A:\n    analyst: Any | None = None", 1),
        ("def open_analyst() -> Any: ...", 1),
        ("def f(analyst: AnyAnalyst, analysis: Analysis[Any]) -> None: ...", 0),
    ],
)
def test_an_analyst_without_a_type_is_found(code: str, count: int) -> None:
    class Written(Source):
        """A module that is nowhere."""

        text = code

    assert len(untyped_analysts(Written("onlymove_engines.probe", SOURCES["onlymove_engines"].file))) == count

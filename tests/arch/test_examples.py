"""The examples in docstrings show what really happens, also in those of aliases and constants."""

from __future__ import annotations

import ast
import doctest
from collections.abc import Iterator
from importlib import import_module

import pytest

from .sources import SOURCES, Source


def examples(source: Source) -> Iterator[tuple[str, int]]:
    """Yield every text of a module that contains examples, with its line."""
    if ">>> " not in source.text:
        return
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            text = node.value.value
            if ">>> " in text:
                yield text, node.lineno


WITH_EXAMPLES = [(name, *example) for name, source in SOURCES.items() for example in examples(source)]


@pytest.mark.parametrize(("name", "text", "line"), WITH_EXAMPLES, ids=lambda part: str(part)[:60].partition("\n")[0])
def test_an_example_gives_the_output_written_under_it(name: str, text: str, line: int) -> None:
    names = dict(vars(import_module(name)))
    test = doctest.DocTestParser().get_doctest(text, names, name, SOURCES[name].place, line - 1)
    output: list[str] = []
    result = doctest.DocTestRunner().run(test, out=output.append)
    assert result.attempted
    assert not result.failed, "".join(output)

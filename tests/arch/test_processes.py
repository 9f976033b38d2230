"""Who may start a process, and how. A process in Python is started as `onlymove_tables.child` says, and so it imports
nothing from the current folder."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from .sources import SOURCES, Source

CHILD = "onlymove_tables.child"
PYTHON = {"onlymove_tables.lock", "onlymove.tournament.workers", "onlymove_tui.web.server"}
"""Modules that start Python."""

OTHERS = {"onlymove.tournament.processes"}
"""Modules that start programs that the player has named."""

KEEPER = {"onlymove.tournament.keeper"}
"""The script that becomes such a program."""

COPIES = {"onlymove_engines.search.rules_graph"}
"""Modules that start copies of this process, which import from the same folders."""

PIPES = {"multiprocessing.Pipe", "multiprocessing.connection.Connection"}
"""Parts of such libraries that start nothing."""

LIBRARIES = re.compile(
    r"(asyncio\.)?subprocess\b|multiprocessing\b|concurrent\.futures.*\bprocess\b|.*\bProcessPool|pty\b"
)
CALLS = re.compile(r"os\.(exec|spawn|posix_spawn|fork|system|popen)|asyncio\.create_subprocess|.*\.Popen$")


def starting_calls(source: Source) -> Iterator[ast.Call]:
    """Yield the calls that start a process."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call) and CALLS.match(ast.unparse(node.func)):
            yield node


def test_only_these_modules_start_processes() -> None:
    libraries = {
        name for name, source in SOURCES.items() if any(map(LIBRARIES.match, {*source.imported_names()} - PIPES))
    }
    calls = {name for name, source in SOURCES.items() if any(starting_calls(source))}
    assert libraries == PYTHON | OTHERS | COPIES
    assert calls == PYTHON | OTHERS | KEEPER


def test_only_the_helper_names_the_interpreter() -> None:
    name = "sys.executable"
    assert [source.name for source in SOURCES.values() if name in source.text or name in source.imported_names()] == [
        CHILD
    ]


@pytest.mark.parametrize("name", sorted(PYTHON))
def test_python_is_started_in_the_environment_of_a_child(name: str) -> None:
    """The command line comes from `build_command`, because nothing else names the interpreter."""
    source = SOURCES[name]
    assert f"{CHILD}.build_environment" in set(source.imported_names())
    for call in starting_calls(source):
        given = {word.arg: ast.unparse(word.value) for word in call.keywords}
        assert given["env"].startswith("build_environment()"), f"{source.place}:{call.lineno}"


@pytest.mark.parametrize("name", sorted(COPIES))
def test_copies_are_forked(name: str) -> None:
    assert "get_context('fork')" in ast.unparse(SOURCES[name].tree)

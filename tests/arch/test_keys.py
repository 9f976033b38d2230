"""Sentences and rows hold commands, not keys, so that each names the key that the player has."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from onlymove_tui.app.commands import BY_ID, TYPING_KEYS
from onlymove_tui.play.keys import PLACEHOLDER

ROOT = Path(__file__).parents[2]
APP, ENGINES = ROOT / "tui" / "onlymove_tui", ROOT / "engines" / "onlymove_engines"
SOURCES = sorted([*(APP / "app").rglob("*.py"), *(APP / "play").rglob("*.py"), *ENGINES.rglob("*.py")])
GAME_TEXTS = sorted([*ENGINES.rglob("help.md"), *ENGINES.rglob("lessons.toml")])
COMMANDS = {*BY_ID, *TYPING_KEYS}
WRITTEN_KEY = re.compile(
    r"\b[Pp]ress (?!`?\{|an arrow key|any\b)\S|`[a-zA-Z]` (shows|lets|rolls)|\b(Enter|Esc|Backspace) [a-z]|[a-z] Esc\b"
)
"""A key in a sentence."""
LINE_MODE = ("Press Enter to continue.", "Press Enter for the next move, ")
"""What line mode says. It reads lines, and Enter ends them."""


def is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def list_texts(tree: ast.AST) -> Iterator[ast.Constant]:
    """Yield the texts in a module that are no docstrings."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node
        elif not is_docstring(node):
            yield from list_texts(node)


def test_no_sentence_has_a_key_in_it() -> None:
    found = [
        f"{file.relative_to(ROOT)}:{text.lineno}: {text.value!r}"
        for file in SOURCES
        for text in list_texts(ast.parse(file.read_text("utf-8")))
        if WRITTEN_KEY.search(str(text.value)) and not str(text.value).startswith(LINE_MODE)
    ]
    assert len(SOURCES) > 150
    assert not found, "\n".join(found)


def test_no_page_or_lesson_has_a_key_in_it() -> None:
    found = [
        f"{file.relative_to(ROOT)}: {written[0]}"
        for file in GAME_TEXTS
        for written in re.finditer(r"[Pp]ress `?\w`?(?!\w).{0,30}|.{0,30}\bEsc\b", file.read_text("utf-8"))
    ]
    assert len(GAME_TEXTS) > 9
    assert not found, "\n".join(found)


def list_named_commands(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the commands in the calls `phrase("...")` and `Key("...")` of a module."""
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args):
            continue
        first = node.args[0]
        if not (isinstance(first, ast.Constant) and isinstance(first.value, str)):
            continue
        if node.func.id == "Key":
            yield node.lineno, first.value
        elif node.func.id == "phrase":
            texts = {keyword.arg for keyword in node.keywords}
            yield from ((node.lineno, name) for name in PLACEHOLDER.findall(first.value) if name not in texts)


def test_every_command_in_a_sentence_exists() -> None:
    named = [
        (f"{file.relative_to(ROOT)}:{line}", command)
        for file in SOURCES
        for line, command in list_named_commands(ast.parse(file.read_text("utf-8")))
    ]
    named += [(str(file), command) for file in GAME_TEXTS for command in PLACEHOLDER.findall(file.read_text("utf-8"))]
    assert len(named) > 40
    assert not [(place, command) for place, command in named if command not in COMMANDS]

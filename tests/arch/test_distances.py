"""Players read how far away something is in one unit: moves of both sides. One file puts distances into words."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from onlymove_engines.core.words import format_delay, format_distance, format_soon

from tests.arch.sources import ROOT, SOURCES, Source

HOME = "onlymove_engines.core.words"
VALUE = "\N{WHITE SQUARE}"
"""Stands for a value that an f-string formats."""
PLIES = re.compile(r"\bpl(?:y|ies)\b|\bhalf-moves?\b", re.IGNORECASE)
NO_UNIT = re.compile(r"\b(?:win|won|los[st]|lose|draw|drawn)s? in \d{1,3}\b(?! moves?\b|[\d,])", re.IGNORECASE)
"""A distance without its unit, such as `win in 5`. `wins in 462,892` counts positions."""
MADE_ELSEWHERE = re.compile(
    rf"\b(?:win|won|los[st]|lose|draw|drawn)s? in {VALUE}"
    rf"|{VALUE} (?:own )?(?:moves?|turns?) (?:longer|sooner|later|slower|faster)"
    rf"|{VALUE} (?:longer|sooner|slower|faster)\b",
    re.IGNORECASE,
)
NAME = re.compile(r"[a-z_]+")
"""A name in a file format, such as `plies`."""
NOT_READ = {
    "onlymove_tui.store.games": "its texts are SQL, with the names of columns",
    "onlymove_tui.store.schema": "its texts are SQL, with the names of columns",
    "onlymove_engines.games.tobito.table": "seen only when the table of another game is built; it dates tables",
}
"""The modules whose texts no player reads, with the reason."""
CODE = re.compile(r"```.*?```|`[^`\n]*`|^    .*?$|<script.*?</script>|\$\w+", re.DOTALL | re.MULTILINE)
"""Code in a document, where names stay as they are."""
DOCUMENTS = sorted(
    [ROOT / name for name in ("README.md", "SECURITY.md", "CHANGELOG.md", "docs/onlymove.1")]
    + [*(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")]
    + [file for ending in ("md", "toml", "html") for file in (ROOT / "engines").rglob(f"*.{ending}")]
    + [*(ROOT / "tui").rglob("*.html"), *(ROOT / "library").rglob("*.md")]
)


def list_texts(source: Source) -> Iterator[tuple[int, str]]:
    """Yield each text in a module with its line, apart from docstrings and names. `VALUE` stands for what an f-string
    puts into it."""
    told = {id(node.value) for node in ast.walk(source.tree) if isinstance(node, ast.Expr)}
    parts = {id(part) for node in ast.walk(source.tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(source.tree):
        if isinstance(node, ast.JoinedStr):
            yield node.lineno, "".join(str(p.value) if isinstance(p, ast.Constant) else VALUE for p in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told | parts:
            yield node.lineno, node.value


def find_wrong(text: str) -> str:
    """Return the words in a text that count in plies, or that say how far away something is in their own way."""
    if NAME.fullmatch(text):
        return ""
    found = PLIES.search(text) or NO_UNIT.search(text) or MADE_ELSEWHERE.search(text)
    return found[0] if found else ""


@pytest.mark.parametrize("name", sorted(SOURCES.keys() - NOT_READ.keys() - {HOME}))
def test_texts_count_moves_and_leave_distances_to_their_home(name: str) -> None:
    source = SOURCES[name]
    if source.is_kernel:
        return
    wrong = [f"{source.place}:{line}: {words}" for line, text in list_texts(source) if (words := find_wrong(text))]
    assert not wrong


@pytest.mark.parametrize("file", DOCUMENTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_documents_count_moves(file: Path) -> None:
    text = file.read_text("utf-8")
    found = PLIES.search(CODE.sub("", text)) or NO_UNIT.search(text)
    assert found is None, found[0]


@pytest.mark.parametrize(
    "text",
    [
        "You can win in three plies.",
        "1 ply sooner",
        "Half-moves to look ahead",
        "a win in 5.",
        f"wins in {VALUE} moves",
        f"the win takes {VALUE} moves longer",
        f"{VALUE} own moves sooner",
    ],
)
def test_another_way_to_count_is_refused(text: str) -> None:
    assert find_wrong(text)


@pytest.mark.parametrize(
    "text", ["plies", "wins in 462,892", "a win in 5 moves", "3 of 5 moves win", "are in the file"]
)
def test_what_counts_something_else_is_not_refused(text: str) -> None:
    assert not find_wrong(text)


def test_one_move_is_one_ply() -> None:
    assert [format_distance(plies) for plies in (None, 1, 2, 16)] == ["", " in 1 move", " in 2 moves", " in 16 moves"]
    assert [format_soon(plies) for plies in (1, 2, 3)] == ["at once", "in 2 moves", "in 3 moves"]
    assert [format_delay(5, 11), format_delay(5, 6), format_delay(8, 6)] == [
        "6 moves longer",
        "1 move longer",
        "2 moves sooner",
    ]

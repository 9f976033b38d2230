"""Pictures flow one way: a screen makes them, its board shows them, and nobody reads the board to learn what is so."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.arch.sources import ROOT, SOURCES

TOLD = {"paint", "show_players", "name_answer", "share", "turn_page"}
"""What a screen tells its board."""
ASKED = {"arrangement", "note_width", "value_width", "scale"}
"""What a screen may ask it: how much space there is."""

OWNERS = ("board", "self.board", "screen.board", "self.screen.board")
BASE = "onlymove_tui.app.screens.board_screen"


def find_uses(tree: ast.AST) -> Iterator[str]:
    """Yield the names that are read of a screen's board."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in OWNERS:
            yield node.attr


def test_a_screen_only_gives_pictures_to_its_board_and_asks_for_its_space() -> None:
    with_board = [
        source for name, source in SOURCES.items() if name == BASE or f"{BASE}.BoardScreen" in source.imported_names()
    ]
    assert {use for source in with_board for use in find_uses(source.tree)} == TOLD | ASKED


def test_no_test_reaches_into_a_board() -> None:
    """Tests ask for what is drawn, for the state of the screen, or for the situation."""
    folders = [ROOT / "tests" / name for name in ("tui", "lobby", "laws")]
    found = {str(file): sorted(set(find_reaches(file))) for folder in folders for file in folder.rglob("*.py")}
    assert {file: names for file, names in found.items() if names} == {}


def find_reaches(file: Path) -> Iterator[str]:
    """Yield what a test reads of a screen's board, other than its space."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        match node:
            case ast.Attribute(value=ast.Attribute(attr="board"), attr=name) if name not in ASKED:
                yield name

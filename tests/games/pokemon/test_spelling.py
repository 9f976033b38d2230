"""Texts for people name cells as on the board, and texts for programs as in records."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from onlymove_tui.cli import run

from tests.commands import give_input

GAME = '[Game "pokemon"]\n\n1. c@11 A@01 2. b@01 B@21 3. c@21\n'


def test_a_review_spells_moves_one_way(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "game.txt"
    file.write_text(GAME, "utf-8")
    assert run(["review", str(file)]) == 0
    output = capsys.readouterr().out.replace("→", "->")
    assert "M@B3           ?? Charmander threw away the draw. Draw -> Loss. Best: L@B1" in output
    assert "Only L@B1 would have drawn." in output
    assert "@2" not in output
    assert run(["review", str(file), "--json"]) == 0
    assert [move["move"] for move in json.loads(capsys.readouterr().out)["moves"]][:2] == ["c@11", "A@01"]
    give_input(monkeypatch, b"end\n")
    assert run(["review", str(file), "--step"]) == 0
    stepped = capsys.readouterr().out
    assert "5. L@B3 Best move." in stepped
    for side in ("Squirtle: 3 of 3 moves were good.", "Charmander: 1 of 2 moves were good."):
        assert side in output
        assert side in stepped

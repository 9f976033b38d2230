"""`prove` prints an argument and checks it. The exit code is 1 if the argument does not hold. If there is none, one
line says so."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from onlymove_engines import games
from onlymove_engines.core.game import AnyGame
from onlymove_tables.build import build_into
from onlymove_tui.cli import run

from tests.commands import install_games
from tests.heap_game import heap_game, package_of, settle
from tests.tables.test_build_and_verify import build_with_a_mistake

SEARCHED = [facts.id for facts in games.list_games() if games.load(facts.id).solved.solver is None]


@pytest.fixture
def heap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AnyGame:
    """Return a game with a table, which can be loaded by name."""
    settle(tmp_path, monkeypatch)
    game = heap_game()
    install_games(monkeypatch, game)
    build_into(game, package_of(tmp_path))
    return game


def test_an_argument_is_printed_and_correct(heap: AnyGame, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["prove", "heap"]) == 0
    out, _ = capsys.readouterr()
    assert "positions 21, losses 7" in out
    assert "The start is 20 0 with First to move. Its value: Win in 13 moves." in out
    assert "First wins. A strategy" in out
    assert "No line is longer than 13 moves" in " ".join(out.split())
    assert "This proves the value of the start: First wins in 13 moves." in out


def test_the_second_players_longest_line_includes_the_first_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settle(tmp_path, monkeypatch)
    game = replace(heap_game(), start=lambda options, seed: (18, 0))
    install_games(monkeypatch, game)
    build_into(game, package_of(tmp_path))
    assert run(["prove", "heap"]) == 0
    out = " ".join(capsys.readouterr()[0].split())
    assert "No line is longer than 12 moves" in out
    assert "This proves the value of the start: Second wins in 12 moves." in out


def test_only_proven_values_are_printed_no_matter_what_the_package_claims(
    heap: AnyGame, capsys: pytest.CaptureFixture[str]
) -> None:
    object.__setattr__(heap, "facts", replace(heap.facts, solved="draw"))
    assert run(["prove", "heap"]) == 0
    assert "value of the start: First wins in 13 moves." in capsys.readouterr()[0]


def test_json_says_the_same_lines(heap: AnyGame, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["prove", "heap", "--json"]) == 0
    output = json.loads(capsys.readouterr()[0])
    assert (output["game"], output["holds"]) == ("heap", True)
    assert any("First wins" in line for line in output["lines"])


def test_a_wrong_value_is_no_argument(
    heap: AnyGame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    build_with_a_mistake(heap, package_of(tmp_path) / "heap.tbl", monkeypatch)
    certificate = tmp_path / "certificate.txt"
    assert run(["prove", "heap", "--certificate", str(certificate)]) == 1
    assert "The proof fails: " in capsys.readouterr()[0]
    assert not certificate.exists()


@pytest.mark.parametrize("damage", ["flipped", "cut", "empty"])
def test_a_damaged_table_is_no_argument(
    damage: str, heap: AnyGame, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = package_of(tmp_path) / "heap.tbl"
    whole = table.read_bytes()
    flipped = bytes([*whole[:-30], whole[-30] ^ 1, *whole[-29:]])
    table.write_bytes({"flipped": flipped, "cut": whole[:-40], "empty": b""}[damage])
    assert run(["prove", "heap"]) == 1
    out, err = capsys.readouterr()
    assert (out.count("\n"), err) == (1, "")
    assert out.startswith("The proof fails: ")


def test_a_place_where_nothing_can_be_written_is_refused_before_anything_is_proven(
    heap: AnyGame, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    certificate = tmp_path / "nowhere" / "certificate.txt"
    assert run(["prove", "heap", "--certificate", str(certificate)]) == 2
    assert capsys.readouterr() == ("", f"onlymove: {certificate}: cannot write this file.\n")
    assert not certificate.parent.exists()


@pytest.mark.parametrize("name", ["certificate.txt", "certificate.txt.xz"])
def test_a_certificate_is_written_where_one_asks(
    name: str, heap: AnyGame, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["prove", "heap", "--certificate", str(tmp_path / name)]) == 0
    assert capsys.readouterr()[0].splitlines()[-1].startswith(f"{tmp_path / name}: ")
    assert (tmp_path / name).stat().st_size > 0


@pytest.mark.parametrize("game_id", SEARCHED)
def test_a_game_that_is_searched_says_so_in_one_line(game_id: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["prove", game_id]) == 0
    out, err = capsys.readouterr()
    assert (out.count("\n"), err) == (1, "")
    assert f"`onlymove analyse {game_id}`" in out
    assert run(["prove", game_id, "--certificate", "nowhere"]) == 2

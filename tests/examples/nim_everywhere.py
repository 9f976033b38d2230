"""Tests the example game in every front end: the menu, the board, line mode and UGI. Another test runs this file."""

from __future__ import annotations

import pytest
from onlymove_engines import games
from onlymove_engines.search.deepening import LiveAnalyst
from onlymove_tui.cli import run

from tests.commands import give_input
from tests.tui.pilots import board, make_board_app, make_menu_app, make_settings, press, session, settle, text

NIM = games.load("nim")


async def test_it_is_on_the_menu() -> None:
    app = make_menu_app(games=())
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "up")
        assert NIM.facts.title in text(app)
        assert NIM.facts.pitch in text(app)


async def test_a_game_is_played_to_its_end_with_hints_and_judgements() -> None:
    app = make_board_app(make_settings(), game=NIM.id, games=())
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "h")
        assert "Hint 1 of 3" in text(app)
        assert "Win in 11 moves" in text(app)
        await press(pilot, "m", "a", "3", "enter")
        assert board(app).live.stopped_move is not None
        assert "Win in 11 moves → Loss" in text(app)
        await press(pilot, "u")
        assert session(app).list_moves() == []
        while not session(app).is_over:
            position = session(app).position
            best = LiveAnalyst(NIM).analyse(position).list_best_moves()[0]
            await press(pilot, "m", *NIM.notation.format_move(position, best), "enter")
        result = session(app).result
        assert result is not None
        assert result.winner == 0
        assert "4 of 5 moves were good" in text(app)
        assert "Not counted: 1 with nothing to decide." in " ".join(text(app).split()), "the last move was the only one"


def run_with_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], lines: str, *arguments: str
) -> str:
    """Return what a command prints when these lines are typed."""
    give_input(monkeypatch, lines)
    assert run(arguments) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_two_people_play_it_in_lines(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    options = ("play", "nim", "--plain", "--seats", "human,human", "--training", "flag")
    output = run_with_lines(monkeypatch, capsys, "hint\na3\nb4\nc5\nquit\n", *options)
    assert "Win in 11 moves" in output
    assert "a3 ??" in output
    assert "First wins" in output


def test_a_program_plays_it(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    asked = (
        "ugi\nposition startpos\ngo depth 20\nposition startpos moves a3 b4 c5\nquery gameover\nquery result\nquit\n"
    )
    output = run_with_lines(monkeypatch, capsys, asked, "engine", "nim").splitlines()
    assert "bestmove a2" in output
    assert output[-2:] == ["response true", "response p1win"]


def test_it_is_analysed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    output = run_with_lines(monkeypatch, capsys, "", "analyse", "nim", "3,4,5 1", "--format", "tsv")
    assert output.splitlines()[-1] == "3,4,5 1\twin\t11\t-\t12\t1\ta2"
    whole = run_with_lines(monkeypatch, capsys, "", "analyse", "nim", "3,4,5 1")
    assert "First to move: Win in 11 moves\n  Win in 11 moves   a2\n" in whole, "it was solved at its first use"


def test_it_is_drilled(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    output = run_with_lines(monkeypatch, capsys, "quit\n", "drill", "nim", "--fresh")
    assert output.startswith("Drill 1 of ")
    assert ", Nim. " in output

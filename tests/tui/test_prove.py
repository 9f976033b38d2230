"""`prove` derives what it can; where a game has no derivation, it points to a command that works for that game."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable

import pytest
from onlymove_engines import games
from onlymove_tui.cli import run

IDS = [card.id for card in games.title_cards()]
UNPROVEN = [game_id for game_id in IDS if games.load(game_id).prove is None]

Pointed = Callable[[str], list[str]]


@pytest.fixture
def pointed(capsys: pytest.CaptureFixture[str]) -> Pointed:
    """The command that `prove` points to for a game, as arguments."""

    def command(game_id: str) -> list[str]:
        assert run(["prove", game_id]) == 0
        out, _ = capsys.readouterr()
        assert out.count("\n") == 1, out
        (found,) = re.findall(r"`onlymove (.+?)`", out)
        return shlex.split(found)

    return command


@pytest.mark.parametrize("game_id", UNPROVEN)
def test_what_prove_points_to_is_not_refused(
    pointed: Pointed, game_id: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = pointed(game_id)
    if "--full" in arguments:
        monkeypatch.setattr("onlymove_tables.verify.full_findings", lambda *_: iter(()))
    else:
        arguments += ["--seconds", "0"]
    code = run(arguments)
    out, err = capsys.readouterr()
    assert code == 0, f"prove {game_id} points to {' '.join(arguments)}, which says: {out}{err}"


@pytest.mark.slow
@pytest.mark.parametrize("game_id", UNPROVEN)
def test_what_prove_points_to_works(pointed: Pointed, game_id: str) -> None:
    assert run(pointed(game_id)) == 0


@pytest.mark.slow
@pytest.mark.parametrize("game_id", [game_id for game_id in IDS if game_id not in UNPROVEN])
def test_a_derivation_is_told(game_id: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["prove", game_id]) == 0
    assert len(capsys.readouterr()[0].splitlines()) > 1

"""The board as text: golden pictures, and every target on the picture."""

from __future__ import annotations

from pathlib import Path

import pytest
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.scene import View

GOLDEN = Path(__file__).parent / "golden"
JUMP = ("T.T/.T./.N./.B./B.B T", ("b4", "b1", "a4"))


def golden(name: str) -> str:
    return (GOLDEN / f"{name}.txt").read_text("utf-8").rstrip("\n")


@pytest.mark.parametrize("ascii_only", [False, True], ids=["blocks", "ascii"])
def test_start_looks_like_the_golden_text(game: AnyGame, ascii_only: bool) -> None:
    text = game.painter.scene(View((game.default_start(),), ascii_only=ascii_only)).text()
    assert text == golden(f"{game.id}-start{'-ascii' * ascii_only}")
    assert text.isascii() or not ascii_only


@pytest.mark.parametrize("ascii_only", [False, True], ids=["blocks", "ascii"])
def test_a_jump_being_entered_shows_its_line_and_numbers(haneto: AnyGame, ascii_only: bool) -> None:
    position = haneto.notation.parse_position(JUMP[0])
    text = haneto.painter.scene(View((position,), chosen=JUMP[1], ascii_only=ascii_only)).text()
    assert text == golden(f"haneto-jump{'-ascii' * ascii_only}")


def test_flipped_board_is_turned_round(tobito: AnyGame) -> None:
    assert tobito.painter.scene(View((tobito.default_start(),), flipped=True)).text() == golden("tobito-flipped")


def test_every_prefix_of_every_path_can_be_drawn(haneto: AnyGame) -> None:
    position = haneto.notation.parse_position(JUMP[0])
    for path, move in haneto.paths(position, haneto.rules.legal_moves(position)).items():
        for length in range(len(path) + 1):
            scene = haneto.painter.scene(View((position,), chosen=path[:length]))
            assert all(scene.place(target) for target in path)
        after = haneto.rules.play(position, move)
        for frame in haneto.painter.between(View((position, after), (move,))):
            assert (frame.width, frame.height) == (scene.width, scene.height)


def test_places_lie_inside_and_apart(game: AnyGame) -> None:
    for flipped in (False, True):
        scene = game.painter.scene(View((game.default_start(),), flipped=flipped))
        assert scene.width <= 52
        assert scene.height <= 20
        inside = [(x, y) for x in range(scene.width) for y in range(scene.height) if scene.target_at(x, y)]
        assert len(scene.places) == 15
        assert len(inside) == 15 * 7 * 2

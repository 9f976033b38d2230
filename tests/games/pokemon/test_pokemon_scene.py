"""The picture: golden text, targets, rims, hands."""

from __future__ import annotations

from pathlib import Path

import pytest
from onlymove_engines.core.scene import Role, View
from onlymove_engines.games.pokemon.notation import CELLS, NOTATION, SIZES
from onlymove_engines.games.pokemon.rules import RULES, START, Placement, Position
from onlymove_engines.games.pokemon.scene import HEIGHT, WIDTH, PokemonPainter, covered

GOLDEN = Path(__file__).parent / "golden"
GAME = ["c@11", "B@00", "b@22", "C@22", "a@02", "C@00", "b@10", "A@01"]
PAINTER = PokemonPainter()


def view(*moves: str, **options: bool) -> View[Position, Placement]:
    positions, played = [START], list[Placement]()
    for text in moves:
        played.append(NOTATION.parse_move(positions[-1], text))
        positions.append(RULES.play(positions[-1], played[-1]))
    return View(tuple(positions), tuple(played), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        ("pokemon.start.unicode", view()),
        ("middle", view(*GAME)),
        ("middle-flipped", view(*GAME, flipped=True)),
        ("middle-ascii", view(*GAME, ascii_only=True)),
    ],
)
def test_golden_pictures(name: str, seen: View[Position, Placement]) -> None:
    assert PAINTER.scene(seen).text() == (GOLDEN / f"{name}.txt").read_text("utf-8").rstrip("\n")


def test_the_ascii_picture_is_ascii() -> None:
    assert PAINTER.scene(view(*GAME, ascii_only=True)).text().isascii()


def test_every_target_has_a_place_inside_the_picture() -> None:
    for seen in (view(), view("a@00"), view(*GAME), view(*GAME, flipped=True)):
        scene = PAINTER.scene(seen)
        assert (scene.width, scene.height) == (WIDTH, HEIGHT)
        assert {place.target for place in scene.places} == {*CELLS, *SIZES}
        for place in scene.places:
            assert place.x >= 1
            assert place.y >= 1
            assert place.x + place.width < WIDTH
            assert place.y + place.height < HEIGHT


def test_the_hand_that_answers_is_the_mover_s() -> None:
    first = PAINTER.scene(view()).place("large")
    second = PAINTER.scene(view("a@00")).place("large")
    turned = PAINTER.scene(view("a@00", flipped=True)).place("large")
    assert first is not None
    assert second is not None
    assert second.x > first.x
    assert turned == first


def test_covered_pieces_are_known_only_from_the_past() -> None:
    played = view("a@00", "B@00", "c@00")
    assert covered(played)[0] == "aB"
    assert "╰a╯╰B╯" in PAINTER.scene(played).text()
    assert "╰" not in PAINTER.scene(View((played.position,))).text().replace("╰───", "")


def test_spent_kinds_are_dim_and_a_full_line_is_bright() -> None:
    won = PAINTER.scene(view("a@00", "A@10", "a@01", "A@11", "b@02"))
    assert any(sprite.role is Role.SPENT for sprite in won.sprites)
    assert sum(sprite.role is Role.FIRST_FRESH for sprite in won.sprites) == 3

"""The board as text: golden pictures of a jump at each scale, what it says without colours, and where marks are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.scene import Place, Role, Scene, View
from onlymove_engines.core.shapes import QUADRANTS
from onlymove_engines.games.tobito.picture import LAYOUTS, shape_piece

GOLDEN = Path(__file__).parent / "golden"
JUMP = ("T.T/.T./.N./.B./B.B T", ("b4", "b1", "a4"))
SLANTED = ("T.T/.B./B../N../T.B T", ("a5", "c3"))
SIZES = {1: (49, 20), 2: (74, 30), 3: (98, 40)}

every_scale = pytest.mark.parametrize("scale", SIZES)


def read_golden(name: str) -> str:
    return (GOLDEN / f"{name}.txt").read_text("utf-8").rstrip("\n")


def picture(game: AnyGame, position: str, **how: Any) -> Scene:
    """Return the picture of a position given as text."""
    return game.painter.scene(View((game.notation.parse_position(position),), **how))


@every_scale
@pytest.mark.parametrize("ascii_only", [False, True], ids=["blocks", "ascii"])
@pytest.mark.parametrize(("name", "position", "chosen"), [("jump", *JUMP), ("slanted", *SLANTED)])
def test_a_jump_being_entered_shows_its_way_and_numbers(
    haneto: AnyGame, name: str, position: str, chosen: tuple[str, ...], ascii_only: bool, scale: int
) -> None:
    text = picture(haneto, position, chosen=chosen, ascii_only=ascii_only, scale=scale).text()
    assert text == read_golden(f"haneto-{name}.{scale}{'-ascii' * ascii_only}")


def test_flipped_board_is_turned_round(tobito: AnyGame) -> None:
    assert tobito.painter.scene(View((tobito.default_start(),), flipped=True)).text() == read_golden("tobito-flipped")


@every_scale
def test_every_scale_has_its_size(game: AnyGame, scale: int) -> None:
    scene = game.painter.scene(View((game.default_start(),), scale=scale))
    assert (scene.width, scene.height) == SIZES[scale]


@every_scale
@pytest.mark.parametrize("ascii_only", [False, True], ids=["blocks", "ascii"])
def test_every_prefix_of_every_path_leaves_marks_their_corners(haneto: AnyGame, scale: int, ascii_only: bool) -> None:
    how = {"ascii_only": ascii_only, "scale": scale}
    for text in (JUMP[0], SLANTED[0]):
        position = haneto.notation.parse_position(text)
        prefixes = {
            path[:length]
            for path in haneto.paths(position, haneto.rules.legal_moves(position))
            for length in range(len(path) + 1)
        }
        for prefix in prefixes:
            scene = picture(haneto, text, chosen=prefix, **how)
            cells = scene.cells()
            for place in scene.places:
                covered = [spot for spot in list_spots(place) if cells[spot[1]][spot[0]][0] != " "]
                assert not covered, f"{text}, {prefix}: {place.target} is covered at {covered}"


def list_spots(place: Place) -> list[tuple[int, int]]:
    """Return the spots of a place's marks and of its value."""
    x, y = place.spot(place.label)
    return [*map(place.spot, (place.mark, place.hint, place.last)), (x - 1, y), (x, y), (x + 1, y)]


@every_scale
def test_a_whole_jump_shows_faintly_where_its_pieces_stood(tobito: AnyGame, scale: int) -> None:
    scene = picture(tobito, ".BT/T../..T/.B./..B T", chosen=("c3", "a1", "a3"), scale=scale)
    cells = scene.cells()
    inside = {
        place.target: {
            cells[y][x] for y in range(place.y, place.y + place.height) for x in range(place.x, place.x + place.width)
        }
        for place in scene.places
    }
    assert ("▚", Role.FIRST) in inside["c3"]
    assert ("▚", Role.SECOND) in inside["b2"]
    assert not any(glyph.isdigit() for glyph, _ in inside["a3"])


@every_scale
def test_a_jump_is_shown_on_its_way(haneto: AnyGame, scale: int) -> None:
    position = haneto.notation.parse_position(JUMP[0])
    move = haneto.notation.parse_move(position, "b4b1+a4*c4")
    after = haneto.rules.play(position, move)
    frames = haneto.painter.between(View((position, after), (move,), scale=scale))
    assert len(frames) == 3
    assert len({frame.text() for frame in frames}) == 3
    assert all(any(sprite.role is Role.MOVING for sprite in frame.sprites) for frame in frames)


@pytest.mark.parametrize("layout", LAYOUTS, ids=SIZES)
def test_pieces_have_about_the_same_mass_and_other_shapes(layout: Any) -> None:
    shapes = {piece: shape_piece(layout, piece, "standing") for piece in "TBN"}
    assert len(set(shapes.values())) == 3
    masses = {
        piece: sum(QUADRANTS.index(glyph).bit_count() for row in rows for glyph in row)
        for piece, rows in shapes.items()
    }
    assert min(masses.values()) >= 0.75 * max(masses.values()), masses


@every_scale
def test_home_rows_are_places_and_are_named(game: AnyGame, scale: int) -> None:
    scene = game.painter.scene(View((game.default_start(),), scale=scale))
    grounds, words = scene.compute_grounds(), " ".join(scene.text().split())
    for cells, role, owner in (("a5 b5 c5", Role.PLACE_FIRST, "Top"), ("a1 b1 c1", Role.PLACE_SECOND, "Bottom")):
        for place in map(scene.place, cells.split()):
            assert place is not None
            assert grounds[place.y][place.x] is role
        assert owner in words
    assert words.count("home of") == 2

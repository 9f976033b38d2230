"""The picture: golden text, silhouettes, names of cells, rims, hands, full lines."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from onlymove.pictures.painting import cursor_signs
from onlymove_engines.core.drawing import FRESH
from onlymove_engines.core.scene import LARGEST, Role, View
from onlymove_engines.core.shapes import QUADRANTS
from onlymove_engines.games.pokemon import picture
from onlymove_engines.games.pokemon.notation import NOTATION, SIZES
from onlymove_engines.games.pokemon.picture import (
    LAYOUTS,
    draw_silhouette,
    list_covered,
)
from onlymove_engines.games.pokemon.rules import RULES, START, Placement, Position
from onlymove_tui.app.widgets.board_view import choose_lines

GOLDEN = Path(__file__).parent / "golden"
GAME = ["c@11", "B@00", "b@22", "C@22", "a@02", "C@00", "b@10", "A@01"]


MoveContext = View[Position, Placement]


def view(*moves: str, flipped: bool = False, ascii_only: bool = False, scale: int = 1) -> MoveContext:
    positions, played = [START], list[Placement]()
    for text in moves:
        played.append(NOTATION.parse_move(positions[-1], text))
        positions.append(RULES.play(positions[-1], played[-1]))
    return View(tuple(positions), tuple(played), flipped, ascii_only=ascii_only, scale=scale)


EVERY_SCALE = pytest.mark.parametrize("scale", range(1, LARGEST + 1))


def check_golden(seen: MoveContext, name: str) -> None:
    """Check that the picture is the one in the file."""
    text = picture.scene(seen).text().rstrip("\n")
    assert text == (GOLDEN / f"{name}.txt").read_text("utf-8").rstrip("\n"), f"{name} differs from\n{text}"


@EVERY_SCALE
def test_golden_pictures(scale: int) -> None:
    suffix = "" if scale == 1 else f".{scale}"
    check_golden(view(*GAME, scale=scale), f"middle{suffix}")
    check_golden(view(*GAME, scale=scale, ascii_only=True), f"middle-ascii{suffix}")


@EVERY_SCALE
@pytest.mark.parametrize("ascii_only", [False, True])
def test_a_held_move_stands_in_its_cell_on_what_it_covers(scale: int, ascii_only: bool) -> None:
    seen = replace(view(*GAME, scale=scale, ascii_only=ascii_only), chosen=("large", "@01"))
    check_golden(seen, f"held{'-ascii' * ascii_only}{f'.{scale}' if scale > 1 else ''}")
    scene, played = picture.scene(seen), picture.scene(view(*GAME, "c@01", scale=scale, ascii_only=ascii_only))
    assert scene.text() == played.text(), "it looks as if it were played"
    assert [place.target for place in scene.places] == [place.target for place in played.places]
    assert scene.place("large") != played.place("large"), "the hand of the side to move still answers"
    assert picture.scene(replace(seen, chosen=("large",))).text() == picture.scene(replace(seen, chosen=())).text()


def test_golden_picture_of_a_flipped_board() -> None:
    check_golden(view(*GAME, flipped=True), "middle-flipped")


@EVERY_SCALE
@pytest.mark.parametrize("ascii_only", [False, True])
def test_both_teams_weigh_the_same_and_grow_with_their_size(scale: int, ascii_only: bool) -> None:
    weights = []
    for size in LAYOUTS[scale - 1].pieces:
        turtle, dragon = (weight(draw_silhouette(seat, *size, ascii_only)) for seat in (0, 1))
        assert abs(turtle - dragon) <= max(2, 0.06 * turtle), f"{size}: {turtle} and {dragon}"
        weights.append(turtle)
    assert weights[0] * 1.4 < weights[1], weights
    assert weights[1] * 1.4 < weights[2], weights


def weight(drawn: tuple[str, ...]) -> int:
    """Count the filled quarters of characters or, in ASCII, the filled characters."""
    glyphs = "".join(drawn)
    if glyphs.isascii():
        return len(glyphs.replace(" ", ""))
    return sum(QUADRANTS.index(glyph).bit_count() for glyph in glyphs)


@EVERY_SCALE
@pytest.mark.parametrize("ascii_only", [False, True])
def test_the_size_is_written_once_below_each_kind(scale: int, ascii_only: bool) -> None:
    empty, played = (picture.scene(view(*moves, scale=scale, ascii_only=ascii_only)) for moves in ((), ("c@11",)))
    for word in ("small", "medium", "large"):
        assert empty.text().count(word) == 2, "once for each side"
    place = played.place("@11")
    assert place is not None
    rows = [row[place.x : place.x + place.width] for row in played.text().split("\n")[place.y : place.y + place.height]]
    assert not any(glyph.isalnum() and glyph not in "o^" for row in rows for glyph in row), rows


def test_on_the_lowest_screen_a_line_between_two_rows_of_the_board_is_left() -> None:
    scene = picture.scene(view())
    shown = [scene.text().split("\n")[y] for y in choose_lines(scene, 17)]
    assert any("┼" in line for line in shown)


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize(
    "moves",
    [
        ("c@00", "A@01", "c@10", "A@11", "b@20"),
        ("c@00", "A@01", "c@11", "A@10", "b@22"),
        ("c@00", "A@10", "c@01", "A@11", "b@02"),
    ],
    ids=["upright", "aslant", "level"],
)
def test_a_won_game_fits_the_lowest_screen(moves: tuple[str, ...], ascii_only: bool) -> None:
    """The stroke of the full line crosses the lines between the rows, and one of those is left out."""
    scene = picture.scene(view(*moves, ascii_only=ascii_only))
    assert len(choose_lines(scene, 17)) == 17


def test_the_hand_that_answers_is_the_mover_s() -> None:
    first = picture.scene(view()).place("large")
    second = picture.scene(view("a@00")).place("large")
    turned = picture.scene(view("a@00", flipped=True)).place("large")
    assert first is not None
    assert second is not None
    assert second.x > first.x
    assert turned == first


def test_nobody_is_to_move_after_a_resignation() -> None:
    def names(seen: MoveContext) -> list[Role | None]:
        return [sprite.role for sprite in picture.scene(seen).sprites if sprite.role in FRESH]

    assert names(view())
    assert not names(replace(view(), is_over=True))


@EVERY_SCALE
def test_covered_pieces_are_known_only_from_the_past(scale: int) -> None:
    played = view("a@00", "B@00", "c@00", scale=scale)
    assert list_covered(played)[0] == "aB"
    assert "▄S▄" in picture.scene(played).text()
    assert "▲M▲" in picture.scene(played).text()
    assert "▲M▲" not in picture.scene(View((played.position,), scale=scale)).text()


def test_the_rims_of_two_pieces_are_as_wide_as_the_pieces_are_large() -> None:
    assert "▄S▄▲▲M▲▲" in picture.scene(view("a@00", "B@00", "c@00")).text()
    assert "oSo^^M^^" in picture.scene(view("a@00", "B@00", "c@00", ascii_only=True)).text()


def test_cells_are_named_on_the_edges_and_turn_with_the_board() -> None:
    top = picture.scene(view()).text().splitlines()[0].split()
    turned = picture.scene(view(flipped=True)).text().splitlines()[0].split()
    assert top == ["Squirtle", "A", "B", "C", "Charmander"]
    assert turned == ["Charmander", "C", "B", "A", "Squirtle"]


def test_spent_kinds_are_dim_and_stand_on_no_tray() -> None:
    scene = picture.scene(view("a@00", "A@10", "a@01"))
    spent = [sprite.rows for sprite in scene.sprites if sprite.role is Role.SPENT]
    assert spent == [(" ░ ", "░░░"), ("1",), ("×0",)]
    assert [tint.role for tint in scene.tints].count(Role.PLACE_FIRST) == 2
    assert [tint.role for tint in scene.tints].count(Role.PLACE_SECOND) == 3


@pytest.mark.parametrize(
    ("moves", "sign", "ascii_sign"),
    [
        ("a@00 A@10 a@01 A@11 b@02", "━━━", "==="),
        ("a@00 A@01 a@10 A@11 b@20", "▐█▌", "|||"),
        ("a@00 A@10 a@11 A@12 b@22", "▚", "\\"),
        ("a@02 A@10 a@11 A@12 b@20", "▞", "/"),
    ],
)
@EVERY_SCALE
@pytest.mark.parametrize("flipped", [False, True])
def test_a_full_line_is_lit_and_joined(moves: str, sign: str, ascii_sign: str, scale: int, flipped: bool) -> None:
    won = picture.scene(view(*moves.split(), scale=scale, flipped=flipped))
    assert [tint.role for tint in won.tints].count(Role.LIT) == 3
    assert [sprite.rows for sprite in won.sprites if sprite.role is Role.FIRST_FRESH].count((sign,)) == 2
    plain = picture.scene(view(*moves.split(), scale=scale, flipped=flipped, ascii_only=True))
    assert [sprite.rows for sprite in plain.sprites].count((ascii_sign,)) == 2


@EVERY_SCALE
def test_the_cursor_frames_one_word_of_the_hand(scale: int) -> None:
    scene = picture.scene(view(scale=scale))
    words = {sprite.y: sprite.rows[0] for sprite in scene.sprites if sprite.rows[0] in SIZES}
    for size in SIZES:
        place = next(place for place in scene.places if place.target == size)
        assert {words[y] for _, y, _ in cursor_signs(place, ascii_only=False) if y in words} == {size}

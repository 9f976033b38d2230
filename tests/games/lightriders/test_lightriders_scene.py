"""The picture of the field: what fits at which scale, how the riders differ, and which counts are shown."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from onlymove.pictures.painting import NO_MARKS, THREAT, Marks, paint
from onlymove_engines.core.scene import LARGEST, Role, Scene, View
from onlymove_engines.games.lightriders import make_mirrored_field, picture
from onlymove_engines.games.lightriders.picture import (
    BLOCKS,
    FRAME,
    PLAIN,
    SPACES,
    Drawing,
    Glyphs,
    draw_shape,
    format_name,
    lay_out,
)
from onlymove_engines.games.lightriders.rules import CRASH, RULES, SMALLEST, STEPS, Position, Round
from onlymove_engines.games.lightriders.rules import LARGEST as WIDEST
from onlymove_engines.games.lightriders.territory import map_control

GOLDEN = Path(__file__).with_name("golden")
SCALES = range(1, LARGEST + 1)
MIDDLE = ("uu", "uu", "rl", "rl", "dd", "rd", "dl", "dl", "lu")
"""The rounds of a game. Both riders can play them from the start used here."""


def view(*rounds: str, size: int = 16, **options: object) -> View[Position, Round]:
    """Return a game on a square field, from a start of its own."""
    positions, moves = [make_mirrored_field(size, size, size // 8, size // 3)], [(text[0], text[1]) for text in rounds]
    for move in moves:
        positions.append(RULES.play(positions[-1], move))
    return View(tuple(positions), tuple(moves), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(("scale", "ascii_only", "overlay"), [*product(SCALES, (False, True), (False, True))])
def test_golden_pictures(scale: int, ascii_only: bool, overlay: bool) -> None:
    text = picture.scene(view(*MIDDLE, scale=scale, ascii_only=ascii_only, overlay=overlay)).text()
    words = ("middle", str(scale), *["territory"] * overlay, *["ascii"] * ascii_only)
    path = GOLDEN / f"{'.'.join(words)}.txt"
    assert path.is_file(), f"no golden picture: write {path} after looking at\n{text}"
    assert text == path.read_text("utf-8").rstrip("\n"), f"{path.name} differs from\n{text}"
    assert text.isascii() == ascii_only


@pytest.mark.parametrize(("scale", "ascii_only"), [*product(SCALES, (False, True))])
def test_golden_pictures_of_a_held_step(scale: int, ascii_only: bool) -> None:
    held = view(*MIDDLE, scale=scale, ascii_only=ascii_only, chosen=("d",), seat=0)
    text, path = picture.scene(held).text(), GOLDEN / f"held.{scale}{'.ascii' * ascii_only}.txt"
    assert text == path.read_text("utf-8").rstrip("\n"), f"{path.name} differs from\n{text}"


@pytest.mark.parametrize("scale", SCALES)
def test_a_held_step_looks_as_if_it_were_taken_and_tells_nothing_of_the_other_rider(scale: int) -> None:
    before = view(*MIDDLE, scale=scale, seat=0)
    for step in RULES.moves_of(before.position, 0):
        held = picture.scene(replace(before, chosen=(step,)))
        for reply in RULES.moves_of(before.position, 1):
            after = picture.scene(view(*MIDDLE, step + reply, scale=scale, seat=0))
            one, other = (find_changes(picture.scene(before), scene) for scene in (held, after))
            assert one, "the step is seen"
            if scale > 1:  # a small cell has its number first
                assert one.items() <= other.items()
        places = picture.scene(before).places
        assert [replace(place, mark=old.mark) for place, old in zip(held.places, places, strict=True)] == [*places]
    assert picture.scene(replace(before, chosen=("u",), seat=None)) == picture.scene(replace(before, seat=None))


@pytest.mark.parametrize("size", [6, 16])
@pytest.mark.parametrize("scale", SCALES)
def test_the_mark_of_a_stopped_step_does_not_cover_the_riders_number(scale: int, size: int) -> None:
    before = view("rl", size=size, scale=scale, seat=0)
    for step in "urd":
        held = paint(picture.scene(replace(before, chosen=(step,))), Marks(threat=(step,)))
        bare = paint(picture.scene(replace(before, chosen=(step,))), NO_MARKS)
        pairs = [pair for rows in zip(held, bare, strict=True) for pair in zip(*rows, strict=True)]
        ((mark, covered),) = [(new[0], old[0]) for new, old in pairs if new != old]
        assert mark == THREAT
        assert covered != "1", f"{step} at scale {scale}"


def find_changes(before: Scene, after: Scene) -> dict[tuple[int, int], str]:
    """Return the characters that have changed, by column and row."""
    return {
        (x, y): glyph
        for y, (old, new) in enumerate(zip(before.cells(), after.cells(), strict=True))
        for x, ((was, _), (glyph, _)) in enumerate(zip(old, new, strict=True))
        if was != glyph
    }


@pytest.mark.parametrize(("scale", "ascii_only"), [*product(SCALES, (False, True))])
def test_a_held_crash_is_a_crash_where_the_rider_is(scale: int, ascii_only: bool) -> None:
    cells = ["0", "x", *"." * (SMALLEST - 2), "x", *"." * (SMALLEST * (SMALLEST - 1) - 2), "1"]
    position = Position(SMALLEST, SMALLEST, "".join(cells))
    assert RULES.moves_of(position, 0) == ("x",)
    trapped: View[Position, Round] = View((position,), ascii_only=ascii_only, scale=scale, seat=0)
    held = picture.scene(replace(trapped, chosen=("x",)))
    assert [sprite.role for sprite in held.sprites].count(Role.CAPTURE) == 1


@pytest.mark.parametrize("scale", SCALES)
def test_every_field_fits_its_scale(scale: int) -> None:
    most_columns, most_rows, _ = SPACES[scale]
    for width, height in product(range(SMALLEST, WIDEST + 1), repeat=2):
        seen = lay_out(width, height, scale)
        assert seen.width <= most_columns, f"{width}x{height}: {seen}"
        assert seen.height <= most_rows + FRAME * (not seen.counts), f"{width}x{height}: {seen}"
        assert seen.left >= 1, f"{width}x{height}: {seen}"
        assert seen.left + seen.wide < seen.width, f"{width}x{height}: {seen}"


@pytest.mark.parametrize("size", [4, 5, 6, 8, 10, 12, 16, 20, 24])
def test_the_fields_that_are_offered_grow_with_the_scale(size: int) -> None:
    heights = [lay_out(size, size, scale).height for scale in SCALES]
    assert heights[0] < heights[1] <= heights[2], f"{size}x{size}: {heights}"
    assert heights[1] >= 25, "no less than 60 % of a screen of 40 lines"
    assert heights[2] >= (37 if size < WIDEST else 29), "24 cells are 24 or 48 rows high"


def test_rows_that_show_cells_are_few_enough_for_the_smallest_screen() -> None:
    """On that screen the frame is left out, and the field and the counts stay."""
    for size in range(SMALLEST, 17):
        seen = lay_out(size, size, 1)
        assert seen.high + seen.counts <= 17, f"{size}x{size}: {seen}"


@pytest.mark.parametrize("signs", [BLOCKS, PLAIN], ids=["blocks", "plain"])
def test_trails_differ_in_their_texture(signs: Glyphs) -> None:
    assert len(set(signs.trail)) == 2
    assert len({*signs.held, *signs.beyond, signs.empty}) == 5, "territory is told by signs, too"


def test_trails_have_the_same_mass() -> None:
    eighths = {"█": 8, "▊": 6, "▇": 7}
    first, second = (sum(eighths[sign] for sign in grain) for grain in BLOCKS.trail)
    assert first == second


@pytest.mark.parametrize(("scale", "ascii_only"), [*product(SCALES, (False, True))])
def test_samples_of_trails_are_shown_only_if_the_trails_are_known(scale: int, ascii_only: bool) -> None:
    played = view(*MIDDLE, scale=scale, ascii_only=ascii_only)
    grains = (PLAIN if ascii_only else BLOCKS).trail
    for seen, is_shown in (
        (played, True),
        (replace(played, positions=played.positions[:1], moves=()), True),
        (replace(played, positions=played.positions[-1:], moves=()), False),
    ):
        drawn = picture.scene(seen).text()
        assert [grain in drawn for grain in grains] == [is_shown] * 2
        assert "1" in drawn
        assert "2" in drawn


@pytest.mark.parametrize(("scale", "ascii_only"), [*product(SCALES, (False, True))])
def test_heads_show_the_rider_and_its_direction(scale: int, ascii_only: bool) -> None:
    seen = view(*MIDDLE, scale=scale, ascii_only=ascii_only)
    lines = picture.scene(seen).text().splitlines()
    arrows = (PLAIN if ascii_only else BLOCKS).signs
    for seat, step in enumerate(seen.moves[-1]):
        assert sum(format_name(seat, arrows[step]) in line for line in lines) == 1, f"rider {seat} went {step}"


@pytest.mark.parametrize("cell", range(2, 9))
def test_a_rider_looks_different_in_every_direction(cell: int) -> None:
    for ascii_only in (False, True):
        shapes = {draw_shape(step, cell, ascii_only) for step in (*STEPS, "")}
        assert len(shapes) == 5
        assert {(len(rows), *{len(row) for row in rows}) for rows in shapes} == {(cell, 2 * cell)}


@pytest.mark.parametrize("scale", SCALES)
def test_territory_is_tinted_and_counted(scale: int) -> None:
    seen = view(*MIDDLE, scale=scale, overlay=True)
    scene, held = picture.scene(seen), map_control(seen.position)
    size = lay_out(16, 16, scale).cell
    for seat, role in enumerate((Role.PLACE_FIRST, Role.PLACE_SECOND)):
        near = sum(control.seat == seat and not control.beyond for control in held.values())
        grounds = Counter(ground for row in scene.compute_grounds() for ground in row)
        trail = 2 * size * size * len(seen.moves)
        bar = sum(tint.width * tint.height for tint in scene.tints[-2:] if tint.role is role)
        assert grounds[role] == 2 * size * size * near + trail + bar
        assert f" {sum(control.seat == seat for control in held.values())} " in f" {scene.text()} ".replace("\n", " ")


@pytest.mark.parametrize(("count", "words"), [(1, "1 cell"), (2, "2 cells")])
def test_one_cell_is_counted_in_the_singular(count: int, words: str) -> None:
    drawing = Drawing(view(scale=LARGEST, overlay=True))
    drawing.counts = (count, 9)
    assert words in [row for piece in drawing.draw_count(0) for row in getattr(piece, "rows", ())]


@pytest.mark.parametrize("scale", SCALES)
def test_nothing_moves_when_territory_is_shown(scale: int) -> None:
    plain, shown = (picture.scene(view(*MIDDLE, scale=scale, overlay=overlay)) for overlay in (False, True))
    assert (plain.width, plain.height, plain.places) == (shown.width, shown.height, shown.places)


@pytest.mark.parametrize("scale", [2, 3])
def test_marks_stand_where_nothing_is(scale: int) -> None:
    for seat in (0, 1):
        scene = picture.scene(view(*MIDDLE, scale=scale, overlay=True, seat=seat))
        cells = scene.cells()
        for place in scene.places:
            x, y = place.spot(place.label)
            spots = {place.spot(offset) for offset in (place.mark, place.hint, place.last)}
            spots |= {(x - 1, y), (x, y), (x + 1, y)}
            assert len(spots) == 6, f"{place}: marks cover each other"
            assert all(place.contains(*spot) for spot in spots), f"{place}: a mark is outside"
            assert all(cells[row][column][0] == " " for column, row in spots), f"{place}: a mark covers something"


def test_values_of_small_cells_stand_off_the_heads() -> None:
    for rounds in range(1, len(MIDDLE) + 1):
        seen = view(*MIDDLE[:rounds], seat=rounds % 2)
        scene = picture.scene(seen)
        for place, length in product(scene.places, (2, 3, 4)):
            x, y = place.spot(place.label)
            left = x - (length - 1) // 2 - 1
            covered = {(y - 1) * 16 + column // 2 for column in range(left, left + length)}
            signs = {seen.position.cells[cell] for cell in covered}
            assert signs <= {".", "x"}, f"after {rounds} rounds {place.target} covers {signs} with {length} characters"


@pytest.mark.parametrize("scale", SCALES)
def test_a_crash_is_marked_and_the_other_rider_stays(scale: int) -> None:
    scene = draw_locked_in(scale)
    assert any(role is Role.CAPTURE for row in scene.cells() for _, role in row)
    assert format_name(1, "▲") in scene.text()


@pytest.mark.parametrize("scale", SCALES)
def test_riders_that_enter_the_same_cell_crash_there(scale: int) -> None:
    before = Position(5, 4, "......0.1...........")
    after = RULES.play(before, ("r", "l"))
    scene = picture.scene(View((before, after), (("r", "l"),), scale=scale))
    seen = lay_out(5, 4, scale)
    crosses = [sprite for sprite in scene.sprites if sprite.role is Role.CAPTURE]
    assert {(sprite.x, sprite.y) for sprite in crosses} == {seen.corner(2, 1)}


def draw_locked_in(scale: int) -> Scene:
    """Return a picture in which rider 0 has locked itself in."""
    before = Position(4, 4, "0x..xx......1...")
    after = RULES.play(before, ("x", "u"))
    assert RULES.result(after) is not None
    return picture.scene(View((before, after), (("x", "u"),), scale=scale, overlay=True))


def test_a_given_position_has_walls_and_riders_without_direction() -> None:
    for scale in SCALES:
        scene = picture.scene(View((Position(5, 4, "0x..xx.......1......"),), scale=scale))
        assert Role.WALL in {sprite.role for sprite in scene.sprites}
        assert f"1{BLOCKS.signs['']}" in scene.text()


def test_a_field_that_is_too_high_follows_the_heads() -> None:
    for height, top in ((24, "╭┄"), (16, "╭─")):
        position = Position(6, height, "." * 6 * (height - 1) + "0....1")
        text = picture.scene(View((position,))).text()
        assert top in text
        assert "1►" in text


def test_a_crash_is_pointed_at_where_it_happens_and_not_on_the_rider() -> None:
    position = Position(4, 4, "0x..1x..........")
    for scale in SCALES:
        scene = picture.scene(View((position,), scale=scale, seat=0))
        assert [(place.target, place.x, place.y) for place in scene.places] == [
            ("x", *lay_out(4, 4, scale).corner(1, 0))
        ]


@pytest.mark.parametrize("seat", [0, 1])
def test_the_rider_that_chooses_is_in_sight_however_far_the_other_is(seat: int) -> None:
    cells = ["."] * (5 * 24)
    cells[7], cells[-8] = "0", "1"
    scene = picture.scene(View((Position(5, 24, "".join(cells)),), seat=seat))
    assert format_name(seat, "►◄"[seat]) in scene.text()
    assert len({(place.x, place.y) for place in scene.places}) == 4, "every direction has a cell of its own"


def test_a_crash_has_a_cross_of_its_size() -> None:
    for cell, ascii_only in product(range(1, 9), (False, True)):
        rows = draw_shape(CRASH, cell, ascii_only)
        assert (len(rows), {len(row) for row in rows}) == (cell, {2 * cell})

"""The picture of Ayòayò: golden texts, targets, true counts, the sowing step by step, the preview; at every scale."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from onlymove_engines.core.scene import LARGEST, Place, Role, Scene, Sprite, View
from onlymove_engines.core.shapes import QUADRANTS, Rows
from onlymove_engines.games.ayoayo import notation, rules
from onlymove_engines.games.ayoayo import picture as drawn
from onlymove_engines.games.ayoayo.picture import LIFTED, MOVER_TAKES, OWNER_TAKES, SEED, Kind, Size
from onlymove_engines.games.ayoayo.rules import START, Act, Position, events

Playouts: TypeAlias = Callable[[int, int], Iterator[tuple[Position, int, Position]]]
GOLDEN = Path(__file__).with_name("golden")
SCALES = range(1, LARGEST + 1)
KINDS = (SEED, LIFTED, MOVER_TAKES, OWNER_TAKES)


def size_of(scale: int, ascii_only: bool = False) -> Size:
    return replace(drawn.SIZES[scale - 1], ascii_only=ascii_only)


def midgame(facts: dict[str, Any], plies: int, **kwargs: Any) -> View[Position, int]:
    moves = facts["seed_game"]["moves"][:plies]
    positions = [START]
    for move in moves:
        positions.append(rules.play(positions[-1], move))
    return View(tuple(positions), tuple(moves), **kwargs)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("plain", {}),
        ("flipped-ascii", {"flipped": True, "ascii_only": True}),
        ("preview", {"overlay": True}),
        ("preview-of-one", {"overlay": True, "cursor": "6"}),
        *(
            (f"held{f'.{scale}' * (scale > 1)}{'-ascii' * ascii_only}", {"chosen": ("1",), "scale": scale, **how})
            for scale in SCALES
            for ascii_only, how in ((False, {}), (True, {"ascii_only": True}))
        ),
        ("scale-2", {"scale": 2}),
        ("scale-2-ascii", {"scale": 2, "ascii_only": True}),
        ("scale-3", {"scale": 3}),
        ("scale-3-ascii", {"scale": 3, "ascii_only": True}),
    ],
)
def test_golden(facts: dict[str, Any], name: str, options: dict[str, Any]) -> None:
    text = drawn.scene(midgame(facts, 7, **options)).text() + "\n"
    assert text == (GOLDEN / f"{name}.txt").read_text("utf-8")
    if "ascii_only" in options:
        assert text.isascii()


def test_nobody_is_to_move_after_a_resignation() -> None:
    assert "▸" in drawn.scene(View((START,))).text()
    assert "▸" not in drawn.scene(View((START,), is_over=True)).text()


@pytest.mark.parametrize(
    ("scale", "size", "space"), [(1, (51, 19), (52, 20)), (2, (75, 25), (76, 31)), (3, (99, 41), (104, 42))]
)
def test_the_size_of_each_scale(scale: int, size: tuple[int, int], space: tuple[int, int]) -> None:
    picture = drawn.scene(View((START,), scale=scale))
    assert (picture.width, picture.height) == size
    assert size <= space
    assert size[1] <= space[1]


def crop_place(picture: Scene, place: Place) -> list[str]:
    rows = [row.ljust(picture.width) for row in picture.text().splitlines()]
    return [row[place.x : place.x + place.width] for row in rows[place.y : place.y + place.height]]


def draw_one_pit(count: int, **options: Any) -> tuple[Scene, Place]:
    """Return a picture with this many seeds in the first pit, and the place of that pit."""
    picture = drawn.scene(View((Position((count, *(0,) * 11), (0, rules.SEEDS - count), 1),), **options))
    place = picture.place("1")
    assert place is not None
    return picture, place


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("scale", SCALES)
def test_a_number_is_drawn_above_every_bowl(scale: int, ascii_only: bool) -> None:
    size = size_of(scale, ascii_only)
    for count in range(rules.SEEDS + 1):
        above = crop_place(*draw_one_pit(count, scale=scale, ascii_only=ascii_only))[: size.number]
        if size.large and not ascii_only:
            assert [row.strip() for row in above] == [row.strip() for row in drawn.draw_number(size, str(count))]
        else:
            assert "".join(above).strip() == str(count)


def test_large_digits_differ() -> None:
    size = size_of(LARGEST)
    assert len({drawn.draw_number(size, str(number)) for number in range(rules.SEEDS + 1)}) == rules.SEEDS + 1


def count_blobs(rows: Rows) -> int:
    """Count the connected shapes in a picture made of quarters of characters."""
    left = {
        (2 * x + dx, 2 * y + dy)
        for y, row in enumerate(rows)
        for x, glyph in enumerate(row)
        for bit, (dx, dy) in enumerate(((0, 0), (1, 0), (0, 1), (1, 1)))
        if QUADRANTS.index(glyph) >> bit & 1
    }
    found = 0
    while left:
        found += 1
        edge = [left.pop()]
        while edge:
            x, y = edge.pop()
            near = {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} & left
            left -= near
            edge += near
    return found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("scale", SCALES)
def test_a_bowl_shows_each_of_its_seeds_or_a_heap_if_there_are_too_many(
    scale: int, ascii_only: bool, kind: Kind
) -> None:
    size = size_of(scale, ascii_only)
    signs = {row.strip() for row in drawn.draw_seeds(size, 1, kind)} - {""}
    for count in range(rules.SEEDS + 1):
        rows = drawn.draw_seeds(size, count, kind)
        assert {len(row) for row in rows} == {size.bowl_width}
        assert len(rows) == size.bowl_height
        if count > drawn.COUNTABLE:
            assert not any(sign in row for sign in signs for row in rows)
        else:
            in_quarters = size.large and not ascii_only
            shown = count_blobs(rows) if in_quarters else "".join(rows).count(signs.copy().pop())
            assert shown == count, f"scale {scale}: {count} {kind} are drawn as {shown}"


@pytest.mark.parametrize("scale", SCALES)
def test_seeds_lie_in_the_bowl_and_in_its_middle(scale: int) -> None:
    size = size_of(scale)
    for count in range(rules.SEEDS + 1):
        rows = drawn.draw_seeds(size, count, SEED)
        ground = drawn.draw_bowl(size)
        taken = [(x, y) for y, row in enumerate(rows) for x, glyph in enumerate(row) if glyph != " "]
        for x, y in taken:
            assert ground[y][x] == "█" or count > drawn.COUNTABLE, f"{count}: a seed on the edge"
        if taken:
            middle = (min(x for x, _ in taken) + max(x for x, _ in taken)) / 2
            assert abs(middle - (size.bowl_width - 1) / 2) <= 0.5, f"{count} seeds lean to one side"


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("scale", SCALES)
def test_a_tray_holds_what_was_captured(scale: int, ascii_only: bool) -> None:
    size = size_of(scale, ascii_only)
    for count in range(rules.SEEDS + 1):
        pieces = drawn.draw_tray(size, 0, 0, count, False)
        groups = [piece for piece in pieces if isinstance(piece, Sprite) and piece.role is Role.FIRST]
        if size.large and not ascii_only:
            shown = sum(count_blobs(group.rows) for group in groups)
        else:
            dots = {":": 2, ".": 1, SEED.sign: 1, "(": 1}
            shown = sum(dots.get(glyph, 0) for group in groups for row in group.rows for glyph in row)
        assert shown == count
        right = size.width - 1
        assert all(group.x + max(map(len, group.rows)) <= right for group in groups)
        assert all(len(group.rows) <= size.tray for group in groups)


@pytest.mark.parametrize("scale", SCALES)
def test_every_pit_is_a_place_and_nothing_is_outside(playouts: Playouts, scale: int) -> None:
    for before, move, after in playouts(8, 4):
        for flipped in (False, True):
            view = View((before, after), (move,), flipped=flipped, overlay=True, scale=scale)
            for picture in (drawn.scene(view), *drawn.between(view)):
                picture.cells()
                check_inside(picture)
            targets = {place.target for place in drawn.scene(view).places}
            assert {str(cell + 1) for cell in rules.legal_moves(after)} <= targets
            assert set(drawn.trace(before, move)) <= targets


def check_inside(picture: Scene) -> None:
    assert len(picture.places) == 12
    for sprite in picture.sprites:
        assert sprite.x >= 0
        assert max(map(len, sprite.rows)) + sprite.x <= picture.width
        assert sprite.y + len(sprite.rows) <= picture.height
    for tint in picture.tints:
        assert tint.x >= 0
        assert tint.x + tint.width <= picture.width
        assert tint.y + tint.height <= picture.height


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("scale", SCALES)
def test_marks_stand_on_nothing(playouts: Playouts, scale: int, ascii_only: bool) -> None:
    for before, move, after in playouts(8, 4):
        view = View((before, after), (move,), scale=scale, ascii_only=ascii_only)
        for picture in (drawn.scene(view), *drawn.between(view)):
            cells = picture.cells()
            for place in picture.places:
                x, y = place.spot(place.label)
                spots = [place.spot(place.mark), place.spot(place.hint), place.spot(place.last)]
                spots += [(x - 1, y), (x, y), (x + 1, y)]
                assert len({*spots}) == 6
                assert all(place.contains(*spot) for spot in spots)
                assert [cells[row][column][0] for column, row in spots] == [" "] * 6


@pytest.mark.parametrize("scale", SCALES)
def test_the_side_on_this_keyboard_sits_below(scale: int) -> None:
    for flipped, seat in ((False, 0), (True, 1)):
        position = Position(START.pits, START.captured, seat)
        picture = drawn.scene(View((position,), flipped=flipped, scale=scale))
        own, far = picture.place("1"), picture.place("1'")
        assert own is not None
        assert far is not None
        assert own.y > far.y


@pytest.mark.parametrize("scale", SCALES)
def test_sowing_is_shown_step_by_step(facts: dict[str, Any], scale: int) -> None:
    view = midgame(facts, 7, scale=scale)
    steps = events(view.positions[-2], view.moves[-1])
    pictures = drawn.between(view)
    assert len(pictures) == len(steps)
    for step, picture in zip(steps, pictures, strict=True):
        roles = {sprite.role for sprite in picture.sprites}
        assert (Role.CAPTURE in roles) == (step.act is Act.CAPTURE)
        assert Role.MOVING in roles
        assert f"[{step.hand}]" in picture.text(), "the count of the hand travels along"
        if step.act is Act.CAPTURE:
            assert (MOVER_TAKES if step.hand == 0 else OWNER_TAKES).sign in picture.text()


def test_each_relay_lights_only_its_own_path(facts: dict[str, Any]) -> None:
    view = midgame(facts, 9)
    steps = events(view.positions[-2], view.moves[-1])
    size, path = size_of(1), set[int]()
    for step, picture in zip(steps, drawn.between(view), strict=True):
        path = {step.pit} if step.act is Act.PICK_UP else {*path, step.pit}
        grounds = picture.compute_grounds()
        for pit in range(12):
            x, y = size.corner(pit)
            ground = grounds[y + size.number + 1][x + 3]
            assert (ground is Role.LIT) == (pit in path)
        arrows = sum(picture.text().count(arrow) for arrow in "←→")
        assert arrows == len(path - {step.pit}), "without colours the path is told by its arrows"


def test_different_events_on_seeds_look_different() -> None:
    for scale, ascii_only in product(SCALES, (False, True)):
        assert len({drawn.draw_seeds(size_of(scale, ascii_only), 4, kind) for kind in KINDS}) == len(KINDS)


def test_golden_sowing(facts: dict[str, Any]) -> None:
    """The animation shows a first pick-up, a relay, a capture by the row's owner and one by the mover."""
    view = midgame(facts, 9)
    shown = {comment.split()[0]: picture for picture in drawn.between(view) for comment in [last_line(picture)]}
    words = ("First", "Relay:", OWNER_TAKES.sign, MOVER_TAKES.sign)
    text = "\n\n".join(shown[word].text() for word in words)
    assert text + "\n" == (GOLDEN / "sowing.txt").read_text("utf-8")


def last_line(picture: Scene) -> str:
    return picture.text().rstrip().splitlines()[-1].strip()


def test_trace_marks_the_pit_sown_and_the_last_seed() -> None:
    position = notation.parse_position("1,0,0,0,0,0/0,2,0,0,0,1 20-24 0")
    assert drawn.trace(position, 0) == ("1'", "1")


def test_the_cursor_option_names_the_pit_looked_at(facts: dict[str, Any]) -> None:
    by_cursor = drawn.scene(midgame(facts, 7, overlay=True, cursor="6"))
    assert drawn.LANDING in by_cursor.text()
    assert by_cursor.text() != drawn.scene(midgame(facts, 7, overlay=True)).text()


def test_a_held_move_shows_its_path_and_the_counts_after_it_while_the_mover_is_still_to_move(
    facts: dict[str, Any],
) -> None:
    view = midgame(facts, 7)
    for move in rules.legal_moves(view.position):
        held = drawn.scene(midgame(facts, 7, chosen=(str(move + 1),)))
        path = {step.pit for step in events(view.position, move)}
        after, size = rules.play(view.position, move), size_of(1)
        rows, grounds = held.cells(), held.compute_grounds()
        for pit in range(12):
            x, y = size.corner(pit)
            number = "".join(glyph for glyph, _ in rows[y][x : x + size.bowl_width]).strip()
            assert number == str(after.pits[pit])
            assert (grounds[y + size.number + 1][x + 3] is Role.LIT) == (pit in path)
        assert sum(held.text().count(arrow) for arrow in "←→") == len(path)
        assert held.places == drawn.scene(view).places
        assert "▸ Second" in held.text()
        assert held == drawn.scene(midgame(facts, 7, chosen=(str(move + 1),), overlay=True))


def test_nobody_is_to_move_when_the_game_is_over() -> None:
    for position, is_over in (("3,1,0,0,0,0/1,1,1,1,0,0 24-16 0", False), ("0,0,0,0,0,0/0,0,0,0,0,0 28-20 1", True)):
        text = drawn.scene(View((notation.parse_position(position),))).text()
        assert ("▸" in text) != is_over


def test_the_star_of_a_hint_stands_nearer_to_its_own_number_than_to_the_next_place() -> None:
    near = [place for place in drawn.scene(View((START,))).places if place.target in "123456"]
    xs = sorted(place.x for place in near)
    for place in near:
        star, _ = place.spot(place.hint)
        after = [x for x in xs if x > place.x]
        assert not after or star - (place.x + place.width // 2) < after[0] - star


def test_a_preview_names_the_pit_and_fits_under_the_smallest_board(playouts: Playouts) -> None:
    size = size_of(1)
    for position, move, _ in playouts(20, 7):
        view: View[Position, int] = View((position,), overlay=True, cursor=str(move + 1))
        (line,) = [sprite for sprite in drawn.draw_preview(size, view) if sprite.role is Role.NOTE]
        assert line.rows[0].startswith(f"Pit {move + 1} ends in ")
        assert line.x >= 0
        assert len(line.rows[0]) <= size.width


@pytest.mark.parametrize("scale", [1, 2])
def test_a_mark_does_not_touch_a_number_of_two_digits(scale: int) -> None:
    size = size_of(scale)
    number = (size.bowl_width - 2) // 2
    mark = size.place(START, 0).mark
    assert mark[0] < number - 1

"""The picture of Ayòayò: golden texts, targets, the sowing step by step, the preview."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from onlymove_engines.core.scene import Role, Scene, View
from onlymove_engines.games.ayoayo import notation, rules, scene
from onlymove_engines.games.ayoayo.preview import events
from onlymove_engines.games.ayoayo.rules import START, Act, Position

Playouts: TypeAlias = Callable[[int, int], Iterator[tuple[Position, int, Position]]]
GOLDEN = Path(__file__).with_name("golden")


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
        ("preview-of-one", {"overlay": True, "chosen": ("6",)}),
    ],
)
def test_golden(facts: dict[str, Any], name: str, options: dict[str, Any]) -> None:
    text = scene.scene(midgame(facts, 7, **options)).text() + "\n"
    assert text == (GOLDEN / f"{name}.txt").read_text("utf-8")
    if "ascii_only" in options:
        assert text.isascii()


@pytest.mark.parametrize("ascii_only", [False, True])
def test_a_pit_shows_as_many_seeds_as_it_holds_or_a_heap_that_nobody_can_count(ascii_only: bool) -> None:
    for count in range(rules.SEEDS + 1):
        position = Position((count, *(0,) * 11), (0, rules.SEEDS - count), 1)
        picture = scene.scene(View((position,), ascii_only=ascii_only))
        pit = picture.place("1")
        assert pit is not None
        rows = picture.text().splitlines()[pit.y : pit.y + pit.height]
        inside = "".join(row[pit.x : pit.x + pit.width] for row in rows)
        seed = "o" if ascii_only else scene.SEED
        shown = inside.count(seed)
        assert shown == count or (shown == 0 and count > scene.COUNTABLE), f"{count} seeds are drawn as {shown}"
        assert str(count) in inside.split()


def test_a_hand_shows_as_many_seeds_as_it_lifts_or_a_heap() -> None:
    for glyph in (scene.SEED, scene.HAND_SEED, scene.LIFTED):
        for count in range(rules.SEEDS + 1):
            drawn = "".join(scene.seeds(count, glyph))
            assert len(drawn) == 3 * scene.INSIDE
            assert drawn.count(glyph) == (count if count <= scene.COUNTABLE else 0), f"{count} drawn with {glyph}"


def test_every_pit_is_a_place_and_nothing_is_outside(playouts: Playouts) -> None:
    for before, move, after in playouts(60, 4):
        for flipped in (False, True):
            view = View((before, after), (move,), flipped=flipped, overlay=True)
            for picture in (scene.scene(view), *scene.between(view)):
                picture.cells()
                inside(picture)
            targets = {place.target for place in scene.scene(view).places}
            assert {str(cell + 1) for cell in rules.legal_moves(after)} <= targets
            assert set(scene.trace(before, move)) <= targets


def inside(picture: Scene) -> None:
    assert len(picture.places) == 12
    for sprite in picture.sprites:
        assert sprite.x >= 0
        assert max(map(len, sprite.rows)) + sprite.x <= picture.width
        assert sprite.y + len(sprite.rows) <= picture.height


def test_the_side_on_this_keyboard_sits_below() -> None:
    for flipped, seat in ((False, 0), (True, 1)):
        position = Position(START.pits, START.captured, seat)
        picture = scene.scene(View((position,), flipped=flipped))
        own, far = picture.place("1"), picture.place("1'")
        assert own is not None
        assert far is not None
        assert own.y > far.y


def test_sowing_is_shown_step_by_step(facts: dict[str, Any]) -> None:
    view = midgame(facts, 7)
    steps = events(view.positions[-2], view.moves[-1])
    pictures = scene.between(view)
    assert len(pictures) == len(steps)
    for step, picture in zip(steps, pictures, strict=True):
        roles = {sprite.role for sprite in picture.sprites}
        assert (Role.CAPTURE in roles) == (step.act is Act.CAPTURE)
        assert Role.MOVING in roles
        if step.act is Act.CAPTURE:
            assert (scene.MOVER_TAKES if step.hand == 0 else scene.OWNER_TAKES) in picture.text()


def test_golden_sowing(facts: dict[str, Any]) -> None:
    """A first pick-up, a relay, a capture by the row's owner and one by the mover, as they are animated."""
    view = midgame(facts, 9)
    shown = {comment.split()[0]: picture for picture in scene.between(view) for comment in [last_line(picture)]}
    text = "\n\n".join(shown[word].text() for word in ("First", "Relay:", scene.OWNER_TAKES, scene.MOVER_TAKES))
    assert text + "\n" == (GOLDEN / "sowing.txt").read_text("utf-8")


def last_line(picture: Scene) -> str:
    return picture.text().rstrip().splitlines()[-1].strip()


def test_trace_marks_the_pit_sown_and_the_last_seed() -> None:
    position = notation.parse_position("1,0,0,0,0,0/0,2,0,0,0,1 20-24 0")
    assert scene.trace(position, 0) == ("1'", "1")


def test_the_cursor_option_names_the_pit_looked_at(facts: dict[str, Any]) -> None:
    by_cursor = scene.scene(midgame(facts, 7, overlay=True, options={"cursor": "6"}))
    assert by_cursor == scene.scene(midgame(facts, 7, overlay=True, chosen=("6",)))
    assert scene.LANDING in by_cursor.text()

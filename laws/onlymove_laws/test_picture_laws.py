"""The laws of pictures, for every game and every scale: what is on them, and that everything can be seen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest
from onlymove.pictures.colours import NAMES, Ink, Tone, colour, split_ink
from onlymove.pictures.painting import NO_MARKS, Marks, paint
from onlymove_engines import games
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.scene import GROUNDS, LARGEST, Place, Role, Scene, Tint, View
from rich.color import Color
from rich.color_triplet import ColorTriplet

from .law import Law, Sample, list_choices, list_starts, play_randomly, to_text
from .write_golden import CHARACTERS, draw_starts, find_golden_folder

SCALES = range(1, LARGEST + 1)
MAX_PICTURE = {1: (52, 20), 2: (76, 34), 3: (104, 44)}
"""The largest picture at each scale in columns and rows. It fits beside the panels at 80x24, 120x40 and 160x50."""
MIN_ROWS = [24, 37]
"""The fewest rows of a picture at scales 2 and 3, unless the game's facts give other numbers (`picture_rows`)."""
every_scale = pytest.mark.parametrize("scale", SCALES)


def list_views(game: AnyGame, scale: int) -> Iterator[View[Any, Any]]:
    """Yield moments of a random game from every start position, with their history, from both sides, in Unicode and
    ASCII."""
    for seed, start in enumerate(list_starts(game)):
        past: list[Any] = []
        moves: list[Any] = []
        for ply, (position, move) in enumerate(play_randomly(game, start, Random(seed))):
            past.append(position)
            if ply < 4 or ply % 5 == seed % 5 or move is None:
                flipped, ascii_only = bool(ply & 1), bool(ply & 2)
                yield View(tuple(past), tuple(moves), flipped, ascii_only=ascii_only, scale=scale)
            moves.append(move)


@cache
def draw_pictures(game_id: str, scale: int) -> tuple[tuple[View[Any, Any], Scene], ...]:
    """Return the views and their pictures. All laws share them."""
    game = games.load(game_id)
    return tuple((view, game.painter.scene(view)) for view in list_views(game, scale))


def format_view(game: AnyGame, view: View[Any, Any]) -> str:
    return f"{to_text(game, view.position)}, scale {view.scale}, flipped {view.flipped}, ASCII {view.ascii_only}"


@every_scale
def test_law_12_every_target_is_on_the_picture_and_nothing_outside(
    game: AnyGame, scale: int, sample: Sample, law: Law
) -> None:
    for number, position in law.each(enumerate(sample[scale - 1 :: LARGEST])):
        view: View[Any, Any] = View((position,), flipped=bool(number & 1), ascii_only=bool(number & 2), scale=scale)
        scene = game.painter.scene(view)
        check_scene(scene, format_view(game, view))
        assert scene.text().isascii() or not view.ascii_only, format_view(game, view)
        paths = [game.notation.paths(position, move) for moves in list_choices(game, position) for move in moves]
        wanted = {target for move_paths in paths for path in move_paths for target in path}
        shown = {place.target for place in scene.places}
        assert wanted <= shown, f"{format_view(game, view)}: {wanted - shown} is missing in the picture"


def check_scene(scene: Scene, where: str) -> None:
    for sprite in scene.sprites:
        assert sprite.x >= 0 <= sprite.y, f"{where}: {sprite}"
        assert sprite.y + len(sprite.rows) <= scene.height, f"{where}: {sprite}"
        assert all(sprite.x + len(row) <= scene.width for row in sprite.rows), f"{where}: {sprite}"
    boxes: tuple[Place | Tint, ...] = (*scene.places, *scene.tints)
    for box in boxes:
        assert box.x >= 0 <= box.y, f"{where}: {box}"
        assert box.x + box.width <= scene.width, f"{where}: {box}"
        assert box.y + box.height <= scene.height, f"{where}: {box}"


@every_scale
def test_law_12_a_picture_keeps_its_size_and_its_framed_places(game: AnyGame, scale: int, law: Law) -> None:
    sizes: dict[tuple[Any, bool], Any] = {}
    for view, scene in law.each(draw_pictures(game.id, scale)):
        places = {place.target: place for place in scene.places if place.framed}
        size, known = sizes.setdefault((view.positions[0], view.flipped), ((scene.width, scene.height), {}))
        assert (scene.width, scene.height) == size, format_view(game, view)
        moved = [target for target, place in places.items() if known.setdefault(target, place) != place]
        assert not moved, f"{format_view(game, view)}: {moved} are not in the same place in every picture"
        for frame in game.painter.between(view):
            assert (frame.width, frame.height) == size, f"{format_view(game, view)}: on the way to it"
            check_scene(frame, format_view(game, view))
        width, height = MAX_PICTURE[scale]
        size_told = f"{format_view(game, view)} is {scene.width} x {scene.height}, but only {width} x {height} fit"
        assert scene.width <= width, size_told
        assert scene.height <= height, size_told


def test_law_12_a_picture_grows_with_its_scale(game: AnyGame, facts: dict[str, Any], law: Law) -> None:
    for scale, rows in law.each(enumerate(facts.get("picture_rows", MIN_ROWS), start=2)):
        scene = game.painter.scene(View((game.default_start(),), scale=scale))
        assert scene.height >= rows, (
            f"{game.id}: the picture for scale {scale} has {scene.height} rows, fewer than {rows}. Draw it larger, or "
            "write picture_rows, its rows at scales 2 and 3, into facts.toml."
        )


@every_scale
def test_law_12_nothing_covers_the_space_for_marks(game: AnyGame, scale: int, law: Law) -> None:
    for view, scene in law.each(draw_pictures(game.id, scale)):
        cells = scene.cells()
        for place in scene.places:
            if place.framed:
                where = f"{format_view(game, view)}, {place.target}"
                spots = place.list_spots()
                assert len(set(spots)) == len(spots), f"{where}: marks share a spot"
                outside = [spot for spot in spots if not place.contains(*spot)]
                assert not outside, f"{where}: marks outside the place at {outside}"
                covered = {(x, y): cells[y][x][0] for x, y in spots if cells[y][x][0] != " "}
                assert not covered, f"{where}: marks would cover {covered}"
                left, right, top, bottom = place.x - 1, place.x + place.width, place.y - 1, place.y + place.height
                assert left >= 0 <= top, f"{where}: no room for the cursor"
                assert right < scene.width, f"{where}: no room for the cursor"
                assert bottom < scene.height, f"{where}: no room for the cursor"


@every_scale
def test_every_mark_has_a_character_of_its_own(game: AnyGame, scale: int, law: Law) -> None:
    for view, scene in law.each(draw_pictures(game.id, scale)[:2]):
        for place in scene.places[:: max(1, len(scene.places) // 3)]:
            target = place.target
            marks = {
                "no mark": NO_MARKS,
                "cursor": Marks(cursor=target),
                "a mark on the start of the last move": Marks(last=(target, "")),
                "a mark on the end of the last move": Marks(last=("", target)),
                "legal": Marks(legal=(target,)),
                "chosen": Marks(chosen=(target,)),
                "hint": Marks(hint=(target,)),
                "threat": Marks(threat=(target,)),
                "value": Marks(values={target: ("W5", Tone.WIN)}),
            }
            alike: dict[str, str] = {}
            for name, shown in marks.items():
                text = "\n".join("".join(glyph for glyph, _ in row) for row in paint(scene, shown, view.ascii_only))
                other = alike.setdefault(text, name)
                assert other == name, f"{format_view(game, view)}: {other} and {name} look alike on {target}"


@every_scale
def test_no_information_is_in_colours_alone(game: AnyGame, scale: int, law: Law) -> None:
    seen: dict[tuple[Any, ...], tuple[Scene, str]] = {}
    for view, bare in law.each(draw_pictures(game.id, scale)):
        overlaid = [game.painter.scene(replace(view, overlay=True))] if game.play.overlay_title else []
        for overlay, scene in enumerate([bare, *overlaid]):
            where = f"{format_view(game, view)}, overlay {bool(overlay)}"
            other, other_where = seen.setdefault((scene.text(), view.ascii_only), (scene, where))
            same = other is scene or (scene.cells(), scene.compute_grounds()) == (
                other.cells(),
                other.compute_grounds(),
            )
            assert same, f"{where} and {other_where} differ in colours only:\n{scene.text()}"


def test_law_12_pictures_equal_the_golden_text(game: AnyGame, law: Law) -> None:
    pictures, folder = draw_starts(game), find_golden_folder(game)
    assert len(pictures) >= len(CHARACTERS)
    for name, text in law.each(pictures.items()):
        path = folder / name
        assert path.is_file(), f"no golden picture: write {path} after looking at\n{text}"
        assert text.rstrip() == path.read_text("utf-8").rstrip(), f"{path.name} differs from\n{text}"
    stale = {path.name for path in folder.glob(f"{game.id}.start.*.txt")} - pictures.keys()
    assert not stale, f"golden files without a picture: {stale}"


TEXT, SHAPE = 4.5, 3.0
MARKS = (Tone.CURSOR, Tone.LEGAL, Tone.LAST, Tone.HINT, Tone.THREAT)
WORDS = (Role.LABEL, Role.NOTE, Role.HOME_FIRST, Role.HOME_SECOND)
LINES = (Role.GRID, Role.STORE, Role.FLOW, Role.WALL, Role.BAND_INNER)
BACKDROP = (*LINES, *GROUNDS, Role.SPENT, Role.CONTROL_FIRST, Role.CONTROL_SECOND)
"""Lines, edges of backgrounds, and things that are used up or behind everything else. No information depends on them
alone."""
XTERM = (Color.parse("#000000").triplet, Color.parse("#e5e5e5").triplet)
"""Stands for a terminal's own colours: light on black."""


def find_triplet(name: str, theme: str, is_ground: bool = False) -> ColorTriplet:
    shown = colour(name, theme).split()[-1]  # The look may begin with an attribute.
    found = XTERM[not is_ground] if shown == "default" else Color.parse(shown).get_truecolor()
    assert found is not None
    return found


def find_luminance(shown: ColorTriplet) -> float:
    """Return the relative luminance of a colour (WCAG 2.2)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shown.normalized]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def find_contrast(ink: Ink, ground: str, theme: str) -> float:
    """Return the contrast ratio of an ink on a named background (WCAG 2.2)."""
    name, _ = split_ink(ink)
    pair = [find_luminance(find_triplet(name, theme)), find_luminance(find_triplet(ground, theme, is_ground=True))]
    return (max(pair) + 0.05) / (min(pair) + 0.05)


def list_scenes(game: AnyGame) -> Iterator[Scene]:
    """Yield the pictures of all views at every scale, also with the overlay, in motion and with moves half entered."""
    for view in (view for scale in SCALES for view, _ in draw_pictures(game.id, scale)):
        yield from (game.painter.scene(replace(view, overlay=overlay)) for overlay in (False, True))
        # No marks are shown while pieces move.
        yield from (replace(scene, places=()) for scene in game.painter.between(view))
        moves = () if game.facts.simultaneous else game.rules.legal_moves(view.position)
        for move in moves[:: max(1, len(moves) // 4)]:
            yield game.painter.scene(replace(view, chosen=game.notation.paths(view.position, move)[0][:-1]))


def test_everything_drawn_on_a_board_is_visible(game: AnyGame, law: Law) -> None:
    pairs: set[tuple[Ink, Role | None]] = set()
    for scene in list_scenes(game):
        under = scene.compute_grounds()
        for cells, grounds in zip(scene.cells(), under, strict=True):
            # A piece on a background of its own colour is one area.
            pairs |= {(role, on) for (_, role), on in zip(cells, grounds, strict=True) if role not in (None, on)}
        pairs |= {(mark, under[place.y][place.x]) for place in scene.places for mark in MARKS}
    for ink, role in pairs:
        ground = "background" if role is None else split_ink(role)[0]
        for theme in law.each(NAMES):
            least = TEXT if ink in WORDS else 1.0 if ink in BACKDROP else SHAPE
            found = find_contrast(ink, ground, theme)
            assert found >= least, f"{game.id}, {theme}: {ink} on {ground} has {found:.2f}:1, not {least}:1"


def test_no_overlay_covers_the_end_of_a_game(game: AnyGame, law: Law) -> None:
    """The final board shows what has won, whatever is switched on."""
    for seed, start in law.each(product(range(3), list_starts(game))):
        *past, (last, _) = play_randomly(game, start, Random(seed))
        positions, moves = (*(position for position, _ in past), last), tuple(move for _, move in past)
        for scale in SCALES:
            bare = View[Any, Any](positions, moves, scale=scale, is_over=True)
            assert game.painter.scene(bare) == game.painter.scene(replace(bare, overlay=True)), format_view(game, bare)

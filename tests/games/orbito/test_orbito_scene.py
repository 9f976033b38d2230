"""The picture of Orbito: golden texts, the animated shift, and where the marbles of the last move went."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import pytest
from onlymove_engines.core.rules import MoveEntry
from onlymove_engines.core.scene import Role, Scene, View
from onlymove_engines.games.orbito import GAME, picture
from onlymove_engines.games.orbito.notation import NOTATION, describe_position
from onlymove_engines.games.orbito.picture import FRAME
from onlymove_engines.games.orbito.rules import (
    BIT,
    FULL,
    LINES,
    NEXT,
    RULES,
    START,
    Move,
    Position,
    count_extra_shifts,
    settle,
)
from onlymove_tui.app.widgets.board_view import choose_lines

GOLDEN = Path(__file__).with_name("golden")
SIZES = {1: (47, 20), 2: (69, 32), 3: (85, 40)}
COLOURS = (Role.WHITE, Role.BLACK)
every_scale = pytest.mark.parametrize("scale", SIZES)


def line(*texts: str) -> View[Position, Move]:
    positions, moves = [START], []
    for text in texts:
        moves.append(NOTATION.parse_move(positions[-1], text))
        positions.append(RULES.play(positions[-1], moves[-1]))
    return View(tuple(positions), tuple(moves))


MIDGAME = line("b3", "c2", "b4", "c3d3c1", "b2a2c4")
VIEWS = {
    "midgame": MIDGAME,
    "flipped": replace(MIDGAME, flipped=True),
    "picked": replace(MIDGAME, chosen=("c4",)),
    "pushed": replace(MIDGAME, chosen=("c4", "c3")),
    "held": replace(MIDGAME, chosen=("c4", "c3", "a4")),
    "held-placing": replace(MIDGAME, chosen=("b1",)),
    "shift": replace(MIDGAME, overlay=True),
    "pushed-shift": replace(MIDGAME, chosen=("c4", "c3"), overlay=True),
    "line-coming": View((NOTATION.parse_position("W.../W.B./W.B./..B. W"),), chosen=("b4",), overlay=True),
    "rested": View((NOTATION.parse_position("WWBB/BBWW/BWWB/WBBW W"),)),
    "diagonals": View((NOTATION.parse_position("W..B/.WB./.BW./B..W W"),)),
}


@pytest.mark.parametrize("name", VIEWS)
def test_pictures_match_the_golden_text(name: str) -> None:
    for scale, ascii_only in product(SIZES, (False, True)):
        text = picture.scene(replace(VIEWS[name], scale=scale, ascii_only=ascii_only)).text() + "\n"
        path = GOLDEN / f"{name}{'-ascii' * ascii_only}{f'.{scale}' if scale > 1 else ''}.txt"
        assert text == path.read_text("utf-8"), path.name
        assert text.isascii() or not ascii_only


@every_scale
@pytest.mark.parametrize("flipped", [False, True])
def test_a_held_move_shows_its_marbles_before_the_shift_and_the_ways_they_take(scale: int, flipped: bool) -> None:
    """Pushes from c4 or b4, there and back, along a ring and across it, with the own marble also where a push began."""
    moves: list[Move] = [("b1",), ("c4", "c3", "a4"), ("c4", "c3", "c4"), ("c4", "d4", "d1"), ("b4", "a4", "b4")]
    for move in moves:
        seen = replace(MIDGAME, chosen=move, scale=scale, flipped=flipped)
        scene = picture.scene(seen)
        lit = [sprite for sprite in scene.sprites if sprite.role is Role.MOVING]
        pushed = len(move) == 3
        is_back = pushed and NEXT[move[1]] == move[0]
        assert len(lit) == 4 * (1 + pushed) + (1 + pushed) + (pushed and not is_back), move
        after = " and ".join(NEXT[cell] for cell in move[-2:])
        assert scene.text().endswith(f". The shift moves {'them' if pushed else 'it'} to {after}.")
        assert (scene.width, scene.height) == SIZES[scale]
        kept_free = {spot for place in scene.places for spot in place.list_spots()}
        rows = scene.cells()
        assert {rows[y][x][0] for x, y in kept_free} == {" "}, f"{move}: marks have no room"


@every_scale
def test_a_line_leaves_no_piece_of_an_arrow(scale: int) -> None:
    """The line through b4 and c4 replaces the arrow between them, and no other."""
    position = NOTATION.parse_position("WWWW/.BBB/..../.... B")
    scenes = [picture.scene(View((seen,), scale=scale)) for seen in (START, position)]
    before, after = (sum(sprite.role is Role.FLOW for sprite in scene.sprites) for scene in scenes)
    assert (before, after) == (8, 7)


def whole_game(seed: int) -> View[Position, Move]:
    chance, positions, moves = Random(seed), [START], []
    while legal := RULES.legal_moves(positions[-1]):
        moves.append(chance.choice(legal))
        positions.append(RULES.play(positions[-1], moves[-1]))
    return View(tuple(positions), tuple(moves))


@every_scale
def test_pictures_keep_their_size_and_fit_beside_a_panel(scale: int) -> None:
    for seed in range(20):
        game = replace(whole_game(seed), scale=scale)
        for scene in (picture.scene(game), picture.scene(replace(game, overlay=True)), *picture.between(game)):
            assert (scene.width, scene.height) == SIZES[scale]
            assert all(len(row) == scene.width for row in scene.cells())


def test_every_target_of_a_move_is_a_place_that_knows_its_cell() -> None:
    scene = picture.scene(MIDGAME)
    for path in GAME.paths(MIDGAME.position, RULES.legal_moves(MIDGAME.position)):
        for target in path:
            place = scene.place(target)
            assert place is not None
            assert scene.target_at(place.x + place.width - 1, place.y + place.height - 1) == target


def test_every_move_can_be_entered_target_by_target_and_abandoned() -> None:
    moves = RULES.legal_moves(MIDGAME.position)
    entry = MoveEntry(GAME.paths(MIDGAME.position, moves))
    for move in moves:
        on_the_way = entry
        for target in move:
            assert on_the_way.move is None
            picture.scene(replace(MIDGAME, chosen=on_the_way.prefix, overlay=True))
            picked = on_the_way.pick(target)
            assert picked is not None
            assert replace(picked, prefix=picked.prefix[:-1]) == on_the_way
            on_the_way = picked
        assert on_the_way.move == move


def marbles_at(scene: Scene, cell: str) -> list[tuple[int, Role]]:
    """Return the marbles on a cell: how many characters each covers, and its colour."""
    place = scene.place(cell)
    assert place is not None
    return [
        (sum(glyph != " " for row in sprite.rows for glyph in row), sprite.role)
        for sprite in scene.sprites
        if sprite.role in COLOURS and len(sprite.rows) >= place.height and place.contains(sprite.x, sprite.y + 1)
    ]


@every_scale
@pytest.mark.parametrize("ascii_only", [False, True], ids=["unicode", "ascii"])
def test_marbles_lie_where_the_position_says_and_have_like_mass(scale: int, ascii_only: bool) -> None:
    mass: dict[Role, int] = {}
    for seed in range(20):
        game = replace(whole_game(seed), scale=scale, ascii_only=ascii_only)
        position, _ = settle(game.position)
        scene = picture.scene(game)
        for cell, bit in BIT.items():
            found = marbles_at(scene, cell)
            assert [colour for _, colour in found] == [
                colour for colour, side in zip(COLOURS, position, strict=True) if side & bit
            ], f"{cell} of {NOTATION.format_position(position)}"
            mass |= {colour: count for count, colour in found}
    assert 0.8 * mass[Role.WHITE] <= mass[Role.BLACK] < mass[Role.WHITE], f"{mass}: Black is White with a hole"


def test_the_trace_marks_the_moved_marbles_where_they_are_shown() -> None:
    for seed in range(50):
        game = whole_game(seed)
        for before, move, after in zip(game.positions, game.moves, game.positions[1:], strict=False):
            seat, shown = RULES.to_move(before), picture.scene(View((before, after), (move,)))
            traced = picture.trace(before, move)
            assert [colour for _, colour in marbles_at(shown, traced[-1])] == [COLOURS[seat]], "the placed marble"
            assert len(traced) == len(move[-2:])
            if len(move) == 3:
                pushed = [colour for _, colour in marbles_at(shown, traced[0])]
                assert pushed == [COLOURS[1 - seat]], "the pushed marble is where the trace begins"


def test_the_trace_goes_with_the_extra_shifts() -> None:
    before = NOTATION.parse_position("WBWW/WW.B/BBBW/BWWB B")
    after = NOTATION.parse_position("BBWB/WWBW/WWBB/BBWW W")
    move = NOTATION.parse_move(before, "c4c3c4")
    assert RULES.play(before, move) == after
    assert count_extra_shifts(after) == 1
    assert picture.trace(before, move) == ("b2", "a4"), "two steps along each ring from c3 and c4"


@pytest.mark.parametrize(
    ("position", "output"),
    [
        (
            "BBWB/WWBW/WWBB/BBWW W",
            [
                "White: a1 a2 b2 b4 c2 d1 d2 d4, after 1 extra shift.",
                "Black: a3 a4 b1 b3 c1 c3 c4 d3, after 1 extra shift.",
            ],
        ),
        ("BBBW/W..W/...W/B..W B", ["White: a3 d1 d2 d3 d4.", "Black: a1 a4 b4 c4."]),
        (
            "BBB./W..W/...W/.... W",
            [
                "White: a3 d2 d3; after the next shift a2 d3 d4.",
                "Black: a4 b4 c4; after the next shift a3 a4 b4.",
            ],
        ),
    ],
)
def test_a_finished_board_is_described_as_it_is_shown(position: str, output: list[str]) -> None:
    assert describe_position(NOTATION.parse_position(position)) == output


def test_a_move_is_shown_step_by_step() -> None:
    frames = picture.between(MIDGAME)
    assert len(frames) == 5, "push, placement, three pictures of the shift"
    assert picture.between(View((START,))) == ()
    assert len(picture.between(line("b3"))) == 4


def test_extra_shifts_are_shown_one_by_one_and_described() -> None:
    chance = Random(1)
    for _ in range(2000):
        game = whole_game(chance.randrange(1 << 30))
        if game.position.occupied == FULL and (extra := count_extra_shifts(game.position)):
            assert len(picture.between(game)) == 3 + len(game.moves[-1]) // 2 + 1 + 4 * extra
            assert f"shown after {extra} extra shift" in picture.scene(game).text()
            return
    raise AssertionError("no game came to extra shifts")


def find_line_characters(scene: Scene) -> dict[str, str]:
    """Return the cells whose marbles have a line drawn on them, with its characters."""
    found: dict[str, str] = {}
    for sprite in scene.sprites:
        cell = scene.target_at(sprite.x, sprite.y)
        if cell and sprite.role in (*COLOURS, Role.MOVING) and len(sprite.rows[0]) == 1:
            found[str(cell)] = found.get(str(cell), "") + sprite.rows[0]
    return found


@every_scale
def test_a_line_that_exists_only_before_the_shift_is_not_drawn(scale: int) -> None:
    before = NOTATION.parse_position(".B../W..B/W..B/W... W")
    move: Move = ("a4",)
    game = View((before, RULES.play(before, move)), (move,), scale=scale)
    for scene in (*picture.between(game), picture.scene(game), picture.scene(replace(game, chosen=move))):
        assert not find_line_characters(scene)


@every_scale
@pytest.mark.parametrize("ascii_only", [False, True], ids=["unicode", "ascii"])
def test_a_line_after_the_shift_goes_through_its_four_marbles(scale: int, ascii_only: bool) -> None:
    before = NOTATION.parse_position("W.../W.B./W.B./..B. W")
    move: Move = ("b4",)
    won = View((before, RULES.play(before, move)), (move,), ascii_only=ascii_only, scale=scale)
    file_a = {"a1", "a2", "a3", "a4"}
    assert find_line_characters(picture.scene(won)).keys() == file_a
    entered: View[Position, Move] = View((before,), (), False, move, True, ascii_only, scale=scale)
    assert find_line_characters(picture.scene(entered)).keys() == file_a, "the overlay shows what is coming"


@every_scale
@pytest.mark.parametrize("ascii_only", [False, True], ids=["unicode", "ascii"])
def test_every_line_can_be_seen_without_colours(ascii_only: bool, scale: int) -> None:
    for line, seat in product(LINES, (0, 1)):
        position = Position(line * (1 - seat), line * seat)
        found = find_line_characters(picture.scene(View((position,), ascii_only=ascii_only, scale=scale)))
        assert found.keys() == {cell for cell, bit in BIT.items() if line & bit}
        for cell, signs in found.items():
            assert set(signs) & set("=|\\/" if ascii_only else "┃▐▌▀▄▙▛▟▜▘▝▖▗▞▚"), (
                f"{cell} of {NOTATION.format_position(position)}: no other signs than those of marbles"
            )


def find_characters(scene: Scene, cell: str) -> str:
    """Return the characters of a cell."""
    place = scene.place(cell)
    assert place is not None
    rows = scene.text().split("\n")[place.y : place.y + place.height]
    return "\n".join(row.ljust(scene.width)[place.x : place.x + place.width] for row in rows)


@every_scale
@pytest.mark.parametrize("ascii_only", [False, True], ids=["unicode", "ascii"])
def test_characters_show_the_owner_of_a_marble_and_whether_it_has_won(ascii_only: bool, scale: int) -> None:
    def read_cell(position: Position, cell: str) -> str:
        return find_characters(picture.scene(View((position,), ascii_only=ascii_only, scale=scale)), cell)

    for line, (cell, bit) in product(LINES, BIT.items()):
        if line & bit:
            each = [read_cell(Position(*sides), cell) for sides in ((bit, 0), (0, bit), (line, 0), (0, line))]
            assert len(set(each)) == len(each), f"{cell}: White, Black, White's line, Black's line:\n" + "\n".join(each)


@every_scale
def test_a_marble_in_hand_has_a_frame(scale: int) -> None:
    for chosen, framed in ((("c4",), 1), (("c4", "c3"), 1), (("c4", "c3", "a3"), 2), (("a3",), 1)):
        scene = picture.scene(replace(MIDGAME, chosen=chosen, scale=scale))
        wanted = set()
        for place in map(scene.place, chosen[-framed:]):
            assert place is not None
            wanted |= {
                (x, y) for x in (place.x - 1, place.x + place.width) for y in (place.y - 1, place.y + place.height)
            }
        signs = {sprite for sprite in scene.sprites if sprite.role is Role.MOVING and sprite.rows[0] in FRAME}
        assert {(sprite.x, sprite.y) for sprite in signs} == wanted


def test_on_a_low_screen_edges_are_left_out_before_names_and_cells() -> None:
    scene = picture.scene(MIDGAME)
    lines = choose_lines(scene, 16)
    assert len(lines) == 16
    needed = {0, *(y for place in scene.places for y in range(place.y, place.y + place.height))}
    assert needed <= {*lines}


@every_scale
@pytest.mark.parametrize("seat", [0, 1], ids=["White", "Black"])
def test_a_line_along_a_row_has_no_breaks_and_black_marbles_no_holes_in_colour(seat: int, scale: int) -> None:
    line = sum(BIT[cell] for cell in ("a4", "b4", "c4", "d4"))
    position = Position(line * (1 - seat), line * seat)
    scene = picture.scene(View((position,), scale=scale))
    first, last = scene.place("a4"), scene.place("d4")
    assert first is not None
    assert last is not None
    grounds = scene.compute_grounds()
    rows = [row[first.x + first.width // 2 : last.x + last.width // 2] for row in scene.cells()]
    ends = (COLOURS[1 - seat], Role.MOVING)
    assert any(all(role in ends for _, role in row) for row in rows), "from the first marble to the last"
    holes = [ground for row in grounds for ground in row if ground is Role.BLACK]
    assert bool(holes) == (seat == 1)

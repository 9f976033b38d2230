"""What the painter adds to a picture: outlines if backgrounds are not visible, and values that replace words."""

import pytest
from onlymove.pictures.colours import ANSI, On, Tone
from onlymove.pictures.painting import NO_MARKS, Marks, paint
from onlymove_engines.core.scene import Place, Role, Scene, Sprite, Tint
from onlymove_tui.app.themes import style
from onlymove_tui.app.widgets.board_view import outline
from onlymove_tui.app.widgets.canvas import are_same, fold, key_row, name_keys


def draw_outline(scene: Scene, marks: Marks = NO_MARKS) -> list[str]:
    """Return the characters of a picture in a terminal without colours."""
    return ["".join(glyph for glyph, _ in row) for row in outline(scene, paint(scene, marks))]


BOWL = Sprite(0, 0, (" ▟   ▙ ", "▟     ▙", "▜     ▛", " ▜   ▛ "), Role.PLACE_FIRST)
BOWL_GROUND = (Tint(0, 1, 7, 2, Role.PLACE_FIRST), Tint(1, 0, 5, 4, Role.PLACE_FIRST))


def test_a_ground_with_rounded_edges_has_a_line_round_it_where_no_ground_is_seen() -> None:
    scene = Scene(7, 4, (BOWL,), tints=BOWL_GROUND)
    assert draw_outline(scene) == [" ╭───╮ ", "╭╯   ╰╮", "╰╮   ╭╯", " ╰───╯ "]
    tones = {tone for row in outline(scene, paint(scene, NO_MARKS)) for glyph, tone in row if glyph != " "}
    assert tones == {Role.GRID}


def test_pieces_and_marks_are_never_joined_to_lines() -> None:
    seed = Sprite(3, 0, ("●",), Role.FIRST)
    place = Place("pit", 1, 0, 5, 4, last=(0, -1))
    scene = Scene(7, 4, (BOWL, seed), (place,), BOWL_GROUND)
    assert draw_outline(scene, Marks(last=("pit",))) == [" ╭ ● ╮ ", "╭╯   ╰╮", "╰╮   ╭╯", " ◆───╯ "]


def test_a_black_marble_is_a_ring_and_has_no_line_round_it() -> None:
    ring = Sprite(1, 0, ("▟█▀█▙", "██ ██", "██ ██", "▜█▄█▛"), Role.BLACK)
    scene = Scene(7, 4, (BOWL, ring), tints=(*BOWL_GROUND, Tint(3, 0, 1, 4, Role.BLACK)))
    assert draw_outline(scene) == [" ▟█▀█▙ ", " ██ ██ ", " ██ ██ ", " ▜█▄█▛ "]
    assert not style(On(Tone.TEXT, Role.BLACK), ANSI).reverse
    assert style(On(Role.WHITE, Role.BLACK), ANSI).reverse, "a line through a marble can be seen"


def test_other_grounds_have_lines_of_their_own() -> None:
    scene = Scene(3, 2, (Sprite(0, 0, ("▟",), Role.FIRST),), tints=(Tint(0, 0, 3, 2, Role.PLACE),))
    assert draw_outline(scene) == ["▟  ", "   "]


def test_a_value_replaces_what_the_picture_says_at_its_spot() -> None:
    """A value of two characters beside the rest of an overlay looked like another number."""
    place = Place("pit", 1, 1, 7, 3, label=(3, -1))
    scene = Scene(9, 5, (Sprite(3, 3, ("8:4",), Role.GHOST),), (place,))
    grid = paint(scene, Marks(values={"pit": ("-4", Tone.LOSS)}))
    assert "".join(glyph for glyph, _ in grid[3]).strip() == "-4"


@pytest.mark.parametrize(("column", "row"), [(1, "│-12%  │"), (5, "│  -12%│")])
def test_a_value_does_not_cover_the_frame_around_the_ground(column: int, row: str) -> None:
    frame = tuple(Sprite(x, 0, ("│",), Role.GRID) for x in (0, 7))
    cell, ground = Place("cell", column, 0, 2, 1, label=(1, 0), framed=False), Tint(1, 0, 6, 1, Role.PLACE)
    scene = Scene(8, 1, frame, (cell,), (ground,))
    grid = paint(scene, Marks(values={"cell": ("-12%", Tone.LOSS)}))
    assert "".join(glyph for glyph, _ in grid[0]) == row


def draw_dimple_on_band(band_rows: int, dimple_top: int, dimple_rows: int, lines: int) -> list[str]:
    """Return the outline of a dimple on a band with rounded corners."""
    band = Sprite(0, 0, ("▗       ▖", *[" " * 9] * band_rows, "▝       ▘"), Role.BAND)
    dimple = Sprite(2, dimple_top, ("▗   ▖", *[" " * 5] * dimple_rows, "▝   ▘"), Role.DIMPLE)
    tints = (
        Tint(1, 0, 7, band_rows + 2, Role.BAND),
        Tint(0, 1, 9, band_rows, Role.BAND),
        Tint(3, dimple_top, 3, dimple_rows + 2, Role.DIMPLE),
        Tint(2, dimple_top + 1, 5, dimple_rows, Role.DIMPLE),
    )
    return draw_outline(Scene(9, lines, (band, dimple), tints=tints))


def test_a_ground_that_encloses_another_has_no_line_round_that() -> None:
    assert draw_dimple_on_band(5, 1, 3, lines=7) == [
        "╭───────╮",
        "│ ╭───╮ │",
        "│ │   │ │",
        "│ │   │ │",
        "│ │   │ │",
        "│ ╰───╯ │",
        "╰───────╯",
    ]


def test_a_ground_that_touches_the_edge_of_the_one_round_it_is_no_bay() -> None:
    assert draw_dimple_on_band(3, 2, 1, lines=6) == [
        "╭───────╮",
        "│       │",
        "│ ╭───╮ │",
        "│ │   │ │",
        "╰ ╰───╯ ╯",
        "         ",
    ]


def test_grounds_that_end_in_half_a_character_do_not_flow_together() -> None:
    """There is half a row between the lower edge of one and the upper edge of the other."""
    dimples = [Sprite(0, y, ("▗▄▄▄▖", " " * 5, "▀   ▀"), Role.DIMPLE) for y in (0, 3)]
    tints = tuple(
        tint for y in (0, 3) for tint in (Tint(0, y + 1, 5, 1, Role.DIMPLE), Tint(1, y + 2, 3, 1, Role.DIMPLE))
    )
    drawn = draw_outline(Scene(5, 6, tuple(dimples), tints=tints))
    assert drawn[:3] == drawn[3:] == ["╭───╮", "│   │", "╰───╯"]


def test_a_ground_that_a_piece_fills_has_no_line_round_it() -> None:
    piece = Sprite(1, 1, ("█████", "█████"), Role.FIRST)
    assert draw_outline(Scene(7, 4, (BOWL, piece), tints=BOWL_GROUND)) == [" ╭───╮ ", "╭█████╮", "╰█████╯", " ╰───╯ "]
    higher = Sprite(1, 0, ("█████",) * 4, Role.FIRST)
    assert draw_outline(Scene(7, 4, (BOWL, higher), tints=BOWL_GROUND)) == [" █████ "] * 4


def test_a_row_of_keys_is_broken_only_between_keys() -> None:
    names = {"review": "e", "rematch_swapped": "A", "menu": "q"}
    keys = key_row([("review", "review"), ("rematch_swapped", "swap sides"), ("menu", "back to the menu")])
    row = name_keys(keys, names.__getitem__)
    for width in range(25, 50):
        lines = ["".join(text for text, _ in line) for line in fold(row, width)]
        assert "   ".join(lines) == "e review   A swap sides   q back to the menu"
        assert all(len(line) <= width for line in lines)
        assert all(line[:2] in ("e ", "A ", "q ") for line in lines)


def test_rows_are_the_same_whether_they_are_lists_or_tuples() -> None:
    run = ("a", Tone.TEXT)
    assert are_same([[run]], ((run,),))
    assert are_same([()], [[]])
    assert not are_same([[run]], [[run, run]])
    assert not are_same([[run]], [])

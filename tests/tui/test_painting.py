"""What the painter adds to a picture: outlines where no ground is seen, values that replace words."""

from onlymove_engines.core.scene import GROUNDS, Place, Role, Scene, Sprite, Tint
from onlymove_tui.app.widgets.paint import NO_MARKS, Marks, outlined, painted
from onlymove_tui.app.widgets.tones import On, Tone


def test_the_rounded_edge_of_a_ground_becomes_a_thin_dim_line() -> None:
    edge = Sprite(0, 0, ("▗   ▖", "▝   ▘"), Role.PLACE_FIRST)
    piece = Sprite(2, 0, ("▟",), Role.FIRST)
    scene = Scene(5, 2, (edge, piece), tints=(Tint(0, 0, 5, 2, Role.PLACE),))
    grid = outlined(painted(scene, NO_MARKS))
    assert ["".join(glyph for glyph, _ in row) for row in grid] == ["╭ ▟ ╮", "╰   ╯"], "a piece stays what it is"
    inks = {tone.ink if isinstance(tone, On) else tone for row in grid for _, tone in row}
    assert not inks & GROUNDS
    assert grid[0][0][1] is Role.GRID


def test_a_value_replaces_what_the_picture_says_at_its_spot() -> None:
    """A value of two characters beside what was left of an overlay read as another number."""
    place = Place("pit", 1, 1, 7, 3, label=(3, -1))
    scene = Scene(9, 5, (Sprite(3, 3, ("8:4",), Role.GHOST),), (place,))
    grid = painted(scene, Marks(values={"pit": ("-4", Tone.LOSS)}))
    assert "".join(glyph for glyph, _ in grid[3]).strip() == "-4"

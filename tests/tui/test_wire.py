"""Whatever the wire leaves out, the terminal shows the same."""

from __future__ import annotations

import tracemalloc
from itertools import product

import pyte
from hypothesis import given
from hypothesis import strategies as st
from onlymove_engines.core.text import clean_lines
from onlymove_tui.terminal.screen_diff import TerminalDiff, encode_movement
from rich.color import ColorSystem
from rich.control import Control
from rich.segment import Segment
from rich.style import Style

COLUMNS, ROWS = 20, 6

styles = st.builds(
    Style,
    bold=st.booleans(),
    reverse=st.booleans(),
    underline=st.booleans(),
    color=st.sampled_from([None, "red", "#ff8700", "#0000ff"]),
    bgcolor=st.sampled_from([None, "#121212", "green"]),
)
pieces = st.tuples(
    st.integers(0, COLUMNS - 4),
    st.integers(0, ROWS - 1),
    st.lists(st.tuples(st.text("ab ─●", min_size=1, max_size=2), st.none() | styles), min_size=1, max_size=2),
)
updates = st.lists(st.lists(pieces, min_size=1, max_size=8), min_size=1, max_size=4)


def cells(screen: pyte.Screen) -> list[list[pyte.screens.Char]]:
    """Return what is visible. A blank has neither a colour of its own nor a weight."""
    return [[hide_invisible_style(screen.buffer[row][column]) for column in range(COLUMNS)] for row in range(ROWS)]


def hide_invisible_style(cell: pyte.screens.Char) -> pyte.screens.Char:
    is_empty = cell.data == " " and not (cell.reverse or cell.underscore or cell.strikethrough)
    return cell._replace(fg="default", bold=False, italics=False) if is_empty else cell


def list_segments(update: list[tuple[int, int, list[tuple[str, Style | None]]]]) -> list[Segment]:
    found: list[Segment] = []
    for x, y, texts in update:
        found.append(Control.move_to(x, y).segment)
        found += [Segment(text, style) for text, style in texts]
    return found


@given(updates, st.sampled_from(list(ColorSystem)[1:4]))
def test_the_screen_is_the_same_as_when_everything_is_sent(
    given_updates: list[list[tuple[int, int, list[tuple[str, Style | None]]]]], colours: ColorSystem
) -> None:
    thrifty, plain = pyte.Screen(COLUMNS, ROWS), pyte.Screen(COLUMNS, ROWS)
    one, other = pyte.Stream(thrifty), pyte.Stream(plain)
    wire = TerminalDiff()
    for update in given_updates:
        drawn = list_segments(update)
        one.feed(wire.encode(drawn, colours, (COLUMNS, ROWS)))
        other.feed("\x1b[0m" + TerminalDiff().encode(drawn, colours, (COLUMNS, ROWS)))
        assert cells(thrifty) == cells(plain)
        again = wire.encode(drawn, colours, (COLUMNS, ROWS))
        assert again == "" or overlaps(update), "what is shown is not sent again"
        one.feed(again)


def overlaps(update: list[tuple[int, int, list[tuple[str, Style | None]]]]) -> bool:
    """Whether two pieces share a cell. In that case, the later one must always win."""
    taken: set[tuple[int, int]] = set()
    for x, y, texts in update:
        mine = {(x + step, y) for step in range(sum(len(text) for text, _ in texts))}
        if taken & mine:
            return True
        taken |= mine
    return False


@given(styles)
def test_a_piece_is_drawn_in_its_own_colours(style: Style) -> None:
    """The result is compared with the escape codes that rich itself writes."""
    mine, theirs = pyte.Screen(COLUMNS, ROWS), pyte.Screen(COLUMNS, ROWS)
    pyte.Stream(mine).feed(TerminalDiff().encode([Segment("ab", style)], ColorSystem.TRUECOLOR, (COLUMNS, ROWS)))
    pyte.Stream(theirs).feed(style.render("ab", color_system=ColorSystem.TRUECOLOR))
    assert cells(mine)[0][:2] == cells(theirs)[0][:2]


@given(st.text(min_size=1, max_size=8))
def test_in_ascii_nothing_else_passes(text: str) -> None:
    assert TerminalDiff(ascii_only=True).encode([Segment(text)], ColorSystem.TRUECOLOR, (COLUMNS, ROWS)).isascii()


@given(st.text(st.characters(categories=["Cc", "Cf", "Zl", "Zp", "L"]), min_size=1, max_size=8))
def test_a_text_that_would_control_the_terminal_is_shown_as_the_clean_one(text: str) -> None:
    def encode(shown: str) -> str:
        return TerminalDiff().encode([Segment(shown)], ColorSystem.TRUECOLOR, (COLUMNS, ROWS))

    assert encode(text) == encode(clean_lines(text))


def test_the_last_frame_of_a_wider_screen_leaves_nothing_behind() -> None:
    """The frame may be sent when the terminal is already narrow, which breaks its lines."""
    terminal, wire, narrow = pyte.Screen(COLUMNS // 2, 2), TerminalDiff(), COLUMNS // 2
    stream = pyte.Stream(terminal)
    for width, upper in ((COLUMNS, "─" * COLUMNS), (narrow, "─" * narrow)):
        lower = "b".ljust(width)
        frame = [Control.move_to(0, 1).segment, Segment(lower), Control.move_to(0, 0).segment, Segment(upper)]
        stream.feed(wire.encode(frame, ColorSystem.TRUECOLOR, (width, 2)))
    assert terminal.display == ["─" * narrow, "b".ljust(narrow)]


def test_remembered_movements_take_less_than_a_megabyte() -> None:
    places = list(product(range(10), range(10)))
    encode_movement.cache_clear()
    tracemalloc.start()
    for at, to in product(places, places):
        encode_movement((*at,), (*to,))
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size < 1 << 20

"""Checks that a screen is complete: nothing is cut off, nothing sticks out, and whatever goes on says so. It looks at
any screen of the app and describes what is wrong. It knows no game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TypeVar
from unittest.mock import patch

from onlymove_engines.core.scene import LARGEST
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.screens.board_screen import BoardScreen
from onlymove_tui.app.screens.pages import Paper
from onlymove_tui.app.widgets.bars import KeyBar, Lines, Notice, Panel
from onlymove_tui.app.widgets.board_view import BoardView, SmallBoard
from onlymove_tui.app.widgets.canvas import Canvas, Row, row_width
from onlymove_tui.app.widgets.choices import Choices
from onlymove_tui.app.widgets.course import MoveList
from onlymove_tui.app.widgets.layout import AND_MORE, GameLayout
from textual.pilot import Pilot
from textual.widget import Widget

from tests.tui.pilots import press, render_strips, settle

Size = tuple[int, int]
Shown = TypeVar("Shown", bound=Widget)

SIZES: Sequence[Size] = [(60, 20), (80, 24), (100, 30), (120, 40), (160, 50), (200, 55)]
FULL = (80, 24)
"""From this size on, every line of a board's picture is shown."""
BOARD_SHARE = {(120, 40): 0.60, (200, 55): 0.75}
"""The least share of its area's height that a board fills."""
ENDLESS = 400
"""A width at which no text of a panel is wrapped."""


async def find_faults_at(pilot: Pilot[int], app: OnlymoveApp, size: Size, small_board: bool = False) -> list[str]:
    """Return what is wrong in a terminal of this size. If the panels are folded, they are also checked open."""
    if app.size != size:
        await pilot.resize_terminal(*size)
        await settle(pilot)
    found = find_faults(app, small_board)
    if isinstance(app.screen, BoardScreen) and size[0] < FULL[0] and app.screen.typing is None:
        await press(pilot, "tab")
        found += [f"with the panels open: {fault}" for fault in find_faults(app, small_board)]
        await press(pilot, "tab")
    return found


def lines_on_screen(app: OnlymoveApp) -> list[str]:
    """Return the lines of the screen, as the terminal shows them."""
    return [strip.text for strip in render_strips(app)]


def find_faults(app: OnlymoveApp, small_board: bool = False) -> list[str]:
    """Return what is wrong with the open screen. `small_board` means that the game's facts allow low pictures."""
    seen = lines_on_screen(app)
    found = [
        *find_outside(app),
        *cut(app),
        *find_cut_borders(app, seen),
        *find_unmarked_lists(app),
        *find_broken_words(app),
    ]
    found += board_faults(app, small_board)
    last = max(shown.region.bottom for kind in (KeyBar, Notice) for shown in list_visible(app, kind))
    if last != app.size.height:
        found.append(f"the last line is neither keys nor a banner: those end at {last}")
    if not any(bar.text().strip() for bar in list_visible(app, KeyBar)) and not any(
        banner.has_class("-banner") or len(banner.lines) > 1 for banner in list_visible(app, Notice)
    ):
        found.append("no keys are named")
    return found


def list_visible(app: OnlymoveApp, kind: type[Shown]) -> Iterator[Shown]:
    """Yield the widgets of a kind that are not hidden, directly or inside a hidden one."""
    for widget in app.screen.query(kind):
        if all(around.display for around in widget.ancestors_with_self if isinstance(around, Widget)):
            yield widget


def find_outside(app: OnlymoveApp) -> Iterator[str]:
    """Report widgets that stick out of their container."""
    for widget in list_visible(app, Widget):
        around = widget.parent
        if isinstance(around, Widget) and widget.region and not around.region.contains_region(widget.region):
            yield f"{widget} at {widget.region} sticks out of {around} at {around.region}"


def cut(app: OnlymoveApp) -> Iterator[str]:
    """Report rows that are longer than their widget, too many rows, and every ellipsis."""
    for canvas in list_visible(app, Canvas):
        rows = canvas.rows()
        for row in rows:
            text = text_of(row)
            if row_width(row) > canvas.size.width:
                yield f"{canvas}: {text!r} takes {row_width(row)} of {canvas.size.width} columns"
            if "…" in text:
                yield f"{canvas}: cut: {text!r}"
        if app.services.ascii_only and not canvas.text().isascii():
            yield f"{canvas}: not ASCII: {canvas.text()}"
        if len(rows) > canvas.size.height:
            yield f"{canvas}: {len(rows)} rows in {canvas.size.height} lines, from {text_of(rows[0])!r}"


def text_of(row: Row) -> str:
    return "".join(text for text, _ in row)


def find_cut_borders(app: OnlymoveApp, seen: Sequence[str]) -> Iterator[str]:
    """Report panels whose corners or border texts are not completely on the screen."""
    for panel in list_visible(app, Panel):
        region, styles = panel.region, panel.styles
        top, bottom = seen[region.y], seen[min(region.bottom, len(seen)) - 1]
        if styles.border_bottom[0]:
            corners = top[region.x] + top[region.right - 1] + bottom[region.x] + bottom[region.right - 1]
            if corners != "╭╮╰╯":
                yield f"{panel}: its corners are {corners!r}"
            if panel.facts not in bottom[region.x : region.right]:
                yield f"{panel}: {panel.facts!r} is not whole in {bottom[region.x : region.right]!r}"
        if styles.border_top[0] and panel.title not in top[region.x : region.right]:
            yield f"{panel}: {panel.title!r} is not whole in {top[region.x : region.right]!r}"


def find_unmarked_lists(app: OnlymoveApp) -> Iterator[str]:
    """Report lists that go on without saying so, or whose marked line is not visible."""
    for choices in list_visible(app, Choices):
        shown = choices.text()
        if choices.entries and "▸" not in shown.replace(">", "▸"):
            yield f"{choices}: the mark is out of sight:\n{shown}"
        if sum(map(len, choices.entries)) > choices.size.height and " more" not in shown:
            yield f"{choices}: goes on without a sign:\n{shown}"
    for paper in list_visible(app, Paper):
        if len(paper.writer(paper.size.width)) > paper.size.height and " more" not in paper.text():
            yield f"{paper}: goes on without a sign"
    for moves in list_visible(app, MoveList):
        shown = text_of([run for row in moves.rows() for run in row])
        if moves.plies and moves.current and "▸" not in shown:
            yield f"{moves}: the mark is out of sight:\n{moves.text()}"
        if len(moves.all_lines(moves.find_grid())) > moves.size.height and not {"▴", "▾"} & set(shown):
            yield f"{moves}: goes on without a sign:\n{moves.text()}"


def find_broken_words(app: OnlymoveApp) -> Iterator[str]:
    """Report words in the texts beside a board that occur neither if the line is long enough for everything nor if it
    has one column more or less. A narrow panel may have words of its own, but a word is not cut twice at the same
    letter."""
    screen = app.screen
    if not isinstance(screen, BoardScreen):
        return
    rows: list[Row] = []
    width, more = screen.board.note_width, screen.name_keys(AND_MORE)
    for other in (width - 1, width + 1, ENDLESS):
        with patch.object(GameLayout, "note_width", other):
            whole = screen.make_note()
        rows += [*whole.rows, *chain(*whole.shorter)]
    for panel in list_visible(app, Panel):
        if panel.title == whole.title:
            shown = list_words([row for row in panel.query_one(Lines).lines if row != more])
            if pieces := shown - list_words(rows):
                yield f"{panel}: {pieces} are no words of {[text_of(row) for row in whole.rows]}"


def list_words(rows: Sequence[Row]) -> set[str]:
    """Return the words of some rows, without punctuation after them. A short version of a line ends earlier."""
    return {word.rstrip(",;:.") for row in rows for word in text_of(row).split()}


def board_faults(app: OnlymoveApp, small_board: bool) -> Iterator[str]:
    """Report a board that is not complete, or smaller than it could be. Beside a list, a small board may be left
    out."""
    for view in list_visible(app, BoardView):
        if isinstance(view, SmallBoard):
            continue
        scene, (width, height), lines = view.scene, view.size, view.place_of_scene()[2]
        if app.size.width >= FULL[0] and app.size.height >= FULL[1] and (scene.width > width or scene.height > height):
            yield f"the picture is {scene.width} x {scene.height}, its space {width} x {height}"
        gone = {y for place in scene.places for y in range(place.y, place.y + place.height)} - set(lines)
        if gone or len(lines) > height:
            yield f"{len(lines)} lines of the board in {height}, without {sorted(gone)}"
        for scale in range(view.scale + 1, LARGEST + 1):
            larger = view.draw_at(scale)
            is_other = (larger.width, larger.height) != (scene.width, scene.height)
            if is_other and larger.width <= width and larger.height <= height:
                yield f"the picture is at scale {view.scale}, and there is room for {scale}"
        share = BOARD_SHARE.get((app.size.width, app.size.height), 0.0)
        if not small_board and scene.height < share * height:
            yield f"the picture fills {scene.height} of {height} lines, which is less than {share:.0%}"

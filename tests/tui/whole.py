"""What it is for a screen to be whole: nothing is cut, nothing sticks out, what there is more of says so.

Looks at any screen of the app and returns what is wrong with it, in words; knows no game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar
from unittest.mock import patch

from onlymove_engines.core.scene import LARGEST
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.board.board import BoardScreen
from onlymove_tui.app.screens.pages import Paper
from onlymove_tui.app.widgets.bars import KeyBar, Lines, Notice, Panel
from onlymove_tui.app.widgets.board import BoardView, SmallBoard
from onlymove_tui.app.widgets.canvas import Canvas, Row, row_width
from onlymove_tui.app.widgets.choices import Choices
from onlymove_tui.app.widgets.layout import AND_MORE, GameLayout
from onlymove_tui.app.widgets.move_list import MoveList
from textual.pilot import Pilot
from textual.widget import Widget

from tests.tui.pilots import press, settle

Size = tuple[int, int]
Shown = TypeVar("Shown", bound=Widget)

SIZES: Sequence[Size] = [(60, 20), (80, 24), (100, 30), (120, 40), (160, 50), (200, 55)]
FULL = (80, 24)
"""From this size on a board is shown with every line of its picture."""
BOARD_SHARE = {(120, 40): 0.60, (200, 55): 0.75}
"""How much of the height of its area a board fills at least."""
ENDLESS = 400
"""Columns in which no text of a panel is folded."""


async def faults_at(pilot: Pilot[int], app: OnlymoveApp, size: Size, small_board: bool = False) -> list[str]:
    """What is wrong on a terminal of this size; where the panels are folded, with them open too."""
    if app.size != size:
        await pilot.resize_terminal(*size)
        await settle(pilot)
    found = faults(app, small_board)
    if isinstance(app.screen, BoardScreen) and size[0] < FULL[0] and app.screen.typing is None:
        await press(pilot, "tab")
        found += [f"with the panels open: {fault}" for fault in faults(app, small_board)]
        await press(pilot, "tab")
    return found


def lines_on_screen(app: OnlymoveApp) -> list[str]:
    """The screen as the terminal shows it."""
    return [strip.text for strip in app.screen._compositor.render_strips()]


def faults(app: OnlymoveApp, small_board: bool = False) -> list[str]:
    """What is wrong with the screen that is open. `small_board`: the game's facts say that its pictures are low."""
    seen = lines_on_screen(app)
    found = [*outside(app), *cut(app), *without_a_border(app, seen), *without_a_sign(app), *broken(app)]
    found += board_faults(app, small_board)
    last = max(shown.region.bottom for kind in (KeyBar, Notice) for shown in visible(app, kind))
    if last != app.size.height:
        found.append(f"the last line is neither keys nor a banner: those end at {last}")
    if not any(bar.text().strip() for bar in visible(app, KeyBar)) and not any(
        banner.has_class("-banner") or len(banner.lines) > 1 for banner in visible(app, Notice)
    ):
        found.append("no keys are named")
    return found


def visible(app: OnlymoveApp, kind: type[Shown]) -> Iterator[Shown]:
    """The widgets of a kind that are not hidden, nor anything around them."""
    for widget in app.screen.query(kind):
        if all(around.display for around in widget.ancestors_with_self if isinstance(around, Widget)):
            yield widget


def outside(app: OnlymoveApp) -> Iterator[str]:
    """Widgets that stick out of what they are in."""
    for widget in visible(app, Widget):
        around = widget.parent
        if isinstance(around, Widget) and widget.region and not around.region.contains_region(widget.region):
            yield f"{widget} at {widget.region} sticks out of {around} at {around.region}"


def cut(app: OnlymoveApp) -> Iterator[str]:
    """Rows longer than their widget, before they are clipped; more rows than there are lines; an ellipsis."""
    for canvas in visible(app, Canvas):
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
    """What a row says."""
    return "".join(text for text, _ in row)


def without_a_border(app: OnlymoveApp, seen: Sequence[str]) -> Iterator[str]:
    """Panels whose corners, or what is written in their borders, are not on the screen."""
    for panel in visible(app, Panel):
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


def without_a_sign(app: OnlymoveApp) -> Iterator[str]:
    """Lists that go on without saying so, or whose mark is out of sight."""
    for choices in visible(app, Choices):
        shown = choices.text()
        if choices.entries and "▸" not in shown.replace(">", "▸"):
            yield f"{choices}: the mark is out of sight:\n{shown}"
        if sum(map(len, choices.entries)) > choices.size.height and " more" not in shown:
            yield f"{choices}: goes on without a sign:\n{shown}"
    for paper in visible(app, Paper):
        if len(paper.writer(paper.size.width)) > paper.size.height and " more" not in paper.text():
            yield f"{paper}: goes on without a sign"
    for moves in visible(app, MoveList):
        shown = text_of([run for row in moves.rows() for run in row])
        if moves.plies and moves.current and "▸" not in shown:
            yield f"{moves}: the mark is out of sight:\n{moves.text()}"
        if len(moves.all_lines()) > moves.size.height and not {"▴", "▾"} & set(shown):
            yield f"{moves}: goes on without a sign:\n{moves.text()}"


def broken(app: OnlymoveApp) -> Iterator[str]:
    """What there is to read beside a board, where it has words that one endless line has not."""
    screen = app.screen
    if not isinstance(screen, BoardScreen):
        return
    with patch.object(GameLayout, "note_width", ENDLESS):
        whole = screen.notes()
    for panel in visible(app, Panel):
        if panel.title == whole.title:
            shown = words_of([row for row in panel.query_one(Lines).lines if row != AND_MORE])
            if pieces := shown - words_of(whole.rows):
                yield f"{panel}: {pieces} are no words of {[text_of(row) for row in whole.rows]}"


def words_of(rows: Sequence[Row]) -> set[str]:
    """The words of some rows, without what stands after them: a brief line ends earlier."""
    return {word.rstrip(",;:.") for row in rows for word in text_of(row).split()}


def board_faults(app: OnlymoveApp, small_board: bool) -> Iterator[str]:
    """A board that is not whole, or smaller than there is room for. Beside a list it may be left out."""
    for view in visible(app, BoardView):
        if isinstance(view, SmallBoard):
            continue
        scene, (width, height), lines = view.scene, view.size, view.place_of_scene()[2]
        if app.size.width >= FULL[0] and app.size.height >= FULL[1] and (scene.width > width or scene.height > height):
            yield f"the picture is {scene.width} x {scene.height}, its room {width} x {height}"
        gone = {y for place in scene.places for y in range(place.y, place.y + place.height)} - set(lines)
        if gone or len(lines) > height:
            yield f"{len(lines)} lines of the board in {height}, without {sorted(gone)}"
        for scale in range(view.scale + 1, LARGEST + 1):
            larger = view._draw(scale)
            is_other = (larger.width, larger.height) != (scene.width, scene.height)
            if is_other and larger.width <= width and larger.height <= height:
                yield f"the picture is at scale {view.scale}, and there is room for {scale}"
        share = BOARD_SHARE.get((app.size.width, app.size.height), 0.0)
        if not small_board and scene.height < share * height:
            yield f"the picture fills {scene.height} of {height} lines, which is less than {share:.0%}"

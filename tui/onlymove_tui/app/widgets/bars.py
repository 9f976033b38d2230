"""The lines around a board (title, notice, keys), and panels with a title."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from onlymove.pictures.colours import Tone
from textual import events
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from onlymove_tui.app.messages import KeyClicked
from onlymove_tui.app.widgets.canvas import Canvas, Row, are_same, clip, fold, name_keys, row_width
from onlymove_tui.play.keys import Key
from onlymove_tui.terminal.capabilities import MIN_SIZE

FULL_HEIGHT = 24
"""The number of lines of a screen on which everything fits."""
BETWEEN = "  "
"""Separates two lines that were joined."""
TITLE_MARGIN = 4
"""The columns at both ends of the title bar and between its two parts."""


class TitleBar(Canvas):
    """Shows a name on the left and facts on the right, and both in the border of `panel` if there are borders."""

    def __init__(self, panel: Panel) -> None:
        super().__init__(id="title")
        self.panel = panel
        self.left: Row = ()
        self.right: Row = ()

    def show(self, left: Row, right: Row = ()) -> None:
        if not are_same((left, right), (self.left, self.right)):
            self.left, self.right = left, right
            self.panel.set_title(*("".join(text for text, _ in row).strip() for row in (left, right)))
            self.repaint()

    def rows(self) -> Sequence[Row]:
        """Return both parts at the edges. If they do not fit, the left one is cut."""
        right, width = [*self.right, (" ", Tone.TEXT)], self.size.width
        left = clip([(" ", Tone.TEXT), *self.left], max(0, width - row_width(right) - 1))
        return [[*left, (" " * (width - row_width(left) - row_width(right)), Tone.TEXT), *right]]


def find_clicked(row: Row, x: int) -> str | None:
    """Return the command whose key or word is at this column, or `None` in a gap."""
    named, end = None, 0
    for text, tone in row:
        end += len(text)
        if isinstance(tone, Key):
            named = tone.command
        elif not text.strip():
            named = None
        if x < end:
            return named
    return None


class Keys(Canvas):
    """Lines with keys. A click on one presses the key, after all keys that were pressed before."""

    def on_click(self, event: events.Click) -> None:
        rows = self.rows()
        command = find_clicked(rows[event.y], event.x) if event.y < len(rows) else None
        if command is not None:
            self.app.post_message(KeyClicked(command))


class KeyBar(Keys):
    """The footer with the keys that work now, as many as fit. The last two, the way back and the list of keys, always
    do."""

    def __init__(self, footer: Callable[[], Sequence[tuple[str, str]]], name_key: Callable[[str], str]) -> None:
        """`footer` returns (command, word), and `name_key` the name of a command's key."""
        super().__init__(id="keys")
        self.footer = footer
        self.name_key = name_key

    def rows(self) -> Sequence[Row]:
        items: list[Row] = [
            [(" ", Tone.TEXT), (self.name_key(command), Key(command)), (f" {word} ", Tone.DIM)]
            for command, word in self.footer()
        ]
        while len(items) > 2 and sum(map(row_width, items)) > self.size.width:
            items.pop(-3)
        return [[run for item in items for run in item]]


class Notice(Keys):
    """The lines under a board: whose turn it is, the verdict on the last move, or a question."""

    def __init__(self) -> None:
        super().__init__(id="notice")
        self.complete: Sequence[Row] = ()
        """All lines, including the key that is blank while it is too early to press it."""

    def show(
        self,
        lines: Sequence[Row],
        is_banner: bool = False,
        is_early: bool = False,
        has_hint: bool = False,
        has_footer: bool = False,
    ) -> None:
        """Show these lines, broken if they are too long. A banner asks for an answer. With `has_hint`, the last line is
        one that the player has asked for. With `has_footer`, the lines have the footer's keys and also use its line.

        On a low screen, lines are joined if they fit into one. If they do not fit, a hint is shown alone, because a
        player who asked for it knows whose turn it is. Other lines and banners then also use the footer's line. While
        it is too early for an answer, the first key of the last line is blank until `name_answer` is called, so that
        nothing moves on the screen.
        """
        width, is_low = self.app.size.width - 1, self.app.size.height < FULL_HEIGHT
        joined = [run for line in lines if line for run in (*line, (BETWEEN, Tone.TEXT))][:-1]
        if is_low and not is_banner and row_width(joined) <= width:
            lines = [joined]
        elif is_low and not is_banner and has_hint:
            lines = lines[-1:]
        rows = [row for line in lines if line or not is_low for row in fold(line, width)]
        self.complete = [[(" ", Tone.TEXT), *row] for row in rows]
        self.lines = self.complete
        if is_early:
            *others, last = self.complete
            first = next((n for n, (_, tone) in enumerate(last) if isinstance(tone, Key)), len(last))
            blank = [(" " * len(text), tone) for text, tone in last[first : first + 2]]
            self.lines = [*others, [*last[:first], *blank, *last[first + 2 :]]]
        self.set_class(is_banner, "-banner")
        footer = self.screen.query_one(KeyBar)
        footer.set_class(is_banner, "-asking")
        footer.set_class(has_footer or (is_low and len(self.lines) > 1), "-crowded")
        self.repaint()

    def name_answer(self) -> None:
        self.lines = self.complete
        self.repaint()


class Gate(Canvas):
    """Covers a terminal that is too small. It is laid out at the terminal's own size. `saving` says whether
    the games are saved, and `name_key` returns the name of a command's key."""

    def __init__(
        self,
        terminal_size: Callable[[], tuple[int, int]],
        saving: Callable[[], str],
        name_key: Callable[[str], str],
    ) -> None:
        super().__init__(id="gate")
        self.terminal_size = terminal_size
        self.saving = saving
        self.name_key = name_key

    def rows(self) -> Sequence[Row]:
        (width, height), (least_width, least_height) = self.terminal_size(), MIN_SIZE
        message: Sequence[Row] = (
            [(f"This terminal is {width} x {height}.", Tone.STRONG)],
            [(f"Please make it at least {least_width} x {least_height}.", Tone.TEXT)],
            [("", Key("quit")), (f" quits. {self.saving()}".rstrip(), Tone.DIM)],
        )
        return [line for row in message for line in fold(name_keys(row, self.name_key), width)]


class Lines(Canvas):
    def show(self, lines: Sequence[Row]) -> None:
        self.display = bool(lines)
        if not are_same(lines, self.lines):
            self.lines = lines
            self.repaint()


class FilledLines(Lines):
    fill: Callable[[int], Sequence[Row]] = staticmethod(lambda _width: ())

    def show_filled(self, fill: Callable[[int], Sequence[Row]]) -> None:
        """Show the rows that `fill` returns for the widget's width, and ask it again when the width changes."""
        self.fill = fill
        self.display = True
        self.repaint()

    def rows(self) -> Sequence[Row]:
        return self.fill(self.size.width) if self.size.width else ()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self.fill(width)) if width else 0


class Panel(Vertical):
    """Widgets with a title, which is in their border, or in a rule above them if there is no space for borders."""

    def __init__(self, *children: Widget, id: str, title: str = "") -> None:  # noqa: A002 - Textual's name
        super().__init__(*children, id=id, classes="panel")
        self.title = self.facts = ""
        self.set_title(title)

    def set_title(self, title: str, facts: str = "") -> None:
        if title != self.title:
            self.title, self.border_title = title, Content(title)
        if facts != self.facts:
            self.facts, self.border_subtitle = facts, Content(facts)
